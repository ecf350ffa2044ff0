// The sizes that a kernel's text leaves open: their names, and what they usually are.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// What may be set when a kernel is compiled, with its usual value.
inline const std::vector<std::pair<std::string, int>> tunables = {
    {"BLOCK", 256}, {"BLOCK_X", 32}, {"BLOCK_Y", 8}, {"BLOCK_Z", 4}, {"ROWS", 8},    {"SWEEP_Y", 32}, {"TILE_X", 32},
    {"TILE_Y", 32}, {"TILE_K", 32},  {"ITEMS_X", 2}, {"ITEMS_Y", 4}, {"VECTOR", 4},   {"GROUP", 4}};

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

/// A regular expression for one of all these names, `BLOCK|BLOCK_X|...`.
inline std::string anySize() {
  std::string names;
  for (const auto& [name, value] : tunables)
    names += (names.empty() ? "" : "|") + name;
  for (const DerivedSize& size : derivedSizes)
    names += "|" + size.name;
  return names;
}

} // namespace warploom
