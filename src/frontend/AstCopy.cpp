#include "frontend/AstCopy.h"

#include "model/MathFunctions.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

namespace warploom {

const clang::Expr* addressed(const clang::Expr* pointer) {
  pointer = pointer->IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer)) {
    if (cast->getCastKind() != clang::CK_NoOp) return nullptr;
    pointer = cast->getSubExpr()->IgnoreParens();
  }
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(pointer);
  return op && op->getOpcode() == clang::UO_AddrOf ? op->getSubExpr() : nullptr;
}

clang::VarDecl* AstCopy::newVariable(const std::string& name, clang::QualType type) {
  if (type->isVariablyModifiedType() || type->isReferenceType()) return nullptr;
  std::string unique = name;
  for (int k = 2; context.Idents.find(unique) != context.Idents.end(); ++k)
    unique = name + std::to_string(k);
  auto* variable =
      clang::VarDecl::Create(context, owner, at.getBegin(), at.getBegin(), &context.Idents.get(unique), type,
                             context.getTrivialTypeSourceInfo(type, at.getBegin()), clang::SC_None);
  made.push_back(variable);
  return variable;
}

clang::VarDecl* AstCopy::newVariable(const clang::VarDecl* original) {
  if (original->isStaticLocal() || original->hasExternalStorage() || original->hasAttr<clang::CleanupAttr>())
    return nullptr;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(original->getDeclContext());
  std::string name = original->getNameAsString();
  if (function) name = function->getNameAsString() + "_" + name;
  clang::VarDecl* variable = newVariable(name, original->getType());
  if (variable) variables[original] = variable;
  return variable;
}

clang::Expr* AstCopy::use(clang::VarDecl* variable) {
  return clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                    variable, false, at.getBegin(), variable->getType(), clang::VK_LValue);
}

clang::Expr* AstCopy::load(clang::VarDecl* variable) {
  return clang::ImplicitCastExpr::Create(context, variable->getType().getUnqualifiedType(),
                                         clang::CK_LValueToRValue, use(variable), nullptr, clang::VK_PRValue,
                                         clang::FPOptionsOverride());
}

clang::Expr* AstCopy::parenthesised(clang::Expr* expr) {
  return new (context) clang::ParenExpr(at.getBegin(), at.getEnd(), expr);
}

clang::Expr* AstCopy::assign(clang::VarDecl* variable, clang::Expr* value) {
  return parenthesised(clang::BinaryOperator::Create(
      context, use(variable), value, clang::BO_Assign, variable->getType().getUnqualifiedType(),
      clang::VK_PRValue, clang::OK_Ordinary, at.getBegin(), clang::FPOptionsOverride()));
}

clang::Stmt* AstCopy::declare(clang::VarDecl* variable) {
  return new (context) clang::DeclStmt(clang::DeclGroupRef(variable), at.getBegin(), at.getEnd());
}

clang::Stmt* AstCopy::block(const std::vector<clang::Stmt*>& parts) {
  return clang::CompoundStmt::Create(context, parts, clang::FPOptionsOverride(), at.getBegin(), at.getEnd());
}

clang::Stmt* AstCopy::branch(clang::Expr* condition, clang::Stmt* yes, clang::Stmt* no) {
  return clang::IfStmt::Create(context, at.getBegin(), clang::IfStatementKind::Ordinary, nullptr, nullptr,
                               condition, at.getBegin(), at.getEnd(), yes, at.getBegin(), no);
}

clang::Expr* AstCopy::converted(clang::Expr* value) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value->IgnoreParens());
  if (!cast) return value;
  switch (cast->getCastKind()) {
  case clang::CK_IntegralCast:
  case clang::CK_FloatingCast:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean:
  case clang::CK_FloatingRealToComplex:
    break;
  default:
    return value;
  }
  return clang::CStyleCastExpr::Create(
      context, value->getType(), clang::VK_PRValue, cast->getCastKind(),
      converted(const_cast<clang::Expr*>(cast->getSubExpr())), nullptr, clang::FPOptionsOverride(),
      context.getTrivialTypeSourceInfo(value->getType(), at.getBegin()), at.getBegin(), at.getBegin());
}

