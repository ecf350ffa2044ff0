// What a kernel's recipe is without one of the things that its steps do.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// For each kind of memory or of loop that the section of `region` in `recipe` uses, what it is called and
/// the whole recipe without it: `{"shared memory", "..."}`.
std::vector<std::pair<std::string, std::string>> ablations(const std::string& recipe,
                                                           const std::string& region);

} // namespace warploom
