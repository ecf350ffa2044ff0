// What a piece of a program assigns to: the places on the left of assignments, and those that are
// incremented.
#pragma once

#include <clang/AST/RecursiveASTVisitor.h>

namespace warploom {

/// A visitor that calls `wrote(place)` of `Derived` for each of them.
template <typename Derived> struct VisitsWrites : clang::RecursiveASTVisitor<Derived> {
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (op->isAssignmentOp()) static_cast<Derived*>(this)->wrote(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (op->isIncrementDecrementOp()) static_cast<Derived*>(this)->wrote(op->getSubExpr());
    return true;
  }
};

} // namespace warploom
