#include "frontend/PointerUses.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace warploom {

namespace {

const clang::VarDecl* variableIn(const clang::Expr* place) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

bool isLocalPointer(const clang::VarDecl* variable) {
  return variable && variable->hasLocalStorage() && variable->getType()->isPointerType();
}

/// True for functions of the C library that leave no copy of a pointer handed to them, but that they return.
bool keepsNothing(const clang::FunctionDecl* function) {
  if (!function->getIdentifier() || !function->isExternallyVisible()) return false;
  static const std::set<std::string> names = {"free",  "memset", "memcpy", "memmove",
                                              "fread", "fwrite", "printf", "fprintf"};
  return names.count(function->getName().str()) > 0;
}

/// Parents come before what is in them: they say which places are only read or written, and which pointers
/// are only followed or compared. The others are used in a way that is not known.
class UseScan : public clang::RecursiveASTVisitor<UseScan> {
public:
  UseScan(const clang::ASTContext& context, PointerUses& uses) : context(context), uses(uses) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      if (!inPlace.count(reference)) uses.addressTaken.insert(variable->getCanonicalDecl());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->hasAttr<clang::CleanupAttr>() || variable->needsDestruction(context))
      uses.addressTaken.insert(variable->getCanonicalDecl());
    if (isLocalPointer(variable) && variable->getInit()) handOn(variable->getInit());
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) useValue(cast, cast->getSubExpr());
    if (cast->getCastKind() == clang::CK_ToVoid) {
      touch(cast->getSubExpr());
      follow(cast->getSubExpr());
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (op->isIncrementDecrementOp()) useValue(op, op->getSubExpr());
    if (op->getOpcode() == clang::UO_LNot) follow(op->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    const bool distance = op->getOpcode() == clang::BO_Sub && op->getRHS()->getType()->isPointerType();
    if (op->isAssignmentOp())
      useValue(op, op->getLHS());
    else if (op->isComparisonOp() || op->isLogicalOp() || distance)
      follow(op->getLHS()), follow(op->getRHS());
    if (op->getOpcode() == clang::BO_Assign && isLocalPointer(variableIn(op->getLHS()))) handOn(op->getRHS());
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* size) {
    if (!size->isArgumentType()) touch(size->getArgumentExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return true;
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee); method && method->isTrivial())
      for (const clang::Expr* argument : call->arguments())
        touch(argument);
    if (keepsNothing(callee) && !call->getType()->isPointerType()) followArguments(call);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) {
    if (construct->getConstructor()->isTrivial())
      for (const clang::Expr* argument : construct->arguments())
        touch(argument);
    return true;
  }
  /// A directive's body sees the variables around it, and ends before they do.
  bool VisitCapturedStmt(clang::CapturedStmt* captured) {
    for (const clang::Expr* capture : captured->capture_inits())
      if (capture) touch(capture);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          uses.addressTaken.insert(variable->getCanonicalDecl());
    return true;
  }
  bool VisitStmt(clang::Stmt* statement) {
    if (llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt, clang::AsmStmt>(statement)) return true;
    // What stands here is a condition, or a value that nobody wants.
    for (const clang::Stmt* child : statement->children())
      if (const auto* value = llvm::dyn_cast_or_null<clang::Expr>(child)) {
        follow(value);
        const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts());
        if (call && call->getDirectCallee() && keepsNothing(call->getDirectCallee())) followArguments(call);
      }
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* statement) {
    if (statement->getRetValue()) handOn(statement->getRetValue());
    return true;
  }
  // Nothing happens in these.
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) { return true; }
  bool TraverseOMPClause(clang::OMPClause*) { return true; }

private:
  void followArguments(const clang::CallExpr* call) {
    for (const clang::Expr* argument : call->arguments())
      follow(argument);
  }
  /// `value` is that of `place`, which is read or written to get it.
  void useValue(const clang::Expr* value, const clang::Expr* place) {
    touch(place);
    const clang::VarDecl* variable = variableIn(place);
    if (isLocalPointer(variable) && !followed.count(value))
      uses.copied[variable->getParentFunctionOrMethod()].insert(variable);
  }
  /// `place` is read or written, and no pointer to it made.
  void touch(const clang::Expr* place) {
    while (true) {
      place = place->IgnoreParens();
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
        if (member->isArrow()) return follow(member->getBase());
        place = member->getBase();
      } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(place); cast && cast->isGLValue()) {
        place = cast->getSubExpr();
      } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
        return follow(subscript->getBase());
      } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place)) {
        if (op->getOpcode() == clang::UO_Deref) return follow(op->getSubExpr());
        if (op->getOpcode() != clang::UO_Real && op->getOpcode() != clang::UO_Imag) return;
        place = op->getSubExpr();
      } else {
        if (llvm::isa<clang::DeclRefExpr>(place)) inPlace.insert(place);
        return;
      }
    }
  }
  /// The pointer `value` is followed or compared, and not kept.
  void follow(const clang::Expr* value) {
    const clang::Expr* origin = pointerOrigin(value);
    followed.insert(origin);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(origin);
        cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      touch(cast->getSubExpr());
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(origin);
        op && op->getOpcode() == clang::BO_Comma)
      follow(op->getLHS()), follow(op->getRHS());
  }
  /// The pointer `value` is returned, or becomes that of a local pointer.
  void handOn(const clang::Expr* value) { followed.insert(pointerOrigin(value)); }

  const clang::ASTContext& context;
  PointerUses& uses;
  std::set<const clang::Expr*> inPlace;  ///< references to variables that are only read or written there
  std::set<const clang::Expr*> followed; ///< values of pointers that are not kept
};

} // namespace

const clang::Expr* pointerOrigin(const clang::Expr* value) {
  while (true) {
    value = value->IgnoreParens();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(value);
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(value);
    if (op && op->isAdditiveOp() && op->getType()->isPointerType())
      value = op->getLHS()->getType()->isPointerType() ? op->getLHS() : op->getRHS();
    else if (cast && cast->getCastKind() != clang::CK_LValueToRValue &&
             cast->getSubExpr()->getType()->isPointerType())
      value = cast->getSubExpr();
    else
      return value;
  }
}

void PointerUses::lookAt(const clang::ASTContext& context, clang::Stmt* body) {
  UseScan(context, *this).TraverseStmt(body);
}

PointerUses::PointerUses(const clang::ASTContext& context) {
  UseScan(context, *this).TraverseDecl(context.getTranslationUnitDecl());
}

} // namespace warploom
