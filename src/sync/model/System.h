// A synchronous system as AIF describes it: variables, and guarded actions for the first and for every later
// macro step.
#pragma once

#include "sync/model/Expr.h"

#include <string>
#include <vector>

namespace warploom::sync {

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
  /// Its cells are loaded and stored, whatever the subscripts: no pass makes cases of it (see markMemories).
  bool isMemory = false;

  bool isInput() const { return role == Role::Input; }
  /// For synthesis an inout counts as an output.
  bool isOutput() const { return role == Role::Output || role == Role::InOut; }
};

/// What an action assigns: a cell known beforehand, or one that subscripts select.
struct Target {
  int variable = -1;
  std::int64_t offset = 0;         ///< row-major, where there are no subscripts
  std::vector<ExprPtr> subscripts; ///< one per dimension, or none

  bool isCell() const { return subscripts.empty(); }
};

/// `variable[subscripts]`, one per dimension of its type.
Target makeTarget(int variable, const Type& type, std::vector<ExprPtr> subscripts);

/// `guard => target = value`, or `guard => next(target) = value` when delayed. The guard is a boolean.
struct Action {
  ExprPtr guard = nullptr;
  Target target;
  ExprPtr value = nullptr;
  bool delayed = false;
  Place place;
};

/// `guard => name : assert condition`, or `assume`: what the environment promises.
struct Assertion {
  ExprPtr guard = nullptr;
  std::string name;
  ExprPtr condition = nullptr;
  Place place;
  bool assumed = false;
};

struct Abbreviation {
  std::string name;
  ExprPtr value = nullptr; ///< refers to earlier abbreviations only
  Place place;
};

/// `target = value`: what a variable becomes in a step in which nothing assigns it.
struct Reaction {
  Target target;
  ExprPtr value = nullptr;
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
/// subscripts are as many as dimensions, and literal ones within bounds.
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

/// What one cell of `type` may hold: for messages and range checks. Reals and booleans always fit.
bool fits(const ScalarType& type, const Value& value);

} // namespace warploom::sync
