#include "frontend/Inline.h"

#include "frontend/Arguments.h"
#include "frontend/Constructs.h"
#include "frontend/LoopReturns.h"
#include "frontend/MemoryCalls.h"
#include "frontend/TreeRewrite.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <functional>

namespace warploom {

namespace {

/// Calls inside inlined calls are looked into this deep.
constexpr std::size_t deepestCall = 6;
/// Nodes of the tree that one call, and all calls of one function, may become.
constexpr int largestCall = 1500, largestFunction = 12000;
/// Nodes of a function that is written as one value.
constexpr int largestValue = 400;
constexpr std::size_t mostLoops = 8;

/// True when `part` assigns or counts.
bool assigns(const clang::Stmt* part) {
  return anyPart(part, [](const clang::Stmt* one) { return changedBy(one) != nullptr; });
}

std::vector<const clang::Stmt*> partsOf(const clang::Stmt* statement) {
  if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
    return {list->body_begin(), list->body_end()};
  if (!statement) return {};
  return {statement};
}

/// True when `statement` never goes on to what follows it, but returns.
bool returns(const clang::Stmt* statement) {
  if (llvm::isa<clang::ReturnStmt>(statement)) return true;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return std::any_of(list->body_begin(), list->body_end(),
                       [](const clang::Stmt* part) { return returns(part); });
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
  return branch && branch->getElse() && returns(branch->getThen()) && returns(branch->getElse());
}

/// The names of the variables of one function.
struct LocalNames : clang::RecursiveASTVisitor<LocalNames> {
  std::set<std::string> names;
  bool VisitVarDecl(clang::VarDecl* variable) {
    names.insert(variable->getNameAsString());
    return true;
  }
};

class Inliner {
public:
  Inliner(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
          const Aliasing& aliasing, Inlined& inlined)
      : function(function), context(context), summaries(summaries), arguments(context, summaries, aliasing),
        inlined(inlined) {
    names.TraverseDecl(function);
    active.push_back(function->getCanonicalDecl());
  }

  void run() {
    clang::Stmt* body = function->getBody();
    Statements before;
    visit(body, before);
  }

private:
  using Statements = std::vector<clang::Stmt*>;

  // The walk. Children are replaced in place; what has to stand before a statement goes to `before`.
  void visit(clang::Stmt*& statement, Statements& before);
  void visitBody(clang::Stmt*& body);
  /// What is declared together with the result of a call, inside loops, a variable after the other, so that
  /// something can stand between them; else `statement`.
  Statements oneByOne(clang::Stmt* statement) const;
  /// Looks for calls in `slot`. `certain`: it is evaluated whenever its statement is.
  void visitValue(clang::Stmt*& slot, bool certain, Statements& before);
  void visitWhole(clang::Stmt*& slot, bool certain, Statements& before);

  // One call.
  /// What is written for `call`, with what has to stand before; null when it stays.
  clang::Stmt* replacement(clang::CallExpr* call, bool certain, bool isStatement, Statements& before);
  /// The value that `list` returns from `from` on; null when it does more than compute one. Assertions on the
  /// way go to `before`, where it is given.
  clang::Expr* valueOf(std::vector<const clang::Stmt*> list, AstCopy& copy, const VariableUses& uses,
                       Statements* before);
  /// Copies of `list` in which returning is assigning to `result`, if there is one.
  bool structured(std::vector<const clang::Stmt*> list, AstCopy& copy, clang::VarDecl* result, Statements& to,
                  clang::SourceRange at);
  /// True when everything that `part` names can be named in the function, too.
  bool isVisible(const clang::Stmt* part) const;
  /// True when all calls left in `part` are of pure functions, and nothing in it has to stay in its place.
  bool isDone(const clang::Stmt* part);

