// Whether the threads of a block wait for each other wherever one uses what another has made.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// Fails where threads of a block of `kernel`, which has loops on a block and does `body`, use what others
/// write, in device or in shared memory, with no barrier between. It goes through the tree as the threads do
/// and asks the dependences of the region anew: it trusts nothing that built the tree.
void checkRaces(const Region& region, const Facts& facts, const KernelPlan& kernel, const MappedTree& body);

} // namespace warploom
