// Which nests are tiled, and how: tiles of parallel loops for blocks, and what their threads share in shared
// memory. Matrix products have tiles of a sequential loop inside, too, and a few elements per thread in
// registers; sweeps over a neighbourhood have halos; strips give a thread neighbouring points.
#pragma once

#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom {

/// The names that the sizes of tiles have in every program.
inline constexpr const char* tileY = "TILE_Y";
inline constexpr const char* tileX = "TILE_X";
inline constexpr const char* tileK = "TILE_K";
inline constexpr const char* sweepY = "SWEEP_Y";
inline constexpr const char* sweepX = "BLOCK_X";
inline constexpr const char* stripY = "BLOCK_Y";
inline constexpr const char* stripX = "STRIP_X"; ///< of a nest of two loops or more
inline constexpr const char* strip = "STRIP";    ///< of a nest of one

/// How a tile is shared out along an axis, by names: `threads` of the block, each with `items` points.
struct TileShare {
  std::string threads, items;
  bool adjacent = false; ///< a thread's points are neighbours
};

/// The share of a tile of the size called `size`; a thread per point where nothing else is known.
TileShare shareOf(const std::string& size);

/// Tiles the nest that begins with `parallel`, two or three parallel loops, perfectly nested, outermost
/// first, where a sequential loop inside reads what threads along both of the inner two share, of which
/// shared memory then holds so many copies. False, and `state` as it was, where it does not, or where a step
/// refuses.
bool tileProduct(ScheduleState& state, const std::vector<std::string>& parallel, int copies);

/// True when the only sequential loop in the nest that begins with `parallel` reads what tileProduct would
/// hold in shared memory, whatever comes before and after it.
bool hasProduct(ScheduleState state, const std::vector<std::string>& parallel);

/// Tiles the nest of the two parallel loops `parallel` where neighbouring points read many elements in
/// common. False, and `state` as it was, where they do not, or where a step refuses.
bool tileSweep(ScheduleState& state, const std::vector<std::string>& parallel);

/// Tiles the nest of the parallel loops `parallel`, at most three, so that every thread has neighbouring
/// points along the last, where elements are small and points work on the elements at their own place:
/// a thread then moves several at once. False, and `state` as it was, where that does not help, or where a
/// step refuses.
bool tileStrips(ScheduleState& state, const std::vector<std::string>& parallel);

} // namespace warploom
