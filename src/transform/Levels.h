// Which loops of the source the loops of a schedule run over.
#pragma once

#include "transform/LoopTree.h"

#include <optional>
#include <vector>

namespace warploom {

/// The level, counted from 0, of the loop around `region.statements[statement]` whose index is the value of
/// `loop`; nothing when its value is something else, or a descending index.
std::optional<std::size_t> sourceLevel(const Region& region, const LoopTree& loop, int statement);

/// The source loop whose index is the value of `loop` for all statements in it; nothing when there is no such
/// one.
std::optional<int> sourceLoop(const Region& region, const LoopTree& loop);

/// The same for a loop that runs through the index as the source does, downwards too.
std::optional<int> sourceLoopInOrder(const Region& region, const LoopTree& loop);

/// One more than the greatest difference of two values of the last loop of `path`, from the root on, in one
/// iteration of the loops around it; nothing when it has no bound for all sizes.
std::optional<long> greatestExtent(const std::vector<const LoopTree*>& path);

/// The statements below `tree`, as indices into `region.statements`, in textual order.
std::vector<int> statementsOf(const Region& region, const LoopTree& tree);

} // namespace warploom
