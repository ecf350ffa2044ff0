// The host's half of a region in the .cu file: the launcher and the list of its outputs.
#pragma once

#include "emit/KernelText.h"
#include "emit/Program.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace warploom {

/// The region cannot be emitted; what() is the reason for the user.
class EmissionRefused : public std::runtime_error {
public:
  EmissionRefused(const SourceRange& at, const std::string& reason) : std::runtime_error(reason), at(at) {}
  SourceRange at;
};

/// Writes kernels and launcher of `region` into `out`, and fills in how the user's text calls it.
void writeRegion(const Region& region, const Facts& facts, const RegionPlan& plan,
                 const std::string& launcher, TextWriter& out, GeneratedRegion& generated);

} // namespace warploom
