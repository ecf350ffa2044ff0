// What a tiled kernel is made of, read off a schedule: the loops whose tiles are blocks, what a block keeps
// in shared memory, and what a thread keeps in registers.
#pragma once

#include "transform/Schedule.h"
#include "transform/TileProduct.h"
#include "transform/Tunables.h"

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

/// One of the loops whose iterations in a tile are shared out among the threads of a block.
struct TiledLoop {
  std::string control;           ///< the loop over tiles, on the grid
  std::string loop;              ///< a loop inside the tile, on the block
  std::string origin;            ///< isl parameter: where the tile starts
  std::string size;              ///< isl parameter: its size
  std::string threads;           ///< how many threads share it, by name; a divisor of the size
  std::string items;             ///< size / threads
  int axis = 0;                  ///< of the grid and of the block: 0 for x
  Points points = Points::Apart; ///< of a thread
  int group = 1;                 ///< Points::Grouped: how many neighbours one access moves

  /// True when every thread has one point along the axis.
  bool onePerThread() const { return items == "1"; }
};

/// A piece of an array that a block copies to shared memory.
struct SharedTile {
  int array = -1;
  std::string loop; ///< when an iteration of it begins
  Box box;
  int padding = 1; ///< as Staging has it
  int copies = 1;  ///< the same
  int together = 1;
  bool transposed = false; ///< its first side of several elements comes last

  /// The sides with several elements, in the order in which they are kept.
  std::vector<std::size_t> sides() const;
};

/// Elements of an array that a thread keeps, one per point of its part of the tile.
struct RegisterTile {
  int array = -1;
  std::string loop; ///< for an iteration of it
  RegisterSet elements;
  bool contiguous = false; ///< those of adjacent points along x are neighbours in memory
};

/// What the loops on a block become. Loops that run in tiles of themselves on the grid along the same axis
/// are `loops`; any other loop on the block is walked by the threads along its axis in strides.
struct TilePlan {
  std::vector<TiledLoop> loops; ///< outermost first
  /// Threads of a block along x, y, z, by name or number; empty where no loop is on that axis.
  std::array<std::string, 3> threads;
  /// Not every statement is in all of `loops`, and there are no others on the block: threads walk in strides,
  /// and one thread of an axis runs what is in no loop along it.
  bool strided = false;
  std::vector<SharedTile> shared;
  std::vector<RegisterTile> registers;
  std::vector<TileProduct> products; ///< what is in registers, of all points of tiles

  /// The loop whose tiles and points lie along `axis`; null when there is none.
  const TiledLoop* onAxis(int axis) const;
};

/// The plan for the nest of `state` that begins with `root`, a loop on the grid, or why there is none.
std::variant<TilePlan, Refusal> tilesOf(const ScheduleState& state, const LoopTree& root);

} // namespace warploom