clang::Expr* AstCopy::copyCast(const clang::CastExpr* cast) {
  const clang::Expr* inner = cast->getSubExpr();
  if (cast->getCastKind() == clang::CK_LValueToRValue)
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(inner->IgnoreParens()))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        if (auto value = values.find(variable); value != values.end()) return parenthesised(value->second);
  clang::Expr* part = copy(inner);
  if (!part) return nullptr;
  if (llvm::isa<clang::ImplicitCastExpr>(cast))
    return clang::ImplicitCastExpr::Create(context, cast->getType(), cast->getCastKind(), part, nullptr,
                                           cast->getValueKind(), clang::FPOptionsOverride());
  if (!llvm::isa<clang::CStyleCastExpr>(cast)) return nullptr;
  return clang::CStyleCastExpr::Create(context, cast->getType(), cast->getValueKind(), cast->getCastKind(),
                                       part, nullptr, clang::FPOptionsOverride(),
                                       context.getTrivialTypeSourceInfo(cast->getType(), at.getBegin()),
                                       at.getBegin(), at.getBegin());
}

clang::Expr* AstCopy::copyUnary(const clang::UnaryOperator* op) {
  clang::Expr* part = copy(op->getSubExpr());
  if (!part) return nullptr;
  if (op->getOpcode() == clang::UO_Deref)
    if (const clang::Expr* place = addressed(part)) return parenthesised(const_cast<clang::Expr*>(place));
  return clang::UnaryOperator::Create(context, part, op->getOpcode(), op->getType(), op->getValueKind(),
                                      op->getObjectKind(), at.getBegin(), op->canOverflow(),
                                      clang::FPOptionsOverride());
}

clang::Expr* AstCopy::copyMember(const clang::MemberExpr* member) {
  clang::Expr* base = copy(member->getBase());
  if (!base) return nullptr;
  bool arrow = member->isArrow();
  if (arrow)
    if (const clang::Expr* place = addressed(base)) {
      base = parenthesised(const_cast<clang::Expr*>(place));
      arrow = false;
    }
  return clang::MemberExpr::CreateImplicit(context, base, arrow, member->getMemberDecl(), member->getType(),
                                           member->getValueKind(), member->getObjectKind());
}

