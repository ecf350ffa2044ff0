// How often the text of a kernel writes the body of a loop out: what steps say and, where they say nothing,
// what kernels in blocks have anyway. The emitter writes it, and the generator of strategies knows by it
// which of its strategies would have the same text.
#pragma once

#include "transform/LoopTree.h"

#include <optional>

namespace warploom {

/// How many iterations of `loop` the text of its kernel has in a row; 0: all of them, 1: it says nothing.
/// `inBlocks`: loops of the kernel are on a block. `hasSizes`: tiles of it have symbols for sizes.
/// `iterations`: how many the loop has, where that is a number.
int writtenUnroll(const LoopTree& loop, bool inBlocks, bool hasSizes, std::optional<long> iterations);

} // namespace warploom
