// How tightly the operators of the text syntax bind: what the parser reads and the printer writes.
#pragma once

#include "sync/model/Expr.h"

namespace warploom::sync {

/// Loosest first. Operators of one level group from the left, except that comparisons cannot be chained.
enum class Binding {
  Conditional,
  Implication,
  Disjunction,
  ExclusiveOr,
  Conjunction,
  Comparison,
  Shift,
  Joining,
  Sum,
  Product,
  Prefix,
  Atom ///< names, literals, calls, slices
};

inline Binding bindingOf(Expr::Op op) {
  switch (op) {
  case Expr::Op::If:
    return Binding::Conditional;
  case Expr::Op::Or:
    return Binding::Disjunction;
  case Expr::Op::Xor:
    return Binding::ExclusiveOr;
  case Expr::Op::And:
    return Binding::Conjunction;
  case Expr::Op::Eq:
  case Expr::Op::Ne:
  case Expr::Op::Lt:
  case Expr::Op::Le:
  case Expr::Op::Gt:
  case Expr::Op::Ge:
    return Binding::Comparison;
  case Expr::Op::Shl:
  case Expr::Op::Shr:
    return Binding::Shift;
  case Expr::Op::Join:
    return Binding::Joining;
  case Expr::Op::Add:
  case Expr::Op::Sub:
    return Binding::Sum;
  case Expr::Op::Mul:
  case Expr::Op::Div:
  case Expr::Op::Mod:
    return Binding::Product;
  case Expr::Op::Not:
  case Expr::Op::Neg:
    return Binding::Prefix;
  default:
    return Binding::Atom;
  }
}

} // namespace warploom::sync
