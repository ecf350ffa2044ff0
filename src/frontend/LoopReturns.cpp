#include "frontend/LoopReturns.h"

#include "frontend/Effects.h"
#include "frontend/TreeRewrite.h"

namespace warploom {

bool hasReturn(const clang::Stmt* part) {
  return anyPart(part, [](const clang::Stmt* one) { return llvm::isa<clang::ReturnStmt>(one); });
}

clang::Expr* LoopReturns::number(unsigned value) const {
  return clang::IntegerLiteral::Create(context, llvm::APInt(context.getTypeSize(context.IntTy), value),
                                       context.IntTy, at.getBegin());
}

clang::Expr* LoopReturns::goesOn() {
  return clang::UnaryOperator::Create(context, copier.load(returned), clang::UO_LNot, context.IntTy,
                                      clang::VK_PRValue, clang::OK_Ordinary, at.getBegin(), false,
                                      clang::FPOptionsOverride());
}

bool LoopReturns::add(const clang::Stmt* statement, StatementList& to) {
  returned = copier.newVariable("returned", context.IntTy);
  returned->setInit(number(0));
  to.push_back(copier.declare(returned));
  return addList({statement}, false, to);
}

/// The loop, with a body from which nothing returns; null when it cannot be written.
clang::Stmt* LoopReturns::loopOf(const clang::Stmt* loop) {
  const clang::SourceLocation begin = at.getBegin(), end = at.getEnd();
  // What the header declares is known in the body.
  auto header = [&](const clang::Stmt* part, clang::Stmt*& copy) {
    copy = part ? copier.copy(part) : nullptr;
    return !part || copy;
  };
  auto body = [&](const clang::Stmt* of) -> clang::Stmt* {
    StatementList parts;
    return addList({of}, true, parts) ? copier.block(parts) : nullptr;
  };
  clang::Stmt *init = nullptr, *test = nullptr, *step = nullptr;
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(loop)) {
    if (counted->getConditionVariable() || !header(counted->getInit(), init) ||
        !header(counted->getCond(), test) || !header(counted->getInc(), step))
      return nullptr;
    clang::Stmt* inner = body(counted->getBody());
    return inner ? new (context)
                       clang::ForStmt(context, init, llvm::cast_or_null<clang::Expr>(test), nullptr,
                                      llvm::cast_or_null<clang::Expr>(step), inner, begin, begin, end)
                 : nullptr;
  }
  if (const auto* whole = llvm::dyn_cast<clang::WhileStmt>(loop)) {
    if (whole->getConditionVariable() || !header(whole->getCond(), test)) return nullptr;
    clang::Stmt* inner = body(whole->getBody());
    return inner ? clang::WhileStmt::Create(context, nullptr, llvm::cast<clang::Expr>(test), inner, begin,
                                            begin, end)
                 : nullptr;
  }
  const auto* last = llvm::dyn_cast<clang::DoStmt>(loop);
  if (!last || !header(last->getCond(), test)) return nullptr;
  clang::Stmt* inner = body(last->getBody());
  return inner ? new (context) clang::DoStmt(inner, llvm::cast<clang::Expr>(test), begin, begin, end)
               : nullptr;
}

/// Appends copies of `list`. `inLoop`: in a loop that is copied, too, which every `return` breaks off.
bool LoopReturns::addList(std::vector<const clang::Stmt*> list, bool inLoop, StatementList& to) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    const clang::Stmt* statement = list[k];
    const std::vector<const clang::Stmt*> rest(list.begin() + static_cast<long>(k) + 1, list.end());
    if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
      if (const clang::Expr* returnedValue = end->getRetValue()) {
        clang::Expr* value = copier.copy(returnedValue);
        if (!value) return false;
        to.push_back(result ? copier.assign(result, copier.converted(value)) : copier.parenthesised(value));
      }
      to.push_back(copier.assign(returned, number(1)));
      if (inLoop) to.push_back(new (context) clang::BreakStmt(at.getBegin()));
      return true;
    }
    if (!hasReturn(statement)) {
      clang::Stmt* part = copier.copy(statement);
      if (!part) return false;
      to.push_back(part);
      continue;
    }
    const clang::Stmt* once = onceIn(statement);
    if (once || llvm::isa<clang::CompoundStmt>(statement)) {
      std::vector<const clang::Stmt*> flat;
      if (once)
        flat.push_back(once);
      else
        flat.assign(statement->child_begin(), statement->child_end());
      flat.insert(flat.end(), rest.begin(), rest.end());
      return addList(std::move(flat), inLoop, to);
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
      if (branch->hasInitStorage() || branch->hasVarStorage() || hasReturn(branch->getCond())) return false;
      clang::Expr* test = copier.copy(branch->getCond());
      StatementList yes, no;
      if (!test || !addList({branch->getThen()}, inLoop, yes) ||
          (branch->getElse() && !addList({branch->getElse()}, inLoop, no)))
        return false;
      to.push_back(copier.branch(test, copier.block(yes), no.empty() ? nullptr : copier.block(no)));
      // In a loop, what returned has left it.
      if (inLoop) continue;
    } else {
      clang::Stmt* loop = isLoop(statement) ? loopOf(statement) : nullptr;
      if (!loop) return false;
      to.push_back(loop);
      if (inLoop) {
        to.push_back(
            copier.branch(copier.load(returned), new (context) clang::BreakStmt(at.getBegin()), nullptr));
        continue;
      }
    }
    if (rest.empty()) return true;
    StatementList after;
    if (!addList(rest, false, after)) return false;
    to.push_back(copier.branch(goesOn(), copier.block(after), nullptr));
    return true;
  }
  return true;
}

} // namespace warploom
