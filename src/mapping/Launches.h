// How launches may be put together: loops of the host in one launch, independent kernels side by side.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// Marks outermost loops of the host in `plan` that one cooperative launch can run, the kernels in them, and
/// kernels that need not wait for the one before. `facts` are those by which the plan was made. What is done
/// of it is decided when the program runs.
void arrangeLaunches(const Facts& facts, RegionPlan& plan);

} // namespace warploom
