// OpenMP's constructs in Clang's tree: what stands under their directives, which is no child of them there.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtOpenMP.h>
#include <string>

namespace warploom {

/// The statement that `directive` speaks of, which may be another directive; null when it stands alone.
clang::Stmt* under(const clang::OMPExecutableDirective* directive);

/// The loop that `statement` speaks of, when it is a directive, or several right before each other; null
/// otherwise.
clang::ForStmt* loopUnder(const clang::Stmt* statement);

/// The words of `directive`, without `#pragma omp`.
std::string nameOf(const clang::OMPExecutableDirective* directive);

/// Puts what stands under each `#pragma omp target data` in its place. Where programs run on one machine it
/// says nothing.
void openTargetData(clang::FunctionDecl* function, clang::ASTContext& context);

} // namespace warploom
