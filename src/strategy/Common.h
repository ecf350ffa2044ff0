// A strategy that is taken where the model expects it to be faster than others.
#pragma once

#include "strategy/ParallelNest.h"

namespace warploom {

/// As those of Strategies.h are. A thread for each iteration, which all go through the same loop: what they
/// all read in it goes through shared memory, some iterations at a time.
bool mapCommon(ScheduleState& state, const ParallelNest& nest);

} // namespace warploom
