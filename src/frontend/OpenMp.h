// OpenMP's directives as the front end sees them: which loops they stand before, and what they say of
// variables.
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
  std::string directive;                    ///< its words, without `#pragma omp`
  int depth = 1;                            ///< how many loops of the nest it makes parallel
};

/// The loop under `statement`: of `parallel for`, `parallel for simd` and `simd`. Nothing for all other
/// statements, and for directives that say more than the loop tells.
std::optional<OpenMpLoop> openMpLoop(const clang::ASTContext& context, const clang::Stmt* statement);

} // namespace warploom
