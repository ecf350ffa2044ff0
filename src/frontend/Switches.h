// `switch` as a chain of `if`: in the tree that the rest of the front end reads, not in the text.
#pragma once

#include "frontend/Inline.h"

namespace warploom {

/// Rewrites the `switch`es of `function` that are in loops or have no loop inside.
void structureSwitches(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined);

} // namespace warploom
