// The walk that the rewrites of Clang's tree share: over all statements of a function, from the inside out.
// What they put into the tree stands in no text; the text stays the user's.
#pragma once

#include "frontend/AstCopy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace warploom {

using StatementList = std::vector<clang::Stmt*>;

/// The statements of which `statement`, a block or a single one, consists; none for null.
StatementList partsOf(clang::Stmt* statement);
/// How many nodes `part` has, counted up to `limit`.
int nodesOf(const clang::Stmt* part, int limit);
/// True when `is` holds for `part` or for something in it.
bool anyPart(const clang::Stmt* part, const std::function<bool(const clang::Stmt*)>& is);
/// What `one` itself assigns to or steps; null when it does neither.
const clang::Expr* changedBy(const clang::Stmt* one);
bool isLoop(const clang::Stmt* statement);
/// The `break`s, or `continue`s, in `statement` that leave what it is the body of.
std::set<const clang::Stmt*> jumpsOf(const clang::Stmt* statement, clang::Stmt::StmtClass kind);

/// The integer variable of the function's own that `expr` names; null for others, which somebody else may
/// change.
clang::VarDecl* integerVariable(clang::Expr* expr);
/// The same for a pointer, too.
clang::VarDecl* countingVariable(clang::Expr* expr);
/// The value that the header of `loop` gives to `index`; null when it does anything else.
clang::Expr* firstValue(const clang::ForStmt* loop, const clang::VarDecl* index);
bool mentions(const clang::Stmt* part, const clang::VarDecl* variable);
/// True when `value` can be computed twice, and by anyone.
bool isSteady(const clang::Expr* value, const clang::ASTContext& context);
/// The conditions that all hold where `condition` does, in their order.
void splitAnd(clang::Expr* condition, std::vector<clang::Expr*>& parts);
/// How much `statement` adds to `variable`; nothing when it does anything else, or adds no constant.
std::optional<long> amountAdded(const clang::Stmt* statement, const clang::VarDecl* variable,
                                const clang::ASTContext& context);

/// A copier for `part` of `function` that leaves its variables as they are.
AstCopy sameVariables(clang::ASTContext& context, clang::FunctionDecl* function, const clang::Stmt* part);

class TreeRewrite {
public:
  TreeRewrite(clang::FunctionDecl* function, clang::ASTContext& context)
      : function(function), context(context) {}
  virtual ~TreeRewrite() = default;

  void run();
  /// The same for `statement`, a part of the function: what stands in its place.
  clang::Stmt* run(clang::Stmt* statement) { return visit(statement); }

protected:
  /// What stands in place of `statement`, whose parts have been rewritten.
  virtual clang::Stmt* rewritten(clang::Stmt* statement) = 0;
  /// The body of the loop `loop`, likewise.
  virtual clang::Stmt* rewrittenBody(clang::Stmt*, clang::Stmt* body) { return body; }

  /// `parts` as a block with the place of `at`.
  clang::CompoundStmt* blockAt(const StatementList& parts, clang::SourceRange at) const;
  clang::Expr* negated(clang::Expr* condition) const;
  clang::Expr* number(int value, clang::QualType type, clang::SourceLocation at) const;
  clang::Expr* binary(clang::Expr* left, clang::BinaryOperatorKind op, clang::Expr* right,
                      clang::QualType type) const;

  clang::FunctionDecl* function;
  clang::ASTContext& context;
  /// True inside a `for` loop.
  bool isCounted() const;
  StatementList around; ///< the loops around the statement that is visited

private:
  clang::Stmt* visit(clang::Stmt* statement);
};

} // namespace warploom
