#include "transform/TileOrder.h"

namespace warploom {

namespace {

/// True when the value of `outer` follows from that of `inner`, as that of a loop over tiles does.
bool follows(const LoopTree& outer, const LoopTree& inner) {
  return !outer.tile && !inner.tile &&
         valuesOf({&inner}).reverse().apply_range(valuesOf({&outer})).is_single_valued();
}

} // namespace

std::vector<Step> tiledInOrder(const ScheduleState& state, const Tile& tile) {
  if (tile.order.empty()) return {tile};
  Tile tiled = tile;
  tiled.order.clear();
  ScheduleState trial = state;
  std::vector<Step> steps = {tiled};
  if (trial.demand(tiled)) return {tile};
  for (std::size_t outside = 0; outside < tile.order.size(); ++outside)
    for (std::size_t inside = outside + 1; inside < tile.order.size(); ++inside) {
      const LoopTree *point = findLoop(trial.tree(), tile.order[outside]),
                     *tiles = findLoop(trial.tree(), tile.order[inside]);
      if (!point || !tiles || !findLoop(*tiles, point->name) || !follows(*tiles, *point)) continue;
      steps.push_back(Normalise{point->name});
      if (trial.demand(steps.back())) return {tile};
    }
  if (steps.size() == 1) return {tile};
  steps.push_back(Permute{tile.order});
  return steps;
}

} // namespace warploom
