// A kernel as one tree: what its threads do, in the order of its text. Beside loops and statements it has as
// nodes whatever else is done: copies between memories, barriers, combinations of partial results, the choice
// between whole tiles and edges. It is built once, after the last step (MapTree), and then only read.
#pragma once

#include "analysis/Recurrences.h"
#include "analysis/Reductions.h"
#include "mapping/LoopBounds.h"
#include "transform/Staging.h"
#include "transform/TileProduct.h"
#include "transform/Tunables.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

struct MappedNode;
using MappedNodes = std::vector<MappedNode>; ///< in the order in which they run

/// Where a node stands: the instances that run below it, over the values of the loops around it (fixedName)
/// and the origins of tiles as parameters; and what is known of these parameters.
struct Position {
  isl::union_set runs;
  isl::set context;
};

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
  bool own = false;        ///< there is nothing but it: the array lives for an iteration of the loop

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

/// The threads that a barrier waits for, or whose parts are combined.
enum class Threads { Group, Warp, Block, Grid };

/// Iterations are taken in turn by the blocks along an axis of the grid, or by the threads of all of them.
struct OnGrid {
  int axis = 0;
  std::string threads;   ///< of a block that take iterations, by name; empty: a block takes one as a whole
  int threadAxis = 0;    ///< of the block, along which these are
  bool anyBlock = false; ///< a launch may have fewer of them
  bool anyGrid = false;  ///< all threads of the grid take iterations, whatever its dimensions are
  /// Above 0: the blocks are so few that a thread takes at least so many iterations, and at most
  /// `mostBlocks`.
  int leastEach = 0, mostBlocks = 0;
  /// A launch has the iterations of one level; LoopNode::changes tells which elements an iteration uses.
  bool byLevels = false;
};
/// Each thread of a block takes its points of the tile that the block has of a loop on the grid.
struct OnTile {
  TiledLoop tile;
};
/// Iterations are taken in turn by the threads of a block along an axis.
struct OnBlock {
  int axis = 0;
  std::string threads; ///< how many these are
};
/// Iterations are taken in turn by the lanes of a warp.
struct OnLanes {};
/// Iterations are taken in turn by the threads of the grid, in tiles, or by the lanes of a warp: first each
/// finds out what its iterations do to the states, LoopNode::changes, then all what each begins with; then
/// they run. Threads of a warp have the same states before and after it; a grid has them in memory.
struct OnScan {
  Threads across = Threads::Grid;
  Scan scan;
};
/// Every thread that comes here runs all iterations, one after another.
struct Serial {};

/// A loop of the schedule.
struct LoopNode {
  std::variant<Serial, OnGrid, OnTile, OnBlock, OnLanes, OnScan> share;
  std::vector<std::string> loops;   ///< one, or those that are counted together, outermost first
  std::vector<LoopBounds> bounds;   ///< per loop, where it stands; of OnTile: none
  std::vector<LoopBounds> launched; ///< OnGrid: per loop, what the blocks of a launch are made for
  std::vector<LoopBounds> widest;   ///< the same for all launches together; none where nobody asks
  std::optional<SymbolicTile> tile; ///< it runs over tiles of this size
  /// Serial, above 0: it is written with so many iterations, of which those beyond the last one do nothing.
  long trips = 0;
  /// Copies for the next iteration, which arrive while the threads work on this one; then an iteration ends
  /// with a wait for them and a barrier of the block.
  MappedNodes prefetch;
  /// OnScan: the part of an iteration that tells what it does to the states; by levels: which elements it
  /// uses.
  MappedNodes changes;
  MappedNodes body;
};

/// Serial loops and statements, for which isl finds loops and guards.
struct CodeNode {
  LoopTree tree;
  Position at;
  std::set<std::string> fixed; ///< loops of `tree` whose values the loops around have
  /// Only the first thread along each of these axes of the block writes to what threads share.
  std::set<int> firstAlong;
  bool inMemory = false; ///< what registers would hold is used where it lies
};

/// Threads of a block copy a tile between device memory and shared memory.
struct CopyNode {
  enum class Direction { In, Out };
  std::size_t tile; ///< index into MappedTree::shared
  isl::set elements;
  isl::set context;
  Direction direction;
};

/// A thread loads or stores the elements that it keeps for an iteration of a loop.
struct RegistersNode {
  enum class Direction { Load, Store };
  std::string loop;
  Position at;
  Direction direction;
  /// Where threads walk in strides: the loops on the block, of which a thread takes one iteration, and their
  /// values.
  std::vector<std::pair<std::string, LoopBounds>> threads = {};
};