  clang::FunctionDecl* function;
  clang::ASTContext& context;
  CallSummaries& summaries;
  Arguments arguments;
  Inlined& inlined;
  LocalNames names;
  std::vector<const clang::FunctionDecl*> active;
  int loops = 0; ///< `for`s around
  int size = 0;  ///< of all that was inlined
};

Inliner::Statements Inliner::oneByOne(clang::Stmt* statement) const {
  const auto* together = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (loops == 0 || !together || together->isSingleDecl()) return {statement};
  const bool calls =
      anyPart(together, [](const clang::Stmt* part) { return llvm::isa<clang::CallExpr>(part); });
  Statements result;
  for (clang::Decl* one : together->decls()) {
    if (!calls || !llvm::isa<clang::VarDecl>(one)) return {statement};
    result.push_back(new (context) clang::DeclStmt(clang::DeclGroupRef(one), together->getBeginLoc(),
                                                   together->getEndLoc()));
  }
  return result;
}

void Inliner::visitBody(clang::Stmt*& body) {
  if (!body) return;
  Statements before;
  clang::SourceRange at = body->getSourceRange();
  visit(body, before);
  if (before.empty()) return;
  before.push_back(body);
  body = clang::CompoundStmt::Create(context, before, clang::FPOptionsOverride(), at.getBegin(), at.getEnd());
}

void Inliner::visit(clang::Stmt*& statement, Statements& before) {
  if (!statement) return;
  if (auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    Statements all;
    bool changed = false;
    for (clang::Stmt* child : list->body()) {
      const Statements parts = oneByOne(child);
      changed = changed || parts.size() > 1;
      for (clang::Stmt* part : parts) {
        Statements first;
        clang::Stmt* now = part;
        visit(now, first);
        changed = changed || !first.empty() || now != part;
        all.insert(all.end(), first.begin(), first.end());
        all.push_back(now);
      }
    }
    if (!changed) return;
    auto* replaced = clang::CompoundStmt::Create(context, all, clang::FPOptionsOverride(),
                                                 list->getLBracLoc(), list->getRBracLoc());
    if (inlined.parts.count(list)) inlined.parts.insert(replaced);
    if (function->getBody() == statement) function->setBody(replaced);
    statement = replaced;
    return;
  }
  if (auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
    ++loops;
    Statements none;
    if (loop->getInit() && llvm::isa<clang::Expr>(loop->getInit())) {
      clang::Stmt* init = loop->getInit();
      visitWhole(init, false, none);
      loop->setInit(init);
    } else if (loop->getInit()) {
      for (clang::Stmt*& value : loop->getInit()->children())
        if (value && !assigns(value)) visitValue(value, false, none);
    }
    if (clang::Stmt* test = loop->getCond(); test && !assigns(test)) {
      visitValue(test, false, none);
      loop->setCond(llvm::cast<clang::Expr>(test));
    }
    clang::Stmt* body = loop->getBody();
    visitBody(body);
    loop->setBody(body);
    --loops;
    return;
  }
  if (auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    if (loops > 0 && !branch->hasInitStorage() && !branch->hasVarStorage() && !assigns(branch->getCond())) {
      clang::Stmt* test = branch->getCond();
      visitValue(test, true, before);
      branch->setCond(llvm::cast<clang::Expr>(test));
    }
    clang::Stmt *yes = branch->getThen(), *no = branch->getElse();
    visitBody(yes);
    branch->setThen(yes);
    if (no) {
      visitBody(no);
      branch->setElse(no);
    }
    return;
  }
  if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    clang::Stmt* body = loop->getBody();
    visitBody(body);
    loop->setBody(body);
    return;
  }
  if (auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) {
    clang::Stmt* body = loop->getBody();
    visitBody(body);
    loop->setBody(body);
    return;
  }
  if (clang::Stmt* loop = loopUnder(statement)) return visit(loop, before); // in place
  if (loops == 0) return;
  if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (clang::Stmt*& value : declaration->children())
      if (value && !assigns(value)) visitValue(value, declaration->isSingleDecl(), before);
    return;
  }
  if (auto* result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    if (clang::Stmt* value = result->getRetValue(); value && !assigns(value)) {
      visitValue(value, true, before);
      result->setRetValue(llvm::cast<clang::Expr>(value));
    }
    return;
  }
  if (llvm::isa<clang::Expr>(statement)) visitWhole(statement, true, before);
}

