// What goes into constant memory.
#pragma once

#include "transform/Schedule.h"

namespace warploom {

/// Takes the steps that put small arrays of which all threads of a warp read the same element into constant
/// memory.
void chooseConstants(ScheduleState& state);

} // namespace warploom
