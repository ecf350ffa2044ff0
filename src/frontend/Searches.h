// Loops that look for the first iteration of which something holds, and end there with `break` or `return`.
// Beside them stand loops that do the same without one: they run to their end, the other way round, so that
// the last iteration that finds something, and has the last word, is the first one in the user's order.
#pragma once

#include "frontend/Effects.h"
#include "frontend/Inline.h"

namespace warploom {

/// Adds to `inlined` what stands for the searches of `function` that are in no counted loop: in one, each of
/// its iterations searches by itself, and ends early.
void turnSearches(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                  Inlined& inlined);

} // namespace warploom
