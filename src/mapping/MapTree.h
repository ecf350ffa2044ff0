// From a mapped schedule to what the threads of a kernel do.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// The tree of `kernel`, a kernel of `plan`; `blocks` tells what its loops on a block become. `facts` are
/// those by which the plan was made.
MappedTree mapTree(const Region& region, const Facts& facts, const RegionPlan& plan, const KernelPlan& kernel,
                   const TilePlan& blocks);

} // namespace warploom
