// The parts of generated text that C and CUDA share: names, types, memory, expressions, and the statements of
// one unit.
#pragma once

#include "support/TextWriter.h"
#include "sync/fold/Fold.h"

#include <set>

namespace warploom::sync {

enum class Language { C, Cuda };

/// Memory that code touches, and whether it reports violations: what has to be handed to it.
struct Uses {
  bool inputs = false, state = false, now = false, next = false, reports = false;

  void add(Memory memory, bool nextStep);
  Uses& operator|=(const Uses& other);
};

/// Functions that generated code calls for what C has no operator for.
enum class Function { Quotient, Remainder, ShiftLeft, ShiftRight, Abs, Min, Max };

/// The statements of one unit of a piece, and what they use.
struct UnitCode {
  /// Over the index variables of indexNames() (and `t` where a table is used). Lines are not broken yet.
  std::string text;
  Uses uses;
  bool declares = false;        ///< variables, so that it needs a scope
  std::set<std::size_t> tables; ///< columns that are looked up
  std::set<std::pair<Function, Element>> calls;
};

/// One barrier-free part of a step: pieces that may run in any order, and whether the outputs are published
/// in it.
struct StepPhase {
  std::string name; ///< `now0`, `next`, `store`
  std::vector<const Piece*> pieces;
  std::vector<UnitCode> units; ///< per piece
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
  /// The functions that units call.
  void declareHelpers(TextWriter& out, const std::string& qualifiers) const;
  /// Tables of the pieces, as constant arrays. `qualifiers` comes before the type.
  void declareTables(TextWriter& out, const std::string& qualifiers) const;

  /// `i`, `j`, ... for the dimensions of a piece that its columns use; "" for one they do not.
  std::vector<std::string> indexNames(const Piece& piece) const;
  /// Statements that set the index variables from the unit's number `t`.
  void writeIndices(TextWriter& out, const Piece& piece, const UnitCode& unit) const;
  /// A sequential loop nest over the units of a piece, around its statements.
  void writeLoops(TextWriter& out, const StepPhase& phase, std::size_t piece) const;
  /// What the piece does, for a comment: its size and its first action.
  std::string described(const Piece& piece) const;

  /// Copies every output from where it lives to `out`, element `i` of arrays; scalars once.
  void writePublish(TextWriter& out, const std::string& loopHead) const;
  /// Tables of the presets of memories, as constant arrays.
  void declarePresets(TextWriter& out, const std::string& qualifiers) const;
  /// Assignments of the presets to state and registers. Those of memories are left out unless `memories`.
  void writePresets(TextWriter& out, bool memories = true) const;
  /// Those of one memory, to `target`, e.g. `s.m`.
  void writeMemoryPresets(TextWriter& out, int variable, const std::string& target) const;

  /// What the statements of a step touch, publishing included; what publishing does; what presets do.
  Uses stepUses() const;
  Uses publishUses() const;
  Uses presetUses() const;
  bool hasOutputs() const;
  /// The variables that are memories in `State`.
  std::vector<int> stateMemories() const;

  /// `s.x`, `in->a[9*i + k]`: the whole variable or one element, in memory that is read in this step.
  std::string access(int variable, const std::string& index) const;

private:
  class UnitText;
  UnitCode unitCode(const StepPhase& phase, std::size_t piece) const;
  std::string functionName(Function function, Element element) const;
  /// The presets of a memory, ascending.
  std::vector<std::pair<std::int64_t, Value>> presetsOf(int variable) const;
  std::string tableName(const StepPhase& phase, std::size_t piece, std::size_t column) const;
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

} // namespace warploom::sync
