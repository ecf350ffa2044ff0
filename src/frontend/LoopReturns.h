// Returns from inside loops, in copies of functions that are called: each gives the result, notes that it has
// happened, and leaves its loops by `break`, so that nothing but a condition stands behind them.
#pragma once

#include "frontend/AstCopy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <vector>

namespace warploom {

class LoopReturns {
public:
  /// Copies are made by `copy`, which puts them where `at` is. Returning gives its value to `result`, if
  /// there is one.
  LoopReturns(clang::ASTContext& context, AstCopy& copy, clang::VarDecl* result, clang::SourceRange at)
      : context(context), copier(copy), result(result), at(at) {}

  /// Appends to `to` a copy of `statement`, a loop or an `if`, in which something returns, and before it the
  /// declaration of the variable that says whether something has. False when it cannot be written: a `switch`
  /// or a label is around a `return`.
  bool add(const clang::Stmt* statement, std::vector<clang::Stmt*>& to);
  /// That nothing in the last statement that was added has returned.
  clang::Expr* goesOn();

private:
  bool addList(std::vector<const clang::Stmt*> list, bool inLoop, std::vector<clang::Stmt*>& to);
  clang::Stmt* loopOf(const clang::Stmt* loop);
  clang::Expr* number(unsigned value) const;

  clang::ASTContext& context;
  AstCopy& copier;
  clang::VarDecl *result, *returned = nullptr;
  clang::SourceRange at;
};

bool hasReturn(const clang::Stmt* part);

} // namespace warploom
