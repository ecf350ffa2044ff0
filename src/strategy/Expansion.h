// Copies of arrays: one per iteration, all alive at once, so that iterations need not wait for each other.
#pragma once

#include "strategy/DefaultSchedule.h"

namespace warploom {

/// Gives private arrays that are too large for a thread, and then private scalars, a copy per iteration in
/// device memory, where the default schedule then has more parallel loops than `state`, which `choice` made.
/// The choice that made what `state` is then.
DefaultChoice expandArrays(ScheduleState& state, DefaultChoice choice);

} // namespace warploom
