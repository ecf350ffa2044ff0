// A synchronous system as AIF describes it: variables, and guarded actions for the first and for every later
// macro step.
#pragma once

#include "sync/Expr.h"

#include <string>
#include <vector>

namespace warploom::sync {

/// A cell type and the extents of the array around it; no extents: one cell.
struct Type {
  ScalarType scalar;
  std::vector<std::int64_t> extents;

  std::int64_t cellCount() const {
    std::int64_t count = 1;
    for (std::int64_t extent : extents)
      count *= extent;
    return count;
  }
  bool operator==(const Type&) const = default;
};

struct Variable {
  enum class Role { Input, Output, InOut, Local, Label };
  enum class Storage {
    None,     ///< an input: the environment gives it a value in every step
    Event,    ///< returns to its default in a step in which nothing assigns it
    Memorized ///< keeps its value in such a step
  };
  std::string name;
  Role role = Role::Local;
  Storage storage = Storage::Memorized;
  Type type;
  Place place;
  /// Labels become ordinary variables in the first pass; this remembers which ones they were.
  bool wasLabel = false;

  bool isInput() const { return role == Role::Input; }
  /// For synthesis an inout counts as an output.
  bool isOutput() const { return role == Role::Output || role == Role::InOut; }
};

/// A variable or one cell of an array; one subscript per dimension.
struct Target {
  int variable = -1;
  std::vector<ExprPtr> subscripts;
};

/// `guard => target = value`, or `guard => next(target) = value` when delayed. The guard is a boolean.
struct Action {
  ExprPtr guard;
  Target target;
  ExprPtr value;
  bool delayed = false;
  Place place;
};

/// `guard => name : assert condition`.
struct Assertion {
  ExprPtr guard;
  std::string name;
  ExprPtr condition;
  Place place;
};

struct Abbreviation {
  std::string name;
  ExprPtr value; ///< refers to earlier abbreviations only
  Place place;
};

/// `target = value`: what a variable becomes in a step in which nothing assigns it.
struct Reaction {
  Target target;
  ExprPtr value;
  Place place;
};

/// The actions and assertions of one kind of step.
struct Part {
  std::vector<Action> controlFlow;
  std::vector<Action> dataFlow;
  std::vector<Assertion> assertions;
};

/// Invariants, established by the readers and kept by the passes: names are unique; inputs are never written;
/// labels are scalar booleans written by delayed actions only; every expression and assignment is well typed;
/// targets and reads have one subscript per dimension, and constant subscripts are within bounds.
struct System {
  std::string version;
  std::string timestamp;
  std::string name;
  std::vector<Variable> variables; ///< in order of declaration, interface first
  std::vector<Abbreviation> abbreviations;
  /// What the init part means. In a system as written it is the whole first macro step. After the pass `clin`
  /// it holds presets, `true => x = constant`: what x holds when the first step begins (for an event: its
  /// value in that step), and the main part runs in every step, the first included.
  bool presets = false;
  Part init;
  Part main;
  std::vector<Reaction> reactions;
  std::string invariant;      ///< text, not looked into
  std::string specifications; ///< text, not looked into
  /// Integer arithmetic wraps modulo 2^wordBits: 32 when every operation on values within their declared
  /// ranges stays within 32 bits, else 64.
  int wordBits = 32;

  int find(const std::string& variable) const; ///< index into variables, or -1
};

/// The value nothing assigned: false, 0, no bit set.
inline Value defaultValue() {
  return {};
}

/// A cell is (variable, offset), offset in row-major order; all cells of a system are numbered in that order.
class CellNumbering {
public:
  explicit CellNumbering(const System& system);
  int count() const { return total; }
  int first(int variable) const { return firsts[variable]; }
  int variableOf(int cell) const;
  /// `x`, or `x[1][0]`.
  std::string name(int cell) const;

private:
  const System* system;
  std::vector<int> firsts;
  int total = 0;
};

/// Row-major offset of `subscripts`, or nothing when one is outside its extent.
std::optional<std::int64_t> offsetOf(const Type& type, const std::vector<std::int64_t>& subscripts);

/// The offset of constant subscripts, or nothing when one of them is not a literal. (Literals are within
/// bounds.)
std::optional<std::int64_t> constantOffset(const Type& type, const std::vector<ExprPtr>& subscripts);

/// The subscripts of row-major `offset`.
std::vector<std::int64_t> subscriptsOf(const Type& type, std::int64_t offset);
std::vector<ExprPtr> literalSubscripts(const Type& type, std::int64_t offset);

/// The same for a Read node.
std::optional<std::int64_t> constantOffset(const System& system, const Expr& read);

/// Cells of the inputs, and of the outputs (inouts included), in the order of declaration.
std::vector<int> inputCells(const System& system);
std::vector<int> outputCells(const System& system);

/// Bounds of an integer expression with variables within their declared ranges; at most those of 64 bits.
std::pair<std::int64_t, std::int64_t> bounds(const System& system, const Expr& expr);

/// The smallest word in which every integer operation of `system` on values within their declared ranges is
/// exact, or 64 when there is none.
int neededWordBits(const System& system);

/// What one cell of `type` may hold: for messages and range checks. Reals and booleans always fit.
bool fits(const ScalarType& type, const Value& value);

/// Text in the syntax of AIF.
std::string text(const System& system, const Expr& expr);
std::string text(const System& system, const Target& target);
std::string text(const System& system, const Action& action);
std::string text(const Type& type);
/// The value of a cell of that type as it is written in AIF.
std::string text(const ScalarType& type, const Value& value);

} // namespace warploom::sync
