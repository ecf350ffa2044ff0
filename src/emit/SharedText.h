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

  /// True when an iteration of `loop` begins with copies.
  bool copiesIn(const LoopTree& loop) const;
  /// Writes them; `at` is inside `loop`.
  void writeCopies(const LoopTree& loop, const TilePosition& at, TextWriter& to);

  /// The element in shared memory that `access` reaches; empty when it reaches none.
  std::string element(AccessRef access);

private:
  void writeCopy(std::size_t tile, const TilePosition& at, TextWriter& to);
  std::string threadCount() const;
  std::string structName() const;

  KernelScope& scope;
  const TilePlan& plan;
  const std::map<std::string, TileNames>& tiles;
  std::vector<std::string> names; ///< per entry of TilePlan::shared
};

} // namespace warploom
