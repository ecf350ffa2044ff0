// The arguments of a call that becomes the body of its function: what stands for each parameter there.
#pragma once

#include "frontend/Aliasing.h"
#include "frontend/AstCopy.h"
#include "frontend/Effects.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace warploom {

/// The nodes of `part`, or `limit` when there are more.
int sizeOf(const clang::Stmt* part, int limit);

/// How a function uses its parameters and local variables.
struct VariableUses : clang::RecursiveASTVisitor<VariableUses> {
  std::map<const clang::VarDecl*, int> count;
  std::set<const clang::VarDecl*> changed; ///< written, or used in another way than by its value

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      const clang::Expr* place = cast->getSubExpr()->IgnoreParens();
      while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
        if (member->isArrow()) break;
        place = member->getBase()->IgnoreParens();
      }
      loaded.insert(place);
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      ++count[variable];
      if (!loaded.count(reference)) changed.insert(variable);
    }
    return true;
  }

private:
  std::set<const clang::Expr*> loaded;
};

class Arguments {
public:
  Arguments(clang::ASTContext& context, CallSummaries& summaries, const Aliasing& aliasing)
      : context(context), summaries(summaries), aliasing(aliasing) {}

  /// Gives `copy`, of the body of `definition`, what stands for its parameters in `call`: the argument where
  /// running the function does not change it, else a variable that is declared in `before`, which only a
  /// call that is `certain` may have. False when the call has to stay.
  bool bind(const clang::CallExpr* call, const clang::FunctionDecl* definition, AstCopy& copy, bool certain,
            std::vector<clang::Stmt*>& before);

  /// True when the address of `variable`, or of the one that it stands for, is taken.
  bool isTaken(const clang::VarDecl* variable) const;

  std::map<const clang::VarDecl*, const clang::VarDecl*> originals; ///< of inlined variables

private:
  /// True when what `value` reads is not changed by running `definition`.
  bool isSteady(const clang::Expr* value, const clang::FunctionDecl* definition);
  bool readsOwnVariablesOnly(const clang::Expr* value) const;

  clang::ASTContext& context;
  CallSummaries& summaries;
  const Aliasing& aliasing;
};

} // namespace warploom
