#include "strategy/Decide.h"

#include "mapping/WholeLoops.h"
#include "strategy/Blocking.h"
#include "strategy/Constants.h"
#include "strategy/DefaultSchedule.h"
#include "strategy/Expansion.h"
#include "strategy/Forwarding.h"
#include "strategy/Fusion.h"
#include "strategy/Library.h"
#include "strategy/MapNests.h"
#include "strategy/Peeling.h"
#include "strategy/Renaming.h"
#include "support/Attempt.h"

#include <fmt/format.h>

namespace warploom {

namespace {

/// Brings the loops into their order, and says which.
std::string order(ScheduleState& state, const PlanOptions& options) {
  if (!options.hasRecipe()) {
    if (options.plain || options.levels) return keepOrder(state).reason;
    if (options.shrink != Shrink::Auto && options.shrink != Shrink::None) {
      DefaultChoice kept = keepOrder(state);
      return shrinkNests(state, options.shrink, kept, options.shrinkOnlyAsAsked).reason;
    }
    DefaultChoice choice = expandArrays(state, scheduleByDefault(state));
    fuseEqualNests(state);
    peelForParallel(state);
    if (options.sharedMemory && !options.outermostOnly && options.shrink == Shrink::Auto)
      if (auto blocked = blockLoops(state)) return fmt::format("{}; {}", choice.reason, *blocked);
    return shrinkNests(state, options.shrink, choice).reason;
  }
  for (const Step& step : options.recipe)
    if (auto refused = state.demand(step))
      throw NoPlan{state.region().range, fmt::format("{} is refused: {}", print(step), refused->reason)};
  return "the order of its recipe";
}

} // namespace

AnalysedRegion analyseRegion(const Region& source) {
  AnalysedRegion result{withWholeLoops(source), {}, {}};
  result.refused = whyOnHost(result.region);
  if (result.refused) return result;
  result.facts = analyse(result.region);
  if (!result.facts.gaveUp.empty()) result.refused = NoPlan{result.region.range, result.facts.gaveUp};
  if (result.refused) return result;
  auto forwarded = limited([&] { return withForwardedLoads(result.region, result.facts); });
  if (!forwarded || !*forwarded) return result;
  Facts facts = analyse(**forwarded);
  if (facts.gaveUp.empty()) result = {std::move(**forwarded), std::move(facts), {}};
  return result;
}

DecidedOrder decide(ScheduleState& state, const PlanOptions& options) {
  DecidedOrder decided;
  decided.reason = order(state, options);
  decided.steps = state.history().size();
  const MappedNests nests = mapNests(state, options);
  decided.generated = nests.generated;
  for (const std::string& choice : nests.choices)
    decided.reason += "; " + choice;
  callLibraries(state, options.libraries);
  if (!options.hasRecipe()) chooseConstants(state, options.constantRoom);
  return decided;
}

RegionPlan planRegion(const Region& region, const Facts& facts, const PlanOptions& options,
                      const std::set<std::string>& taken) {
  const PreparedRegion prepared = prepareRegion(region, facts);
  if (auto onHost = whyOnHost(prepared.region)) return refusedPlan(*onHost);
  for (std::size_t loop = 0; loop < prepared.region.loops.size(); ++loop)
    if (prepared.facts.loops[loop].race)
      return refusedPlan({prepared.region.loops[loop].header, prepared.facts.loops[loop].reason, true});
  const bool byHand = options.shrink != Shrink::Auto && options.shrink != Shrink::None;
  auto plannedAs = [&](ScheduleState state, PlanOptions options) {
    try {
      const ScheduleState before = state;
      DecidedOrder order = decide(state, options);
      RegionPlan plan = mapSchedule(state, order, options.mapping, taken);
      // The generator asks steps, not all that a plan needs.
      if (order.generated && !plan.refused.empty()) {
        options.generated = false;
        state = before;
        order = decide(state, options);
        plan = mapSchedule(state, order, options.mapping, taken);
      }
      if (byHand && !plan.refused.empty()) plan.refused += fmt::format(" in {}", order.reason);
      return plan;
    } catch (const NoPlan& refusal) {
      return refusedPlan(refusal);
    }
  };
  auto planOf = [&](ScheduleState state) { return plannedAs(std::move(state), options); };
  const ScheduleState original(prepared, options.strictFloatingPoint);
  RegionPlan plan = planOf(original);
  if (options.hasRecipe() || options.plain || byHand) return plan;
  for (auto search : {planWithRenaming, planWithCarrying, planInPlace})
    if (auto other = attempt([&] { return search(original, plan, planOf); }); other.value)
      plan = std::move(*other.value);
  PlanOptions withLevels = options;
  withLevels.levels = true;
  auto levelsOf = [&](ScheduleState state) { return plannedAs(std::move(state), withLevels); };
  if (auto other = attempt([&] { return planWithLevels(original, plan, levelsOf); }); other.value)
    plan = std::move(*other.value);
  return plan;
}

} // namespace warploom
