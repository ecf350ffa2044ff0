// What the dependences mean for each loop: may its iterations run in parallel, and if not, why not.
#pragma once

#include "analysis/Dependences.h"
#include "analysis/Reductions.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

enum class Verdict {
  Parallel,    ///< the iterations may run in any order, each with its own copy of the private arrays
  Reduction,   ///< the same, once the accumulators are combined by their operation
  Conditional, ///< parallel, or a reduction, when the conditions hold at run time
  Carried,     ///< iterations closer than the smallest distance may run in parallel
  Sequential,  ///< every iteration may need the one before it
  Unknown      ///< something could not be read or computed exactly
};

/// "parallel", "reduction", ...
const char* verdictName(Verdict verdict);

/// What is known of one loop.
struct LoopVerdict {
  Verdict verdict = Verdict::Unknown;
  /// The smallest distance of a dependence that keeps iterations in order: a number, or C text. Empty: none
  /// does.
  std::string minDistance;
  std::vector<int> privateArrays; ///< see Privatisation.h; includes Predicate scalars
  std::vector<Reduction> reductions;
  std::vector<std::string> conditions; ///< C-like text; all must hold
  /// The part of the conditions that is about parameters: the loop is parallel for these values.
  std::optional<isl::set> parallelFor;
  std::string reason;  ///< one sentence; empty when parallel without any doubt
  bool byWord = false; ///< parallel because the programmer says so: the analysis does not know
  bool race = false;   ///< the programmer says so, but it is proven wrong
  int deciding = -1;   ///< index into Dependences::all of the dependence the reason speaks of
};

/// One verdict per loop of `region`.
std::vector<LoopVerdict> verdicts(const Region& region, const Dependences& dependences, Effort& effort);

} // namespace warploom