void Inliner::visitWhole(clang::Stmt*& slot, bool certain, Statements& before) {
  if (assertedBy(slot)) return;
  auto* expr = llvm::cast<clang::Expr>(slot)->IgnoreParens();
  while (auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->getCastKind() != clang::CK_ToVoid) break;
    expr = cast->getSubExpr()->IgnoreParens();
  }
  if (auto* call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    if (assigns(call)) return;
    for (clang::Stmt*& argument : call->children())
      if (argument) visitValue(argument, certain, before);
    if (clang::Stmt* written = replacement(call, certain, true, before)) slot = written;
    return;
  }
  // Calls come before what the statement assigns; nothing else may be assigned beside them.
  const clang::Expr* value = expr;
  while (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (!op->isAssignmentOp()) break;
    if (assigns(op->getLHS())) return;
    value = op->getRHS()->IgnoreParenImpCasts();
  }
  if (assigns(value) && !(value == expr && llvm::isa<clang::UnaryOperator>(expr))) return;
  clang::Stmt* whole = expr;
  visitValue(whole, certain, before);
}

void Inliner::visitValue(clang::Stmt*& slot, bool certain, Statements& before) {
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(slot) || llvm::isa<clang::StmtExpr>(slot)) return;
  if (auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(slot)) {
    bool first = true;
    for (clang::Stmt*& child : choice->children()) {
      visitValue(child, certain && first, before);
      first = false;
    }
    return;
  }
  if (auto* op = llvm::dyn_cast<clang::BinaryOperator>(slot)) {
    bool sometimes = op->isLogicalOp() || op->getOpcode() == clang::BO_Comma, first = true;
    for (clang::Stmt*& child : op->children()) {
      visitValue(child, certain && (first || !sometimes), before);
      first = false;
    }
    return;
  }
  for (clang::Stmt*& child : slot->children())
    if (child) visitValue(child, certain, before);
  if (auto* call = llvm::dyn_cast<clang::CallExpr>(slot))
    if (clang::Stmt* written = replacement(call, certain, false, before)) slot = written;
  // `*&x` is x, and `(&x)->y` is x.y.
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(slot); op && op->getOpcode() == clang::UO_Deref)
    if (const clang::Expr* place = addressed(op->getSubExpr())) slot = const_cast<clang::Expr*>(place);
}

bool Inliner::isVisible(const clang::Stmt* part) const {
  const clang::SourceManager& sources = context.getSourceManager();
  return !anyPart(part, [&](const clang::Stmt* s) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || variable->hasLocalStorage()) return false;
    if (variable->isStaticLocal()) return variable->getDeclContext() != function;
    return names.names.count(variable->getNameAsString()) > 0 ||
           !sources.isBeforeInTranslationUnit(variable->getFirstDecl()->getLocation(),
                                              function->getLocation());
  });
}

bool Inliner::isDone(const clang::Stmt* part) {
  Contents inside = contentsOf(part, summaries);
  if (inside.ordered || inside.leaves || !inside.unknownCalls.empty()) return false;
  if (inside.forLoops.size() > mostLoops) return false;
  return !anyPart(part, [&](const clang::Stmt* s) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (!call) return false;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return !callee || (summaries.of(callee) != CallEffect::Pure && !failsAssertion(callee));
  });
}

clang::Expr* Inliner::valueOf(std::vector<const clang::Stmt*> list, AstCopy& copy, const VariableUses& uses,
                              Statements* before) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<const clang::Stmt*> rest(list.begin() + static_cast<long>(k) + 1, list.end());
    if (llvm::isa<clang::NullStmt>(list[k])) continue;
    if (llvm::isa<clang::CompoundStmt>(list[k])) {
      std::vector<const clang::Stmt*> flat = partsOf(list[k]);
      flat.insert(flat.end(), rest.begin(), rest.end());
      return valueOf(std::move(flat), copy, uses, before);
    }
    if (assertedBy(list[k])) {
      clang::Stmt* assertion = before ? copy.copy(list[k]) : nullptr;
      if (!assertion) return nullptr;
      before->push_back(assertion);
      continue;
    }
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(list[k])) {
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        bool plain = variable && variable->hasLocalStorage() && variable->getInit() &&
                     variable->getType()->isScalarType() && !variable->getType().isVolatileQualified() &&
                     !uses.changed.count(variable) && !llvm::isa<clang::InitListExpr>(variable->getInit());
        clang::Expr* value = plain ? copy.copy(variable->getInit()) : nullptr;
        if (!value) return nullptr;
        copy.values[variable] = copy.converted(value);
      }
      continue;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(list[k])) {
      if (branch->hasInitStorage() || branch->hasVarStorage()) return nullptr;
      std::vector<const clang::Stmt*> yes = partsOf(branch->getThen()), no = partsOf(branch->getElse());
      if (returns(branch->getThen()))
        no.insert(no.end(), rest.begin(), rest.end());
      else if (branch->getElse() && returns(branch->getElse()))
        yes.insert(yes.end(), rest.begin(), rest.end());
      else
        return nullptr;
      clang::Expr* test = copy.copy(branch->getCond());
      clang::Expr* first = test ? valueOf(std::move(yes), copy, uses, nullptr) : nullptr;
      clang::Expr* second = first ? valueOf(std::move(no), copy, uses, nullptr) : nullptr;
      if (!second) return nullptr;
      return new (context)
          clang::ConditionalOperator(test, test->getBeginLoc(), first, test->getBeginLoc(), second,
                                     first->getType(), clang::VK_PRValue, clang::OK_Ordinary);
    }
    const auto* result = llvm::dyn_cast<clang::ReturnStmt>(list[k]);
    clang::Expr* value = result && result->getRetValue() ? copy.copy(result->getRetValue()) : nullptr;
    return value ? copy.converted(value) : nullptr;
  }
  return nullptr;
}

