// Where the accesses of a region go: strides along loops, footprints, reuse, and who reads and writes each
// array.
#pragma once

#include "analysis/Dependences.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// How far an access moves in memory, in elements, when one loop advances by one iteration.
struct Stride {
  enum class Kind { Constant, Symbolic, Unknown };
  Kind kind = Kind::Unknown;
  long value = 0;   ///< Constant
  std::string text; ///< Symbolic: C text

  /// `0`, `-4`, `2*n`, `unknown`.
  std::string print() const;
};

/// One access.
struct AccessFacts {
  AccessRef access;
  std::vector<Stride> strides; ///< one per loop around the statement, outermost first
  /// The loops, as indices into Region::loops, along which it stays on the same element ...
  std::vector<int> temporalReuse;
  /// ... or moves, but by less than one sector of 32 bytes, the smallest piece of memory a GPU fetches.
  std::vector<int> spatialReuse;
  std::optional<isl::set> footprint; ///< { A[a] } over the parameters; nothing: isl gave up
};

/// One array.
struct ArrayFacts {
  bool read = false, written = false;
  bool liveIn = false;  ///< the region may read a value from before it
  bool liveOut = false; ///< the region may leave a value behind that is read after it
  std::vector<AccessFacts> accesses;
  std::optional<isl::set> footprint; ///< the union over all accesses
  /// The loops whose index moves the fastest dimension, by some access.
  std::vector<int> fastestIndices;

  bool readOnly() const { return read && !written; }
};

/// One entry per array of `region`.
std::vector<ArrayFacts> arrayFacts(const Region& region, const Dependences& dependences, Effort& effort);

} // namespace warploom
