// Which pointers of one translation unit can never point into the same object, proven from where their values
// come from: allocation calls, named arrays, and, for static functions, the arguments at every call.
#pragma once

#include "frontend/PointerUses.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <set>
#include <vector>

namespace warploom {

class Aliasing {
public:
  /// Looks at the whole translation unit once.
  explicit Aliasing(const clang::ASTContext& context);

  /// Looks at the body of `function`, too, which is not the one that was there before.
  void lookAgain(const clang::ASTContext& context, const clang::FunctionDecl* function);

  /// False only when what `a` and `b` point to (or are, for arrays) certainly never shares storage.
  bool mayOverlap(const clang::VarDecl* a, const clang::VarDecl* b);

  /// True when this file shows that both may point into one object.
  bool haveOneOrigin(const clang::VarDecl* a, const clang::VarDecl* b);

  /// True when a call in this file passes pointers into one object for parameters `a` and `b`.
  bool passedTogether(const clang::VarDecl* a, const clang::VarDecl* b);

  /// True when a pointer to `variable` itself, or into it, may exist.
  bool isAddressTaken(const clang::VarDecl* variable) const {
    return uses.addressTaken.count(variable->getCanonicalDecl()) > 0;
  }

private:
  /// Where a pointer's value may come from.
  struct Origins {
    bool unknown = false;
    std::set<const clang::VarDecl*> objects;   ///< named arrays and variables
    std::set<const clang::VarDecl*> fresh;     ///< allocations, by the variable that first holds them
    std::set<const clang::VarDecl*> arguments; ///< parameters of functions that anyone may call
  };
  Origins originsOf(const clang::VarDecl* variable, int depth);
  Origins originsOf(const clang::Expr* value, const clang::VarDecl* holder, int depth);
  /// What the lvalue `place` is a part of.
  Origins originsOfPlace(const clang::Expr* place, int depth);
  /// True when `function` returns what it allocates, and has no other pointer to it when it ends.
  bool returnsFresh(const clang::FunctionDecl* function, int depth);
  /// True when there may be a pointer to one of the allocations `fresh` of `function` outside its local
  /// pointers.
  bool isKept(const std::set<const clang::VarDecl*>& fresh, const clang::FunctionDecl* function) const;
  bool overlap(const Origins& a, const Origins& b) const;
  /// Every call of `function`, or null when calls outside our sight are possible.
  const std::vector<const clang::CallExpr*>* allCalls(const clang::FunctionDecl* function) const;

  struct Scan;
  PointerUses uses;
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> assigned;
  std::map<const clang::FunctionDecl*, std::vector<const clang::CallExpr*>> calls;
  std::set<const clang::FunctionDecl*> escaped;
  std::set<const clang::VarDecl*> active; ///< variables whose origins are being found
};

} // namespace warploom
