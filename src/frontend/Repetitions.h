// Loops of the host that repeat calls and nests, with how often: what a region's launcher would like to know
// before it decides where to run. Read from the functions as they are written.
#pragma once

#include "frontend/Frontend.h"

#include <clang/AST/ASTContext.h>

namespace warploom {

/// The repetitions of the main file, in textual order.
std::vector<Repetition> repetitions(const clang::ASTContext& context);

} // namespace warploom
