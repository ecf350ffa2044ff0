// Loads kept in a scalar, `float d = w[o]`, that stand between two loops: each use can load by itself, and
// the loops are a perfect nest again, which can be brought into another order and tiled.
#pragma once

#include "analysis/Facts.h"
#include "model/Region.h"

#include <optional>

namespace warploom {

/// `region` with the definitions of such scalars in the place of their uses, where the loop around a
/// definition is in the way: its iterations depend on each other, and those of a loop inside it that uses the
/// scalar do not. Nothing when there are none. The definitions stay, and nobody needs them.
std::optional<Region> withForwardedLoads(const Region& region, const Facts& facts);

} // namespace warploom
