#include "strategy/Renaming.h"

#include "transform/Renaming.h"

#include <algorithm>

namespace warploom {

namespace {

/// True when a loop of `tree` is not shared out.
bool hasLoop(const LoopTree& tree) {
  return tree.kind == LoopTree::Kind::Loop ||
         std::any_of(tree.children.begin(), tree.children.end(), hasLoop);
}

/// How many statements run in loops of one thread, and how many in loops of the host.
struct InSequence {
  std::size_t onThread = 0, onHost = 0;
  auto operator<=>(const InSequence&) const = default;
};

/// Of `plan`, which is not refused.
InSequence inSequence(const RegionPlan& plan) {
  InSequence count;
  for (const KernelPlan& kernel : plan.kernels) {
    if (kernel.isSingle() && hasLoop(kernel.tree)) count.onThread += kernel.statements.size();
    if (!kernel.hostLoops.empty()) count.onHost += kernel.statements.size();
  }
  return count;
}

/// True when renaming alone can make the iterations of `loop` independent: no value goes from one to another.
bool handsNothingOn(const Facts& facts, int loop) {
  const std::vector<Dependence>& all = facts.dependences.all;
  return std::none_of(all.begin(), all.end(), [&](const Dependence& one) {
    return one.kind == Dependence::Kind::Flow && one.carrier == loop;
  });
}

/// True when `other`, of a renamed region, leaves less in sequence than `plan`.
bool isBetter(const RegionPlan& other, const RegionPlan& plan) {
  if (!other.refused.empty()) return false;
  const isl::set runsFor = other.assumed.intersect(other.renamed->region.context);
  for (const KernelPlan& kernel : other.kernels)
    if (instances(kernel.tree).intersect_params(runsFor).is_empty()) return false;
  if (!plan.refused.empty()) return inSequence(other).onThread == 0;
  return inSequence(other) < inSequence(plan);
}

} // namespace

RegionPlan planWithRenaming(const ScheduleState& original, RegionPlan plan,
                            const std::function<RegionPlan(ScheduleState)>& planOf) {
  const Region& region = original.region();
  if (plan.refused.empty() && inSequence(plan) == InSequence{}) return plan;
  for (bool all : {false, true})
    for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop) {
      const Verdict verdict = original.facts().loops[loop].verdict;
      if (verdict == Verdict::Parallel || verdict == Verdict::Reduction) continue;
      // Loops of the host that have kernels in them are left to it for a copy only where that is certain to
      // free a loop.
      const bool hasKernels = plan.refused.empty() && inSequence(plan).onThread == 0;
      if (hasKernels && (all || !handsNothingOn(original.unconditionalFacts(), loop))) continue;
      const std::vector<Step> steps = renamings(region, original.unconditionalFacts(), loop, all);
      ScheduleState renamed = original;
      auto isRefused = [&](const Step& step) { return renamed.take(step).has_value(); };
      if (steps.empty() || std::any_of(steps.begin(), steps.end(), isRefused)) continue;
      RegionPlan other = planOf(renamed);
      if (isBetter(other, plan)) plan = std::move(other);
      if (plan.refused.empty() && inSequence(plan) == InSequence{}) return plan;
    }
  return plan;
}

} // namespace warploom
