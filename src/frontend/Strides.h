// Loops whose step is a variable: `for (i = first; i < n; i += step)`. Beside them stand loops that count
// their iterations, of which there is a number that the host finds before the loop begins, and step the
// user's index along with that.
#pragma once

#include "frontend/Effects.h"
#include "frontend/Inline.h"

namespace warploom {

/// Adds to `inlined` what stands for such loops of `function` that are in no counted loop.
void countStrides(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                  Inlined& inlined);

} // namespace warploom
