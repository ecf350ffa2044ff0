#include "analysis/DistanceVectors.h"
#include "strategy/Strategies.h"
#include "transform/Levels.h"
#include "transform/Tunables.h"

#include <set>

namespace warploom {

namespace {

/// How many reads of a point make a copy in shared memory worth its while: a few the cache serves as well.
constexpr double leastReuse = 12;

/// True when the points of a tile along both loops read different elements of `box`.
bool spreads(const Box& box) {
  std::set<std::string> sizes;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    for (const char* size : {sweepX, sweepY})
      if (involves(box.extent(d), size)) sizes.insert(size);
  return sizes.size() == 2;
}

/// How many reads an iteration of `loop` makes by `accesses`.
double readsPerPoint(const Region& region, const LoopTree& loop, const std::vector<AccessRef>& accesses) {
  double reads = 0;
  Effort effort;
  for (AccessRef ref : accesses) {
    const std::vector<int>& loops = ref.statementIn(region).loops;
    double times = 1;
    for (std::size_t level = *sourceLevel(region, loop, ref.statement) + 1; level < loops.size(); ++level)
      times *= static_cast<double>(tripCount(region, loops[level], effort).value_or(1));
    reads += times;
  }
  return reads;
}

} // namespace

bool mapSweep(ScheduleState& state, const ParallelNest& nest) {
  const std::vector<std::string>& parallel = nest.parallel;
  if (parallel.size() != 2) return false;
  const Region& region = state.region();
  const std::string &y = parallel[0], &x = parallel[1];
  const std::string yTiles = y + "_tiles", xTiles = x + "_tiles";
  std::set<int> arrays;
  for (int s : statementsOf(region, *findLoop(state.tree(), y))) {
    for (const std::string& name : parallel)
      if (!sourceLevel(region, *findLoop(state.tree(), name), s)) return false;
    for (const Access& access : region.statements[s].accesses)
      if (access.kind == Access::Kind::Read && !region.arrays[access.array].isScalar())
        arrays.insert(access.array);
  }
  for (int s : statementsOf(region, *findLoop(state.tree(), y)))
    for (const Access& access : region.statements[s].accesses)
      if (access.writes()) arrays.erase(access.array);
  ScheduleState trial = state;
  auto take = [&](const Step& step) { return !trial.take(step); };
  if (!take(Tile{{y, x}, {std::string(sweepY), std::string(sweepX)}, {{yTiles}, {xTiles}}, {}}) ||
      !take(MapToGrid{{xTiles, yTiles}}) || !take(MapToBlock{{x, y}}))
    return false;
  bool any = false;
  for (int array : arrays) {
    auto boxes = limited([&] { return sharedBoxes(trial, xTiles, array); });
    if (!boxes || boxes->size() != 1 || !spreads(boxes->front())) continue;
    if (readsPerPoint(region, *findLoop(state.tree(), x), boxes->front().accesses) < leastReuse) continue;
    any |= take(StageShared{xTiles, region.arrays[array].name, 1});
  }
  if (any) state = std::move(trial);
  return any;
}

} // namespace warploom
