#include "analysis/Reductions.h"
#include "strategy/Strategies.h"

#include <algorithm>

namespace warploom {

namespace {

/// True when `loop` does nothing but combine values into elements of arrays that the loops around it choose.
bool combinesElements(const ScheduleState& state, const LoopTree& loop) {
  const Region& region = state.region();
  const std::vector<Reduction> found = reductionsOf(state, loop);
  if (found.empty() || !hasOnePart(state, loop, found) || loop.children.front().kind != LoopTree::Kind::Leaf)
    return false;
  return std::all_of(found.begin(), found.end(), [&](const Reduction& reduction) {
    return !region.arrays[reduction.array].isScalar() && !isPrivate(state, reduction.array) &&
           std::all_of(reduction.statements.begin(), reduction.statements.end(),
                       [&](int s) { return updateOf(region.statements[s]).has_value(); });
  });
}

} // namespace

bool mapColumns(ScheduleState& state, const ParallelNest& nest) {
  if (nest.parallel.size() != 1) return false;
  const Region& region = state.region();
  const std::string& root = nest.outermost();
  const double along = coalescing(region, state.facts(), *findLoop(state.tree(), root));
  const LoopTree& body = nest.body(state);
  const std::vector<const LoopTree*> parts = partsOf(body);
  const LoopTree* reducing = nullptr;
  for (const LoopTree* part : parts)
    if (part->kind == LoopTree::Kind::Loop && !isShort(region, *part) &&
        along > coalescing(region, state.facts(), *part) && combinesElements(state, *part))
      reducing = part;
  if (!reducing) return false;
  // What stands beside it gets nests of its own.
  if (body.kind == LoopTree::Kind::Sequence) {
    Distribute cut{root, {firstIn(region, *reducing)}};
    auto after = std::next(std::find(parts.begin(), parts.end(), reducing));
    if (after != parts.end()) cut.before.push_back(firstIn(region, **after));
    return !state.take(cut);
  }
  std::vector<Step> steps;
  reduce(state, *reducing, reductionsOf(state, *reducing), steps);
  steps.push_back(MapToGrid{{root, reducing->name}});
  return takeAll(state, steps);
}

} // namespace warploom