bool Inliner::structured(std::vector<const clang::Stmt*> list, AstCopy& copy, clang::VarDecl* result,
                         Statements& to, clang::SourceRange at) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<const clang::Stmt*> rest(list.begin() + static_cast<long>(k) + 1, list.end());
    if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(list[k])) {
      if (!end->getRetValue()) return true;
      clang::Expr* value = copy.copy(end->getRetValue());
      if (!value) return false;
      if (result)
        to.push_back(copy.assign(result, copy.converted(value)));
      else
        to.push_back(copy.parenthesised(value));
      return true;
    }
    if (!hasReturn(list[k])) {
      clang::Stmt* part = copy.copy(list[k]);
      if (!part) return false;
      to.push_back(part);
      continue;
    }
    if (llvm::isa<clang::CompoundStmt>(list[k])) {
      std::vector<const clang::Stmt*> flat = partsOf(list[k]);
      flat.insert(flat.end(), rest.begin(), rest.end());
      return structured(std::move(flat), copy, result, to, at);
    }
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(list[k]);
    const bool returnsThere = branch && returns(branch->getThen()),
               returnsElse = branch && branch->getElse() && returns(branch->getElse());
    if (!branch || (!returnsThere && !returnsElse && !rest.empty())) {
      // What follows is done where nothing has returned.
      LoopReturns leaving(context, copy, result, at);
      Statements after;
      if (!leaving.add(list[k], to) || !structured(rest, copy, result, after, at)) return false;
      if (!after.empty()) to.push_back(copy.branch(leaving.goesOn(), copy.block(after), nullptr));
      return true;
    }
    if (branch->hasInitStorage() || branch->hasVarStorage()) return false;
    std::vector<const clang::Stmt*> yes = partsOf(branch->getThen()), no = partsOf(branch->getElse());
    if (returnsThere)
      no.insert(no.end(), rest.begin(), rest.end());
    else if (returnsElse)
      yes.insert(yes.end(), rest.begin(), rest.end());
    clang::Expr* test = copy.copy(branch->getCond());
    Statements first, second;
    if (!test || !structured(std::move(yes), copy, result, first, at) ||
        !structured(std::move(no), copy, result, second, at))
      return false;
    to.push_back(copy.branch(test, copy.block(first), second.empty() ? nullptr : copy.block(second)));
    return true;
  }
  return true;
}

