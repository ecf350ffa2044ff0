#include "frontend/TreeRewrite.h"

#include "frontend/Constructs.h"

#include <algorithm>
#include <clang/AST/Expr.h>

namespace warploom {

StatementList partsOf(clang::Stmt* statement) {
  if (auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
    return {list->body_begin(), list->body_end()};
  if (!statement) return {};
  return {statement};
}

int nodesOf(const clang::Stmt* part, int limit) {
  int size = 1;
  for (const clang::Stmt* child : part->children())
    if (child && size < limit) size += nodesOf(child, limit - size);
  return size;
}

bool anyPart(const clang::Stmt* part, const std::function<bool(const clang::Stmt*)>& is) {
  if (is(part)) return true;
  return std::any_of(part->child_begin(), part->child_end(),
                     [&](const clang::Stmt* child) { return child && anyPart(child, is); });
}

const clang::Expr* changedBy(const clang::Stmt* one) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(one);
  const auto* count = llvm::dyn_cast<clang::UnaryOperator>(one);
  if (op && op->isAssignmentOp()) return op->getLHS();
  return count && count->isIncrementDecrementOp() ? count->getSubExpr() : nullptr;
}

bool isLoop(const clang::Stmt* statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
}

clang::VarDecl* countingVariable(clang::Expr* expr) {
  auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const bool counts =
      variable && (variable->getType()->isIntegerType() || variable->getType()->isPointerType());
  return counts && variable->hasLocalStorage() && !variable->getType().isVolatileQualified() ? variable
                                                                                             : nullptr;
}

clang::VarDecl* integerVariable(clang::Expr* expr) {
  clang::VarDecl* variable = countingVariable(expr);
  return variable && variable->getType()->isIntegerType() ? variable : nullptr;
}

clang::Expr* firstValue(const clang::ForStmt* loop, const clang::VarDecl* index) {
  const clang::Stmt* header = loop->getInit();
  if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(header)) {
    auto* only = declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(*declared->decl_begin()) : nullptr;
    return only && only == index ? only->getInit() : nullptr;
  }
  const auto* set = llvm::dyn_cast_or_null<clang::BinaryOperator>(header);
  const bool gives = set && set->getOpcode() == clang::BO_Assign && integerVariable(set->getLHS()) == index;
  return gives ? set->getRHS() : nullptr;
}

bool mentions(const clang::Stmt* part, const clang::VarDecl* variable) {
  return anyPart(part, [&](const clang::Stmt* one) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(one);
    return reference && reference->getDecl() == variable;
  });
}

bool isSteady(const clang::Expr* value, const clang::ASTContext& context) {
  return !value->HasSideEffects(context) &&
         !anyPart(value, [](const clang::Stmt* one) { return llvm::isa<clang::CallExpr>(one); });
}

void splitAnd(clang::Expr* condition, std::vector<clang::Expr*>& parts) {
  auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!op || op->getOpcode() != clang::BO_LAnd) return parts.push_back(condition);
  splitAnd(op->getLHS(), parts);
  splitAnd(op->getRHS(), parts);
}

std::optional<long> amountAdded(const clang::Stmt* statement, const clang::VarDecl* variable,
                                const clang::ASTContext& context) {
  const auto* expr = llvm::dyn_cast<clang::Expr>(statement);
  if (!expr) return std::nullopt;
  expr = expr->IgnoreParens();
  auto isVariable = [&](const clang::Expr* place) {
    return countingVariable(const_cast<clang::Expr*>(place)) == variable;
  };
  auto constant = [&](const clang::Expr* value) -> std::optional<long> {
    clang::Expr::EvalResult amount;
    if (!value->EvaluateAsInt(amount, context) || !amount.Val.getInt().isSignedIntN(31)) return std::nullopt;
    return amount.Val.getInt().getExtValue();
  };
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->isIncrementDecrementOp())
    return isVariable(op->getSubExpr()) ? std::optional<long>(op->isIncrementOp() ? 1 : -1) : std::nullopt;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (!op || !op->isAssignmentOp() || !isVariable(op->getLHS())) return std::nullopt;
  bool down = op->getOpcode() == clang::BO_SubAssign;
  std::optional<long> amount;
  if (down || op->getOpcode() == clang::BO_AddAssign) amount = constant(op->getRHS());
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
  if (op->getOpcode() == clang::BO_Assign && sum && sum->isAdditiveOp() && isVariable(sum->getLHS())) {
    down = sum->getOpcode() == clang::BO_Sub;
    amount = constant(sum->getRHS());
  }
  if (amount && down) amount = -*amount;
  return amount;
}

