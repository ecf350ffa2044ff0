// How far apart, along one loop, the two ends of a dependence are.
#pragma once

#include "support/Isl.h"

#include <optional>
#include <string>

namespace warploom {

/// The distances that occur along one loop, in iterations and in execution order: sink minus source.
struct Distance {
  std::optional<long> least, greatest; ///< nothing: no bound holds for all values of the parameters
  /// When the distance is the same for all pairs but grows with the parameters: its value over them.
  std::optional<isl::pw_aff> symbol;

  bool isConstant() const { return least && greatest && *least == *greatest; }

  /// `3`, `k`, `2..8`, `1..*`, `*..*`.
  std::string text() const;
  /// "3 iterations", "k iterations", "2 to 8 iterations", "1 or more iterations".
  std::string phrase() const;
};

/// The distances between the ends of `relation` { S[i] -> T[j] } along the loop at `level`, counted from 0,
/// whose index moves by `step` per iteration. Index differences that are no multiple of it, which occur where
/// the first index depends on a loop further out, lie between two numbers of iterations; both are within the
/// result.
Distance distanceAlong(const isl::map& relation, int level, long step);

/// { [S[i] -> T[j]] -> [j_level - i_level] }, for pairs as in the wrapped domain of `relation`.
isl::aff indexDifference(const isl::map& relation, int level);

/// `value` as C text, e.g. `k`, `min(k, m)`.
std::string valueText(const isl::pw_aff& value);

} // namespace warploom
