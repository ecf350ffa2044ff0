#include "frontend/PointerOffsets.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace warploom {

namespace {

/// The variables of a function that are assigned, or used in another way than by their value.
struct Changed : clang::RecursiveASTVisitor<Changed> {
  std::set<const clang::VarDecl*> variables;
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) loaded.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      if (!loaded.count(reference)) variables.insert(variable);
    return true;
  }

private:
  std::set<const clang::Expr*> loaded;
};

const clang::VarDecl* loadedBy(const clang::Expr* value) {
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(value);
  if (!cast || cast->getCastKind() != clang::CK_LValueToRValue) return nullptr;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// True when `value` reads an element, or what a pointer leads to, by a subscript that is not constant.
bool readsElements(const clang::Stmt* value) {
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(value);
  if (cast && cast->getCastKind() == clang::CK_LValueToRValue) {
    const clang::Expr* place = cast->getSubExpr()->IgnoreParens();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      if (member->isArrow()) break;
      place = member->getBase()->IgnoreParens();
    }
    const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place);
    if (llvm::isa<clang::ArraySubscriptExpr>(place) || (op && op->getOpcode() == clang::UO_Deref))
      return true;
  }
  return std::any_of(value->child_begin(), value->child_end(),
                     [](const clang::Stmt* child) { return child && readsElements(child); });
}

class Splitter {
public:
  Splitter(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
           Inlined& inlined)
      : function(function), context(context), summaries(summaries), inlined(inlined) {
    changed.TraverseStmt(function->getBody());
  }

  void run() {
    clang::Stmt* body = function->getBody();
    visit(body);
  }

private:
  struct Split {
    clang::Expr *base = nullptr, *offset = nullptr;
    explicit operator bool() const { return base != nullptr; }
  };

  /// `pointer` as a base, and an offset from it that is read from memory; nothing when it is none of that.
  Split split(clang::Expr* pointer);
  /// True when the pointer `base` has one value as long as the loops around run.
  bool isSteady(const clang::Expr* base);
  void visit(clang::Stmt*& slot);
  /// What declares the pointers of `declaration` as offsets; empty when it stays.
  std::vector<clang::Stmt*> declared(clang::DeclStmt* declaration);

  clang::Expr* wide(clang::Expr* value);
  clang::Expr* sum(clang::Expr* a, clang::Expr* b, clang::BinaryOperatorKind op, clang::QualType type);
  clang::Expr* element(const Split& parts, clang::Expr* more, clang::QualType type,
                       const clang::Expr* instead);

  clang::FunctionDecl* function;
  clang::ASTContext& context;
  CallSummaries& summaries;
  Inlined& inlined;
  Changed changed;
  std::map<const clang::VarDecl*, Split> pointers;
  const clang::ForStmt* nest = nullptr; ///< the outermost loop around
};

clang::Expr* Splitter::wide(clang::Expr* value) {
  clang::QualType type = context.getPointerDiffType();
  if (context.hasSameUnqualifiedType(value->getType(), type)) return value;
  return clang::CStyleCastExpr::Create(context, type, clang::VK_PRValue, clang::CK_IntegralCast, value,
                                       nullptr, clang::FPOptionsOverride(),
                                       context.getTrivialTypeSourceInfo(type, value->getBeginLoc()),
                                       value->getBeginLoc(), value->getBeginLoc());
}

clang::Expr* Splitter::sum(clang::Expr* a, clang::Expr* b, clang::BinaryOperatorKind op,
                           clang::QualType type) {
  auto* result = clang::BinaryOperator::Create(context, a, b, op, type, clang::VK_PRValue, clang::OK_Ordinary,
                                               a->getBeginLoc(), clang::FPOptionsOverride());
  return new (context) clang::ParenExpr(a->getBeginLoc(), a->getEndLoc(), result);
}

clang::Expr* Splitter::element(const Split& parts, clang::Expr* more, clang::QualType type,
                               const clang::Expr* instead) {
  clang::Expr* index = parts.offset;
  if (more) index = sum(index, wide(more), clang::BO_Add, context.getPointerDiffType());
  auto* place = new (context) clang::ArraySubscriptExpr(parts.base, index, type, clang::VK_LValue,
                                                        clang::OK_Ordinary, instead->getEndLoc());
  return new (context) clang::ParenExpr(instead->getBeginLoc(), instead->getEndLoc(), place);
}

bool Splitter::isSteady(const clang::Expr* base) {
  base = base->IgnoreParenImpCasts();
  Contents inside = contentsOf(nest, summaries);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(base)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || variable->getType().isVolatileQualified()) return false;
    if (variable->getType()->isArrayType()) return true;
    return !changed.variables.count(variable) &&
           (variable->hasLocalStorage() ||
            (inside.unknownCalls.empty() && !inside.mayWrite(base->getType())));
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(base);
  if (!member || !inside.unknownCalls.empty() || inside.mayWrite(base->getType()) || inside.writesBytes ||
      base->getType().isVolatileQualified())
    return false;
  const clang::Expr* root = member->getBase()->IgnoreParenImpCasts();
  while (const auto* outer = llvm::dyn_cast<clang::MemberExpr>(root))
    root = outer->getBase()->IgnoreParenImpCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(root);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && !inside.written.count(variable) && !inside.declared.count(variable);
}

