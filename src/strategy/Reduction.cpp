#include "analysis/Reductions.h"
#include "strategy/Strategies.h"

#include <algorithm>

namespace warploom {

namespace {

/// True when both lists combine values into the same arrays in the same way.
bool areAlike(const std::vector<Reduction>& a, const std::vector<Reduction>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Reduction& one, const Reduction& other) {
    return one.array == other.array && one.op == other.op;
  });
}

} // namespace

bool mapReduction(ScheduleState& state, const std::string& root) {
  const Region& region = state.region();
  const LoopTree& outermost = *findLoop(state.tree(), root);
  const std::vector<Reduction> reductions = reductionsOf(state, outermost);
  if (reductions.empty()) return false;
  for (const Reduction& reduction : reductions)
    for (int s : reduction.statements)
      if (!region.arrays[reduction.array].isScalar() && !updateOf(region.statements[s])) return false;
  std::vector<std::string> mapped;
  std::vector<Step> steps;
  for (const LoopTree* loop : nestFrom(outermost)) {
    if (mapped.size() == mostMapped) break;
    if (!isParallel(state, loop->name)) {
      std::vector<Reduction> further = reductionsOf(state, *loop);
      if (!areAlike(further, reductions)) break;
      reduce(state, *loop, further, steps);
    }
    mapped.push_back(loop->name);
  }
  steps.push_back(toGrid(mapped));
  return takeAll(state, steps);
}

} // namespace warploom
