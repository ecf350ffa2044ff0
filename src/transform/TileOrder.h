// What a tiling whose final order puts loops outside those over their tiles takes in steps. Recipes and the
// generator of strategies both take their tilings so, and hence make the same schedule of the same line.
#pragma once

#include "transform/Schedule.h"

#include <vector>

namespace warploom {

/// The steps of `tile` in `state`: `tile` alone; or, where its order puts a loop outside the one over its
/// tiles, the tiling without an order, that loop counted from 0 in each tile, since else nothing would be
/// left of the loop over tiles, and the order. Where one of these is refused, `tile` alone, whose refusal has
/// the reason.
std::vector<Step> tiledInOrder(const ScheduleState& state, const Tile& tile);

} // namespace warploom
