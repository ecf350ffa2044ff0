// Numbers whose bits are read as another number: through a union that is a variable of a function, by memcpy
// of one, by a cast of its address. In the tree that the rest of the front end reads, a function gives the
// bits, and such unions are numbers.
#pragma once

#include "frontend/Inline.h"

namespace warploom {

/// Rewrites what `function` does so; what it does in another way stays.
void copyBits(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined);

} // namespace warploom
