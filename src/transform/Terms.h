// Assignments as sums of products.
#pragma once

#include "model/Expr.h"

#include <vector>

namespace warploom {

/// A product of factors, or what is left when it is subtracted.
struct Term {
  bool negated = false;
  std::vector<ExprPtr> factors;
};

/// The sum that `value`, of `type`, is; what is neither a sum, a difference nor a product is a factor. None
/// where it is 0. Throws a Refusal where it is made of values of another type.
std::vector<Term> termsOf(const ExprPtr& value, const Type& type);

/// The sum that `assign` gives its target, which is of `type`; its old value is a term where the operator
/// adds to it. Throws a Refusal where it is no sum of products of values of that type.
std::vector<Term> termsOfAssignment(const Expr& assign, const Type& type);

} // namespace warploom
