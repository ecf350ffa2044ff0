// Loops that count, however they are written: `while (i < n) { ...; i++; }`, `while (n--)`, `do ... while
// (++i < n)`, `for (;;) { if (i >= n) break; ... }`. In the tree that the rest of the front end reads they
// are `for` loops with the variable's test and step in their header; the text stays.
#pragma once

#include "frontend/Inline.h"

namespace warploom {

/// Rewrites the loops of `function`.
void countLoops(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined);

} // namespace warploom
