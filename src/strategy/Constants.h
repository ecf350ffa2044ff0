// What goes into constant memory.
#pragma once

#include "mapping/Plan.h"
#include "transform/Schedule.h"

namespace warploom {

/// What constant memory holds, in bytes: of all regions of a file together.
inline constexpr long constantMemory = 65536;

/// Takes the steps that put small arrays of which all threads of a warp read the same element into constant
/// memory, up to `room` bytes.
void chooseConstants(ScheduleState& state, long room);

/// The bytes of constant memory that `plan` uses for arrays of `region`.
long constantBytes(const Region& region, const RegionPlan& plan);

} // namespace warploom
