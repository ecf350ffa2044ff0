// Variables of which every thread has a copy, and whose value is used after the kernel.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// The instances of `write`, in `kernel`, whose value may be used after the kernel.
isl::set lastInstances(const Region& region, const Facts& facts, const KernelPlan& kernel, AccessRef write);

/// A write of `array`, of which threads of `kernel` have copies, for which it depends on data whether its
/// value or that of another thread is used after the kernel; null when there is none.
const Access* uncertainLast(const Region& region, const Facts& facts, const KernelPlan& kernel, int array);

} // namespace warploom
