// Tiles of symbolic sizes: the loops of a nest in other coordinates, some of them cut into blocks of which no
// one knows the size, by elimination in systems that are linear in each counter with factors of known sign.
#pragma once

#include "cases/Questions.h"

#include <stdexcept>

namespace warploom::cases {

/// The nest cannot be tiled so.
class TilingRefused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Points of a nest: whole numbers for which nothing of `domain` is negative, linear in the counters.
struct AffineNest {
  std::vector<std::string> counters;
  std::vector<Polynomial> domain;
  Facts facts; ///< of the parameters, which are not negative
};

/// A coordinate: its name and what it is of the counters. With a size it is cut into tiles of it.
struct TilingAxis {
  std::string name;
  Polynomial is;
  std::string size = {};
};

/// over / under, where under > 0.
struct TileBound {
  Polynomial over, under = Polynomial(1);
  bool operator==(const TileBound& other) const { return over == other.over && under == other.under; }
  std::string text() const;
};

/// A loop: from the greatest of `low`, rounded up, to the least of `high`, rounded down.
struct TileLoop {
  enum class Kind { Block, Thread, Serial };
  Kind kind = Kind::Serial;
  std::string name;
  std::vector<TileBound> low, high;
};

struct Tiling {
  std::vector<TileLoop> loops; ///< blocks, threads, then the coordinates without tiles
  std::vector<std::pair<std::string, Polynomial>> tiled; ///< p = b*B + u
  std::vector<std::pair<std::string, Polynomial>>
      counters;  ///< what the nest's counters are of the coordinates
  System points; ///< that the tiled coordinates satisfy, where there are some

  /// `0 <= b <= 2*n/B, 0 <= u <= min(B - 1, 2*n - b*B), p = b*B + u, max(0, n - p) <= t <= min(n, 2*n - p)`.
  std::string text() const;
  /// The loops around `body`, a statement of the nest's counters, as MetaFork behind `indent`: a schedule,
  /// and what its sizes are. `cache` lists what is staged.
  std::string metafork(const std::string& body, const std::vector<std::string>& cache,
                       const std::string& indent) const;
};

/// The nest in these coordinates, of which there are as many as counters. Throws TilingRefused where they do
/// not have a point for each of whole numbers, where tiled ones may be negative, or signs are not known.
Tiling tiled(const AffineNest& nest, const std::vector<TilingAxis>& axes);

} // namespace warploom::cases
