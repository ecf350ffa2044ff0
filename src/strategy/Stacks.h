// Strategies that are taken where the model expects them to be faster than others: tiles whose threads have
// points below each other.
#pragma once

#include "strategy/ParallelNest.h"

namespace warploom {

/// Each is as those of Strategies.h are.

/// Tiles of sweeps, a thread for a few points of them that lie below each other and read elements in common.
bool mapStacks(ScheduleState& state, const ParallelNest& nest);
/// The same of transposes: what neighbouring threads would read far apart goes through shared memory, and
/// threads write neighbouring elements.
bool mapTurned(ScheduleState& state, const ParallelNest& nest);

} // namespace warploom
