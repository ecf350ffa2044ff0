// The program that chooses between the cases of its nests when it runs, by the device and by its sizes: C for
// the ordinary road, and the recipe that makes a kernel of each case there.
#pragma once

#include "cases/Detile.h"

namespace warploom::cases {

/// A nest, its cases, and the sizes of blocks for which there are to be kernels.
struct DispatchedNest {
  const ForkJoinConstruct* schedule = nullptr;
  const DeviceNest* from = nullptr;
  Detiled nest;
  const CaseTree* tree = nullptr;
  std::string name;                                  ///< an identifier that no other has
  std::vector<Values> sizes;                         ///< of its blocks
  std::vector<std::string> limits = {"R", "Z", "T"}; ///< what conditions call registers, words and threads
  std::set<std::size_t> left;                        ///< cases without a kernel of their own
};

struct DispatchedProgram {
  std::string c, recipe;
  std::vector<std::pair<std::string, std::string>> macros; ///< sizes of the kernels
};

/// The program. Throws NestRefused.
DispatchedProgram dispatched(const ForkJoinSource& source, const std::vector<DispatchedNest>& nests);

} // namespace warploom::cases
