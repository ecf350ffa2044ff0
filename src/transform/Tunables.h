// The sizes that a kernel's text leaves open, as data: their names, what they are where nothing is said, what
// a search may try, how threads share tiles of them, and what must hold between them. Warploom's own are in a
// table, and steps declare others: nothing asks what a size is called. The text defines and asserts what
// stands here, and the tuner searches what stands here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// A size that may be set when a kernel is compiled.
/// Invariant: `usual` is one of `values`, which ascend.
struct Tunable {
  std::string name;
  int usual;               ///< what it is where nothing is said
  std::vector<int> values; ///< what a search may try
  std::string meaning;
  /// Of a tile: what it is where larger ones would be so few that multiprocessors had none; else 0.
  int few = 0;
  /// The size whose value it has in tiles that are turned round: rows for columns; empty: it has its own.
  std::string turned = "";
};

/// The powers of two from `least` to `most`.
std::vector<int> powersOfTwo(int least, int most);

/// A size that follows from others.
struct DerivedSize {
  std::string name, expression;
};

/// What must hold for a kernel to be right and to run: `expression`, of integers, sizes, + - * / % and
/// parentheses, is 0, or at most `most`.
struct SizeRule {
  std::string expression;
  long most = 0;
  bool isZero = false;
  std::string why;
};

/// The most threads that a block has on any device.
inline constexpr long mostThreads = 1024;

/// The names of sizes.
namespace sizeName {
inline constexpr const char* lanes = "LANES"; ///< of a warp: 32, which no one chooses
inline constexpr const char* block = "BLOCK";
inline constexpr const char* blockX = "BLOCK_X";
inline constexpr const char* blockY = "BLOCK_Y";
inline constexpr const char* blockZ = "BLOCK_Z";
inline constexpr const char* rows = "ROWS";
inline constexpr const char* group = "GROUP";
inline constexpr const char* groups = "GROUPS";
inline constexpr const char* scanBlock = "SCAN_BLOCK";
inline constexpr const char* scanItems = "SCAN_ITEMS";
} // namespace sizeName

/// The names that the sizes of tiles have in every program.
inline constexpr const char* tileY = "TILE_Y";
inline constexpr const char* tileX = "TILE_X";
inline constexpr const char* tileK = "TILE_K";
inline constexpr const char* tensorY = "TENSOR_Y";
inline constexpr const char* tensorX = "TENSOR_X";
inline constexpr const char* tensorK = "TENSOR_K";
inline constexpr const char* sweepY = "SWEEP_Y";
inline constexpr const char* sweepX = "BLOCK_X";
inline constexpr const char* stripY = "BLOCK_Y";
inline constexpr const char* stripX = "STRIP_X";    ///< of a nest of two loops or more
inline constexpr const char* stripOfLine = "STRIP"; ///< of a nest of one

/// Which points of a tile a thread has along an axis.
enum class Points {
  Apart,    ///< each as far from the next as there are threads
  Adjacent, ///< neighbours
  Grouped,  ///< neighbours in groups that one access moves
  Columns,  ///< those that it has along x in a product on tensor cores: of fragments of 8 columns
  Rows,     ///< along y: of fragments of 16 rows
};

/// How a tile is shared out along an axis, by names: `threads` of the block, each with `items` points.
struct TileShare {
  std::string threads, items;
  Points points = Points::Apart;
};

/// What a step says of a size. Free ones have `usual`, and may be sizes of tiles that threads share: given
/// `items`, a size, `threads` is what the quotient is to be called; given `threads`, a size, a thread has the
/// quotient of points. What is not free is the size of tiles of so many `threads` with so many `items`.
struct SizeDeclaration {
  std::string name;
  int usual = 0; ///< 0: it is not free
  int least = 0, most = 0;
  int few = 0;             ///< as Tunable has it
  std::string turned = ""; ///< the same, and the other way round
  std::string threads = "", items = "";
  /// Apart or Adjacent; or Columns or Rows, for which `threads` are the warps along the axis.
  Points points = Points::Apart;

  bool operator==(const SizeDeclaration&) const = default;
};

/// The sizes that a kernel may have, and what each means.
struct SizeTable {
  std::vector<Tunable> tunables;
  std::vector<DerivedSize> derived;
  std::vector<SizeRule> rules;             ///< what must hold wherever a kernel uses all the sizes in one
  std::map<std::string, TileShare> shares; ///< of tiles that have fewer threads than points, by their size
  std::vector<SizeDeclaration> declared;   ///< what steps have said

  /// The size called `name`; where the table has none, one of which nothing is known.
  Tunable tunable(const std::string& name) const;
  /// True when `name` is a size of the table or a fixed one.
  bool has(const std::string& name) const;
  /// How a tile of the size called `size` is shared out; a thread per point where nothing else is known.
  TileShare shareOf(const std::string& size) const;
  /// True when the size called `name`, or what it is derived from, is another where there are few tiles.
  bool isOfTiles(const std::string& name) const;
  /// Adds a size, or says why there can be none like it.
  std::optional<std::string> declare(const SizeDeclaration& size);
  /// What steps have said of `name`, which may follow from the size that they declare; null: nothing.
  const SizeDeclaration* declarationOf(const std::string& name) const;
};

/// The sizes that Warploom's own mappings use.
const SizeTable& knownSizes();

/// What the constant of the size called `name` is called in the text: a step may bring any name, also one
/// that means something else there.
std::string constantName(const std::string& name);

/// `expression` with every name in it replaced by what `rename` makes of it.
std::string renamed(const std::string& expression,
                    const std::function<std::string(const std::string&)>& rename);

/// What one kernel, or several that share them, leaves open. Names are as in the text, with what stands
/// before the kernel's own.
struct OpenSizes {
  std::vector<Tunable> tunables;
  std::vector<DerivedSize> derived;
  std::vector<SizeRule> rules;
};

/// Of kernels whose text uses the sizes `names` of `table` and whose blocks have as many threads as the
/// expressions `threads` say; `prefix` stands before their names.
OpenSizes openSizes(const std::string& prefix, const std::set<std::string>& names,
                    const std::set<std::string>& threads, const SizeTable& table = knownSizes());

/// Sets of sizes of one kernel, of which the launcher takes the one that was found nearest to the problem.
struct SizeVariants {
  struct Variant {
    std::map<std::string, int> sizes;  ///< by the names that openSizes has for them without a prefix
    std::vector<std::vector<long>> at; ///< where it was found: a value for each of `problem`
  };
  std::vector<std::string> problem; ///< what sizes of the problem are called in the launcher
  std::vector<Variant> variants;
};
/// What the set with this number is called of a kernel whose own sizes have this prefix.
std::string variantName(const std::string& prefix, std::size_t number);

/// The names of the tunables and the derived sizes in `sizes`.
std::set<std::string> namesOf(const OpenSizes& sizes);

} // namespace warploom
