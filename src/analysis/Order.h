// Program order of statement instances, level by level, and the iterations of a loop: the ground on which
// dependences are computed.
#pragma once

#include "model/Region.h"

namespace warploom {

/// How many of the outermost loops around `a` and `b` are the same loops.
std::size_t commonLoops(const Statement& a, const Statement& b);

/// True when `loop` is one of the loops around `statement`.
bool inside(const Statement& statement, int loop);

/// True when `inner` is `outer` or a loop somewhere inside it.
bool encloses(const Region& region, int outer, int inner);

/// True when `first` stands before `second` in the text, inside the innermost loop around both.
bool textuallyBefore(const Statement& first, const Statement& second);

/// True when some instance of `first` may run before one of `second`.
bool mayComeBefore(const Statement& first, const Statement& second);

/// The part of `pairs` { S[i] -> T[j] } in which the loop at `level`, counted from 0, runs the source's
/// iteration first.
isl::map earlierAt(const Region& region, const Statement& source, const isl::map& pairs, std::size_t level);

/// The part of `pairs` in which the loops at levels [from, to) have equal iterations.
isl::map equalFrom(const isl::map& pairs, std::size_t from, std::size_t to);

/// The part of `pairs` in which the `levels` outermost loops have equal iterations.
inline isl::map equalUpTo(const isl::map& pairs, std::size_t levels) {
  return equalFrom(pairs, 0, levels);
}

/// { S[i] -> S[t] }: the same instances in execution coordinates, in which every loop ascends.
isl::map executionOrder(const Region& region, const Statement& statement);

/// The part of a set of instances that its `levels` outermost loops see: { [i_1, ..., i_levels] }.
isl::set outermost(const isl::set& instances, std::size_t levels);

/// { [o, l] }: the iterations of `loop` in which a statement runs, after the indices of the loops around it.
isl::set iterations(const Region& region, int loop);

/// { [o, l] -> [o, l'] }: pairs of iterations of `loop`, the first running before the second.
isl::map laterIterations(const Region& region, int loop);

} // namespace warploom
