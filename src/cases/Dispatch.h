// The program that chooses between the cases of its nests when it runs, by the device and by its sizes: C for
// the ordinary road, and the commands that make kernels of each case there.
#pragma once

#include "cases/Detile.h"
#include "cases/Joint.h"

namespace warploom::cases {

/// A nest, its cases, and the sizes of blocks for which there are to be kernels.
struct DispatchedNest {
  const DeviceNest* from = nullptr;
  Detiled nest;
  const CaseTree* tree = nullptr;
  std::string name;                                  ///< an identifier that no other has
  std::vector<Values> sizes;                         ///< of its blocks
  std::vector<std::string> limits = {"R", "Z", "T"}; ///< what conditions call registers, words and threads
  std::set<std::size_t> left;                        ///< cases without a kernel of their own
};

/// A schedule, which chooses once for all its nests.
struct DispatchedSchedule {
  const ForkJoinConstruct* schedule = nullptr;
  std::vector<DispatchedNest> nests; ///< all that it has, with as many sizes
  std::vector<JointCase> cases;      ///< of the nests together
  std::string name;                  ///< an identifier that no other has
};

/// What a recipe says of a nest of the program.
struct DispatchedKernel {
  std::string text;                ///< what it is, in words
  std::string loop;                ///< the counter of its outermost loop
  long firstLine = 0, endLine = 0; ///< of the program's text where it is; no other nest there has that loop
  std::string commands;
};

struct DispatchedProgram {
  std::string c;
  std::vector<DispatchedKernel> kernels;
  std::map<std::string, int> sizes; ///< of the kernels, by their names in the text
};

/// The program. Throws NestRefused.
DispatchedProgram dispatched(const ForkJoinSource& source, const std::vector<DispatchedSchedule>& schedules);

} // namespace warploom::cases
