// A region in which an element that each iteration of a loop reads, and the one before has written, is
// carried in a scalar: `a[i] = a[i-1] + b[i]` becomes `x = x + b[i]; a[i] = x`.
#pragma once

#include "analysis/Facts.h"
#include "transform/Step.h"

#include <variant>

namespace warploom {

/// `region` with the array of `step` carried from iteration to iteration of its loop, or why that cannot be
/// done. `facts` are the region's.
std::variant<Region, Refusal> carried(const Region& region, const Facts& facts, const CarryScalar& step);

} // namespace warploom
