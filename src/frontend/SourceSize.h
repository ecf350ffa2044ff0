// Which pieces of source are too large to be read as loops: reading takes time that grows faster than the
// source, and walks expressions recursively.
#pragma once

#include <clang/AST/Stmt.h>
#include <string>

namespace warploom {

/// Why `statement` is not read; empty when it is. `at` becomes the part that is too large.
std::string whyTooLarge(const clang::Stmt* statement, const clang::Stmt*& at);

} // namespace warploom
