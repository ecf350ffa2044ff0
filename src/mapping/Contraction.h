// Intermediate arrays that need not exist: each element is made and used up in one iteration.
#pragma once

#include "mapping/Plan.h"

#include <set>

namespace warploom {

/// The local arrays, as indices, of which an iteration of the loops of `kernel`, which is Flat, touches one
/// element alone, nothing is read that the same iteration did not write, and nothing is read after the
/// region: a variable of the thread will do.
std::set<int> contractible(const Region& region, const Facts& facts, const KernelPlan& kernel);

} // namespace warploom
