// Assignments inside conditions, `if ((t = fabs(a[i])) > most)`: in the tree that the rest of the front end
// reads they are statements of their own before the `if`. The text stays.
#pragma once

#include "frontend/Inline.h"

namespace warploom {

/// Rewrites the conditions in `function` that assign to a variable before they do anything else.
void splitAssignments(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined);

} // namespace warploom
