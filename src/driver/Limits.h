// The kinds of reasons for which regions stay as they were, as docs/limits.md has them.
#pragma once

#include <string>
#include <vector>

namespace warploom {

/// One kind of reason: a section of docs/limits.md.
struct Limit {
  std::string anchor; ///< of the section
  std::string words;  ///< what it is, in a few words
};

/// The kind of `reason`; that of the section about all others when it is none of the known ones.
const Limit& limitOf(const std::string& reason);

/// What one says at the end when `mapped` regions run on the device and others stay for `reasons`: how many
/// of how many, the kind of reason that comes most often, and where to read what can be done. Empty for fewer
/// than three, which speak for themselves.
std::string limitsText(const std::vector<std::string>& reasons, std::size_t mapped);

} // namespace warploom
