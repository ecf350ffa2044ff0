// A macro step as terms of Z3, in exactly the arithmetic of the interpreter: integers are bit vectors of the
// system's word, reals are IEEE doubles, memories are arrays.
#pragma once

#include "sync/group/StepPlan.h"

#include <map>
#include <stdexcept>
#include <z3++.h>

namespace warploom::sync {

/// The terms of a system would be more than were allowed.
class TooManyTerms : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// What every cell holds between two steps, by number; a memory is one cell.
using SymbolicState = std::vector<z3::expr>;

/// A step: what is known of its inputs, what it leaves behind and what goes wrong in it.
struct SymbolicStep {
  std::map<int, z3::expr> inputs; ///< by cell; a real as its 64 bits
  std::vector<z3::expr> known;    ///< holds in every step: ranges of inputs, and of what memories held
  SymbolicState after;
  std::vector<z3::expr> violated; ///< by number of the report
};

/// Makes steps of one plan, in which delayed actions are in two phases.
class SymbolicSystem {
public:
  /// At most `mostTerms` terms are made. `kept`: names of the variables that hold values of their ranges
  /// between steps, as long as nothing was violated.
  SymbolicSystem(z3::context& context, const StepPlan& plan, std::vector<std::string> kept, long mostTerms);

  /// When the first step begins.
  SymbolicState initial();
  /// At any time: unknowns, of which `known` holds. Loads of later steps add to it what is known of the
  /// elements they read, so that only one such state can be in use.
  SymbolicState anything(std::vector<z3::expr>& known);
  /// The step from `before`; `name` tells its inputs from those of others.
  SymbolicStep step(const SymbolicState& before, const std::string& name);

  /// The cells of inputCells(), one after the other, as `model` has them in `step`.
  std::vector<Value> inputsOf(const z3::model& model, const SymbolicStep& step);

  /// The two states differ in some cell. Never used with memories.
  z3::expr differ(const SymbolicState& a, const SymbolicState& b);
  bool hasMemories() const { return memories; }
  bool hasReals() const { return reals; }
  std::size_t stateCells() const; ///< without inputs

private:
  z3::sort sortOf(const ScalarType& type);
  z3::expr constant(const std::string& name, const Variable& variable);
  z3::expr literal(const ScalarType& type, const Value& value);
  z3::expr within(const ScalarType& type, const z3::expr& value);
  void execute(const CellAction& action, SymbolicState& on, const SymbolicState& reading,
               SymbolicStep& making);

  z3::expr term(const Expr& expr);
  z3::expr load(const Expr& read);
  z3::expr operation(const Expr& expr);
  z3::expr compared(const Expr& expr);
  z3::expr arithmetic(const Expr& expr);
  z3::expr shifted(const Expr& expr);
  z3::expr as(const ScalarType& type, const Expr& expr); ///< an integer as a real where one is needed
  z3::expr integer(std::int64_t value);

  z3::context& context;
  const StepPlan& plan;
  const System& system;
  const std::vector<std::string> kept;
  const unsigned bits; ///< of an integer
  const long mostTerms;
  long terms = 0;
  bool memories = false, reals = false;
  std::map<int, z3::expr> bases;          ///< by cell: memories as they were before all steps, or as given
  const SymbolicState* reading = nullptr; ///< what expressions read
  SymbolicStep* making = nullptr;
};

} // namespace warploom::sync
