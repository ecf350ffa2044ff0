// Jumps that only skip what follows them, `continue`, `break` in a `switch` and `goto` to what stands further
// down: in the tree that the rest of the front end reads, what they skip is under the opposite condition.
#pragma once

#include "frontend/Inline.h"
#include "frontend/TreeRewrite.h"

#include <optional>
#include <set>

namespace warploom {

/// Lists of statements without jumps to their end.
class WithoutJumps {
public:
  WithoutJumps(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined)
      : function(function), context(context), inlined(inlined) {}

  /// `list` without `jumps`, which all go to its end. Nothing when one of them stands in a loop or `switch`,
  /// or is jumped over by something else.
  std::optional<StatementList> of(const StatementList& list, const std::set<const clang::Stmt*>& jumps);

private:
  bool jumps(const clang::Stmt* part) const;
  /// What follows is repeated in both branches of an `if`.
  bool byRepeating(const StatementList& list, StatementList& to);
  /// What follows is under a variable that says whether it was jumped over.
  bool byAsking(const StatementList& list, clang::VarDecl* jumped, StatementList& to);

  clang::FunctionDecl* function;
  clang::ASTContext& context;
  Inlined& inlined;
  std::set<const clang::Stmt*> ending;
};

/// Rewrites `continue` and forward `goto` in the loops of `function`.
void structureJumps(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined);

} // namespace warploom
