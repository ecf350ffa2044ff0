// What the builders of a kernel's mapped tree share (MapTree, LaneTree, BlockTree): what the kernel is, and
// nodes for loops, scans and parts. For these files alone.
#pragma once

#include "mapping/Nests.h"
#include "mapping/Plan.h"

namespace warploom {

/// A kernel whose tree is being made.
struct TreeSource {
  const Region& region;
  const Facts& facts;
  const RegionPlan& plan;
  const KernelPlan& kernel;
  isl::union_set launched = isl::union_set::empty(islContext()); ///< what one launch runs
  isl::set context = isl::set(islContext(), "{ : }");            ///< what is known wherever it is launched

  /// All instances of `statements`.
  isl::union_set allOf(const std::vector<int>& statements) const;
  /// The loop `tree` where it stands, without a body.
  LoopNode loopOf(const LoopTree& tree, const Position& at) const;
  /// What runs in one iteration, or in one tile, of `tree`, which is `loop`.
  Position inIteration(const LoopTree& tree, const Position& at, const LoopNode& loop) const;
  /// `loop`, in an iteration of which `code` runs, as `scan`.
  LoopNode scanOf(LoopNode loop, const Scan& scan, const CodeNode& code) const;
  /// `nodes` between the declaration of a thread's parts of the accumulators and their combination.
  MappedNodes inParts(MappedNodes nodes, std::optional<Threads> across, const Position& at) const;
};

void append(MappedNodes& nodes, MappedNodes others);

/// What the lanes of a warp, or the threads of a group, run together of `tree`.
MappedNodes laneNodes(const TreeSource& source, const LoopTree& tree, const Position& at);

/// What a kernel with loops on a block does.
MappedNodes blockNodes(const TreeSource& source);

} // namespace warploom
