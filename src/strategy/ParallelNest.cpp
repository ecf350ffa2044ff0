#include "strategy/ParallelNest.h"

#include "analysis/DistanceVectors.h"

#include <algorithm>

namespace warploom {

std::vector<std::string> namesOf(const std::vector<const LoopTree*>& loops) {
  std::vector<std::string> names;
  for (const LoopTree* loop : loops)
    names.push_back(loop->name);
  return names;
}

bool isParallel(const ScheduleState& state, const std::string& loop) {
  return state.isParallelUnreduced(loop).value_or(false);
}

std::vector<Reduction> reductionsOf(const ScheduleState& state, const LoopTree& loop) {
  const Region& region = state.region();
  std::optional<int> source = sourceLoop(region, loop);
  if (!source) return {};
  // Those of other parts of the source's loop are not its own.
  std::vector<int> below = statementsOf(region, loop);
  std::vector<Reduction> known;
  for (Reduction reduction : state.facts().loops[*source].reductions) {
    std::erase_if(reduction.statements,
                  [&](int s) { return std::count(below.begin(), below.end(), s) == 0; });
    if (!reduction.statements.empty()) known.push_back(std::move(reduction));
  }
  ScheduleState trial = state;
  for (const Reduction& reduction : known) {
    const Array& array = region.arrays[reduction.array];
    if (!isCombined(array.element)) return {};
    if (trial.take(Reduce{array.name, state.sourceName(*source)})) return {};
  }
  return trial.isParallel(loop.name).value_or(false) ? known : std::vector<Reduction>{};
}

void reduce(const ScheduleState& state, const LoopTree& loop, const std::vector<Reduction>& reductions,
            std::vector<Step>& steps) {
  for (const Reduction& reduction : reductions)
    steps.push_back(Reduce{state.region().arrays[reduction.array].name,
                           state.sourceName(*sourceLoop(state.region(), loop))});
}

bool expandScalar(ScheduleState& state, int array) {
  const Region& region = state.region();
  const Array& scalar = region.arrays[array];
  for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop) {
    const std::vector<int>& own = state.facts().loops[loop].privateArrays;
    const bool isPrivate =
        scalar.declaredIn < 0 ? std::count(own.begin(), own.end(), array) > 0 : loop == scalar.declaredIn;
    if (isPrivate && state.take(Expand{scalar.name, state.sourceName(loop)})) return false;
  }
  return true;
}

bool takeAll(ScheduleState& state, const std::vector<Step>& steps) {
  ScheduleState trial = state;
  for (const Step& step : steps)
    if (trial.take(step)) return false;
  state = std::move(trial);
  return true;
}

Step toGrid(const std::vector<std::string>& loops) {
  return MapToGrid{{loops.rbegin(), loops.rend()}};
}

std::string firstIn(const Region& region, const LoopTree& tree) {
  std::vector<int> all = statementsOf(region, tree);
  return all.empty() ? "" : region.statements[all.front()].name;
}

bool isShort(const Region& region, int source) {
  Effort effort;
  const std::optional<long> trips = tripCount(region, source, effort);
  return trips && *trips < 16;
}

bool isShort(const Region& region, const LoopTree& loop) {
  const std::optional<int> source = sourceLoop(region, loop);
  return !source || isShort(region, *source);
}

} // namespace warploom
