// Loops whose first or last iteration alone keeps the others in order.
#pragma once

#include "transform/Schedule.h"

namespace warploom {

/// Takes the first or the last iteration of each outermost loop that is not parallel into a loop of its own
/// where the rest is parallel then: `a[i] = a[0] + b[i]`.
void peelForParallel(ScheduleState& state);

} // namespace warploom
