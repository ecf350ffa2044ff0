// What a search has tried as a page: one file, which needs nothing else.
#pragma once

#include "device/Device.h"
#include "tune/Search.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A kernel's candidates, in the order in which they were tried.
struct ReportedKernel {
  struct Candidate {
    std::string point; ///< Space::text()
    Result result;
  };
  std::string name;
  std::string usual;  ///< the point that is usual; empty where that is not known
  std::string chosen; ///< the point that is used now; empty where none works
  std::vector<Candidate> candidates;
};

/// The page. `about` says where and of which problem; its kernel does not matter. Where `card` is known, the
/// candidates stand under what it can do.
std::string tuneReport(const Search& about, const std::vector<ReportedKernel>& kernels,
                       const std::optional<DeviceLimits>& card = std::nullopt);

} // namespace warploom
