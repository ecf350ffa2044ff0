// Guards that exclude each other at a glance, without a solver.
#pragma once

#include "sync/model/Expr.h"

namespace warploom::sync {

/// The operands of a conjunction, or the guard itself.
std::vector<const Expr*> conjuncts(const Expr& guard);

/// One is the negation of the other, or they compare the same thing with different constants.
bool contradict(const Expr& a, const Expr& b);

/// Some conjunct of one guard is the negation of one of the other, or both compare one thing with different
/// constants: the guards never hold together.
bool obviouslyExclusive(const Expr& guard, const Expr& other);

} // namespace warploom::sync
