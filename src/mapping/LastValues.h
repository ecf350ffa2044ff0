// Variables of which every thread has a copy, and whose value is used after the kernel.
#pragma once

#include "mapping/Plan.h"

#include <functional>

namespace warploom {

/// The instances of `write` whose value may be used after its kernel, where the statements run for which
/// `runsElsewhere` holds.
isl::set lastInstances(const Region& region, const Facts& facts, AccessRef write,
                       const std::function<bool(int)>& runsElsewhere);

/// A write of `array`, of which threads of `kernel` have copies, for which it depends on data whether its
/// value or that of another thread is used after the kernel; null when there is none.
const Access* uncertainLast(const Region& region, const Facts& facts, const KernelPlan& kernel, int array);

} // namespace warploom
