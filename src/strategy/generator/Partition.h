// Phases I and II of the generator of strategies: how the loops of a nest are shared out among blocks and
// threads, and where its arrays may be kept, by kind of reuse.
#pragma once

#include "device/Device.h"
#include "strategy/generator/Orders.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom::strategies {

/// How arrays are kept.
enum class Keep {
  Global,         ///< in device memory
  Registers,      ///< a thread has its elements in registers
  Shared,         ///< a block has what it reads in shared memory
  SharedReadOnly, ///< the same, read from device memory through the read-only path
  Constant        ///< in constant memory
};
const char* nameOf(Keep keep);
inline bool isShared(Keep keep) {
  return keep == Keep::Shared || keep == Keep::SharedReadOnly;
}

/// The ways in which one of the nest's arrays may be kept, plain device memory first.
struct Placement {
  std::size_t arrays = 0; ///< index into Nest::arrays
  std::vector<Keep> ways;
  std::vector<std::string> reasons; ///< why, per way but the first
};

/// One choice for everything that a partition leaves open.
struct Choice {
  std::vector<Keep> kept; ///< per placement
  int copies = 1;         ///< of tiles in shared memory
  int unroll = 0;         ///< as UnrollToDepth has it

  bool isStaged() const;
  bool operator==(const Choice&) const = default;
};

/// A step of a partition, and the choices with which it is taken. Sizes in it are names of the partition's,
/// after a `$`.
struct Line {
  Step step;
  bool ifStaged = false;                     ///< only where something is in shared memory
  std::optional<std::size_t> placement = {}; ///< only where that is kept in one of `keeps`
  std::vector<Keep> keeps = {};
  int copies = 0, unroll = 0; ///< only with as many; 0: with any

  bool isFor(const Choice& choice) const;
};

/// A loop on the grid: tiles for blocks, of which each thread takes `points`.
struct Axis {
  std::size_t loop = 0; ///< of the nest
  std::string tile;     ///< name of the size of a tile
  std::string threads;  ///< of the number of threads along it; empty: one takes the whole tile
};

/// How loops are shared out.
struct Partition {
  enum class Shape {
    Line,    ///< one loop, a thread for each iteration in a tile
    Points,  ///< two, a thread for each
    Columns, ///< two, threads along x and y take those of the first, each for a row of the second
    Cyclic,  ///< two, a thread for several of both, as far apart as there are threads
    Rows,    ///< one, a warp for each iteration, whose lanes share the loop in it, which combines values
    Split,   ///< one and the loop in it, which combines values: a thread for a few of both
    Tiles,   ///< the same as Warploom's own: sizes stay names until the kernel is compiled, all points of a
             ///< thread are written out, and elements along the loop of the tiles are read several at once
    Own      ///< another way of Warploom's own: its steps leave nothing open but sizes, which stay names
  };
  Shape shape = Shape::Line;
  LoopOrder order;
  std::vector<Axis> axes;           ///< x, then y
  std::optional<std::size_t> third; ///< a loop on the grid, for each iteration of which there are blocks
  std::vector<std::size_t> inside;  ///< loops of the nest that a thread runs, outermost first
  /// The first of these where what is staged is staged in parts of it; a partition without it stages all.
  std::optional<std::size_t> slab;
  std::optional<std::size_t> onHost; ///< a loop whose tiles the host launches one by one, for constant memory
  std::map<std::string, long> sizes; ///< default values of sizes, by name
  std::vector<Placement> placements; ///< of the nest's arrays that have a choice, and of the others
  std::vector<Line> lines;
  std::map<std::size_t, int> together; ///< of arrays, by index, how many elements a thread reads at once
  int copies = 1;                      ///< Shape::Own: of tiles in shared memory
  std::string name;                    ///< `cyclic`, `line-host`

  /// True when sizes are those of Warploom's own strategies, and no recipe says them.
  bool hasOwnSizes() const {
    return shape == Shape::Rows || shape == Shape::Split || shape == Shape::Tiles || shape == Shape::Own;
  }
  long size(const std::string& named) const { return named.empty() ? 1 : sizes.at(named); }
  long points(const Axis& axis) const { return size(axis.tile) / size(axis.threads); }
  long threads() const;
  /// Per loop of the nest how many iterations of it a block, or one of its threads, runs: with `inSlab`, of a
  /// part of the slab's loop.
  std::vector<long> ofBlock(const Nest& nest, bool inSlab) const;
  std::vector<long> ofThread(const Nest& nest, bool inSlab) const;
};

/// The partitions of the nest that begins with `outermost` in `state`, which is in the order of the program
/// but for the orders' skews. Names of loops are those that nobody has.
std::vector<Partition> partitions(const ScheduleState& state, const Nest& nest, const LoopOrder& order);

/// The steps that `choice` makes of the partition, with the names of sizes, or with their values.
std::vector<Step> stepsOf(const Partition& partition, const Choice& choice);
std::vector<Step> boundSteps(const Partition& partition, const Choice& choice);

} // namespace warploom::strategies
