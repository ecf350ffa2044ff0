#include "strategy/Renaming.h"

#include "analysis/Irregular.h"
#include "analysis/Order.h"
#include "transform/Renaming.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace warploom {

namespace {

/// What the search may cost: so many attempts, each of so many isl operations.
constexpr int mostAttempts = 3;
constexpr unsigned long attemptOperations = 1'000'000;

/// True when a loop of `tree` is not shared out.
bool hasLoop(const LoopTree& tree) {
  return tree.kind == LoopTree::Kind::Loop ||
         std::any_of(tree.children.begin(), tree.children.end(), hasLoop);
}

/// The statements that run in loops of one thread, and those in loops of the host.
struct InSequence {
  std::set<int> onThread, onHost;

  bool isNone() const { return onThread.empty() && onHost.empty(); }
  bool isLessThan(const InSequence& other) const {
    return std::pair(onThread.size(), onHost.size()) < std::pair(other.onThread.size(), other.onHost.size());
  }
};

/// Of `plan`, which is not refused.
InSequence inSequence(const RegionPlan& plan) {
  InSequence found;
  for (const KernelPlan& kernel : plan.kernels) {
    if (kernel.isSingle() && hasLoop(kernel.tree))
      found.onThread.insert(kernel.statements.begin(), kernel.statements.end());
    if (!kernel.hostLoops.empty()) found.onHost.insert(kernel.statements.begin(), kernel.statements.end());
  }
  return found;
}

/// True when a statement of `loop` is among `statements`.
bool runs(const Region& region, int loop, const std::set<int>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [&](int s) { return inside(region.statements[s], loop); });
}

/// True when renaming alone can make the iterations of `loop` independent: no value goes from one to another.
bool handsNothingOn(const Facts& facts, int loop) {
  const std::vector<Dependence>& all = facts.dependences.all;
  return std::none_of(all.begin(), all.end(), [&](const Dependence& one) {
    return one.kind == Dependence::Kind::Flow && one.carrier == loop;
  });
}

bool isParallel(const RegionPlan& plan) {
  return plan.refused.empty() && inSequence(plan).isNone();
}

/// True when `other`, of a renamed region, leaves less in sequence than `plan`, or nothing for more sizes.
bool isBetter(const RegionPlan& other, const RegionPlan& plan) {
  if (!other.refused.empty()) return false;
  if (isParallel(plan)) return isParallel(other) && plan.assumed.is_strict_subset(other.assumed);
  const isl::set runsFor = other.assumed.intersect(other.renamed->region.context);
  for (const KernelPlan& kernel : other.kernels)
    if (instances(kernel.tree).intersect_params(runsFor).is_empty()) return false;
  if (!plan.refused.empty()) return inSequence(other).onThread.empty();
  return inSequence(other).isLessThan(inSequence(plan));
}

/// The most loops of the host around a kernel of `plan`.
std::size_t hostDepth(const RegionPlan& plan) {
  std::size_t most = 0;
  for (const KernelPlan& kernel : plan.kernels)
    most = std::max(most, kernel.hostLoops.size());
  return most;
}

} // namespace

RegionPlan planWithRenaming(const ScheduleState& original, RegionPlan plan,
                            const std::function<RegionPlan(ScheduleState)>& planOf) {
  const Region& region = original.region();
  const Facts& facts = original.unconditionalFacts();
  const bool always = plan.assumed.is_equal(isl::set(islContext(), "{ : }"));
  if (isParallel(plan) && always) return plan;
  const std::optional<InSequence> first =
      plan.refused.empty() ? std::optional(inSequence(plan)) : std::nullopt;
  std::set<std::string> tried;
  int attempts = 0;
  // The better plan with renamings of `loop`, if any.
  auto attempted = [&](int loop, bool all) -> std::optional<RegionPlan> {
    std::vector<Step> steps = renamings(region, facts, loop, all);
    std::string text;
    for (const Step& step : steps)
      text += print(step);
    if (steps.empty() || !tried.insert(text).second) return std::nullopt;
    auto taken = [&] {
      std::optional<ScheduleState> renamed = original;
      for (const Step& step : steps)
        if (renamed && renamed->take(step)) renamed.reset();
      return renamed;
    };
    std::optional<ScheduleState> renamed = taken();
    if (!renamed) {
      // A value that is handed on twice, `y = x; x = b[i]`: y has one writer only until x is renamed.
      std::reverse(steps.begin(), steps.end());
      renamed = taken();
    }
    if (!renamed) return std::nullopt;
    RegionPlan other = planOf(*renamed);
    return isBetter(other, plan) ? std::optional(std::move(other)) : std::nullopt;
  };
  for (bool all : {false, true})
    for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop) {
      const Verdict verdict = original.facts().loops[loop].verdict;
      if (verdict == Verdict::Parallel || verdict == Verdict::Reduction) continue;
      // Loops of the host with kernels in them are worth a copy only where that is certain to free one.
      const bool worthIt = !first || runs(region, loop, first->onThread) ||
                           (first->isNone() && facts.loops[loop].parallelFor) ||
                           (!all && runs(region, loop, first->onHost) && handsNothingOn(facts, loop));
      if (!worthIt || ++attempts > mostAttempts) continue;
      auto better = limited([&] { return attempted(loop, all); }, attemptOperations);
      if (better && *better) plan = std::move(**better);
      if (isParallel(plan) && (plan.renamed || !first || !first->isNone())) return plan;
    }
  return plan;
}

