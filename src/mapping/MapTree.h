// From a mapped schedule to what the threads of a kernel do.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// The tree of `kernel`, a kernel of `plan`, which has its tiles already (tilesOf). `facts` are
/// those by which the plan was made.
MappedTree mapTree(const Region& region, const Facts& facts, const RegionPlan& plan,
                   const KernelPlan& kernel);

} // namespace warploom
