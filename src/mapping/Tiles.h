// What a tiled kernel keeps close to its threads: tiles of arrays in shared memory, and the elements that a
// thread works on in registers.
#pragma once

#include "analysis/AccessRef.h"
#include "transform/LoopTree.h"

#include <string>
#include <vector>

namespace warploom {

/// A piece of an array that a block copies to shared memory before it reads it there.
/// Invariant: along each dimension the accesses subscript by a loop's value plus a constant, or by something
/// that is the same for the whole block; all of them by the same.
struct SharedTile {
  int array = -1;
  std::vector<AccessRef> accesses;
  std::vector<std::string>
      loops; ///< per dimension: the name of the loop whose tile it spans; empty: one element
};

/// Elements of an array that one thread reads and writes again and again, one per point of its part of the
/// tile.
struct RegisterTile {
  int array = -1;
  AccessRef access;  ///< one of those that reach the element; all are the same function of the point
  bool load = true;  ///< the elements have a value before
  bool store = true; ///< and are needed after
};

/// One of the loops whose iterations in a tile are shared out among the threads of a block.
struct TiledLoop {
  std::string loop;    ///< the point loop's name, as first distributed; see `copies`
  std::string control; ///< the loop over tiles
  std::string origin;  ///< isl parameter: where the tile starts
  std::string size;    ///< isl parameter: its size
  int axis = 0;        ///< of the grid and of the block: 0 for x
};

struct TilePlan {
  std::vector<TiledLoop> loops; ///< outermost first
  std::string control; ///< the loop over tiles of the sequential loop; its body begins with the copies
  std::vector<SharedTile> shared;
  std::vector<RegisterTile> registers;
};

} // namespace warploom
