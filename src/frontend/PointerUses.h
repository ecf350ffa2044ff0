// What a translation unit does with addresses: which variables a pointer may point to, and which local
// pointers hand their values on. Whatever is not known to be harmless counts.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <set>

namespace warploom {

struct PointerUses {
  /// Looks at the whole translation unit once.
  explicit PointerUses(const clang::ASTContext& context);

  /// Looks at `body`, too.
  void lookAt(const clang::ASTContext& context, clang::Stmt* body);

  /// Variables to which, or into which, there may be a pointer: `&v`, an array that is not just subscripted,
  /// a reference, a function that cleans up after it.
  std::set<const clang::VarDecl*> addressTaken;
  /// By function, its local pointers of which there may be a copy that is neither returned nor in another
  /// local pointer.
  std::map<const clang::DeclContext*, std::set<const clang::VarDecl*>> copied;
};

/// What the pointer `value` is made of by casts between pointers and by adding to it.
const clang::Expr* pointerOrigin(const clang::Expr* value);

} // namespace warploom
