// Products of tiles: which loops and statements are one.
#pragma once

#include "model/Expr.h"
#include "transform/LoopTree.h"
#include "transform/Step.h"

#include <string>
#include <variant>
#include <vector>

namespace warploom {

class ScheduleState;

/// `sum[i][j] += left(i, k) * right(k, j)`, of floating point, or several such terms, for all i, j and k of a
/// tile. Factors can be had at all of its points, with a 0 for what is not in the arrays; and of sums that
/// nobody asked for, nobody hears.
struct TileProduct {
  struct Term {
    std::vector<ExprPtr> left, right; ///< factors of the statement's body
    bool negated = false;             ///< it is subtracted
  };
  int statement = -1;
  int sum = -1;              ///< the array, of which threads keep elements in registers
  std::string depth;         ///< the loop over k
  std::string rows, columns; ///< those over i and j, on the block
  std::vector<Term> terms;
};

/// The product that `loop` and what is in it are, or why they are none.
std::variant<TileProduct, Refusal> tileProduct(const ScheduleState& state, const LoopTree& loop);

} // namespace warploom
