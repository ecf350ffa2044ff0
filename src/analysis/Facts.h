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
};

/// The facts of `region`. Never fails for a valid region: what isl gives up on is `unknown`.
Facts analyse(const Region& region);

} // namespace warploom
