// What results belong to and where they are kept.
#pragma once

#include "tune/Result.h"

#include <optional>
#include <string>

namespace warploom {

/// Invariant: kernels of the same shape have the same number of extents, and those with the same extents are
/// the same kernel.
struct KernelIdentity {
  std::string kernel;  ///< the fingerprint of its text
  std::string shape;   ///< that of its text without the extents
  std::string extents; ///< the integers above 16 in its text, in their order: `4000 3999`
};

/// Results are comparable exactly where all of this is the same.
struct Search {
  KernelIdentity kernel;
  std::string device;  ///< what it runs on
  std::string sizes;   ///< of the problem, as the user gave them: `N=1024 M=7`
  std::string toolkit; ///< the compiler and what it was told
};

/// A result of a search; `point` is Space::text().
struct Entry {
  Search search;
  std::string point;
  Result result;
  long long at = 0; ///< when it was measured, in seconds since 1970
};

/// Where results are kept: after record() returns, nothing that happens to this process loses it. Several
/// processes may use one.
class ResultStore {
public:
  virtual ~ResultStore() = default;
  /// What became of `point` in `search`.
  virtual std::optional<Result> find(const Search& search, const std::string& point) = 0;
  /// Keeps it, in place of an earlier result.
  virtual void record(const Search& search, const std::string& point, const Result& result) = 0;
};

} // namespace warploom
