// Sets that belong to a tile: the elements that its copies move, and where all of its points are there.
#pragma once

#include "analysis/Facts.h"
#include "mapping/MappedTree.h"

#include <optional>

namespace warploom {

/// True when an access that `tile` serves writes.
bool isWritten(const Region& region, const SharedTile& tile);

/// The elements that have to be in shared memory when the iteration at `at` begins, or a few more that nobody
/// writes: those that it reads before it wrote them.
isl::set elementsRead(const Region& region, const Facts& facts, const SharedTile& tile, const Position& at);

/// The elements that the iteration at `at` writes.
isl::set elementsWritten(const Region& region, const SharedTile& tile, const Position& at);

/// The parameters for which every point of the tiles around is one of the domain, as far as they are not
/// known at `at`, inside `loop` of `tree`; nothing when it is not worth asking: it is known, never so, or no
/// single condition.
std::optional<isl::set> wholeTile(const Region& region, const LoopTree& tree, const LoopTree& loop,
                                  const Position& at);

} // namespace warploom