/// These threads wait for each other, and see what the others wrote.
struct BarrierNode {
  Threads scope;
};

/// The warps of a block add a product of tiles in shared memory to what threads keep, on tensor cores.
struct TensorNode {
  TileProduct product;
  LoopBounds depth; ///< of its loop over terms
};

/// From here on a thread combines values into a part of its own of each accumulator.
struct PartsNode {
  std::vector<Reduction> reductions;
};

/// The parts of `of` are combined among the threads `across`, and the result into the accumulator; with
/// nothing, each thread's part by itself.
struct CombineNode {
  Reduction of;
  std::optional<Threads> across;
  Position at;
};

/// Where all points of the tiles around are there, `whole` runs, else `edge`.
struct ChoiceNode {
  isl::set isWhole;
  MappedNodes whole, edge;
};

/// What is in it runs only for parameters in `condition`, of which `context` is known already.
struct GuardNode {
  isl::set condition, context;
  MappedNodes body;
};

/// Private arrays live as long as this: what of them is used inside is declared here.
struct PrivateNode {
  MappedNodes body;
};

/// The threads of a block combine values into copies of arrays that they share, where the launcher finds room
/// for these, and the copies into the arrays afterwards.
struct BinsNode {
  std::map<int, std::string> arrays; ///< index into Region::arrays, and the operation
  MappedNodes body;                  ///< accesses them only to combine values into them, atomically
};

struct MappedNode {
  std::variant<LoopNode, CodeNode, CopyNode, RegistersNode, BarrierNode, TensorNode, PartsNode, CombineNode,
               ChoiceNode, GuardNode, PrivateNode, BinsNode>
      is;
};

/// What one kernel does.
///
/// Invariants, checked where it is made: a barrier of a block is not inside a loop whose iterations its
/// threads share, nor in a guard; one of a warp is in no loop that its lanes share. Each loop on the grid,
/// and each loop over tiles, is around all else. A copy to shared memory is followed by a barrier before
/// anything reads it.
struct MappedTree {
  MappedNodes nodes;
  isl::set context = isl::set(islContext(), "{ : }"); ///< what is known wherever it is launched
  /// The values of parameters and of the host's loops, as far as `context` leaves them open, for which there
  /// is anything to do; the launcher asks. Nothing: it need not.
  std::optional<isl::set> onlyFor;
  /// Threads of a block along x, y, z, by name or number; the last ones may be missing.
  std::vector<std::string> threads;
  /// Of blocks, outermost first, whose points OnTile loops share out; where there are none, threads walk
  /// loops on the block in strides, and one thread of an axis runs what is in no loop along it.
  std::vector<TiledLoop> tiles;
  std::vector<SharedTile> shared;
  std::vector<RegisterTile> registers;
  std::vector<TileProduct> products; ///< what threads add to what they keep, at all points of tiles

  /// The one of `tiles` whose points lie along `axis`; null when there is none.
  const TiledLoop* onAxis(int axis) const;
};

/// Calls `visit` with every node of `nodes`, outer ones first.
template <typename Visit> void forEachNode(const MappedNodes& nodes, Visit visit);

/// `tree` as lines: a node each, indented.
std::string printed(const MappedTree& tree, const Region& region);

/// Fails where `tree` breaks its invariants; `region` is for the message.
void check(const MappedTree& tree, const Region& region);

template <typename Visit> void forEachNode(const MappedNodes& nodes, Visit visit) {
  for (const MappedNode& node : nodes) {
    visit(node);
    if (const auto* loop = std::get_if<LoopNode>(&node.is)) {
      forEachNode(loop->prefetch, visit);
      forEachNode(loop->changes, visit);
      forEachNode(loop->body, visit);
    } else if (const auto* choice = std::get_if<ChoiceNode>(&node.is)) {
      forEachNode(choice->whole, visit);
      forEachNode(choice->edge, visit);
    } else if (const auto* guard = std::get_if<GuardNode>(&node.is)) {
      forEachNode(guard->body, visit);
    } else if (const auto* own = std::get_if<PrivateNode>(&node.is)) {
      forEachNode(own->body, visit);
    } else if (const auto* bins = std::get_if<BinsNode>(&node.is)) {
      forEachNode(bins->body, visit);
    }
  }
}

} // namespace warploom
