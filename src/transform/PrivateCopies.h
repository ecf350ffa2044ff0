// Which copy of a private array an instance uses.
#pragma once

#include "model/Region.h"

namespace warploom {

/// The instances inside `loop` that touch `array`, and to which copy each belongs: { S[i] -> [k, ..., l] },
/// the iteration of `loop` and of the loops around it.
isl::union_map copiesOf(const Region& region, int array, int loop);

} // namespace warploom
