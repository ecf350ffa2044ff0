// Calls in loops whose body is in sight become that body: in the tree that the rest of the front end reads,
// not in the text. A function that comes down to one value is written as that value wherever it is called;
// any other one as statements before the statement that calls it, where that statement is certain to call it.
// What cannot be written so stays a call: recursion, functions that keep something, jump out of loops or are
// too large, and arguments with side effects.
#pragma once

#include "frontend/Aliasing.h"
#include "frontend/AstCopy.h"
#include "frontend/Effects.h"

#include <map>
#include <set>
#include <string>

namespace warploom {

/// What stands in the tree, but not in the text.
struct Inlined {
  std::set<const clang::Stmt*> parts;
  std::set<const clang::VarDecl*> variables;
  /// Loops that the user's program leaves early, and what stands for each: see Searches.h.
  std::map<const clang::Stmt*, const clang::ForStmt*> searches;

  /// True when `statement` names one of `variables`.
  bool namedIn(const clang::Stmt* statement) const;
  /// What stands for the loop `loop`; null when that is itself.
  const clang::ForStmt* searchFor(const clang::Stmt* loop) const;
  bool isSearch(const clang::Stmt* loop) const;
};

/// Rewrites the body of `function`, adding to `inlined` what it puts there.
void inlineCalls(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                 const Aliasing& aliasing, Inlined& inlined);

} // namespace warploom
