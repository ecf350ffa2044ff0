#include "mapping/Nests.h"
#include "mapping/Plan.h"
#include "strategy/Strategies.h"
#include "transform/Levels.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warploom {

namespace {

/// The arrays that an iteration of `loop` has for itself, and that are too large for a thread.
std::set<int> ownedBy(const ScheduleState& state, const LoopTree& loop) {
  const Region& region = state.region();
  std::set<int> found;
  const std::optional<int> source = sourceLoop(region, loop);
  for (int array = 0; source && array < static_cast<int>(region.arrays.size()); ++array)
    if (region.arrays[array].declaredIn == *source && isPrivate(state, array) &&
        !fitsThread(region.arrays[array]))
      found.insert(array);
  return found;
}

/// How many threads of a block are best below each other; and how often code for neighbouring points is
/// written: their reads have elements in common.
constexpr long rowsOfThreads = 8;
constexpr int pointsWritten = 4;

/// True when `loop` is parallel. What the analysis has found costs nothing; steps ask again.
bool isFoundParallel(const ScheduleState& state, const LoopTree& loop) {
  const std::optional<int> source = sourceLoop(state.region(), loop);
  return (source && state.facts().loops[*source].verdict == Verdict::Parallel) ||
         isParallel(state, loop.name);
}

/// Maps the parallel loops in `tree` to the block, each nest of them with its innermost loop along x; false
/// when some code is in none. A thread takes points below each other: of the loop around the innermost one,
/// or of a third one.
bool toBlock(ScheduleState& state, const LoopTree& tree) {
  if (tree.kind == LoopTree::Kind::Leaf) return false;
  if (tree.kind == LoopTree::Kind::Sequence)
    return std::all_of(tree.children.begin(), tree.children.end(),
                       [&](const LoopTree& child) { return toBlock(state, child); });
  std::vector<std::string> all, parallel;
  long rows = 0; // how many values the last but one of them has
  for (const LoopTree* loop : nestFrom(tree)) {
    if (!isFoundParallel(state, *loop) || all.size() == mostMapped) break;
    all.push_back(loop->name);
  }
  if (all.empty()) return toBlock(state, tree.children.front());
  for (const std::string& name : all) {
    const std::optional<long> extent = greatestExtent(pathTo(state.tree(), name));
    if (extent == 1) continue;
    if (name != all.back()) rows = extent.value_or(0);
    parallel.push_back(name);
  }
  if (parallel.empty()) {
    // One iteration of it all.
    const LoopTree& body = findLoop(state.tree(), all.back())->children.front();
    if (body.kind != LoopTree::Kind::Leaf) return toBlock(state, LoopTree(body));
    parallel = {all.back()};
  }
  auto take = [&](const Step& step) { return !state.take(step); };
  if (parallel.size() == 1) return take(MapToBlock{parallel});
  const std::string &inner = parallel.back(), &below = parallel[parallel.size() - 2];
  if (parallel.size() == 3)
    return take(Permute{{below, inner, parallel[0]}}) && take(Unroll{parallel[0], pointsWritten}) &&
           take(MapToBlock{{inner, below}});
  const long points = (rows + rowsOfThreads - 1) / rowsOfThreads;
  if (points < 2) return take(MapToBlock{{inner, below}});
  const std::string strips =
      uniqueName(below + "_rows", [&](const std::string& name) { return state.isTaken(name); });
  return take(Strip{below, {points}, strips}) && take(Permute{{strips, inner, below}}) &&
         take(Unroll{below, pointsWritten}) && take(MapToBlock{{inner, strips}});
}

} // namespace

bool mapOwned(ScheduleState& state, const ParallelNest& nest) {
  if (!nest.further.empty()) return false;
  const std::set<int> arrays = ownedBy(state, *findLoop(state.tree(), nest.fastest()));
  if (arrays.empty()) return false;
  ScheduleState trial = state;
  if (trial.take(toGrid(nest.parallel)) || !toBlock(trial, nest.body(state))) return false;
  for (int array : arrays)
    if (trial.take(StageShared{nest.fastest(), state.region().arrays[array].name, 1})) return false;
  state = std::move(trial);
  return true;
}

} // namespace warploom
