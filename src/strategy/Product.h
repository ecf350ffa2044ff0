// Tiles of products, for strategies that find one inside other nests.
#pragma once

#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom {

/// Tiles the nest whose parallel loops are `others` and, further in, `fastest` where it is a product: one of
/// `others` is that of its rows, and the rest a batch of products. False, and `state` as it was, where it is
/// none, or a step refuses. `copies` of each tile in shared memory.
bool tileBatch(ScheduleState& state, const std::vector<std::string>& others, const std::string& fastest,
               int copies);

} // namespace warploom
