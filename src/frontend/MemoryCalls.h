// Calls of memset and memcpy that are about whole elements: in the tree that the rest of the front end reads
// they are loops. The text stays.
#pragma once

#include "frontend/Inline.h"

#include <functional>

namespace warploom {

/// Whether a pointer may point to a local variable.
using IsTaken = std::function<bool(const clang::VarDecl*)>;

/// Rewrites such calls in the loops of `function`.
void countMemoryCalls(clang::FunctionDecl* function, clang::ASTContext& context, const IsTaken& isTaken,
                      Inlined& inlined);

/// `statement`, a new part of `function`, with all such calls in it rewritten.
clang::Stmt* withoutMemoryCalls(clang::Stmt* statement, clang::FunctionDecl* function,
                                clang::ASTContext& context, const IsTaken& isTaken, Inlined& inlined);

} // namespace warploom
