// The parts of generated text that C and CUDA share: names, types, memory, expressions, and the statements of
// one unit.
#pragma once

#include "support/TextWriter.h"
#include "sync/fold/Fold.h"

#include <set>

namespace warploom::sync {

enum class Language { C, Cuda };

/// One barrier-free part of a step: pieces that may run in any order, and whether the outputs are published
/// in it.
struct StepPhase {
  std::string name; ///< `now0`, `next`
  std::vector<const Piece*> pieces;
  /// Per piece: the statements of one unit, over the index variables of indexNames() (and `t` where it has
  /// tables). Lines are not broken yet.
  std::vector<std::string> units;
  bool publishes = false;
};

/// Names and small texts of one generated file.
class CodeText {
public:
  CodeText(const Folding& folding, Language language);

  const Folding& folding;
  const System& system;
  const Language language;
  std::string name;                 ///< of the system, as an identifier
  std::vector<std::string> members; ///< per variable: its name, as an identifier
  std::vector<StepPhase> phases;    ///< of a step, in order
  bool hasRegisters = false, hasReports = false;

  /// `Inputs`, or `System_Inputs` in C, where there are no namespaces.
  std::string scoped(const std::string& type) const;
  std::string elementType(Element element) const;
  std::string elementType(const Variable& variable) const;

  /// Declarations of Inputs, Outputs, State and Registers.
  void declareStructs(TextWriter& out) const;
  /// The functions that units call for divisors that are not positive constants, where they do.
  void declareHelpers(TextWriter& out, const std::string& qualifiers) const;
  /// Tables of the pieces, as constant arrays. `qualifiers` comes before the type.
  void declareTables(TextWriter& out, const std::string& qualifiers) const;

  /// `i`, `j`, ... for the dimensions of a piece that its columns use; "" for one they do not.
  std::vector<std::string> indexNames(const Piece& piece) const;
  /// Statements that set the index variables from the unit's number `t`.
  void writeIndices(TextWriter& out, const Piece& piece) const;
  /// A sequential loop nest over the units of a piece, around its statements.
  void writeLoops(TextWriter& out, const StepPhase& phase, std::size_t piece) const;
  /// What the piece does, for a comment: its size and its first action.
  std::string described(const Piece& piece) const;

  /// Copies every output from where it lives to `out`, element `i` of arrays; scalars once.
  void writePublish(TextWriter& out, const std::string& loopHead) const;
  /// Assignments of the presets to state and registers.
  void writePresets(TextWriter& out) const;

  /// The memory a piece touches: for parameter lists.
  struct Uses {
    bool inputs = false, state = false, now = false, next = false, reports = false;
  };
  /// As found in the text of a unit.
  Uses uses(const std::string& unitText) const;
  bool usesTables(const Piece& piece) const;

  /// `s.x`, `in->a[9*i + k]`: the whole variable or one element, in memory that is read in this step.
  std::string access(int variable, const std::string& index) const;

private:
  class UnitText;
  std::string unitText(const StepPhase& phase, std::size_t piece) const;
  std::string tableName(const StepPhase& phase, std::size_t piece, std::size_t column) const;
  std::string memberAccess(const std::string& base, const Column& column, const std::string& index) const;
  std::string base(Memory memory, bool next) const;
  std::string poolName(Element element) const;
  void declareStruct(TextWriter& out, const std::string& type, const std::string& comment,
                     Memory memory) const;
  std::string literal(const ScalarType& type, const Value& value) const;
  std::string integer(std::int64_t value) const;
};

/// `base + stride*i + ...`, without what is zero; "0" when nothing is left.
std::string affineText(const Affine& affine, const std::vector<std::string>& names);
std::string indexText(const Index& index, const std::vector<std::string>& names);

/// The text uses the object `name`, as in `name.x` or `name->x`, or passes it on.
bool mentions(const std::string& text, const std::string& name);

/// `name` made a C identifier that is no keyword.
std::string identifier(const std::string& name);

} // namespace warploom::sync
