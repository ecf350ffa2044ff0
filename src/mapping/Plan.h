// How a region runs on a device: which loops the host keeps, which kernels it launches, and which loops of a
// kernel are spread over the grid. Still no text.
#pragma once

#include "analysis/Facts.h"
#include "model/Region.h"

#include <string>
#include <vector>

namespace warploom {

struct MappingOptions {
  bool strictFloatingPoint = false; ///< no floating-point reduction is reordered
};

/// Where a kernel keeps an array.
enum class Placement {
  Device,  ///< in device memory, shared by all threads
  Value,   ///< a scalar that nobody writes: an argument
  Private, ///< every thread has its own
  Partial  ///< a scalar accumulator: every thread combines its own, then the block, then the grid
};

/// One kernel.
/// Invariants: `mapped` are nested loops, outermost first, of which all but the last contain nothing but the
/// next, and whose iterations may run in any order; a loop that reduces is the only mapped one. `statements`
/// are all statements inside the innermost of `hostLoops` and `mapped`, or those of one run of statements
/// when there is no loop.
struct KernelPlan {
  std::string name;
  std::vector<int> hostLoops; ///< around the launch, outermost first; their indices are arguments
  std::vector<int> mapped; ///< at most three; the last one follows threadIdx.x. Empty: one thread does it all
  std::vector<int> statements;
  std::vector<Placement>
      placement; ///< one per Region::arrays; meaningful for arrays that `statements` access
  std::vector<Reduction> reductions; ///< of the mapped loop
  std::vector<int> atomicStatements; ///< accumulations into elements that several threads may share
};

/// The host's part of a region: loops around launches.
struct HostNode {
  int loop = -1;   ///< index into Region::loops, with `children`; or
  int kernel = -1; ///< index into RegionPlan::kernels
  std::vector<HostNode> children;
};

/// A way to run a region on a device, or why there is none.
struct RegionPlan {
  std::vector<KernelPlan> kernels;
  std::vector<HostNode> host;
  std::string refused; ///< empty: the plan is good
  SourceRange refusedAt;
  std::vector<std::string> explanations;
};

/// A plan for `region`. Every loop keeps its place: the original order is the schedule.
RegionPlan planRegion(const Region& region, const Facts& facts, const MappingOptions& options);

} // namespace warploom