clang::Expr* AstCopy::copy(const clang::Expr* expr) {
  ++copied;
  if (llvm::isa<clang::IntegerLiteral>(expr) || llvm::isa<clang::FloatingLiteral>(expr) ||
      llvm::isa<clang::CharacterLiteral>(expr) || llvm::isa<clang::CXXBoolLiteralExpr>(expr))
    return parenthesised(const_cast<clang::Expr*>(expr)); // its text is looked up where it stands
  if (llvm::isa<clang::ImplicitValueInitExpr>(expr)) return const_cast<clang::Expr*>(expr);
  if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expr))
    return size->getTypeOfArgument()->isVariablyModifiedType()
               ? nullptr
               : parenthesised(const_cast<clang::Expr*>(expr));
  if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(expr)) {
    clang::Expr* part = copy(paren->getSubExpr());
    return part ? parenthesised(part) : nullptr;
  }
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(expr)) return copy(constant->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) return copyCast(cast);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    auto* decl = const_cast<clang::ValueDecl*>(reference->getDecl());
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      if (auto value = values.find(variable); value != values.end()) {
        // A struct that is taken as a value and read by parts: the place it was taken from.
        const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(value->second->IgnoreParens());
        bool isPlace =
            load && load->getCastKind() == clang::CK_LValueToRValue && load->getType()->isRecordType();
        return isPlace ? parenthesised(const_cast<clang::Expr*>(load->getSubExpr())) : nullptr;
      }
      if (auto other = variables.find(variable); other != variables.end()) return use(other->second);
      if (variable->hasLocalStorage() || variable->isStaticLocal()) return nullptr;
    }
    return clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(), decl,
                                      false, at.getBegin(), reference->getType(), reference->getValueKind());
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr)) return copyUnary(op);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    clang::Expr *left = copy(op->getLHS()), *right = left ? copy(op->getRHS()) : nullptr;
    if (!right) return nullptr;
    if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(op))
      return clang::CompoundAssignOperator::Create(
          context, left, right, op->getOpcode(), op->getType(), op->getValueKind(), op->getObjectKind(),
          at.getBegin(), clang::FPOptionsOverride(), compound->getComputationLHSType(),
          compound->getComputationResultType());
    return clang::BinaryOperator::Create(context, left, right, op->getOpcode(), op->getType(),
                                         op->getValueKind(), op->getObjectKind(), at.getBegin(),
                                         clang::FPOptionsOverride());
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    clang::Expr *test = copy(choice->getCond()), *yes = test ? copy(choice->getTrueExpr()) : nullptr,
                *no = yes ? copy(choice->getFalseExpr()) : nullptr;
    if (!no) return nullptr;
    return new (context)
        clang::ConditionalOperator(test, at.getBegin(), yes, at.getBegin(), no, choice->getType(),
                                   choice->getValueKind(), choice->getObjectKind());
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    clang::Expr *left = copy(subscript->getLHS()), *right = left ? copy(subscript->getRHS()) : nullptr;
    if (!right) return nullptr;
    return new (context)
        clang::ArraySubscriptExpr(left, right, subscript->getType(), subscript->getValueKind(),
                                  subscript->getObjectKind(), at.getEnd());
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) return copyMember(member);
  if (llvm::isa<clang::CallExpr>(expr) && expr->getStmtClass() == clang::Stmt::CallExprClass) {
    const auto* call = llvm::cast<clang::CallExpr>(expr);
    if (const clang::FunctionDecl* function = call->getDirectCallee();
        function && function->getIdentifier() && mathConstant(function->getName()))
      return parenthesised(const_cast<clang::CallExpr*>(call));
    clang::Expr* callee = copy(call->getCallee());
    std::vector<clang::Expr*> arguments;
    for (const clang::Expr* argument : call->arguments()) {
      arguments.push_back(callee ? copy(argument) : nullptr);
      if (!arguments.back()) return nullptr;
    }
    if (!callee) return nullptr;
    return clang::CallExpr::Create(context, callee, arguments, call->getType(), call->getValueKind(),
                                   at.getEnd(), clang::FPOptionsOverride());
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    if (list->hasArrayFiller() || list->getInitializedFieldInUnion()) return nullptr;
    std::vector<clang::Expr*> parts;
    for (const clang::Expr* init : list->inits()) {
      parts.push_back(init ? copy(init) : nullptr);
      if (!parts.back()) return nullptr;
    }
    auto* result = new (context) clang::InitListExpr(context, at.getBegin(), parts, at.getEnd());
    result->setType(list->getType());
    return result;
  }
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(expr)) {
    clang::Expr* init = literal->isFileScope() ? nullptr : copy(literal->getInitializer());
    if (!init) return nullptr;
    return new (context) clang::CompoundLiteralExpr(
        at.getBegin(), context.getTrivialTypeSourceInfo(literal->getType(), at.getBegin()),
        literal->getType(), literal->getValueKind(), init, false);
  }
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(expr)) {
    clang::Stmt* body = copy(static_cast<const clang::Stmt*>(block->getSubStmt()));
    auto* list = body ? llvm::dyn_cast<clang::CompoundStmt>(body) : nullptr;
    if (!list) return nullptr;
    return new (context) clang::StmtExpr(list, block->getType(), at.getBegin(), at.getEnd(), 0);
  }
  if (llvm::isa<clang::StringLiteral>(expr) || llvm::isa<clang::PredefinedExpr>(expr))
    return parenthesised(const_cast<clang::Expr*>(expr));
  return nullptr;
}

