// The shape of matrix products: tiles of two parallel loops for blocks, tiles of the sequential loop inside
// for what a block keeps in shared memory, and a few elements per thread in registers.
#pragma once

#include "mapping/Tiles.h"
#include "transform/Schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The names that the sizes of tiles have in every program.
inline constexpr const char* tileY = "TILE_Y";
inline constexpr const char* tileX = "TILE_X";
inline constexpr const char* tileK = "TILE_K";

/// Tiles the nest that begins with `parallel`, two or three parallel loops, perfectly nested, outermost
/// first, where a sequential loop inside reads what threads along both of the inner two share. Nothing, and
/// `state` as it was, where it does not, or where a step refuses.
std::optional<TilePlan> tileNest(ScheduleState& state, const std::vector<std::string>& parallel);

} // namespace warploom
