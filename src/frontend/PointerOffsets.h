// Local pointers that are set inside a loop to a place which is read from memory, `row = table + index[i] *
// n`: in the tree that the rest of the front end reads, the offset is an integer of its own, and what is
// reached through the pointer an element of the array that it points into, `table[row_at + k]`. The text
// stays.
#pragma once

#include "frontend/Effects.h"
#include "frontend/Inline.h"

namespace warploom {

/// Rewrites the body of `function`, adding to `inlined` what it puts there.
void splitOffsets(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                  Inlined& inlined);

} // namespace warploom
