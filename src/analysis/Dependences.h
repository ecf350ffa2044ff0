// Which instances of a region depend on which: flow by value, anti and output by memory, each with its
// distance and the loop that carries it. What they mean for a loop is decided in Verdicts.
#pragma once

#include "analysis/AccessRef.h"
#include "analysis/Distance.h"
#include "analysis/Effort.h"

#include <string>
#include <vector>

namespace warploom {

/// All pairs of instances that one pair of accesses orders and one loop carries.
struct Dependence {
  enum class Kind {
    Flow,  ///< the sink reads the value that the source wrote
    Anti,  ///< the sink writes an element that the source read
    Output ///< the sink writes an element that the source wrote
  };
  Kind kind = Kind::Flow;
  int array = -1;
  AccessRef source, sink;
  isl::map relation; ///< { S[i] -> T[j] }, S[i] runs before T[j]. Not empty
  /// The outermost loop whose iterations differ; -1: none does, the dependence is loop-independent.
  int carrier = -1;
  std::vector<Distance> distance; ///< one per loop around both statements, outermost first
  /// Why `relation` may hold pairs that do not depend on each other in any run; empty when it is exact.
  std::string inexactReason;
  bool gaveUp = false; ///< it is not exact because isl gave up

  bool exact() const { return inexactReason.empty(); }
};

/// Invariant: every pair of instances that touch the same element, one of them writing, is ordered by `all`
/// or by a chain of members of it, but for what is waived. Where isl gave up, `all` orders everything that
/// the program does.
struct Dependences {
  std::vector<Dependence> all;
  /// Those that are not certain and, as the programmer says, not there: Words.h.
  std::vector<Dependence> waived;
  /// Anti dependences of instances on themselves: what a statement reads before it writes it. They order
  /// nothing.
  std::vector<Dependence> withinInstance;
  /// Reads that may see a value from before the region.
  std::vector<Instances> exposed;
  /// Writes whose value may still be there after the region.
  std::vector<Instances> final;
};

/// The dependences of `region`.
Dependences dependences(const Region& region, Effort& effort);

} // namespace warploom
