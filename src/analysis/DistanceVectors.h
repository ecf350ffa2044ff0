// Distances of a whole nest, as cycle shrinking needs them: constant vectors, reduction factors, the true
// distance in a linearised nest, and distances that vary with the iteration.
#pragma once

#include "analysis/Dependences.h"

#include <optional>
#include <vector>

namespace warploom {

/// The same distance between all dependent instances of one pair of accesses.
struct DistanceVector {
  AccessRef source, sink;
  std::vector<long> components; ///< per loop around both, in iterations; lexicographically positive
};

/// A distance that depends on the iteration, but in one way only.
struct VariableDistance {
  AccessRef source, sink;
  isl::multi_aff sinkOf;   ///< { S[i] -> T[j] }: which instance depends on S[i] (sigma)
  isl::multi_aff distance; ///< { S[i] -> [j - i] }, in index values of the loops around both (phi)
};

/// The loop-carried distances of a region. A dependence that fits neither form is in `other`.
struct DistanceVectors {
  std::vector<DistanceVector> constant;
  std::vector<VariableDistance> variable;
  std::vector<int> other; ///< indices into Dependences::all
};

/// The distances of the dependences that some loop carries.
DistanceVectors distanceVectors(const Region& region, const Dependences& dependences, Effort& effort);

/// Per loop of a nest of `depth` loops the smallest |d| over all vectors whose component d there is not 0;
/// nothing where all are 0: that loop may be taken whole. Never 0.
std::vector<std::optional<long>> reductionFactors(const std::vector<DistanceVector>& vectors,
                                                  std::size_t depth);

/// The smallest number of iterations between source and sink when a nest with these trip counts runs as one
/// loop: the minimum over `vectors` of the sum of d_r * N_(r+1) * ... * N_m. Nothing when there are no
/// vectors.
std::optional<long> trueDistance(const std::vector<DistanceVector>& vectors,
                                 const std::vector<long>& tripCounts);

/// How many iterations `loop` has, when that is one number for all iterations of the loops around it.
std::optional<long> tripCount(const Region& region, int loop, Effort& effort);

} // namespace warploom
