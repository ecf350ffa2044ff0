#include "strategy/Strategies.h"

#include <set>

namespace warploom {

bool mapGroups(ScheduleState& state, const ParallelNest& nest) {
  if (nest.parallel.size() > 2) return false;
  auto found = groupReductions(state, nest.body(state));
  if (std::holds_alternative<Refusal>(found)) return false;
  std::set<int> shared;
  for (const Reduction& reduction : std::get<std::vector<Reduction>>(found))
    shared.insert(reduction.statements.front());
  MapToGroups groups;
  for (int s : shared)
    groups.statements.push_back(state.region().statements[s].name);
  return takeAll(state, {toGrid(nest.parallel), groups});
}

} // namespace warploom
