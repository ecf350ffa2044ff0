// Which arrays and scalars every iteration of a loop may have a copy of its own of.
#pragma once

#include "analysis/Dependences.h"

#include <vector>

namespace warploom {

/// The arrays that are private to an iteration of `loop`: written in it; no read in it sees a value from
/// before the iteration; and the values that are read after the loop, if any, all come from its last
/// iteration. Their anti and output dependences do not keep iterations of `loop` in order. Arrays that no
/// loop-carried dependence needs private are left out unless they are scalars.
std::vector<int> privateArrays(const Region& region, const Dependences& dependences, int loop,
                               Effort& effort);

} // namespace warploom
