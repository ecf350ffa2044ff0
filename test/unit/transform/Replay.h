// Runs a schedule instance by instance for chosen sizes, by enumeration and plain arithmetic: the judge of
// what the steps accept, who knows nothing of how they decide.
#pragma once

#include "transform/Schedule.h"

#include <map>
#include <string>
#include <vector>

namespace warploom {

using Sizes = std::map<std::string, long>;

/// The instances in the order in which `tree` runs them, each as isl text such as "S0[1, 2]". Symbolic tile
/// sizes are taken from `sizes`, like parameters. Throws when the order is not a total one.
std::vector<std::string> replay(const LoopTree& tree, const Sizes& sizes);

/// The pairs of `constraints` whose second instance does not come after its first in `order`, as text.
std::vector<std::string> outOfOrder(const std::vector<Constraint>& constraints,
                                    const std::vector<std::string>& order, const Sizes& sizes);

} // namespace warploom
