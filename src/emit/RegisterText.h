// What a thread keeps in registers, as text: the declarations, the elements by which statements reach them,
// and the moves from and to memory.
#pragma once

#include "emit/KernelScope.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

class RegisterText {
public:
  explicit RegisterText(KernelScope& scope);

  /// True when threads keep elements of `array`.
  bool keeps(int array) const { return registers.count(array) > 0; }
  /// What a thread keeps of `array` is called so.
  const std::string& nameOf(int array) const { return registers.at(array).first; }
  /// The element that a thread keeps where the program has `access`; empty when it keeps none.
  std::string element(AccessRef access) const;
  /// Writes the loads with which an iteration begins, and before them the declarations, or the stores with
  /// which it ends.
  void write(const RegistersNode& node, TextWriter& to);

  /// Which of its points along the axis of `loop` a thread works on.
  std::string itemOf(const TiledLoop& loop) const;
  /// Which point along `loop` a thread works on; with neighbouring points, `first`: the first of them.
  std::string pointText(const TiledLoop& loop, bool first) const;

private:
  /// How a thread moves its elements of an array between registers and memory.
  struct Move {
    const RegisterTile* tile;
    std::vector<const TiledLoop*> along; ///< the loops whose points have elements of their own
    std::vector<std::string> indices;    ///< their variables
    std::string guard;                   ///< where there is such an element; empty: at all points
    bool whole;                          ///< those of neighbouring points together
    /// Other indices that the text of the element mentions, with the one value that they have at a point.
    std::vector<std::pair<std::string, std::string>> fixed = {};
  };
  Move moveOf(const RegisterTile& tile, const Position& at);
  void fixIndices(Move& move);
  /// Writes how a thread moves the box of elements that it keeps of `tile`.
  void writeBox(const RegisterTile& tile, const RegistersNode& node, TextWriter& to);
  /// "[4][2]": how many elements a thread keeps along each side of `tile` that has several.
  std::string extentsOf(const RegisterTile& tile) const;
  void writeMoves(const std::vector<Move>& moves, bool load, TextWriter& to);
  /// The element that a thread keeps for its point; `whole`: those of all its neighbouring points along x.
  std::string registerOf(int array, bool whole) const;
  /// The tiled loops whose points have elements of their own in `tile`.
  std::vector<const TiledLoop*> loopsAlong(const RegisterTile& tile) const;

  KernelScope& scope;
  const MappedTree& tree;
  std::map<int, std::pair<std::string, const RegisterTile*>> registers; ///< name and plan, per array
};

} // namespace warploom
