#include "sync/fold/CostModel.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace warploom::sync {

namespace {

std::string duration(double nanoseconds) {
  if (nanoseconds < 1e3) return fmt::format("{:.0f} ns", nanoseconds);
  if (nanoseconds < 1e6) return fmt::format("{:.1f} us", nanoseconds / 1e3);
  return fmt::format("{:.1f} ms", nanoseconds / 1e6);
}

/// What a unit does in a step.
struct Work {
  double operations = 0; ///< operators, each of equal ones once, and assignments
  double inputs = 0;     ///< cells of inputs that are read, each once
  double actions = 0;
  /// Decisions that hang on what the unit alone reads: operators `? :`, and guards that differ from those of
  /// `beside`, if there is one.
  double decisions = 0;
};

std::set<int> cellsOf(const StepPlan& plan, const Expr& expr) {
  std::set<int> cells;
  forEachNode(expr, [&](const Expr& node) {
    if (node.isCell()) cells.insert(plan.system.cellOf(node));
  });
  return cells;
}

/// `beside` is another unit of the same loop, or null.
Work workOf(const StepPlan& plan, const Unit& unit, const Unit* beside) {
  Work work;
  std::set<int> read;
  std::set<ExprPtr> seen;
  auto visit = [&](auto&& self, ExprPtr expr) -> void {
    if (!seen.insert(expr).second) return;
    if (expr->isCell()) return;
    work.decisions += expr->op == Expr::Op::If;
    work.operations += expr->operands.empty() ? 0 : std::max(1.0, double(expr->operands.size()) - 1);
    for (ExprPtr operand : expr->operands)
      self(self, operand);
  };
  for (std::size_t i = 0; i < unit.actions.size(); ++i) {
    if (unit.actions[i] < 0) continue;
    const CellAction& one = plan.system.actions[unit.actions[i]];
    ++work.actions;
    ++work.operations;
    if (beside != nullptr && beside->actions[i] >= 0)
      work.decisions +=
          cellsOf(plan, *one.guard) != cellsOf(plan, *plan.system.actions[beside->actions[i]].guard);
    for (int cell : one.reads)
      work.inputs += plan.system.variableOf(cell).isInput() && read.insert(cell).second;
    for (ExprPtr expr : {one.guard, one.address, one.value})
      if (expr != nullptr) visit(visit, expr);
  }
  return work;
}

} // namespace

Cost estimate(const Folding& folding, long instances, const CostFigures& figures) {
  const StepPlan& plan = *folding.plan;
  double operations = 0, core = 0, gpu = 0;
  int phases = 0;
  bool oneBlock = true;
  auto add = [&](const std::vector<Piece>& pieces) {
    double longest = 0, threads = 0;
    for (const Piece& piece : pieces) {
      const std::vector<Unit>& units = piece.group->units;
      const bool loop = piece.size() >= 8;
      const Work work = workOf(plan, units[0], loop ? &units[1] : nullptr);
      const double size = double(piece.size());
      operations += work.operations * size;
      core +=
          size * (loop ? work.operations * figures.coreLoopOperation + work.decisions * figures.coreDecision
                       : work.operations * figures.coreOperation);
      longest =
          std::max(longest, work.operations * figures.threadOperation + work.inputs * figures.threadInput +
                                (work.actions - 1) * figures.threadAction);
      const auto warps = (piece.size() + 31) / 32;
      threads += double(warps * 32);
    }
    ++phases;
    oneBlock &= threads <= 2048;
    gpu += longest * std::max(1.0, threads / figures.gpuThreads);
  };
  for (const std::vector<Piece>& phase : folding.immediate)
    add(phase);
  add(folding.delayed);
  if (!folding.stores.empty()) add(folding.stores);
  Cost cost;
  cost.coreNanoseconds = core * double(instances);
  if (instances > 1)
    // One thread per instance and no barrier: the threads share the units of the GPU.
    cost.gpuNanoseconds =
        operations * figures.instanceOperation * std::max(1.0, double(instances) / figures.gpuThreads);
  else
    cost.gpuNanoseconds = gpu + phases * (oneBlock ? figures.blockBarrier : figures.gridBarrier);
  cost.gpu = cost.gpuNanoseconds < cost.coreNanoseconds;
  cost.reason = fmt::format(
      "a step of {} is about {:.0f} operations: {} on one core, {} on a GPU in one persistent "
      "kernel ({})",
      instances == 1 ? "this system" : fmt::format("{} instances", instances), operations * double(instances),
      duration(cost.coreNanoseconds), duration(cost.gpuNanoseconds),
      instances > 1 ? "one thread per instance"
                    : fmt::format("{} barriers {}", phases, oneBlock ? "in one block" : "across the grid"));
  return cost;
}

} // namespace warploom::sync
