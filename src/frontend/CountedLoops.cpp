#include "frontend/CountedLoops.h"

#include "frontend/TreeRewrite.h"

#include <algorithm>

namespace warploom {

namespace {

/// True when `one` itself gives `variable` a value, or its address away.
bool writesItself(const clang::Stmt* one, const clang::VarDecl* variable) {
  const clang::Expr* place = changedBy(one);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(one); op && op->getOpcode() == clang::UO_AddrOf)
    place = op->getSubExpr();
  return place && countingVariable(const_cast<clang::Expr*>(place)) == variable;
}

/// True when `part` gives `variable` a value, or its address away.
bool writes(const clang::Stmt* part, const clang::VarDecl* variable) {
  return anyPart(part, [&](const clang::Stmt* one) {
    return writesItself(one, variable) || llvm::isa<clang::GCCAsmStmt>(one);
  });
}

bool isTrue(clang::Expr* condition, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  return !condition || (condition->EvaluateAsInt(result, context) && result.Val.getInt() != 0);
}

/// The parts of a loop of any kind.
struct LoopParts {
  clang::Stmt* init = nullptr;
  clang::Expr* condition = nullptr; ///< null: it always goes on
  clang::Expr* step = nullptr;
  StatementList body;
  clang::SourceRange place, bodyPlace;
  clang::SourceLocation header; ///< its closing parenthesis
  bool runsFirst = false;       ///< `do`: the condition is asked after the body
};

class LoopRewrite : public TreeRewrite {
public:
  LoopRewrite(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined)
      : TreeRewrite(function, context), inlined(inlined) {}

private:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    LoopParts parts;
    clang::Stmt* body = nullptr;
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
      if (loop->getConditionVariable()) return statement;
      parts.init = loop->getInit();
      parts.condition = loop->getCond();
      if (loop->getInc()) loop->setInc(apart(loop->getInc()));
      parts.step = loop->getInc();
      parts.header = loop->getRParenLoc();
      body = loop->getBody();
    } else if (auto* again = llvm::dyn_cast<clang::WhileStmt>(statement)) {
      if (again->getConditionVariable()) return statement;
      parts.condition = again->getCond();
      parts.header = again->getRParenLoc();
      body = again->getBody();
    } else if (auto* last = llvm::dyn_cast<clang::DoStmt>(statement)) {
      parts.condition = last->getCond();
      parts.header = last->getDoLoc();
      parts.runsFirst = true;
      body = last->getBody();
    } else {
      return statement;
    }
    parts.body = partsOf(body);
    parts.place = statement->getSourceRange();
    parts.bodyPlace = {body->getBeginLoc(), parts.place.getEnd()};
    // Where a `continue` or a label is left, the end of the body is not where the step is.
    if (!jumpsOf(body, clang::Stmt::ContinueStmtClass).empty() ||
        anyPart(body, [](const clang::Stmt* one) { return llvm::isa<clang::LabelStmt>(one); }))
      return statement;
    clang::Stmt* counted = countedFrom(parts);
    return counted ? counted : statement;
  }

  /// `step` with `j = i++` in it as `j = i, i++`.
  clang::Expr* apart(clang::Expr* step) const {
    auto* op = llvm::dyn_cast<clang::BinaryOperator>(step->IgnoreParens());
    if (op && op->getOpcode() == clang::BO_Comma) {
      op->setLHS(apart(op->getLHS()));
      op->setRHS(apart(op->getRHS()));
      return step;
    }
    auto* count = op && op->getOpcode() == clang::BO_Assign
                      ? llvm::dyn_cast<clang::UnaryOperator>(op->getRHS()->IgnoreParens())
                      : nullptr;
    if (!count || !count->isPostfix()) return step;
    clang::VarDecl *index = integerVariable(count->getSubExpr()), *last = integerVariable(op->getLHS());
    if (!index || !last || index == last) return step;
    AstCopy make(context, function, step->getSourceRange());
    op->setRHS(make.load(index));
    return binary(op, clang::BO_Comma, count, count->getType());
  }

  /// The `for` loop that does the same; null when nothing is to be gained.
  clang::Stmt* countedFrom(LoopParts& parts) {
    bool changed = false;
    if (isTrue(parts.condition, context)) {
      if (parts.runsFirst || !takeBreak(parts)) return nullptr;
      changed = true;
    }
    if (parts.step) return changed ? loopOf(parts) : nullptr;
    if (LoopParts inHeader = parts; countInCondition(inHeader)) return loopOf(inHeader);
    std::vector<clang::Expr*> conditions;
    splitAnd(parts.condition, conditions);
    if (parts.runsFirst && conditions.size() > 1) return nullptr;
    for (clang::Expr* condition : conditions) {
      auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
      if (!test || !(test->isRelationalOp() || test->getOpcode() == clang::BO_NE)) continue;
      for (bool left : {true, false}) {
        clang::VarDecl* index = countingVariable(left ? test->getLHS() : test->getRHS());
        if (!index || (parts.runsFirst && !index->getType()->isIntegerType()) ||
            mentions(left ? test->getRHS() : test->getLHS(), index) || !takeStep(parts, index))
          continue;
        return !parts.runsFirst || atLeastOnce(parts, index) ? loopOf(parts) : nullptr;
      }
    }
    auto* test = llvm::dyn_cast<clang::BinaryOperator>(parts.condition->IgnoreParenImpCasts());
    if (!test || !(test->isRelationalOp() || test->getOpcode() == clang::BO_NE)) return nullptr;
    clang::VarDecl* index = countingVariable(test->getLHS());
    bool apart = index && !parts.runsFirst && !mentions(test->getRHS(), index);
    return apart ? countedApart(parts, index) : nullptr;
  }

  clang::Stmt* loopOf(const LoopParts& parts) const {
    return new (context) clang::ForStmt(context, parts.init, parts.condition, nullptr, parts.step,
                                        blockAt(parts.body, parts.bodyPlace), parts.place.getBegin(),
                                        parts.place.getBegin(), parts.header);
  }

  /// `if (c) break;` at the beginning of the body is the condition of the loop.
  bool takeBreak(LoopParts& parts) const {
    auto* branch = parts.body.empty() ? nullptr : llvm::dyn_cast<clang::IfStmt>(parts.body.front());
    if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage()) return false;
    StatementList yes = partsOf(branch->getThen());
    if (yes.size() != 1 || !llvm::isa<clang::BreakStmt>(yes[0])) return false;
    parts.condition = negated(branch->getCond());
    parts.body.erase(parts.body.begin());
    return true;
  }

  /// Conditions that count: `n--`, `n-- > 0`, `--n >= 0`, `++i < n`.
  bool countInCondition(LoopParts& parts) const {
    clang::Expr* condition = parts.condition->IgnoreParenImpCasts();
    auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition);
    clang::Expr* left = test && test->isComparisonOp() ? test->getLHS()->IgnoreParenImpCasts() : condition;
    auto* count = llvm::dyn_cast<clang::UnaryOperator>(left);
    if (!count || !count->isIncrementDecrementOp()) return false;
    clang::VarDecl* index = integerVariable(count->getSubExpr());
    if (!index || (test && left != condition && mentions(test->getRHS(), index))) return false;
    for (const clang::Stmt* part : parts.body)
      if (writes(part, index)) return false;
    const clang::SourceLocation at = parts.place.getBegin();
    const clang::QualType type = left == condition ? count->getType() : test->getLHS()->getType();
    if (count->isPostfix()) {
      if (parts.runsFirst || count->isIncrementOp()) return false;
      if (left != condition) return test->getOpcode() == clang::BO_GT || test->getOpcode() == clang::BO_NE;
      parts.condition = binary(count, clang::BO_NE, number(0, type, at), context.IntTy);
      return true;
    }
    // Stepped before each test: once before the first, and then at the end of each iteration.
    AstCopy make(context, function, {at, at});
    clang::Expr* value = make.load(index);
    clang::QualType wanted = test && left != condition ? test->getLHS()->getType() : index->getType();
    if (!context.hasSameUnqualifiedType(value->getType(), wanted))
      value = clang::ImplicitCastExpr::Create(context, wanted, clang::CK_IntegralCast, value, nullptr,
                                              clang::VK_PRValue, clang::FPOptionsOverride());
    parts.condition = left == condition ? binary(value, clang::BO_NE, number(0, wanted, at), context.IntTy)
                                        : binary(value, test->getOpcode(), test->getRHS(), context.IntTy);
    parts.step = count;
    if (parts.runsFirst) return atLeastOnce(parts, index);
    if (parts.init) return false;
    parts.init = sameVariables(context, function, count).copy(static_cast<const clang::Expr*>(count));
    return parts.init != nullptr;
  }

  /// Takes the step of `index` from the end of the body to the header, when nothing else in the body changes
  /// it.
  bool takeStep(LoopParts& parts, const clang::VarDecl* index) const {
    if (parts.body.empty() || !amountAdded(parts.body.back(), index, context)) return false;
    for (std::size_t k = 0; k + 1 < parts.body.size(); ++k)
      if (writes(parts.body[k], index)) return false;
    parts.step = llvm::cast<clang::Expr>(parts.body.back());
    parts.body.pop_back();
    return true;
  }

  /// Has the condition hold for the first value of `index`, whatever it is compared with.
  bool atLeastOnce(LoopParts& parts, clang::VarDecl* index) const {
    auto* test = llvm::cast<clang::BinaryOperator>(parts.condition->IgnoreParenImpCasts());
    // Counting on to a value that is not ahead goes beyond what a signed variable holds.
    if (test->getOpcode() == clang::BO_NE) return index->getType()->isSignedIntegerType();
    if (!test->isRelationalOp() || integerVariable(test->getLHS()) != index) return false;
    clang::Expr* limit = test->getRHS();
    const clang::QualType type = limit->getType();
    if (parts.init || !isSteady(limit, context) || !type->isSignedIntegerType() ||
        !index->getType()->isSignedIntegerType())
      return false;
    AstCopy make(context, function, {parts.place.getBegin(), parts.place.getBegin()});
    clang::VarDecl* first =
        make.newVariable(index->getNameAsString() + "_first", index->getType().getUnqualifiedType());
    first->setInit(make.load(index));
    const clang::SourceLocation at = parts.place.getBegin();
    // `i < max(limit, first + 1)`, `i <= max(limit, first)`, and the other way round for those that count
    // down.
    const bool less = test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE;
    const bool strict = test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_GT;
    auto own = [&] {
      clang::Expr* value = make.load(first);
      if (!context.hasSameUnqualifiedType(value->getType(), type))
        value = clang::ImplicitCastExpr::Create(context, type, clang::CK_IntegralCast, value, nullptr,
                                                clang::VK_PRValue, clang::FPOptionsOverride());
      return strict ? make.parenthesised(
                          binary(value, less ? clang::BO_Add : clang::BO_Sub, number(1, type, at), type))
                    : value;
    };
    auto other = [&] {
      return sameVariables(context, function, limit).copy(static_cast<const clang::Expr*>(limit));
    };
    clang::Expr *tested = other(), *chosen = other();
    if (!tested || !chosen) return false;
    clang::Expr* further = binary(tested, less ? clang::BO_GT : clang::BO_LT, own(), context.IntTy);
    clang::Expr* bound = new (context) clang::ConditionalOperator(further, at, chosen, at, own(), type,
                                                                  clang::VK_PRValue, clang::OK_Ordinary);
    parts.init = make.declare(first);
    parts.condition = binary(test->getLHS(), test->getOpcode(), make.parenthesised(bound), context.IntTy);
    inlined.variables.insert(first);
    return true;
  }

  /// A loop of its own variable, which counts along with `index`: `while (i < n) a[i++] = 0;`. Null when
  /// `index` is not stepped by the same amount in each iteration.
  clang::Stmt* countedApart(LoopParts& parts, clang::VarDecl* index) {
    auto* test = llvm::cast<clang::BinaryOperator>(parts.condition->IgnoreParenImpCasts());
    if (parts.init && !llvm::isa<clang::Expr>(parts.init)) return nullptr;
    if (parts.init || countingVariable(test->getLHS()) != index) return nullptr;
    long growth = 0;
    int found = 0, all = 0;
    for (clang::Stmt* part : parts.body) {
      anyPart(part, [&](const clang::Stmt* one) {
        all += writesItself(one, index);
        return false;
      });
      // Certain to be done: not in a branch, nor behind something that may not be evaluated.
      std::function<void(const clang::Stmt*)> look = [&](const clang::Stmt* one) {
        if (auto amount = amountAdded(one, index, context)) growth += *amount, ++found;
        if (llvm::isa<clang::AbstractConditionalOperator>(one)) return;
        if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(one); op && op->isLogicalOp()) return;
        for (const clang::Stmt* child : one->children())
          if (child) look(child);
      };
      if (llvm::isa<clang::Expr>(part)) look(part);
    }
    if (found == 0 || found != all || growth == 0) return nullptr;
    if (!jumpsOf(blockAt(parts.body, parts.bodyPlace), clang::Stmt::BreakStmtClass).empty()) return nullptr;
    AstCopy make(context, function, {parts.place.getBegin(), parts.place.getBegin()});
    clang::VarDecl* counter =
        make.newVariable(index->getNameAsString() + "_count", index->getType().getUnqualifiedType());
    counter->setInit(make.load(index));
    clang::Expr* value = make.load(counter);
    const clang::QualType type = test->getLHS()->getType();
    if (index->getType()->isIntegerType() && !context.hasSameUnqualifiedType(value->getType(), type))
      value = clang::ImplicitCastExpr::Create(context, type, clang::CK_IntegralCast, value, nullptr,
                                              clang::VK_PRValue, clang::FPOptionsOverride());
    parts.init = make.declare(counter);
    parts.condition = binary(value, test->getOpcode(), test->getRHS(), context.IntTy);
    const clang::QualType counts = index->getType()->isIntegerType() ? counter->getType() : context.IntTy;
    clang::Expr* amount = number(static_cast<int>(growth), counts, parts.place.getBegin());
    parts.step = clang::CompoundAssignOperator::Create(
        context, make.use(counter), amount, clang::BO_AddAssign, counter->getType(), clang::VK_PRValue,
        clang::OK_Ordinary, parts.place.getBegin(), clang::FPOptionsOverride(), counter->getType(),
        counter->getType());
    inlined.variables.insert(counter);
    return loopOf(parts);
  }

  Inlined& inlined;
};

} // namespace

void countLoops(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined) {
  LoopRewrite(function, context, inlined).run();
}

} // namespace warploom
