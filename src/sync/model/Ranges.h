// What values integer expressions can have, and how wide a word has to be for them.
#pragma once

#include "sync/model/System.h"

#include <unordered_map>

namespace warploom::sync {

/// Bounds of integer expressions whose variables hold values of their declared ranges.
class Ranges {
public:
  explicit Ranges(const System& of) : system(of) {}

  /// The smallest and the largest value of `expr`, at most those of 64 bits.
  std::pair<std::int64_t, std::int64_t> of(const Expr& expr);

  /// 32 where every integer operation asked about so far is exact in 32 bits, else 64.
  int wordBits() const { return bits; }

  struct Interval { ///< far beyond 64 bits it stops growing
    __int128 low = 0, high = 0;
  };

private:
  Interval visit(const Expr& expr);
  Interval computed(const Expr& expr);

  const System& system;
  std::unordered_map<int, Interval> abbreviations; ///< those met so far
  int bits = 32;
};

/// The smallest word in which every integer operation of `system` on values within their declared ranges is
/// exact, or 64 when there is none.
int neededWordBits(const System& system);

} // namespace warploom::sync
