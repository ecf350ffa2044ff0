// Tiled kernels as text: blocks walk over tiles, copy what their threads share to shared memory, and every
// thread works on a few elements in registers.
#pragma once

#include "emit/KernelScope.h"
#include "emit/KernelText.h"

#include <optional>

namespace warploom {

class TiledText {
public:
  /// `context`: what is known of parameters and of the host's loops.
  TiledText(KernelScope& scope, const isl::set& context);

  /// Writes the body of the kernel and says how it is launched.
  void write(KernelCall& call, TextWriter& to);

private:
  /// Where the text stands: which loops are fixed, what then still runs, and what is known.
  struct Place {
    isl::union_set runs;
    isl::set context;
  };

  void writeTree(const LoopTree& tree, const Place& at, TextWriter& to);
  void writeGridTiles(const LoopTree& loop, const Place& at, TextWriter& to);
  void writeBlocks(const LoopTree& loop, const Place& at, TextWriter& to);
  void writeSequentialTiles(const LoopTree& loop, const Place& at, TextWriter& to);
  void writeLoop(const LoopTree& loop, const Place& at, TextWriter& to);
  void writeThreads(const LoopTree& loop, const Place& at, TextWriter& to);
  void writeLeaf(const LoopTree& leaf, const Place& at, TextWriter& to);
  void writeCopies(const Place& at, TextWriter& to);
  void writeRegisters(const Place& at, bool load, TextWriter& to);
  void declareShared(TextWriter& to);

  Place inTile(const LoopTree& loop, const Place& at, const isl::set& bounds) const;
  Place fixedAt(const std::string& name, const isl::union_pw_aff& value, const Place& at) const;
  std::optional<std::string> fullTile(const LoopTree& inside, const Place& at);
  std::string redirected(AccessRef access) const;
  std::string condition(const isl::set& set, const isl::set& context);
  const TiledLoop* tiledBy(const std::string& control) const;
  const LoopTree* controlOf(const std::string& loop) const;
  /// The loop of the tile plan (y, x or the sequential one) that `name` stands for: its variable, origin and
  /// size.
  struct Tile {
    std::string variable, origin, size;
  };
  Tile tileOf(const std::string& loop) const;

  KernelScope& scope;
  const KernelPlan& kernel;
  const TilePlan& tiles;
  isl::set context;
  KernelCall* call = nullptr;
  std::map<std::string, Tile> known;    ///< by the names of the point loops
  std::map<int, std::string> shared;    ///< per entry of TilePlan::shared, the array's name
  std::map<int, std::string> registers; ///< per array
  std::string sequential;               ///< the point loop of the sequential tiles
  std::optional<isl::set> fullSet;      ///< the condition that fullTile wrote
};

} // namespace warploom
