// The generator of strategies: recipes for a nest, made by rules and ranked by a model of their cost. The
// door of this folder; docs/strategies.md is the user's view of it.
#pragma once

#include "strategy/generator/Cost.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom::strategies {

struct GeneratorOptions {
  DeviceLimits device; ///< with rates
  long assumed = 1024; ///< what extents are taken to be that are not numbers
};

/// A strategy: a partition, and a choice for all that it leaves open.
struct Candidate {
  std::size_t partition = 0; ///< index into Strategies::partitions
  Choice choice;
  KernelUse use;
  Cost cost;
  std::string name; ///< unique: `cyclic_a-shared_c-registers_unroll2`
};

/// The strategies of a nest.
struct Strategies {
  std::vector<Step> before; ///< what comes before all of them: what is private, and skews
  Nest nest;
  Orders orders;
  std::vector<Partition> partitions;
  std::size_t combinations = 0;      ///< of choices, before any was dropped
  std::vector<Candidate> candidates; ///< the one expected to be the fastest first
  std::vector<Dropped> dropped;      ///< orders not included
  /// The best candidate with the sizes that the model likes best, and how many it looked at.
  Partition tuned;
  Cost tunedCost;
  std::size_t tuples = 0;

  std::size_t count(Rule rule) const;
  std::vector<Step> steps(const Candidate& candidate) const;
};

/// The strategies of the first nest of `state`, which is in the order of the program, and why there are none
/// in `dropped`.
Strategies generate(const ScheduleState& state, const GeneratorOptions& options);

/// A strategy, with sizes that are numbers, at work.
struct Sized {
  std::string name;
  ScheduleState mapped;
  Cost cost;
};

/// The strategy for the nest of `state` that begins with `outermost`, in the order that its loops have, that
/// is expected to be the fastest; nothing where none is expected to take less than `seconds`, or where loops
/// have bounds that are not numbers: its sizes are for what they are. Of Warploom's own, whose sizes are
/// names, none is looked at, nor of those that need constant memory, which other nests may need too.
std::optional<Sized> fasterThan(double seconds, const ScheduleState& state, const std::string& outermost,
                                const DeviceLimits& device);

/// The choices of `partition`, before any is dropped: every way of every placement (of many arrays, each kind
/// of memory for all or for none), two copies of tiles where all that can be is in shared memory, and
/// unrolling to depth 0, 1 and 2.
std::vector<Choice> choicesOf(const Partition& partition);

/// Why the device has no room for such a kernel.
std::optional<Dropped> refusedCapacity(const KernelUse& use, const DeviceLimits& device);

} // namespace warploom::strategies
