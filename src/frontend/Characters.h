// The functions of <ctype.h>, which glibc's header makes look-ups in tables of the locale: in the tree that
// the rest of the front end reads they are calls again.
#pragma once

#include "model/Region.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace warploom {

/// True for a function of glibc's <ctype.h>: what it gives depends on its argument and on the locale alone.
bool isOfCharacters(const clang::FunctionDecl* function);

/// Has what `function` looks up in the locale's tables be calls of these functions.
void nameLookUps(clang::FunctionDecl* function, clang::ASTContext& context);

/// True when `statement` calls one of them, by itself or in a function that it calls.
bool asksCharacters(const Statement& statement);

} // namespace warploom
