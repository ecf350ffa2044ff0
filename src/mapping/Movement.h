// How the loops of a schedule move the accesses inside them: what decides which loop the threads of a warp
// follow.
#pragma once

#include "analysis/Facts.h"
#include "transform/LoopTree.h"

#include <optional>

namespace warploom {

/// The level, counted from 0, of the loop around `region.statements[statement]` whose index is the value of
/// `loop`; nothing when its value is something else, or a descending index.
std::optional<std::size_t> sourceLevel(const Region& region, const LoopTree& loop, int statement);

/// The source loop whose index is the value of `loop` for all statements in it; nothing when there is no such
/// one.
std::optional<int> sourceLoop(const Region& region, const LoopTree& loop);

/// The statements below `tree`, as indices into `region.statements`, in textual order.
std::vector<int> statementsOf(const Region& region, const LoopTree& tree);

/// Where an access goes when a loop advances by one.
enum class Movement {
  None,   ///< the same element
  Unit,   ///< the next element
  Far,    ///< elsewhere
  Unknown ///< not known
};

/// The movement of `access` along `loop`, which is around its statement.
Movement movement(const Region& region, const Facts& facts, const LoopTree& loop, AccessRef access);

/// How well the threads of a warp would share memory transactions if they took iterations of `loop`: the
/// accesses to arrays below it that move to the next element, less those that go far away. Accesses in inner
/// loops count more.
double coalescing(const Region& region, const Facts& facts, const LoopTree& loop);

} // namespace warploom
