// Where the loops that blocks share out begin, so that what neighbouring threads access begins where memory
// does.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// Has the loop of `kernel` on the grid along x, if its values begin at a number, begin so much earlier that
/// the first thread of a block would write the first element of a line of memory: what a warp writes then
/// lies in as few pieces as may be. Kernels whose threads
/// share more than iterations are left alone.
void beginEarly(const Region& region, const Facts& facts, const RegionPlan& plan, KernelPlan& kernel);

} // namespace warploom
