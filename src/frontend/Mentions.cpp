#include "frontend/Mentions.h"

#include "frontend/ClangText.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <utility>

namespace warploom {

struct Mentions::Scan : clang::RecursiveASTVisitor<Mentions::Scan> {
  explicit Scan(Mentions& found) : found(found) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable) return true;
    Uses& known = found.uses[variable];
    clang::SourceLocation here = reference->getLocation();
    if (known.count++ == 0 || found.sources.isBeforeInTranslationUnit(known.last, here)) known.last = here;
    if (!isSet(variable)) outsideOwnLoops.insert(variable);
    return true;
  }
  bool TraverseForStmt(clang::ForStmt* loop) {
    const std::size_t before = setByLoops.size();
    const unsigned switches = std::exchange(switchesInLoop, 0);
    traverseInit(loop->getInit());
    for (clang::Stmt* part : {static_cast<clang::Stmt*>(loop->getConditionVariableDeclStmt()),
                              static_cast<clang::Stmt*>(loop->getCond()),
                              static_cast<clang::Stmt*>(loop->getInc()), loop->getBody()})
      TraverseStmt(part);
    setByLoops.resize(before);
    switchesInLoop = switches;
    return true;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* statement) {
    ++switchesInLoop;
    Base::TraverseSwitchStmt(statement);
    --switchesInLoop;
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase*) {
    if (switchesInLoop == 0) entered();
    return true;
  }
  bool VisitLabelStmt(clang::LabelStmt*) {
    entered();
    return true;
  }
  bool VisitGotoStmt(clang::GotoStmt* jump) {
    clang::SourceLocation from = jump->getGotoLoc(), to = jump->getLabel()->getLocation();
    if (const clang::LabelStmt* target = jump->getLabel()->getStmt()) to = target->getBeginLoc();
    if (found.sources.isBeforeInTranslationUnit(to, from)) found.backward.push_back({to, from});
    return true;
  }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt*) {
    found.returnsAnywhere = true;
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* code) {
    found.returnsAnywhere |= code->isAsmGoto();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    found.returnsAnywhere |= callee && callee->hasAttr<clang::ReturnsTwiceAttr>();
    return true;
  }
  std::set<const clang::VarDecl*> outsideOwnLoops;

private:
  using Base = clang::RecursiveASTVisitor<Scan>;
  bool isSet(const clang::VarDecl* variable) const {
    return std::find(setByLoops.begin(), setByLoops.end(), variable) != setByLoops.end();
  }
  /// Control may come here without the headers of the loops around.
  void entered() { outsideOwnLoops.insert(setByLoops.begin(), setByLoops.end()); }
  /// Visits the first part of a loop's header in the order in which it runs.
  void traverseInit(clang::Stmt* init) {
    auto* whole = llvm::dyn_cast_or_null<clang::Expr>(init);
    auto* op = whole ? llvm::dyn_cast<clang::BinaryOperator>(whole->IgnoreParens()) : nullptr;
    auto* target = op ? llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()) : nullptr;
    auto* variable = target ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr;
    if (op && op->getOpcode() == clang::BO_Comma) {
      traverseInit(op->getLHS());
      traverseInit(op->getRHS());
    } else if (variable && op->getOpcode() == clang::BO_Assign) {
      TraverseStmt(op->getRHS());
      // What a loop around has set is lost: its value after this loop matters there.
      if (isSet(variable)) outsideOwnLoops.insert(variable);
      setByLoops.push_back(variable);
      TraverseStmt(target);
    } else {
      TraverseStmt(init);
    }
  }
  Mentions& found;
  std::vector<const clang::VarDecl*> setByLoops;
  unsigned switchesInLoop = 0; ///< those around us inside the innermost loop
};

Mentions::Mentions(const clang::ASTContext& context, const clang::FunctionDecl* function,
                   const Aliasing& aliasing)
    : sources(context.getSourceManager()), aliasing(aliasing) {
  Scan scan(*this);
  scan.TraverseStmt(function->getBody());
  for (const auto& [variable, where] : uses)
    if (!scan.outsideOwnLoops.count(variable) && variable->hasLocalStorage() &&
        !aliasing.isAddressTaken(variable))
      onlyLoopIndex.insert(variable);
}

std::size_t Mentions::count(const clang::VarDecl* variable) const {
  auto found = uses.find(variable);
  return found == uses.end() ? 0 : found->second.count;
}

bool Mentions::mayBeUsedAfter(const clang::VarDecl* variable, const clang::Stmt* statement) const {
  if (aliasing.isAddressTaken(variable)) return true;
  auto found = uses.find(variable);
  return found != uses.end() && sources.isBeforeInTranslationUnit(endOf(statement), found->second.last);
}

bool Mentions::mayRunAgain(const clang::Stmt* first, const clang::Stmt* last) const {
  return returnsAnywhere ||
         std::any_of(backward.begin(), backward.end(), [&](const clang::SourceRange& jump) {
           return sources.isBeforeInTranslationUnit(jump.getBegin(), endOf(last)) &&
                  sources.isBeforeInTranslationUnit(first->getBeginLoc(), jump.getEnd());
         });
}

} // namespace warploom
