// Copies of parts of Clang's tree: with other variables, and with values in place of variables. A copy stands
// in the text where it is wanted, not where the original stands.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <map>
#include <string>
#include <vector>

namespace warploom {

class AstCopy {
public:
  /// Copies that become part of `owner`, and have the place `at`.
  AstCopy(clang::ASTContext& context, clang::FunctionDecl* owner, clang::SourceRange at)
      : context(context), owner(owner), at(at) {}

  /// What is written for a variable that is only read: a value of its type, free of side effects.
  std::map<const clang::VarDecl*, clang::Expr*> values;
  /// Variables that stand for others.
  std::map<const clang::VarDecl*, clang::VarDecl*> variables;
  int copied = 0; ///< how many nodes

  /// A copy of `expr` or `statement`; null for what is not copied. Declared variables become new ones.
  clang::Expr* copy(const clang::Expr* expr);
  clang::Stmt* copy(const clang::Stmt* statement);

  /// A variable of `owner` for `original`, with a name that nothing else in the file has; null when its type
  /// depends on values.
  clang::VarDecl* newVariable(const clang::VarDecl* original);
  clang::VarDecl* newVariable(const std::string& name, clang::QualType type);
  clang::Expr* use(clang::VarDecl* variable);  ///< as an lvalue
  clang::Expr* load(clang::VarDecl* variable); ///< its value
  clang::Expr* assign(clang::VarDecl* variable, clang::Expr* value);
  clang::Stmt* declare(clang::VarDecl* variable);
  clang::Stmt* block(const std::vector<clang::Stmt*>& parts);
  clang::Expr* parenthesised(clang::Expr* expr);
  clang::Stmt* branch(clang::Expr* condition, clang::Stmt* yes, clang::Stmt* no);
  /// `value` as a function takes and gives it: what C converts without being asked is asked for.
  clang::Expr* converted(clang::Expr* value);

  /// The variables that have been made for copies.
  std::vector<clang::VarDecl*> made;

private:
  clang::Expr* copyCast(const clang::CastExpr* cast);
  clang::Expr* copyUnary(const clang::UnaryOperator* op);
  clang::Expr* copyMember(const clang::MemberExpr* member);

  clang::ASTContext& context;
  clang::FunctionDecl* owner;
  clang::SourceRange at;
};

/// `pointer` by a cast to its own type, which tells that it may leave the row that it points into.
clang::Expr* loosened(clang::Expr* pointer, clang::ASTContext& context);

/// The lvalue of which `pointer` is the address, when it is written as `&lvalue`; null otherwise.
const clang::Expr* addressed(const clang::Expr* pointer);

} // namespace warploom
