#include "driver/Pipeline.h"

#include "strategy/Constants.h"
#include "support/Attempt.h"

#include <fmt/format.h>

namespace warploom {

namespace {

/// A plan for `region`; where there is none, `none` with the reason, which isl, once its time is spent, could
/// not make.
RegionPlan planFor(const AnalysedRegion& analysed, const PlanOptions& options,
                   const std::set<std::string>& taken, RegionPlan none) {
  const auto& [region, facts, refused] = analysed;
  if (refused) {
    none.refused = refused->reason;
    none.refusedAt = refused->at;
    return none;
  }
  std::string spent;
  {
    Budget search(Budget::For::Search);
    auto planned = attempt([&] { return planRegion(region, facts, options, taken); });
    spent = Budget::reason();
    none.refused = planned.reason;
    if (spent.empty() || (planned.value && planned.value->refused.empty()))
      return planned.value ? std::move(*planned.value) : none;
    none.refused = spent;
  }
  // What needs no search may still fit.
  PlanOptions plain = options;
  plain.plain = true;
  auto planned = attempt([&] { return planRegion(region, facts, plain, taken); });
  if (!planned.value || !planned.value->refused.empty()) return none;
  planned.value->explanations.push_back(fmt::format("{}:{}: region {} keeps its order: {}", region.file,
                                                    region.range.line, region.name(), spent));
  return std::move(*planned.value);
}

} // namespace

GeneratedProgram generate(const std::vector<Region>& regions, const PipelineOptions& options) {
  ProgramWriter writer(options.emit);
  long room = constantMemory;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (writer.covers(regions[r])) continue;
    PlanOptions wanted = options.plan;
    if (options.adjust) options.adjust(regions[r], wanted);
    if (!options.recipes.empty() && options.recipes[r]) {
      wanted.recipe = *options.recipes[r];
      wanted.followsRecipe = true;
    }
    RegionPlan none;
    Budget budget(Budget::For::Region, regions[r].readingSeconds);
    none.refused = Budget::reason();
    if (!none.refused.empty()) {
      writer.add(regions[r], regions[r], {}, none);
      continue;
    }
    const AnalysedRegion analysed = analyseRegion(regions[r]);
    wanted.constantRoom = room;
    RegionPlan plan = planFor(analysed, wanted, writer.names(), std::move(none));
    const Region& planned = plan.renamed ? plan.renamed->region : analysed.region;
    if (const long bytes = constantBytes(planned, plan); bytes > room) {
      plan = {};
      plan.refused =
          fmt::format("its arrays in constant memory have {} bytes, of which the regions before it "
                      "in the file leave {}",
                      bytes, room);
    } else {
      room -= bytes;
    }
    if (plan.renamed)
      writer.add(regions[r], plan.renamed->region, plan.renamed->always, plan);
    else
      writer.add(regions[r], analysed.region, analysed.facts, plan);
  }
  return writer.finish();
}

} // namespace warploom
