// The cases of several nests of one schedule together.
#pragma once

#include "cases/CaseTree.h"

namespace warploom::cases {

/// One case of each nest, and where they are taken together: one of `conditions` holds.
struct JointCase {
  std::vector<std::size_t> of; ///< by nest, its case
  std::vector<System> conditions;
};

/// The product of trees, without what contradicts itself.
struct Joint {
  std::vector<JointCase> cases;
  std::vector<System> none;     ///< where some nest has no code
  std::size_t combinations = 1; ///< that there would be if nothing contradicted itself
  Facts facts;
  unsigned open = 0; ///< questions that Z3 left open; the combinations were kept
};

/// The cases of the nests of `trees` together, whose symbols mean the same in all. Throws TreeTooLarge.
Joint joint(const std::vector<const CaseTree*>& trees);

} // namespace warploom::cases
