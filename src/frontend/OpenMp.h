// OpenMP's directives as the front end sees them: which loops they stand before, and what they say of
// iterations and variables.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <optional>
#include <set>
#include <string>

namespace warploom {

/// A loop under a directive, whose meaning is that of the loop alone: with one thread it does what it would
/// do without the directive, but for the variables in `privates`.
struct OpenMpLoop {
  const clang::ForStmt* loop = nullptr;
  std::set<const clang::VarDecl*> privates; ///< declared before, and after the loop as before it
  std::set<const clang::VarDecl*> fresh; ///< of these, the ones that have no value when an iteration begins
  /// What threads have their own of, or combine: that they may run at the same time says nothing of these.
  std::set<const clang::VarDecl*> own;
  std::string directive; ///< its words, without `#pragma omp`
  int line = 0;
  bool ofLanes = false; ///< it speaks of vectors alone
  bool bounded = false; ///< only so many iterations at a time may run together
  int depth = 1;        ///< how many loops of the nest it makes parallel
};

/// The loop under `statement`: of `parallel for`, `simd` and those of `target` that make all of a loop
/// parallel. Nothing for all other statements, and for directives that say more than the loop tells.
std::optional<OpenMpLoop> openMpLoop(const clang::ASTContext& context, const clang::Stmt* statement);

/// What `statement` does when it is `#pragma omp atomic` before an update, `x += e`; null otherwise.
const clang::Expr* openMpUpdate(const clang::Stmt* statement);

} // namespace warploom