Splitter::Split Splitter::split(clang::Expr* pointer) {
  pointer = pointer->IgnoreParens();
  while (auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer)) {
    if (cast->getCastKind() != clang::CK_NoOp) break;
    pointer = cast->getSubExpr()->IgnoreParens();
  }
  if (const clang::VarDecl* variable = loadedBy(pointer)) {
    auto known = pointers.find(variable);
    return known == pointers.end() ? Split{} : known->second;
  }
  const clang::QualType number = context.getPointerDiffType();
  auto add = [&](clang::Expr* base, clang::Expr* offset, bool minus) -> Split {
    if (Split inner = split(base))
      return {inner.base, sum(inner.offset, wide(offset), minus ? clang::BO_Sub : clang::BO_Add, number)};
    if (!readsElements(offset) || minus || !isSteady(base)) return {};
    return {base, wide(offset)};
  };
  if (auto* op = llvm::dyn_cast<clang::BinaryOperator>(pointer); op && op->isAdditiveOp()) {
    bool left = op->getLHS()->getType()->isPointerType();
    clang::Expr *base = left ? op->getLHS() : op->getRHS(), *offset = left ? op->getRHS() : op->getLHS();
    if (!offset->getType()->isIntegralOrEnumerationType()) return {};
    return add(base, offset, op->getOpcode() == clang::BO_Sub);
  }
  if (auto* op = llvm::dyn_cast<clang::UnaryOperator>(pointer); op && op->getOpcode() == clang::UO_AddrOf)
    if (auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens()))
      return add(subscript->getBase(), subscript->getIdx(), false);
  return {};
}

std::vector<clang::Stmt*> Splitter::declared(clang::DeclStmt* declaration) {
  std::vector<clang::Stmt*> parts;
  bool any = false;
  for (clang::Decl* decl : declaration->decls()) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    bool isLocal = variable && variable->hasLocalStorage() && variable->getType()->isPointerType() &&
                   variable->getInit() && !changed.variables.count(variable) &&
                   !variable->getType().isVolatileQualified();
    Split found = isLocal ? split(variable->getInit()) : Split{};
    if (found) {
      AstCopy copy(context, function, declaration->getSourceRange());
      clang::VarDecl* at =
          copy.newVariable(variable->getNameAsString() + "_at", context.getPointerDiffType());
      if (!at) return {};
      clang::Stmt* offset = found.offset;
      visit(offset);
      at->setInit(llvm::cast<clang::Expr>(offset));
      inlined.variables.insert(at);
      parts.push_back(copy.declare(at));
      inlined.parts.insert(parts.back());
      pointers[variable] = {found.base, copy.load(at)};
      any = true;
      continue;
    }
    auto* alone = new (context)
        clang::DeclStmt(clang::DeclGroupRef(decl), declaration->getBeginLoc(), declaration->getEndLoc());
    for (clang::Stmt*& value : alone->children())
      if (value) visit(value);
    parts.push_back(alone);
  }
  if (!any) parts.clear();
  return parts;
}

void Splitter::visit(clang::Stmt*& slot) {
  if (!slot || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(slot)) return;
  if (auto* list = llvm::dyn_cast<clang::CompoundStmt>(slot)) {
    std::vector<clang::Stmt*> all;
    bool rebuilt = false;
    for (clang::Stmt* child : list->body()) {
      auto* declaration = nest ? llvm::dyn_cast<clang::DeclStmt>(child) : nullptr;
      std::vector<clang::Stmt*> parts;
      if (declaration) parts = declared(declaration);
      if (parts.empty()) {
        clang::Stmt* now = child;
        visit(now);
        rebuilt = rebuilt || now != child;
        all.push_back(now);
      } else {
        rebuilt = true;
        all.insert(all.end(), parts.begin(), parts.end());
      }
    }
    if (!rebuilt) return;
    auto* replaced = clang::CompoundStmt::Create(context, all, clang::FPOptionsOverride(),
                                                 list->getLBracLoc(), list->getRBracLoc());
    if (inlined.parts.count(list)) inlined.parts.insert(replaced);
    if (function->getBody() == slot) function->setBody(replaced);
    slot = replaced;
    return;
  }
  if (nest) {
    if (auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(slot)) {
      if (Split parts = split(subscript->getBase()))
        slot = element(parts, subscript->getIdx(), subscript->getType(), subscript);
    } else if (auto* op = llvm::dyn_cast<clang::UnaryOperator>(slot)) {
      if (op->getOpcode() == clang::UO_Deref)
        if (Split parts = split(op->getSubExpr())) slot = element(parts, nullptr, op->getType(), op);
    } else if (auto* member = llvm::dyn_cast<clang::MemberExpr>(slot); member && member->isArrow()) {
      if (Split parts = split(member->getBase()))
        slot = clang::MemberExpr::CreateImplicit(
            context, element(parts, nullptr, member->getBase()->getType()->getPointeeType(), member), false,
            member->getMemberDecl(), member->getType(), member->getValueKind(), member->getObjectKind());
    } else if (auto* expr = llvm::dyn_cast<clang::Expr>(slot)) {
      if (const clang::VarDecl* variable = loadedBy(expr); variable && pointers.count(variable)) {
        const Split& parts = pointers.at(variable);
        slot = sum(parts.base, parts.offset, clang::BO_Add, expr->getType());
        return;
      }
    }
  }
  auto* loop = llvm::dyn_cast<clang::ForStmt>(slot);
  const bool outermost = loop && !nest;
  if (outermost) nest = loop;
  for (clang::Stmt*& child : slot->children())
    visit(child);
  if (outermost) nest = nullptr;
}

} // namespace

void splitOffsets(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                  Inlined& inlined) {
  if (context.getLangOpts().CPlusPlus || !function->hasBody()) return;
  Splitter(function, context, summaries, inlined).run();
}

} // namespace warploom
