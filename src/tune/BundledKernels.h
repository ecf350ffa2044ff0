// What a bundle searches: its `kernels.cpp` defines it.
#pragma once

#include "tune/Campaign.h"

namespace warploom {

struct Bundle {
  std::string budget;                 ///< where nothing else is said
  std::string sizes;                  ///< of the problem, as Search has them
  std::string toolkitSuffix;          ///< what stands behind the compiler's version in results
  bool strict;                        ///< floating-point arithmetic is kept as written
  bool cuda;                          ///< for the GPU, not for the CPU execution
  std::vector<std::string> arguments; ///< of the program
  std::optional<std::vector<std::string>> checkArguments; ///< CandidateRuns
  std::vector<TunableKernel> kernels;
};

extern const Bundle bundle;

} // namespace warploom
