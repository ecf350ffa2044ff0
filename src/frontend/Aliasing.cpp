#include "frontend/Aliasing.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>

namespace warploom {

namespace {

/// Chains of copies and calls longer than this are given up on.
constexpr int maximumDepth = 8;

bool allocates(const clang::FunctionDecl* function) {
  if (!function->getIdentifier() || !function->isExternallyVisible()) return false;
  static const std::set<std::string> names = {"malloc", "calloc", "aligned_alloc", "valloc", "memalign"};
  return names.count(function->getName().str()) > 0;
}

const clang::VarDecl* variableIn(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// True when some variable is in both.
bool meet(const std::set<const clang::VarDecl*>& a, const std::set<const clang::VarDecl*>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const clang::VarDecl* variable) { return b.count(variable) > 0; });
}

} // namespace

struct Aliasing::Scan : clang::RecursiveASTVisitor<Aliasing::Scan> {
  explicit Scan(Aliasing& found) : found(found) {}

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getType()->isPointerType() && variable->getInit())
      found.assigned[variable->getCanonicalDecl()].push_back(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (!op->isAssignmentOp() || !op->getLHS()->getType()->isPointerType()) return true;
    const clang::VarDecl* target = variableIn(op->getLHS());
    // `p += k` stays in its object.
    if (target && op->getOpcode() == clang::BO_Assign)
      found.assigned[target->getCanonicalDecl()].push_back(op->getRHS());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    if (const clang::FunctionDecl* callee = call->getDirectCallee()) {
      found.calls[callee->getCanonicalDecl()].push_back(call);
      directCallees.insert(call->getCallee()->IgnoreParenImpCasts());
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    // Calls are visited before their callee expressions, so a reference not seen there is a function used as
    // a value.
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      if (!directCallees.count(reference)) found.escaped.insert(function->getCanonicalDecl());
    return true;
  }
  Aliasing& found;
  std::set<const clang::Expr*> directCallees;
};

Aliasing::Aliasing(const clang::ASTContext& context) : uses(context) {
  Scan(*this).TraverseDecl(context.getTranslationUnitDecl());
}

void Aliasing::lookAgain(const clang::ASTContext& context, const clang::FunctionDecl* function) {
  uses.lookAt(context, function->getBody());
  Scan(*this).TraverseStmt(function->getBody());
}

const std::vector<const clang::CallExpr*>* Aliasing::allCalls(const clang::FunctionDecl* function) const {
  function = function->getCanonicalDecl();
  if (function->isExternallyVisible() || escaped.count(function)) return nullptr;
  auto found = calls.find(function);
  return found == calls.end() ? nullptr : &found->second;
}

bool Aliasing::returnsFresh(const clang::FunctionDecl* function, int depth) {
  if (allocates(function)) return true;
  const clang::FunctionDecl* definition = nullptr;
  if (depth > maximumDepth || !function->hasBody(definition)) return false;
  struct Returns : clang::RecursiveASTVisitor<Returns> {
    std::vector<const clang::Expr*> values;
    bool VisitReturnStmt(clang::ReturnStmt* statement) {
      if (statement->getRetValue()) values.push_back(statement->getRetValue());
      return true;
    }
  } returns;
  returns.TraverseStmt(definition->getBody());
  if (returns.values.empty()) return false;
  return std::all_of(returns.values.begin(), returns.values.end(), [&](const clang::Expr* value) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts()))
      return call->getDirectCallee() && returnsFresh(call->getDirectCallee(), depth + 1);
    Origins origins = originsOf(value, nullptr, depth + 1);
    bool ownOnly = std::all_of(origins.fresh.begin(), origins.fresh.end(), [&](const clang::VarDecl* holder) {
      return holder->hasLocalStorage() && holder->getParentFunctionOrMethod() == definition;
    });
    return !origins.unknown && origins.objects.empty() && origins.arguments.empty() && ownOnly &&
           !isKept(origins.fresh, definition);
  });
}

bool Aliasing::isKept(const std::set<const clang::VarDecl*>& fresh,
                      const clang::FunctionDecl* function) const {
  auto copied = uses.copied.find(function);
  if (copied == uses.copied.end()) return false;
  std::set<const clang::VarDecl*> seen = copied->second;
  std::vector<const clang::VarDecl*> pending(seen.begin(), seen.end());
  while (!pending.empty()) {
    const clang::VarDecl* pointer = pending.back();
    pending.pop_back();
    if (fresh.count(pointer)) return true;
    auto values = assigned.find(pointer);
    if (values == assigned.end()) continue;
    for (const clang::Expr* value : values->second)
      if (const clang::VarDecl* from = variableIn(pointerOrigin(value)); from && seen.insert(from).second)
        pending.push_back(from);
  }
  return false;
}

Aliasing::Origins Aliasing::originsOf(const clang::Expr* value, const clang::VarDecl* holder, int depth) {
  Origins unknown{true, {}, {}, {}};
  if (depth > maximumDepth) return unknown;
  value = pointerOrigin(value);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) {
    if (cast->getCastKind() == clang::CK_NullToPointer) return {};
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      return originsOfPlace(cast->getSubExpr(), depth + 1);
    const clang::VarDecl* variable = variableIn(cast);
    const bool isValue = variable && cast->getCastKind() == clang::CK_LValueToRValue;
    // An integer may be the address of anything.
    return isValue && variable->getType()->isPointerType() ? originsOf(variable, depth + 1) : unknown;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !holder || !returnsFresh(callee, depth + 1)) return unknown;
    return {false, {}, {holder}, {}};
  }
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(value);
  const bool isAddress = op && op->getOpcode() == clang::UO_AddrOf;
  return isAddress ? originsOfPlace(op->getSubExpr(), depth + 1) : unknown;
}

