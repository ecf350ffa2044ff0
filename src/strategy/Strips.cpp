#include "strategy/Strips.h"

#include "analysis/DistanceVectors.h"
#include "strategy/Strategies.h"
#include "transform/Levels.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace warploom {

namespace {

/// Elements that a thread had better move several of at once have at most so many bits.
constexpr int mostVectorBits = 32;
/// A point that does more than so many iterations of loops inside is no better off with neighbours.
constexpr long mostIterations = 32;

} // namespace

bool hasLittleWork(const Region& region, const std::vector<const LoopTree*>& parallel, int s) {
  const std::vector<int>& loops = region.statements[s].loops;
  long iterations = 1;
  Effort effort;
  for (std::size_t level = 0; level < loops.size(); ++level) {
    if (std::any_of(parallel.begin(), parallel.end(),
                    [&](const LoopTree* loop) { return sourceLevel(region, *loop, s) == level; }))
      continue;
    std::optional<long> trips = tripCount(region, loops[level], effort);
    if (!trips || *trips > mostIterations) return false;
    iterations *= *trips;
  }
  return iterations <= mostIterations;
}

bool mapStrips(ScheduleState& state, const ParallelNest& nest) {
  const std::vector<std::string>& parallel = nest.parallel;
  // A loop of the host's may run all its kernels in one launch, in which none is tiled.
  if (pathTo(state.tree(), nest.outermost()).size() != 1) return false;
  const Region& region = state.region();
  const LoopTree& x = *findLoop(state.tree(), parallel.back());
  std::vector<const LoopTree*> loops;
  for (const std::string& name : parallel)
    loops.push_back(findLoop(state.tree(), name));
  std::set<int> moved, still; // arrays of which neighbouring points have different elements, or the same ones
  for (int s : statementsOf(region, x)) {
    const Statement& statement = region.statements[s];
    for (const LoopTree* loop : loops) {
      const auto level = sourceLevel(region, *loop, s);
      // Neighbouring values of a loop that steps over some are no neighbouring points.
      if (!level || std::abs(region.loops[statement.loops[*level]].step) != 1) return false;
    }
    if (statement.kind != Statement::Kind::Assign || !statement.guards.empty() ||
        !hasLittleWork(region, loops, s))
      return false;
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const AccessRef ref{s, a};
      const Array& array = region.arrays[ref.in(region).array];
      if (array.isScalar()) continue;
      Movement along = movement(region, state.facts(), x, ref);
      if (along == Movement::None) still.insert(ref.in(region).array);
      if (along == Movement::None) continue;
      if (along != Movement::Unit || array.element.bits > mostVectorBits || array.element.bits == 0 ||
          array.within >= 0)
        return false;
      moved.insert(ref.in(region).array);
    }
  }
  ScheduleState trial = state;
  auto take = [&](const Step& step) { return !trial.take(step); };
  const std::string xTiles = parallel.back() + "_tiles";
  std::vector<std::string> grid = {xTiles}, block = {parallel.back()};
  Tile tile{{parallel.back()}, {std::string(parallel.size() > 1 ? stripX : stripOfLine)}, {{xTiles}}, {}};
  if (parallel.size() > 1) {
    const std::string& y = parallel[parallel.size() - 2];
    tile.loops.insert(tile.loops.begin(), y);
    tile.sizes.insert(tile.sizes.begin(), std::string(stripY));
    tile.names.insert(tile.names.begin(), {y + "_tiles"});
    grid.push_back(y + "_tiles");
    block.push_back(y);
  }
  if (parallel.size() > 2) grid.push_back(parallel.front());
  if (!take(tile) || !take(MapToGrid{grid}) || !take(MapToBlock{block})) return false;
  // What a point reads of its neighbours' places the cache serves.
  bool any = false;
  for (int array : moved)
    any |= take(StageRegisters{xTiles, region.arrays[array].name});
  // What all points of a thread need is loaded once.
  for (int array : still)
    take(StageRegisters{xTiles, region.arrays[array].name});
  if (any) state = std::move(trial);
  return any;
}

} // namespace warploom
