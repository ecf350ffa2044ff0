#include "sync/model/Contradiction.h"

namespace warploom::sync {

/// The operands of a conjunction, or the guard itself.
std::vector<const Expr*> conjuncts(const Expr& guard) {
  std::vector<const Expr*> result;
  if (guard.op == Expr::Op::And && guard.type.isBool())
    for (ExprPtr operand : guard.operands)
      result.push_back(operand);
  else
    result.push_back(&guard);
  return result;
}

/// One is the negation of the other, or they compare the same thing with different constants.
bool contradict(const Expr& a, const Expr& b) {
  if (a.op == Expr::Op::Not && same(*a.operands[0], b)) return true;
  if (b.op == Expr::Op::Not && same(*b.operands[0], a)) return true;
  return a.op == Expr::Op::Eq && b.op == Expr::Op::Eq && a.operands[1]->op == Expr::Op::Literal &&
         b.operands[1]->op == Expr::Op::Literal && a.operands[0]->type.base != ScalarType::Base::Real &&
         a.operands[1]->value.integer != b.operands[1]->value.integer && same(*a.operands[0], *b.operands[0]);
}

bool obviouslyExclusive(const Expr& guard, const Expr& other) {
  for (const Expr* left : conjuncts(guard))
    for (const Expr* right : conjuncts(other))
      if (contradict(*left, *right)) return true;
  return false;
}

} // namespace warploom::sync
