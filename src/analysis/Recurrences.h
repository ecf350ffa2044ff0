// Scalars that the iterations of a loop hand on, each changing them by a function of one kind, so that what
// an iteration begins with can be found without running those before it.
#pragma once

#include "analysis/Dependences.h"

#include <string>
#include <vector>

namespace warploom {

/// A scalar that iterations of a loop hand on.
struct Recurrence {
  enum class Kind {
    Folded, ///< x = x op e
    Affine, ///< x = a * x + b
    Last,   ///< x = e, under conditions
    Chosen, ///< if (e op x) x = e
    Rider   ///< set beside the Chosen one before it, where that is
  };
  Kind kind = Kind::Folded;
  int array = -1;
  std::string op; ///< of Folded; of Chosen the comparison
  /// All statements in the loop that write it; neither their conditions, but of Chosen and Rider, nor what
  /// they combine reads it.
  std::vector<int> statements;
  int predicate = -1; ///< Chosen: the statement that compares; -1: it is a condition of the statements
};

/// A scan: all that keeps the iterations of a loop in order.
struct Scan {
  std::vector<Recurrence> states; ///< never empty
  /// Arrays that are written only at places that one of the states counts up, `a[j++] = e`: no two iterations
  /// write the same element.
  std::vector<int> counted;
  /// The statements that tell how an iteration changes the states, in textual order: those that write them,
  /// and what these need of the same iteration. They write nothing else that outlives the iteration, and read
  /// no state but the one that they change, or choose.
  std::vector<int> slice;
};

/// The scan that `loop` of `region` is, whose own values are `privateArrays`; nothing when a scalar that it
/// carries is no recurrence. What else the loop may carry is not asked.
std::optional<Scan> scanOf(const Region& region, const Dependences& dependences, int loop,
                           const std::vector<int>& privateArrays);

} // namespace warploom
