#include "strategy/Strategies.h"

#include <algorithm>
#include <set>

namespace warploom {

bool mapRows(ScheduleState& state, const ParallelNest& nest) {
  if (nest.parallel.size() > 2) return false;
  const Region& region = state.region();
  const double along = coalescing(region, state.facts(), *findLoop(state.tree(), nest.fastest()));
  std::vector<Step> steps;
  std::set<std::string> lanes;
  double inside = 0;
  for (const LoopTree* part : partsOf(nest.body(state))) {
    if (part->kind != LoopTree::Kind::Loop) continue;
    double score = coalescing(region, state.facts(), *part);
    if (score <= std::min(along, 0.0) || isShort(region, *part) || !keepsToItself(state, *part)) continue;
    if (!isParallel(state, part->name)) {
      std::vector<Reduction> found = reductionsOf(state, *part);
      if (found.empty() || !hasOnePart(state, *part, found)) continue;
      reduce(state, *part, found, steps);
    }
    lanes.insert(part->name);
    inside += score;
  }
  // Lanes better share these loops than they would take iterations of the loop around them.
  if (lanes.empty() || inside <= along) return false;
  steps.push_back(toGrid(nest.parallel));
  steps.push_back(MapToLanes{{lanes.begin(), lanes.end()}});
  return takeAll(state, steps);
}

} // namespace warploom
