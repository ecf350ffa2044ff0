// Arrays that stay arrays: which they are, and what a load or store outside of one is.
#include "sync/model/Ranges.h"
#include "sync/passes/Outside.h"
#include "sync/passes/Passes.h"

namespace warploom::sync {

System markMemories(System system, std::int64_t smallest) {
  std::vector<bool> dynamic(system.variables.size(), false);
  const auto look = [&](const Expr& expr) {
    forEachNode(expr, [&](const Expr& node) {
      if (node.op == Expr::Op::Read && !node.isCell()) dynamic[node.variable] = true;
    });
  };
  for (const Abbreviation& entry : system.abbreviations)
    look(*entry.value);
  for (const Part* part : {&system.init, &system.main}) {
    for (const std::vector<Action>* actions : {&part->controlFlow, &part->dataFlow})
      for (const Action& action : *actions) {
        look(*action.guard);
        look(*action.value);
        if (!action.target.isCell()) dynamic[action.target.variable] = true;
        for (ExprPtr subscript : action.target.subscripts)
          look(*subscript);
      }
    for (const Assertion& assertion : part->assertions) {
      look(*assertion.guard);
      look(*assertion.condition);
    }
  }
  for (const Reaction& reaction : system.reactions)
    look(*reaction.value);
  for (std::size_t i = 0; i < dynamic.size(); ++i) {
    Variable& variable = system.variables[i];
    variable.isMemory =
        dynamic[i] && variable.storage != Variable::Storage::Event && variable.type.cellCount() >= smallest;
  }
  // What has a reaction to absence is looked at cell by cell in every step.
  for (const Reaction& reaction : system.reactions)
    system.variables[reaction.target.variable].isMemory = false;
  return system;
}

namespace {

/// Guards loads and stores whose subscripts may lie outside.
class Bounds {
public:
  explicit Bounds(System& in) : system(in), ranges(in) {}

  /// `expr` with the default value for every load outside its memory.
  ExprPtr guarded(ExprPtr expr) {
    return rewrite(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op != Expr::Op::Read || node.isCell() || !system.variables[node.variable].isMemory)
        return nullptr;
      const ExprPtr outside = outsideOf(node.variable, node.operands);
      if (outside->isFalse()) return nullptr;
      return apply(Expr::Op::If,
                   {outside, literal(node.type, defaultValue()), withOperands(node, node.operands)},
                   node.place);
    });
  }

  void guard(Action& action) {
    action.guard = guarded(action.guard);
    action.value = guarded(action.value);
    for (ExprPtr& subscript : action.target.subscripts)
      subscript = guarded(subscript);
    if (action.target.isCell() || !system.variables[action.target.variable].isMemory) return;
    action.guard =
        conjunction({action.guard, negation(outsideOf(action.target.variable, action.target.subscripts))});
  }

private:
  ExprPtr outsideOf(int variable, ExprList subscripts) {
    std::vector<ExprPtr> reasons;
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      if (subscripts[i]->op == Expr::Op::Literal) continue;
      const auto [low, high] = ranges.of(*subscripts[i]);
      reasons.push_back(outside(subscripts[i], low, high, system.variables[variable].type.extents[i]));
    }
    return disjunction(reasons);
  }

  System& system;
  Ranges ranges;
};

} // namespace

System guardMemories(System system) {
  Bounds bounds(system);
  for (Action& action : system.main.dataFlow)
    bounds.guard(action);
  for (Assertion& assertion : system.main.assertions) {
    assertion.guard = bounds.guarded(assertion.guard);
    assertion.condition = bounds.guarded(assertion.condition);
  }
  return system;
}

} // namespace warploom::sync
