// The sizes that a kernel's text leaves open: their names, what they mean, and what they usually are.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warploom {

/// A size that may be set when a kernel is compiled.
struct Tunable {
  std::string name;
  int usual;
  std::string meaning;
};
inline const std::vector<Tunable> tunables = {{"BLOCK", 256, "threads of a block in a line"},
                                              {"BLOCK_X", 32, "threads of a block along x"},
                                              {"BLOCK_Y", 8, "threads of a block along y"},
                                              {"BLOCK_Z", 4, "threads of a block along z"},
                                              {"ROWS", 8, "warps of a block"},
                                              {"SWEEP_Y", 32, "rows of a tile of a sweep"},
                                              {"TILE_X", 32, "columns of a tile of a product"},
                                              {"TILE_Y", 32, "rows of a tile of a product"},
                                              {"TILE_K", 32, "terms of a tile of a product"},
                                              {"ITEMS_X", 2, "points of a thread along x"},
                                              {"ITEMS_Y", 4, "points of a thread along y"},
                                              {"VECTOR", 4, "neighbouring points of a thread"},
                                              {"GROUP", 4, "threads of a group"}};
/// What a symbol that a step brought is where nothing is said.
inline constexpr int usualTile = 16;

/// A size that follows from two of them.
struct DerivedSize {
  std::string name, of, by;
  char how; ///< `of` times or divided by `by`
};
inline const std::vector<DerivedSize> derivedSizes = {{"GROUPS", "BLOCK", "GROUP", '/'},
                                                      {"STRIP", "BLOCK", "VECTOR", '*'},
                                                      {"STRIP_X", "BLOCK_X", "VECTOR", '*'},
                                                      {"THREADS_X", "TILE_X", "ITEMS_X", '/'},
                                                      {"THREADS_Y", "TILE_Y", "ITEMS_Y", '/'}};

/// The lanes of a warp, which no one chooses.
inline constexpr const char* lanes = "LANES";

/// The names that the sizes of tiles have in every program.
inline constexpr const char* tileY = "TILE_Y";
inline constexpr const char* tileX = "TILE_X";
inline constexpr const char* tileK = "TILE_K";
inline constexpr const char* sweepY = "SWEEP_Y";
inline constexpr const char* sweepX = "BLOCK_X";
inline constexpr const char* stripY = "BLOCK_Y";
inline constexpr const char* stripX = "STRIP_X"; ///< of a nest of two loops or more
inline constexpr const char* strip = "STRIP";    ///< of a nest of one

/// How a tile is shared out along an axis, by names: `threads` of the block, each with `items` points.
struct TileShare {
  std::string threads, items;
  bool adjacent = false; ///< a thread's points are neighbours
};

/// The share of a tile of the size called `size`; a thread per point where nothing else is known.
inline TileShare shareOf(const std::string& size) {
  static const std::map<std::string, TileShare> known = {{tileX, {"THREADS_X", "ITEMS_X"}},
                                                         {tileY, {"THREADS_Y", "ITEMS_Y"}},
                                                         {sweepY, {"BLOCK_Y", "SWEEP_Y / BLOCK_Y"}},
                                                         {stripX, {"BLOCK_X", "VECTOR", true}},
                                                         {strip, {"BLOCK", "VECTOR", true}}};
  auto found = known.find(size);
  return found == known.end() ? TileShare{size, "1"} : found->second;
}

/// True when `name` is one of the above.
inline bool isKnownSize(const std::string& name) {
  for (const Tunable& tunable : tunables)
    if (tunable.name == name) return true;
  for (const DerivedSize& size : derivedSizes)
    if (size.name == name) return true;
  return name == lanes;
}

} // namespace warploom