RegionPlan planWithCarrying(const ScheduleState& original, RegionPlan plan,
                            const std::function<RegionPlan(ScheduleState)>& planOf) {
  const Region& region = original.region();
  std::set<std::pair<int, int>> pairs; // loop and array
  for (const Dependence& flow : original.unconditionalFacts().dependences.all)
    if (flow.kind == Dependence::Kind::Flow && flow.carrier >= 0 && !region.arrays[flow.array].isScalar())
      pairs.insert({flow.carrier, flow.array});
  auto scans = [](const RegionPlan& one) {
    return std::any_of(one.kernels.begin(), one.kernels.end(),
                       [](const KernelPlan& kernel) { return !kernel.scans.empty(); });
  };
  int attempts = 0;
  for (const auto& [loop, array] : pairs) {
    if (scans(plan)) break;
    ScheduleState carried = original;
    const CarryScalar step{region.arrays[array].name, original.sourceName(loop)};
    if (carried.take(step) || ++attempts > mostAttempts) continue;
    auto other = limited([&] { return planOf(carried); }, attemptOperations);
    if (!other || !scans(*other)) continue;
    const bool isAlike = isParallel(plan) && isParallel(*other) && plan.assumed.is_subset(other->assumed);
    if (isAlike || isBetter(*other, plan)) plan = std::move(*other);
  }
  return plan;
}

RegionPlan planInPlace(const ScheduleState& original, RegionPlan plan,
                       const std::function<RegionPlan(ScheduleState)>& planOf) {
  const Region& region = original.region();
  // With one loop of the host there is little to gain.
  if (!plan.refused.empty() || plan.renamed || hostDepth(plan) < 2) return plan;
  ScheduleState placed = original;
  for (const Array& array : region.arrays)
    for (std::size_t loop = 0; array.isScalar() && loop < region.loops.size(); ++loop)
      (void)placed.take(PlaceScalar{array.name, original.sourceName(static_cast<int>(loop))});
  if (placed.history().size() == original.history().size()) return plan;
  RegionPlan other = planOf(placed);
  const bool isBetter =
      other.refused.empty() && inSequence(other).onThread.empty() && hostDepth(other) < hostDepth(plan);
  return isBetter ? std::move(other) : plan;
}

RegionPlan planWithLevels(const ScheduleState& original, RegionPlan plan,
                          const std::function<RegionPlan(ScheduleState)>& planOf) {
  // Kernels in loops of the host are sure to be parallel; how many levels there are nobody knows.
  const std::size_t onThread = plan.refused.empty() ? inSequence(plan).onThread.size() : 1;
  if (onThread == 0) return plan;
  const Region& region = original.region();
  const Facts& facts = original.facts();
  bool any = false;
  for (int loop = 0; loop < static_cast<int>(region.loops.size()) && !any; ++loop)
    any = irregularOf(region, facts.dependences, loop, facts.loops[loop].privateArrays).has_value();
  if (!any) return plan;
  auto other = limited([&] { return planOf(original); }, attemptOperations);
  if (!other || !other->refused.empty() ||
      std::none_of(other->kernels.begin(), other->kernels.end(),
                   [](const KernelPlan& kernel) { return kernel.levels.has_value(); }))
    return plan;
  return inSequence(*other).onThread.size() < onThread ? std::move(*other) : plan;
}

} // namespace warploom