clang::Stmt* Inliner::replacement(clang::CallExpr* call, bool certain, bool isStatement, Statements& before) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::FunctionDecl* definition = callee && callee->getIdentifier() ? definitionOf(callee) : nullptr;
  if (!definition || definition->isVariadic() || call->getNumArgs() != definition->getNumParams())
    return nullptr;
  if (context.getSourceManager().isInSystemHeader(definition->getLocation())) return nullptr;
  if (active.size() > deepestCall || size > largestFunction ||
      std::find(active.begin(), active.end(), definition->getCanonicalDecl()) != active.end())
    return nullptr;
  CallEffect effect = summaries.of(callee);
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  if (!body || sizeOf(body, largestCall) >= largestCall) return nullptr;
  // Pure functions are called as they are, but those that choose an integer may be a subscript or a bound.
  bool chooses = callee->getReturnType()->isIntegerType() && body->size() > 1;
  if (effect == CallEffect::Pure && !chooses) return nullptr;
  Contents whole = contentsOf(body, summaries);
  if (whole.ordered) return nullptr;
  // The names that values of the first kind get, and what it needs before, are only kept when it succeeds.
  active.push_back(definition->getCanonicalDecl());
  clang::Stmt* result = nullptr;
  Statements first;
  auto note = [&](const AstCopy& copy) {
    size += copy.copied;
    for (const auto& [original, variable] : copy.variables)
      arguments.originals[variable] = original;
    inlined.variables.insert(copy.made.begin(), copy.made.end());
  };
  if (!callee->getReturnType()->isVoidType() && !isStatement) {
    AstCopy copy(context, function, call->getSourceRange());
    VariableUses uses;
    uses.TraverseStmt(const_cast<clang::CompoundStmt*>(body));
    clang::Expr* value = nullptr;
    if (arguments.bind(call, definition, copy, certain, first))
      value = valueOf(partsOf(body), copy, uses, certain ? &first : nullptr);
    note(copy);
    if (value && sizeOf(value, largestValue) < largestValue && isVisible(value)) {
      clang::Stmt* slot = copy.parenthesised(value);
      Statements inner;
      visitValue(slot, certain, inner);
      bool good = isDone(slot) && !assigns(slot);
      for (clang::Stmt* part : first)
        good = good && isVisible(part) && (llvm::isa<clang::DeclStmt>(part) || isDone(part));
      if (good) {
        inlined.parts.insert(first.begin(), first.end());
        before.insert(before.end(), first.begin(), first.end());
        before.insert(before.end(), inner.begin(), inner.end());
        result = slot;
      }
    }
    first.clear();
  }
  if (!result && certain && effect != CallEffect::Pure) {
    AstCopy copy(context, function, call->getSourceRange());
    bool good = arguments.bind(call, definition, copy, certain, first);
    clang::VarDecl* given = nullptr;
    if (good && !isStatement) {
      given = copy.newVariable(definition->getNameAsString() + "_result",
                               definition->getReturnType().getUnqualifiedType());
      good = given != nullptr && !definition->getReturnType()->isVoidType();
      if (good) first.push_back(copy.declare(given));
    }
    Statements parts;
    good = good && structured(partsOf(body), copy, given, parts, call->getSourceRange());
    note(copy);
    if (good) {
      clang::Stmt* written = withoutMemoryCalls(
          copy.block(parts), function, context,
          [&](const clang::VarDecl* variable) { return arguments.isTaken(variable); }, inlined);
      visit(written, first);
      good = isVisible(written) && isDone(written);
      if (good) {
        for (clang::Stmt* part : first)
          inlined.parts.insert(part);
        inlined.parts.insert(written);
        before.insert(before.end(), first.begin(), first.end());
        if (isStatement) {
          result = written;
        } else {
          before.push_back(written);
          result = copy.parenthesised(copy.load(given));
        }
      }
    }
  }
  active.pop_back();
  return result;
}

} // namespace

std::string Inlined::nameOf(const clang::VarDecl* variable) const {
  const auto name = names.find(variable);
  return name == names.end() ? variable->getNameAsString() : name->second;
}

bool Inlined::namedIn(const clang::Stmt* statement) const {
  return !variables.empty() && anyPart(statement, [&](const clang::Stmt* part) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
    return reference && variables.count(llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) > 0;
  });
}

const Inlined::StandIn* Inlined::standIn(const clang::Stmt* loop) const {
  auto found = std::find_if(standIns.begin(), standIns.end(), [&](const auto& one) {
    return std::count(one.second.parts.begin(), one.second.parts.end(), loop) > 0;
  });
  return found == standIns.end() ? nullptr : &found->second;
}

void inlineCalls(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                 const Aliasing& aliasing, Inlined& inlined) {
  if (context.getLangOpts().CPlusPlus || !function->hasBody()) return;
  Inliner(function, context, summaries, aliasing, inlined).run();
}

} // namespace warploom
