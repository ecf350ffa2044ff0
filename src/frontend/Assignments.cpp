#include "frontend/Assignments.h"

#include "frontend/TreeRewrite.h"

namespace warploom {

namespace {

class AssignmentRewrite : public TreeRewrite {
public:
  AssignmentRewrite(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined)
      : TreeRewrite(function, context), inlined(inlined) {}

private:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    auto* choice = llvm::dyn_cast<clang::IfStmt>(statement);
    if (!choice || choice->hasInitStorage() || choice->hasVarStorage()) return statement;
    clang::BinaryOperator* first = nullptr;
    clang::Expr* rest = withoutFirst(choice->getCond(), first);
    if (!first) return statement;
    choice->setCond(rest);
    inlined.parts.insert(first); // where it stands no statement can
    return blockAt({first, choice}, choice->getSourceRange());
  }

  /// `condition` with the variable's value in place of the assignment that is computed before all others,
  /// which becomes `first`; as it is where there is none.
  clang::Expr* withoutFirst(clang::Expr* condition, clang::BinaryOperator*& first) const {
    if (auto* parens = llvm::dyn_cast<clang::ParenExpr>(condition)) {
      parens->setSubExpr(withoutFirst(parens->getSubExpr(), first));
    } else if (auto* cast = llvm::dyn_cast<clang::CastExpr>(condition)) {
      cast->setSubExpr(withoutFirst(cast->getSubExpr(), first));
    } else if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition)) {
      if (!unary->isIncrementDecrementOp() && unary->isArithmeticOp())
        unary->setSubExpr(withoutFirst(unary->getSubExpr(), first));
    } else if (auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
      if (op->isAssignmentOp()) {
        clang::VarDecl* variable = variableOf(op->getLHS());
        if (!variable || op->getRHS()->HasSideEffects(context, false)) return condition;
        first = op;
        return AstCopy(context, function, op->getSourceRange()).load(variable);
      }
      if (op->getOpcode() == clang::BO_Comma) return condition;
      // What stands on the right is computed later, or when that is does not matter.
      const bool isLater = op->isLogicalOp();
      clang::BinaryOperator* found = nullptr;
      clang::Expr* left = op->getLHS();
      const clang::VarDecl* assigned = assignedFirst(left);
      if (assigned &&
          (isLater || (!op->getRHS()->HasSideEffects(context, false) && !mentions(op->getRHS(), assigned))))
        op->setLHS(withoutFirst(left, found));
      first = found;
    }
    return condition;
  }

  /// The variable of the assignment that `withoutFirst` would take out; null when there is none.
  const clang::VarDecl* assignedFirst(const clang::Expr* condition) const {
    condition = condition->IgnoreParenCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition))
      return unary->isArithmeticOp() && !unary->isIncrementDecrementOp() ? assignedFirst(unary->getSubExpr())
                                                                         : nullptr;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op || op->getOpcode() == clang::BO_Comma) return nullptr;
    return op->isAssignmentOp() ? variableOf(op->getLHS()) : assignedFirst(op->getLHS());
  }

  /// The number of the function's own that `place` is; null for others.
  static clang::VarDecl* variableOf(const clang::Expr* place) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
    auto* variable = reference
                         ? llvm::dyn_cast<clang::VarDecl>(const_cast<clang::ValueDecl*>(reference->getDecl()))
                         : nullptr;
    const bool isOwn = variable && variable->hasLocalStorage() && variable->getType()->isArithmeticType() &&
                       !variable->getType().isVolatileQualified();
    return isOwn ? variable : nullptr;
  }

  Inlined& inlined;
};

} // namespace

void splitAssignments(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined) {
  AssignmentRewrite(function, context, inlined).run();
}

} // namespace warploom
