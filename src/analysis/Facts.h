// All that the analysis knows of a region: the door of this stage.
#pragma once

#include "analysis/AccessFacts.h"
#include "analysis/Dependences.h"
#include "analysis/Verdicts.h"

namespace warploom {

/// The facts of one region. Indices refer to the region they were made from; never changed once made.
struct Facts {
  Dependences dependences;
  std::vector<LoopVerdict> loops; ///< one per Region::loops
  std::vector<ArrayFacts> arrays; ///< one per Region::arrays
  /// Why nothing is known: then every loop is `unknown`, there are no dependences, and nobody may rely on
  /// that. Else empty.
  std::string gaveUp;
};

/// The facts of `region`. Never fails: what isl gives up on is `unknown`, and so is everything in a region
/// with too many accesses to compare, or in which an invariant turned out to be violated.
Facts analyse(const Region& region);

} // namespace warploom
