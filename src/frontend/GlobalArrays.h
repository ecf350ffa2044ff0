// The large arrays with static storage that a file may keep elsewhere: none of its pointers can point into
// them, so that only the places that name them would notice.
#pragma once

#include "frontend/Frontend.h"

#include <clang/AST/ASTContext.h>

namespace warploom {

/// The arrays of at least `GlobalArray::least` bytes that are declared outside functions and that the main
/// file mentions or defines for others, in the order of their declarations; each with what stands in the way
/// of moving it. To be asked before anything changes the tree.
std::vector<GlobalArray> globalArrays(const clang::ASTContext& context);

} // namespace warploom
