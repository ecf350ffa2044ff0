// What strategies ask of a nest: which of its loops are parallel, alone or once their reductions are taken,
// and how long they are.
#pragma once

#include "mapping/Movement.h"
#include "mapping/Nests.h"
#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom {

/// The most loops that a grid has axes for.
inline constexpr std::size_t mostMapped = 3;

/// A nest that begins with parallel loops.
struct ParallelNest {
  /// Parallel loops, perfectly nested, outermost first, between one and `mostMapped` of them. The last has
  /// the iterations that neighbouring threads take best.
  std::vector<std::string> parallel;
  std::vector<std::string> further = {}; ///< parallel loops right inside these: the grid has no axis for them
  int tileCopies = 2; ///< of each tile of a product in shared memory; as StageShared has it

  const std::string& outermost() const { return parallel.front(); }
  const std::string& fastest() const { return parallel.back(); }
  /// What is inside the parallel loops.
  const LoopTree& body(const ScheduleState& state) const {
    return findLoop(state.tree(), fastest())->children.front();
  }
};

std::vector<std::string> namesOf(const std::vector<const LoopTree*>& loops);

/// True when iterations of `loop` depend on nothing of each other. A reduction that another nest took may let
/// a loop look parallel whose iterations combine values: it is not.
bool isParallel(const ScheduleState& state, const std::string& loop);

/// The reductions by which `loop` may be shared out, once they are taken; empty when it may not.
std::vector<Reduction> reductionsOf(const ScheduleState& state, const LoopTree& loop);

/// Adds the steps that take `reductions` of `loop`.
void reduce(const ScheduleState& state, const LoopTree& loop, const std::vector<Reduction>& reductions,
            std::vector<Step>& steps);

/// Gives each iteration of the loops that a scalar is private to its own copy; false when a step refuses.
bool expandScalar(ScheduleState& state, int array);

/// Takes `steps`, or none of them: false when one is refused.
bool takeAll(ScheduleState& state, const std::vector<Step>& steps);

/// Gives `loops`, outermost first, the axes of the grid, the last of them x.
Step toGrid(const std::vector<std::string>& loops);

/// The name of the first statement of `tree`; none where there are no instances.
std::string firstIn(const Region& region, const LoopTree& tree);

/// True when `loop`, or the source loop `source`, is known to have too few iterations for a warp.
bool isShort(const Region& region, const LoopTree& loop);
bool isShort(const Region& region, int source);

} // namespace warploom
