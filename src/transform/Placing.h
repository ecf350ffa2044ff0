// A region in which a scalar that each iteration of a loop works on is the element that it ends in:
// `x = a[i]; x -= e; a[i] = x / d` becomes `a[i] -= e; a[i] = a[i] / d`.
#pragma once

#include "analysis/Facts.h"
#include "transform/Step.h"

#include <variant>

namespace warploom {

/// `region` with the scalar of `step` in the element that an iteration of its loop writes it to at last, or
/// why that cannot be done. `facts` are the region's.
std::variant<Region, Refusal> placed(const Region& region, const Facts& facts, const PlaceScalar& step);

} // namespace warploom
