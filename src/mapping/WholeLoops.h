// Loops that a kernel cannot share out among threads, as single statements that one thread runs.
#pragma once

#include "model/Region.h"

namespace warploom {

/// `region` with the statements of Region::wholes in place of their loops, and of everything inside them.
Region withWholeLoops(const Region& region);

} // namespace warploom
