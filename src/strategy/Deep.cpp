#include "strategy/Strategies.h"
#include "transform/Levels.h"

#include <algorithm>
#include <optional>

namespace warploom {

namespace {

/// A loop with fewer iterations leaves most lanes of a warp idle.
constexpr long fewest = 16;

} // namespace

bool mapDeep(ScheduleState& state, const ParallelNest& nest) {
  if (nest.further.empty()) return false;
  // To find out its indices costs a thread divisions: it should have more to do than one element.
  const LoopTree& innermost = *findLoop(state.tree(), nest.further.back());
  const std::vector<const LoopTree*> parts = partsOf(innermost.children.front());
  if (std::none_of(parts.begin(), parts.end(),
                   [](const LoopTree* part) { return part->kind == LoopTree::Kind::Loop; }))
    return false;
  // Neighbours in the grid take the iterations that neighbouring threads take best.
  std::vector<std::string> order(nest.parallel.begin(), nest.parallel.end() - 1);
  order.insert(order.end(), nest.further.begin(), nest.further.end());
  order.push_back(nest.fastest());
  if (takeAll(state, {Permute{order}, CollapseToGrid{order}})) return true;
  // Loops whose bounds depend on each other are not counted together.
  ScheduleState trial = state;
  const std::optional<long> most = greatestExtent(pathTo(state.tree(), nest.fastest()));
  if (nest.further.size() > 1 || (most && *most < fewest) ||
      !takeAll(trial,
               {Permute{order}, toGrid({order.begin(), order.end() - 1}), MapToLanes{{order.back()}}}) ||
      !keepsToItself(trial, *findLoop(trial.tree(), order.back())))
    return false;
  state = std::move(trial);
  return true;
}

} // namespace warploom
