// How much a point does: whether its thread had better have neighbours, too.
#pragma once

#include "strategy/ParallelNest.h"

namespace warploom {

/// True when statement `s` runs a few times at most in the loops around it that are none of `parallel`.
bool hasLittleWork(const Region& region, const std::vector<const LoopTree*>& parallel, int s);

} // namespace warploom
