// How the loops of a schedule move the accesses inside them: what decides which loop the threads of a warp
// follow.
#pragma once

#include "analysis/Facts.h"
#include "transform/Levels.h"

namespace warploom {

/// Where an access goes when a loop advances by one.
enum class Movement {
  None,   ///< the same element
  Unit,   ///< the next element
  Back,   ///< the one before
  Far,    ///< elsewhere
  Unknown ///< not known
};

/// The movement of `access` along `loop`, which is around its statement.
Movement movement(const Region& region, const Facts& facts, const LoopTree& loop, AccessRef access);

/// How well the threads of a warp would share memory transactions if they took iterations of `loop`: the
/// accesses to arrays below it that move to a neighbouring element, less those that go far away. Accesses in
/// inner loops count more.
double coalescing(const Region& region, const Facts& facts, const LoopTree& loop);

} // namespace warploom
