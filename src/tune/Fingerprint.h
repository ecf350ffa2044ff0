// What tells a kernel from others, wherever its loops stand, and from itself at other extents.
#pragma once

#include "tune/Search.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// The identities of the kernels of a region, in their order: the same where the kernels' text is the same
/// but for comments, numbers of lines in names, and `ownNames`, the prefixes under which kernels have sizes
/// of their own, each with the sizes' names. `text` are the kernels and, after them, the launcher, which is
/// not looked at.
std::vector<KernelIdentity> identities(const std::string& text, std::size_t kernels,
                                       const std::map<std::string, std::set<std::string>>& ownNames);

} // namespace warploom
