#include "mapping/Unrolled.h"

#include <algorithm>

namespace warploom {

namespace {

/// True when there is a loop over tiles in `tree`, below its outermost.
bool hasTiles(const LoopTree& tree) {
  return std::any_of(tree.children.begin(), tree.children.end(),
                     [](const LoopTree& child) { return child.tile || hasTiles(child); });
}

} // namespace

int writtenUnroll(const LoopTree& loop, bool inBlocks, bool hasSizes, std::optional<long> iterations) {
  if (loop.unroll != 1) return loop.unroll;
  // Loops over tiles of numbers may be long, and those that are not tiled; others in a block's tile are
  // short.
  constexpr long most = 128;
  const bool isLong =
      hasTiles(loop) || (!hasSizes && hasPlaces(loop.children.front())) || (iterations && *iterations > most);
  return inBlocks && !isLong ? 0 : 1;
}

} // namespace warploom
