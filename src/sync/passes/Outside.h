// When a subscript selects no cell.
#pragma once

#include "sync/model/Expr.h"

namespace warploom::sync {

/// `subscript`, whose value is in low..high, lies outside a dimension.
inline ExprPtr outside(ExprPtr subscript, std::int64_t low, std::int64_t high, std::int64_t extent) {
  std::vector<ExprPtr> reasons;
  if (low < 0) reasons.push_back(apply(Expr::Op::Lt, {subscript, integerLiteral(0)}));
  if (high >= extent) reasons.push_back(apply(Expr::Op::Ge, {subscript, integerLiteral(extent)}));
  return disjunction(reasons);
}

} // namespace warploom::sync
