// A region in which sweeps that a loop repeats run several iterations of it at a time in tiles: a tile is
// loaded with its surroundings, the sweeps run on copies of its own, and the tile goes back.
#pragma once

#include "analysis/Facts.h"
#include "transform/Step.h"

#include <variant>

namespace warploom {

/// A region in tiles of time.
struct TimeTiled {
  Region region;
  isl::set conditions; ///< on parameters, for which it is right: each statement of the loop has an instance
};

/// `region` with its outermost loop of `step` in tiles of time and space, or why that cannot be done. `facts`
/// are the region's.
///
/// For an odd and an even turn, one after the other in a new loop, there is a nest over tiles of the elements
/// that the loop writes. In an iteration of it, copies of the arrays, of which only that iteration knows, get
/// the elements that are read before they are written; `steps` iterations of the loop run on the copies, as
/// far as what the tile keeps depends on them; and the elements of the tile, a box of `sizes`, are stored. An
/// odd turn loads from the arrays and stores to others, an even one the other way round, so that tiles do not
/// wait for each other. The last iterations, at least one, run as they did, and write what tiles do not
/// store. TimeSweeps says why that is right.
std::variant<TimeTiled, Refusal> timeTiled(const Region& region, const Facts& facts, const TileTime& step);

} // namespace warploom