clang::Stmt* AstCopy::copy(const clang::Stmt* statement) {
  ++copied;
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(statement)) {
    clang::Expr* part = copy(expr);
    return part ? parenthesised(part) : nullptr;
  }
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    std::vector<clang::Stmt*> parts;
    for (const clang::Stmt* child : list->body()) {
      parts.push_back(copy(child));
      if (!parts.back()) return nullptr;
    }
    return block(parts);
  }
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    std::vector<clang::Stmt*> parts;
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* original = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!original) {
        if (llvm::isa<clang::FunctionDecl>(decl)) return nullptr;
        continue; // a type, which copies use as it is
      }
      clang::VarDecl* variable = newVariable(original);
      if (!variable) return nullptr;
      if (const clang::Expr* init = original->getInit()) {
        clang::Expr* value = copy(init);
        if (!value) return nullptr;
        variable->setInit(value);
      }
      parts.push_back(declare(variable));
    }
    if (parts.size() == 1) return parts[0];
    if (parts.empty()) return new (context) clang::NullStmt(at.getBegin());
    std::vector<clang::Decl*> decls;
    for (clang::Stmt* part : parts)
      decls.push_back(llvm::cast<clang::DeclStmt>(part)->getSingleDecl());
    auto* group = clang::DeclGroup::Create(context, decls.data(), static_cast<unsigned>(decls.size()));
    return new (context) clang::DeclStmt(clang::DeclGroupRef(group), at.getBegin(), at.getEnd());
  }
  if (const auto* condition = llvm::dyn_cast<clang::IfStmt>(statement)) {
    if (condition->hasInitStorage() || condition->hasVarStorage()) return nullptr;
    clang::Expr* test = copy(condition->getCond());
    clang::Stmt* yes = test ? copy(condition->getThen()) : nullptr;
    clang::Stmt* no = yes && condition->getElse() ? copy(condition->getElse()) : nullptr;
    if (!yes || (condition->getElse() && !no)) return nullptr;
    return branch(test, yes, no);
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
    if (loop->getConditionVariable()) return nullptr;
    clang::Stmt* init = loop->getInit() ? copy(loop->getInit()) : nullptr;
    clang::Expr* test = loop->getCond() ? copy(loop->getCond()) : nullptr;
    clang::Expr* step = loop->getInc() ? copy(loop->getInc()) : nullptr;
    clang::Stmt* body = copy(loop->getBody());
    if (!body || (loop->getInit() && !init) || (loop->getCond() && !test) || (loop->getInc() && !step))
      return nullptr;
    return new (context)
        clang::ForStmt(context, init, test, nullptr, step, body, at.getBegin(), at.getBegin(), at.getEnd());
  }
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    if (loop->getConditionVariable()) return nullptr;
    clang::Expr* test = copy(loop->getCond());
    clang::Stmt* body = test ? copy(loop->getBody()) : nullptr;
    return body ? clang::WhileStmt::Create(context, nullptr, test, body, at.getBegin(), at.getBegin(),
                                           at.getEnd())
                : nullptr;
  }
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) {
    clang::Expr* test = copy(loop->getCond());
    clang::Stmt* body = test ? copy(loop->getBody()) : nullptr;
    return body ? new (context) clang::DoStmt(body, test, at.getBegin(), at.getBegin(), at.getEnd())
                : nullptr;
  }
  if (llvm::isa<clang::NullStmt>(statement)) return new (context) clang::NullStmt(at.getBegin());
  if (llvm::isa<clang::BreakStmt>(statement)) return new (context) clang::BreakStmt(at.getBegin());
  if (llvm::isa<clang::ContinueStmt>(statement)) return new (context) clang::ContinueStmt(at.getBegin());
  return nullptr;
}

clang::Expr* loosened(clang::Expr* pointer, clang::ASTContext& context) {
  return clang::CStyleCastExpr::Create(
      context, pointer->getType(), clang::VK_PRValue, clang::CK_NoOp, pointer, nullptr,
      clang::FPOptionsOverride(),
      context.getTrivialTypeSourceInfo(pointer->getType(), pointer->getBeginLoc()), pointer->getBeginLoc(),
      pointer->getBeginLoc());
}

} // namespace warploom
