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

/// Operators and reads; a load counts with what computes its address.
double operationsOf(const Expr& expr) {
  if (expr.isCell()) return 1;
  double count = expr.operands.empty() ? 0 : std::max(1.0, double(expr.operands.size()) - 1);
  for (ExprPtr operand : expr.operands)
    count += operationsOf(*operand);
  return count;
}

double operationsOf(const StepPlan& plan, const Unit& unit) {
  double count = 0;
  for (int action : unit.actions) {
    if (action < 0) continue;
    const CellAction& one = plan.system.actions[action];
    count += 1 + operationsOf(*one.guard) + (one.address ? operationsOf(*one.address) : 0) +
             (one.value ? operationsOf(*one.value) : 0);
  }
  return std::max(1.0, count);
}

/// Cells that a unit reads, each once, and loads of memories.
double loadsOf(const StepPlan& plan, const Unit& unit) {
  std::set<int> cells;
  double loads = 0;
  for (int action : unit.actions) {
    if (action < 0) continue;
    const CellAction& one = plan.system.actions[action];
    for (int cell : one.reads)
      if (!plan.system.variableOf(cell).isMemory) cells.insert(cell);
    for (ExprPtr expr : {one.guard, one.address, one.value})
      if (expr != nullptr)
        forEachNode(*expr, [&](const Expr& node) { loads += node.op == Expr::Op::Read && !node.isCell(); });
  }
  return loads + double(cells.size());
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
      const double each = operationsOf(plan, piece.group->units[0]);
      operations += each * double(piece.size());
      core += each * double(piece.size()) *
              (piece.size() >= 8 ? figures.coreLoopOperation : figures.coreOperation);
      longest = std::max(longest, each * figures.threadOperation +
                                      loadsOf(plan, piece.group->units[0]) * figures.threadLoad);
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
