// The classical dependence tests on pairs of subscripts, for comparison and teaching: the greatest common
// divisor, Banerjee's bounds, and the exact one. What Warploom does rests on the exact answers of
// Dependences.h.
#pragma once

#include "analysis/Dependences.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

enum class DependenceTest { Gcd, Banerjee, Exact };

/// How the iteration of the first reference lies to that of the second: earlier, the same, later.
enum class Direction { Earlier, Same, Later };

/// What a test says of two references. Each is conservative: None and SameIteration are certain.
enum class DependenceAnswer {
  None,          ///< they never meet
  SameIteration, ///< only in the same iteration of all loops around both
  Carried        ///< in different iterations or, where the test cannot tell, maybe
};

/// The least and the greatest `a*x - b*y` for whole numbers x, y in [first, last] that lie so to each other;
/// nothing when there are none.
std::optional<std::pair<long, long>> banerjeeBounds(long a, long b, long first, long last,
                                                    Direction direction);

/// When a subscript of two references is the same: the sum over the loops of `a*x - b*y` is `constant`, where
/// the indices x of the first and y of the second are counted from 0 in the order in which iterations run.
struct SubscriptEquation {
  struct Term {
    int loop = -1; ///< index into Region::loops
    long a = 0, b = 0;
    bool isCommon = true;     ///< of both references; else one of the factors is 0
    std::optional<long> last; ///< value of the indices, where that is a number
  };
  std::vector<Term> terms;
  long constant = 0;
};

/// Two references to one array, the first of which writes.
struct ReferencePair {
  AccessRef first, second;
  DependenceAnswer answer = DependenceAnswer::Carried;
  /// Per subscript; nothing where it is not the same sum of indices, up to a number, for all sizes.
  std::vector<std::optional<SubscriptEquation>> equations;
};

/// What `test` says of the pairs of references of `region`; of a reference with itself only where it meets
/// itself in other iterations.
std::vector<ReferencePair> testedPairs(const Region& region, DependenceTest test);

/// What the numbers of `test` are for `equation`, in words; empty for Exact.
std::string explained(const Region& region, const SubscriptEquation& equation, DependenceTest test);

} // namespace warploom
