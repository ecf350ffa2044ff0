// Tiled kernels as text: blocks walk over tiles, copy what their threads share to shared memory, and every
// thread works on a few points, some of whose elements it keeps in registers.
#pragma once

#include "emit/KernelScope.h"
#include "emit/KernelText.h"
#include "emit/SharedText.h"

#include <optional>

namespace warploom {

class TiledText {
public:
  /// `context`: what is known of parameters and of the host's loops.
  TiledText(KernelScope& scope, const isl::set& context);

  /// Writes the body of the kernel, and before it `definitions`, and says how it is launched.
  void write(KernelCall& call, TextWriter& definitions, TextWriter& to);

private:
  using Position = TilePosition;
  /// That all points of a tile are there.
  struct FullTile {
    isl::set parameters;
    std::string text;
  };

  void writeTree(const LoopTree& tree, const Position& at, TextWriter& to);
  void writeGridTiles(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeBlocks(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeSequentialTiles(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeOverlappedTiles(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeLoop(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeThreads(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeStrides(const LoopTree& loop, const Position& at, TextWriter& to);
  void writeSequence(const LoopTree& sequence, const Position& at, TextWriter& to);
  void writeLeaf(const LoopTree& leaf, const Position& at, TextWriter& to);
  /// Writes what `write` writes at a position, twice where whole tiles are worth a text of their own: around
  /// is `loop`. `vectors`: in whole tiles threads keep elements as vectors.
  template <typename Write>
  void writeFullOrNot(const LoopTree& loop, const Position& at, bool vectors, TextWriter& to, Write write);
  /// What an iteration of `loop`, which all threads of a block run, does.
  void writeIteration(const LoopTree& loop, const Position& at, TextWriter& to);
  /// How a thread moves its elements of an array between registers and memory.
  struct RegisterMove {
    const RegisterTile* tile;
    std::vector<const TiledLoop*> along; ///< the loops whose points have elements of their own
    std::vector<std::string> indices;    ///< their variables
    std::string guard;                   ///< where there is such an element; empty: at all points
    bool whole;                          ///< those of neighbouring points together
    /// Other indices that the text of the element mentions, with the one value that they have at a point.
    std::vector<std::pair<std::string, std::string>> fixed = {};
  };
  RegisterMove moveOf(const RegisterTile& tile, const Position& at);
  void fixIndices(RegisterMove& move);
  void writeMoves(const std::vector<RegisterMove>& moves, bool load, TextWriter& to);
  void writeRegisters(const LoopTree& loop, const Position& at, bool load, TextWriter& to);
  void declarePrivate(const std::string& body, TextWriter& to);

  Position inTile(const LoopTree& loop, const Position& at, const isl::set& bounds, long step) const;
  Position fixedAt(const std::string& name, const isl::union_pw_aff& value, const Position& at) const;
  std::optional<FullTile> fullTile(const LoopTree& loop, const Position& at);
  bool needsBarrier(const std::vector<int>& first, const std::vector<int>& second) const;
  std::string redirected(AccessRef access);
  std::vector<const TiledLoop*> loopsAlong(const RegisterTile& tile) const;
  std::string pointText(const TiledLoop& loop, bool first) const;
  /// The element that a thread keeps for its point; `whole`: those of all its neighbouring points along x.
  std::string registerOf(int array, bool whole = false) const;
  std::string local(const std::string& name) const { return scope.local(name); }
  /// Which of its points along the axis of `loop` a thread works on.
  std::string itemOf(const TiledLoop& loop) const;
  /// The condition that a thread is the first along every axis on which no loop is open; empty for none.
  std::string firstThread() const;
  std::string condition(const isl::set& set, const isl::set& given) { return scope.condition(set, given); }
  std::string text(const isl::pw_aff& value) { return scope.text(value); }

  KernelScope& scope;
  const KernelPlan& kernel;
  const TilePlan& tiles;
  isl::set context;
  KernelCall* call = nullptr;
  std::map<std::string, TileNames> known; ///< by the names of the loops over tiles
  SharedText shared;
  std::map<int, std::pair<std::string, const RegisterTile*>> registers; ///< name and plan, per array
  bool inMemory = false;       ///< what registers would hold is used where it lies
  std::size_t threadLoops = 0; ///< how many loops on the block are open
  std::set<int> openAxes;      ///< along which axes
};

} // namespace warploom
