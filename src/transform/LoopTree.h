// The loops of a schedule as a tree whose loops have names: what steps work on. It is an isl schedule tree of
// one-member bands and sequences, with what isl's own has no place for: names, symbolic tiles, and what a
// loop is mapped to.
#pragma once

#include "model/Region.h"
#include "transform/Step.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// Makes a loop the tile loop of a symbolic size. Its tiles are [o, o + size) with o = base + k * size, where
/// `base` depends on the parameters alone; inside another tile of the same loop, base is that tile's origin.
struct SymbolicTile {
  std::string origin; ///< parameter: where the current tile starts
  std::string size;   ///< parameter: its size, at least 1
  std::string within; ///< origin of the tile of the same loop that this one lies in; empty: none

  bool operator==(const SymbolicTile&) const = default;
};

/// { [v] -> [v] : origin <= v < origin + size, size >= 1 }: the values in a tile.
isl::map insideTile(const SymbolicTile& tile);

/// The isl parameter that holds the value of a loop that is fixed.
std::string fixedName(const std::string& loop);
/// Those of `instances` for which a loop called `loop`, with this value, has that of its parameter.
isl::union_set fixedAt(const isl::union_set& instances, const std::string& loop,
                       const isl::union_pw_aff& value);

/// What runs the iterations of a loop at the same time.
struct Place {
  enum class Kind {
    Grid,  ///< blocks; where no loop inside is on a block, all threads of the grid
    Block, ///< threads of a block
    Lane   ///< lanes of a warp, which takes an iteration of the innermost loop on the grid
  };
  Kind kind = Kind::Grid;
  int dimension = 0; ///< 0, 1, 2 for x, y, z; of lanes 0

  bool operator==(const Place&) const = default;
};

/// `bx`, `by`, `bz` for the grid, `tx`, `ty`, `tz` for the block, `lane` for the lanes of a warp.
std::string placeName(const Place& place);

/// A loop, a sequence of subtrees, or a leaf.
///
/// Invariants: a Loop has one child, and `value` is defined on all instances below it; a Sequence has at
/// least two children, none of them a Sequence, with disjoint instances; a Leaf has none, and its instances
/// are unordered. Names of loops are unique in a tree.
struct LoopTree {
  enum class Kind { Loop, Sequence, Leaf };
  Kind kind = Kind::Leaf;
  std::vector<LoopTree> children;

  isl::union_set domain = isl::union_set::empty(islContext()); ///< Leaf: its instances

  std::string name; ///< Loop
  /// Loop: { S[i] -> [t] }, smaller runs first. Of a symbolic tile: the value that is tiled, in the order of
  /// whose tiles the loop runs.
  isl::union_pw_aff value = noValue();
  std::optional<SymbolicTile> tile;
  std::optional<Place> place;
  std::string kernel; ///< Loop on the grid: what its kernel is to be called; empty: nobody said
  int residents = 0;  ///< Loop on the grid: how many blocks a multiprocessor is to hold; 0: nobody said
  /// Loop on the grid, outermost in its kernel: when a library's function may do what the kernel does. Loop
  /// around kernels: when one may do what it and they do.
  LibraryUse library = LibraryUse::Never;
  bool onTensor = false; ///< Loop: it and what is in it run on the tensor cores
  /// Iterations that are written out in a row; 0: all of them, 1: not unrolled.
  int unroll = 1;

  static isl::union_pw_aff noValue();
};

/// Whether a loop of `tree` has a place: it is a kernel, is in one, or is around one.
bool hasPlaces(const LoopTree& tree);

/// The instances below `tree`.
isl::union_set instances(const LoopTree& tree);

/// Those of `domain` whose value is in the current tile of `loop`, a tile loop.
isl::union_set insideTile(const LoopTree& loop, const isl::union_set& domain);

/// `tree` as an isl schedule. Each loop is a band of one member whose space is named after it. A symbolic
/// tile loop is the band { S[i] -> [o] } of its origin, a parameter; the domain is the part of the instances
/// for which every tile origin is that of the instance: origin <= value < origin + size.
isl::schedule scheduleOf(const LoopTree& tree);

/// All symbolic tiles of `tree`, outermost first.
std::vector<SymbolicTile> symbolicTiles(const LoopTree& tree);

/// The loop called `name`, or the only one at the place of that name, if no loop is called so; null when
/// there is none.
LoopTree* findLoop(LoopTree& tree, const std::string& name);
const LoopTree* findLoop(const LoopTree& tree, const std::string& name);

/// The loops from the root to the one that findLoop finds, it included, outermost first; empty when there is
/// none.
std::vector<const LoopTree*> pathTo(const LoopTree& tree, const std::string& name);

/// { S[i] -> [v, ...] }: the values of `loops`, of which there is at least one, together, in this order.
isl::union_map valuesOf(const std::vector<const LoopTree*>& loops);

/// `loop` and the loops that follow directly, each the whole body of the one before.
std::vector<LoopTree*> nestFrom(LoopTree& loop);
std::vector<const LoopTree*> nestFrom(const LoopTree& loop);

/// What follows each other in `body`: the children of a sequence, or `body` itself.
std::vector<const LoopTree*> partsOf(const LoopTree& body);

/// The names of all loops, in depth-first order.
std::vector<std::string> loopNames(const LoopTree& tree);

/// `wanted`, or `wanted_2`, `wanted_3`, ...: the first that is not `taken`.
std::string uniqueName(const std::string& wanted, const std::function<bool(const std::string&)>& taken);

/// The part of `tree` that runs `kept`, without the subtrees that run nothing of it; nothing when all is
/// empty.
std::optional<LoopTree> restricted(const LoopTree& tree, const isl::union_set& kept);

/// A sequence of `parts`, flattened; one part is itself. `parts` is not empty.
LoopTree sequence(std::vector<LoopTree> parts);

/// A loop around `body`.
LoopTree loopAround(const std::string& name, const isl::union_pw_aff& value, LoopTree body);

/// The loops of the C program. The loop of `region.loops[k]` is called `names[k]`, its index, made unique by
/// a suffix and different from every array and parameter; loops that run no statement are not in the tree,
/// nor are Kill statements, which do nothing.
LoopTree originalTree(const Region& region, const std::vector<std::string>& names);

/// A name for each loop of `region`, as originalTree wants them.
std::vector<std::string> originalNames(const Region& region);

/// `schedule`, made of bands, sequences, sets and filters, as a tree. A loop that runs over the index of one
/// source loop is called like it in originalNames, another after the first source loop whose index some
/// statement runs by, or `t`.
LoopTree loopTree(const Region& region, const isl::schedule& schedule);

/// One line per loop and statement, indented: `i`, `  ii = tile(i, TI) by oi`, ...
std::string printed(const LoopTree& tree);

} // namespace warploom
