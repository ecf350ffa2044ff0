// What a block keeps in shared memory, as text: its declaration, the copies to it, and the elements by which
// statements reach it.
#pragma once

#include "emit/KernelScope.h"

#include <map>
#include <string>
#include <vector>

namespace warploom {

/// Where the text of a tiled kernel stands: what still runs there, and what is known.
struct TilePosition {
  isl::union_set runs;
  isl::set context;
};

/// What a loop over tiles is called in the text.
struct TileNames {
  std::string variable; ///< of a point in the tile
  std::string origin;
};

class SharedText {
public:
  /// `tiles`: by the names of the loops over tiles.
  SharedText(KernelScope& scope, const std::map<std::string, TileNames>& tiles);

  /// Writes the struct of all that a block keeps, from which both the kernel and its launch know how much
  /// that is. The result is its name, empty when there is nothing to keep.
  std::string define(TextWriter& to);
  /// Writes the declarations that the kernel begins with.
  void declare(TextWriter& to);

  /// True when an iteration of `loop` has a tile in shared memory.
  bool keepsIn(const LoopTree& loop) const;
  /// True when the tile of the next iteration of `loop` arrives while this one is worked on.
  bool overlapsIn(const LoopTree& loop) const;
  /// Writes the copies with which an iteration of `loop` begins, or with which the one before it sends for
  /// them; `at` is inside `loop`. False when there are none.
  bool writeCopiesIn(const LoopTree& loop, const TilePosition& at, TextWriter& to);
  /// Writes the copies back to device memory with which it ends. False when there are none.
  bool writeCopiesOut(const LoopTree& loop, const TilePosition& at, TextWriter& to);
  /// The variable that tells which copy of the tiles is worked on.
  std::string buffer() const { return scope.local("buffer"); }

  /// The element in shared memory that `access` reaches; empty when it reaches none.
  std::string element(AccessRef access);

private:
  /// The elements of the tile that have to be copied to shared memory, at least, and those to be copied back.
  isl::set readFrom(const SharedTile& tile, const TilePosition& at) const;
  isl::set written(const SharedTile& tile, const TilePosition& at) const;
  bool isWritten(const SharedTile& tile) const;
  enum class Direction { In, Out };
  void writeCopy(std::size_t tile, const isl::set& elements, const isl::set& context, Direction direction,
                 TextWriter& to);
  std::string threadCount() const;
  std::string structName() const;

  KernelScope& scope;
  const TilePlan& plan;
  const std::map<std::string, TileNames>& tiles;
  std::vector<std::string> names; ///< per entry of TilePlan::shared
};

} // namespace warploom