Aliasing::Origins Aliasing::originsOfPlace(const clang::Expr* place, int depth) {
  place = place->IgnoreParens();
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
    return originsOf(subscript->getBase(), nullptr, depth);
  const clang::VarDecl* variable = variableIn(place);
  // What a pointer to a pointer points to is not followed.
  if (!variable || variable->getType()->isPointerType()) return {true, {}, {}, {}};
  return originsOf(variable, depth);
}

Aliasing::Origins Aliasing::originsOf(const clang::VarDecl* variable, int depth) {
  variable = variable->getCanonicalDecl();
  Origins origins;
  if (!variable->getType()->isPointerType() && !variable->getType()->isReferenceType()) {
    origins.objects.insert(variable);
    return origins;
  }
  bool outside = !variable->hasLocalStorage() && variable->isExternallyVisible();
  if (depth > maximumDepth || outside || variable->getType()->isReferenceType() || isAddressTaken(variable)) {
    origins.unknown = true;
    return origins;
  }
  // A cycle of copies adds nothing to what its members get from elsewhere.
  if (!active.insert(variable).second) return origins;
  auto join = [&](const Origins& more) {
    origins.unknown |= more.unknown;
    origins.objects.insert(more.objects.begin(), more.objects.end());
    origins.fresh.insert(more.fresh.begin(), more.fresh.end());
    origins.arguments.insert(more.arguments.begin(), more.arguments.end());
  };
  if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    const auto* callsOfIt = function ? allCalls(function) : nullptr;
    unsigned index = parameter->getFunctionScopeIndex();
    if (!callsOfIt) {
      origins.arguments.insert(variable);
    } else {
      for (const clang::CallExpr* call : *callsOfIt) {
        if (index < call->getNumArgs())
          join(originsOf(call->getArg(index), nullptr, depth + 1));
        else
          origins.unknown = true;
      }
    }
  }
  if (auto found = assigned.find(variable); found != assigned.end())
    for (const clang::Expr* value : found->second)
      join(originsOf(value, variable, depth + 1));
  active.erase(variable);
  return origins;
}

bool Aliasing::haveOneOrigin(const clang::VarDecl* a, const clang::VarDecl* b) {
  Origins first = originsOf(a, 0), second = originsOf(b, 0);
  return meet(first.objects, second.objects) || meet(first.fresh, second.fresh) ||
         meet(first.arguments, second.arguments);
}

bool Aliasing::overlap(const Origins& a, const Origins& b) const {
  if (a.unknown || b.unknown) return true;
  if (meet(a.objects, b.objects) || meet(a.fresh, b.fresh)) return true;
  // A caller may pass the same object twice, or a global one; never a local variable of the callee, nor what
  // the callee allocates later.
  if (!a.arguments.empty() && !b.arguments.empty()) return true;
  auto reachesGlobal = [](const Origins& argument, const Origins& other) {
    auto isGlobal = [](const clang::VarDecl* v) { return !v->hasLocalStorage(); };
    return !argument.arguments.empty() &&
           (std::any_of(other.objects.begin(), other.objects.end(), isGlobal) ||
            std::any_of(other.fresh.begin(), other.fresh.end(), isGlobal));
  };
  return reachesGlobal(a, b) || reachesGlobal(b, a);
}

bool Aliasing::passedTogether(const clang::VarDecl* a, const clang::VarDecl* b) {
  const auto* first = llvm::dyn_cast<clang::ParmVarDecl>(a);
  const auto* second = llvm::dyn_cast<clang::ParmVarDecl>(b);
  if (!first || !second || first->getDeclContext() != second->getDeclContext()) return false;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(first->getDeclContext());
  auto found = function ? calls.find(function->getCanonicalDecl()) : calls.end();
  if (found == calls.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const clang::CallExpr* call) {
    unsigned x = first->getFunctionScopeIndex(), y = second->getFunctionScopeIndex();
    if (std::max(x, y) >= call->getNumArgs()) return false;
    Origins left = originsOf(call->getArg(x), nullptr, 0), right = originsOf(call->getArg(y), nullptr, 0);
    return !left.unknown && !right.unknown && left.arguments.empty() && right.arguments.empty() &&
           overlap(left, right);
  });
}

bool Aliasing::mayOverlap(const clang::VarDecl* a, const clang::VarDecl* b) {
  const auto* first = llvm::dyn_cast<clang::ParmVarDecl>(a);
  const auto* second = llvm::dyn_cast<clang::ParmVarDecl>(b);
  bool reassigned = assigned.count(a->getCanonicalDecl()) || assigned.count(b->getCanonicalDecl()) ||
                    isAddressTaken(a) || isAddressTaken(b);
  if (first && second && !reassigned && first->getDeclContext() == second->getDeclContext()) {
    // Two parameters of one function: what matters is each call by itself, not all calls together.
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(first->getDeclContext());
    if (const auto* callsOfIt = function ? allCalls(function) : nullptr) {
      return std::any_of(callsOfIt->begin(), callsOfIt->end(), [&](const clang::CallExpr* call) {
        unsigned x = first->getFunctionScopeIndex(), y = second->getFunctionScopeIndex();
        if (std::max(x, y) >= call->getNumArgs()) return true;
        return overlap(originsOf(call->getArg(x), nullptr, 0), originsOf(call->getArg(y), nullptr, 0));
      });
    }
  }
  return overlap(originsOf(a, 0), originsOf(b, 0));
}

} // namespace warploom