namespace {

void collectJumps(const clang::Stmt* statement, clang::Stmt::StmtClass kind,
                  std::set<const clang::Stmt*>& to) {
  if (statement->getStmtClass() == kind) to.insert(statement);
  if (llvm::isa<clang::Expr>(statement) || isLoop(statement)) return;
  if (kind == clang::Stmt::BreakStmtClass && llvm::isa<clang::SwitchStmt>(statement)) return;
  for (const clang::Stmt* child : statement->children())
    if (child) collectJumps(child, kind, to);
}

} // namespace

std::set<const clang::Stmt*> jumpsOf(const clang::Stmt* statement, clang::Stmt::StmtClass kind) {
  std::set<const clang::Stmt*> found;
  if (statement) collectJumps(statement, kind, found);
  return found;
}

bool TreeRewrite::isCounted() const {
  return std::any_of(around.begin(), around.end(),
                     [](const clang::Stmt* one) { return llvm::isa<clang::ForStmt>(one); });
}

void TreeRewrite::run() {
  if (clang::Stmt* body = function->getBody()) function->setBody(visit(body));
}

clang::Stmt* TreeRewrite::visit(clang::Stmt* statement) {
  if (!statement || llvm::isa<clang::Expr>(statement)) return statement;
  if (auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    StatementList parts;
    bool changed = false;
    for (clang::Stmt* child : list->body()) {
      parts.push_back(visit(child));
      changed = changed || parts.back() != child;
    }
    if (changed) statement = blockAt(parts, list->getSourceRange());
    return rewritten(statement);
  }
  auto body = [&](auto* loop) {
    around.push_back(loop);
    loop->setBody(rewrittenBody(loop, visit(loop->getBody())));
    around.pop_back();
  };
  if (auto* loop = loopUnder(statement)) {
    // The loop itself stays where its directive looks for it.
    body(loop);
    return statement;
  }
  if (auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) body(loop);
  if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) body(loop);
  if (auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) body(loop);
  if (auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    branch->setThen(visit(branch->getThen()));
    if (branch->getElse()) branch->setElse(visit(branch->getElse()));
  }
  if (auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement)) choice->setBody(visit(choice->getBody()));
  if (auto* label = llvm::dyn_cast<clang::CaseStmt>(statement)) label->setSubStmt(visit(label->getSubStmt()));
  if (auto* label = llvm::dyn_cast<clang::DefaultStmt>(statement))
    label->setSubStmt(visit(label->getSubStmt()));
  if (auto* label = llvm::dyn_cast<clang::LabelStmt>(statement))
    label->setSubStmt(visit(label->getSubStmt()));
  return rewritten(statement);
}

clang::CompoundStmt* TreeRewrite::blockAt(const StatementList& parts, clang::SourceRange at) const {
  return clang::CompoundStmt::Create(context, parts, clang::FPOptionsOverride(), at.getBegin(), at.getEnd());
}

clang::Expr* TreeRewrite::number(int value, clang::QualType type, clang::SourceLocation at) const {
  const auto bits = static_cast<unsigned>(context.getTypeSize(type));
  return clang::IntegerLiteral::Create(
      context, llvm::APInt(bits, static_cast<uint64_t>(static_cast<int64_t>(value)), true), type, at);
}

clang::Expr* TreeRewrite::binary(clang::Expr* left, clang::BinaryOperatorKind op, clang::Expr* right,
                                 clang::QualType type) const {
  return clang::BinaryOperator::Create(context, left, right, op, type, clang::VK_PRValue, clang::OK_Ordinary,
                                       left->getBeginLoc(), clang::FPOptionsOverride());
}

clang::Expr* TreeRewrite::negated(clang::Expr* condition) const {
  auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
  if (test && test->isComparisonOp() && test->getLHS()->getType()->isIntegerType())
    return binary(test->getLHS(), clang::BinaryOperator::negateComparisonOp(test->getOpcode()),
                  test->getRHS(), test->getType());
  if (auto* op = llvm::dyn_cast<clang::UnaryOperator>(condition->IgnoreParens());
      op && op->getOpcode() == clang::UO_LNot)
    return op->getSubExpr();
  return clang::UnaryOperator::Create(context, condition, clang::UO_LNot, context.IntTy, clang::VK_PRValue,
                                      clang::OK_Ordinary, condition->getBeginLoc(), false,
                                      clang::FPOptionsOverride());
}

AstCopy sameVariables(clang::ASTContext& context, clang::FunctionDecl* function, const clang::Stmt* part) {
  AstCopy copier(context, function, part->getSourceRange());
  anyPart(part, [&](const clang::Stmt* one) {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(one))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        if (variable->hasLocalStorage() || variable->isStaticLocal())
          copier.variables[variable] = const_cast<clang::VarDecl*>(variable);
    return false;
  });
  return copier;
}

} // namespace warploom
