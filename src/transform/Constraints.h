// Which instances a schedule must keep in order: the dependences of a region, less those that a decision
// about storage or about a reduction takes away.
#pragma once

#include "analysis/Facts.h"

#include <string>
#include <vector>

namespace warploom {

/// A decision that takes dependences away, each justified by the facts of its loop.
struct Relaxation {
  enum class Kind {
    Private,  ///< each iteration of `loop` has an `array` of its own, which lives only during that iteration
    Expanded, ///< `array` gets a further dimension: one copy per iteration of `loop`, all alive at once
    Reduced,  ///< the accumulations into `array` that `loop` carries are combined in any order
    Scanned,  ///< what `loop` carries in `array` is found by a scan, or no two iterations meet: Recurrences.h
    Leveled   ///< iterations of `loop` that meet in `array` are kept in order at run time: Irregular.h
  };
  Kind kind = Kind::Private;
  int array = -1;
  int loop = -1; ///< index into Region::loops

  bool operator==(const Relaxation&) const = default;
};

/// Pairs of instances of which the first must run before the second, and why.
struct Constraint {
  enum class Kind {
    Flow,
    Anti,
    Output,
    Order ///< not a matter of data: `why` says what
  };
  Kind kind = Kind::Flow;
  int array = -1;         ///< -1 for Order
  AccessRef source, sink; ///< access -1 for Order
  isl::map relation;      ///< { S[i] -> T[j] }
  int carrier = -1;       ///< as in Dependence
  std::vector<Distance> distance;
  std::string why; ///< why it may be more than what truly depends; empty when exact
  /// A Flow between all that write and read an element, not only the last write and its readers: copies of
  /// the array take it away as they do an Anti or an Output.
  bool byMemory = false;
};

/// "flow dependence on `a` from `a[i]` at line 3 to `a[i-1]` at line 3, distance (1)".
std::string describe(const Region& region, const Constraint& constraint);

/// All that a schedule of `region` must respect once `relaxations` are decided. Complete: two instances that
/// touch the same element of the same copy, one of them writing, are in a pair, or in a chain of pairs,
/// unless both are accumulations of a Reduced loop or in a Scanned or Leveled one.
std::vector<Constraint> constraints(const Region& region, const Facts& facts,
                                    const std::vector<Relaxation>& relaxations);

/// The relaxations that hold without anybody's decision: arrays declared inside a loop.
std::vector<Relaxation> declaredRelaxations(const Region& region);

} // namespace warploom
