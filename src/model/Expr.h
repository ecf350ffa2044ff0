// The body of a statement: Warploom's own expression tree. The front end makes it from Clang's; everyone else
// reads it.
#pragma once

#include "model/Type.h"
#include "support/Isl.h"
#include "support/Source.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

struct Expr;
struct Function;
using ExprPtr = std::shared_ptr<const Expr>;

/// A node of a body. Immutable once made; operands are never null.
struct Expr {
  enum class Kind {
    Literal,     ///< text: the literal as written
    Index,       ///< text: a loop index or a symbolic size, an int that no statement of the region writes
    Affine,      ///< value: an int variable's closed form over loop indices and sizes; text: the same in C
    Access,      ///< access: which access of the statement; operands: the subscripts, outermost first
    Local,       ///< text: a variable of the code or function it stands in; operands: the subscripts
    Unary,       ///< text: operator; operands: 1
    Binary,      ///< text: operator; operands: 2
    Conditional, ///< operands: condition, then, else
    Cast,        ///< to `type`; operands: 1
    Call,        ///< text: callee; operands: arguments
    Member,      ///< text: field; operands: a struct value that is no Access, then the field's subscripts
    Aggregate,   ///< a value of struct type, or in one an array; operands: its parts in order
    Assign,      ///< text: `=`, `+=`, ...; operands: target, value. Only as the root of a body
    Opaque       ///< text: source text that is not looked into
  };
  Kind kind = Kind::Opaque;
  Type type;
  SourceRange range;
  std::string text;
  std::vector<ExprPtr> operands;
  int access = -1; ///< index into Statement::accesses, for Kind::Access
  /// What a Call of a function of the program calls; null for mathematical functions, and where there is only
  /// a name.
  std::shared_ptr<const Function> function;
  /// Over the statement's domain, for Kind::Affine. Optional because isl's null objects cannot be copied.
  std::optional<isl::pw_aff> value;
};

/// A node of the given parts; what else its kind has is set before it is handed on.
std::shared_ptr<Expr> makeExpr(Expr::Kind kind, const std::string& text, const Type& type = {},
                               std::vector<ExprPtr> operands = {}, const SourceRange& range = {});

/// True when both trees are the same expression: same shape, kinds and texts; same types where a cast names
/// one.
bool sameExpr(const Expr& a, const Expr& b);

/// True for `&&` and `||`, which make a truth value of whatever they combine.
bool isLogical(const std::string& op);

/// How tightly C's binary operator `op` binds, from 2 for `||` to 11 for `*`; 0 when there is no such
/// operator.
int bindingStrength(const std::string& op);

/// `expr` as C text with the source's names and only the parentheses it needs.
std::string exprText(const Expr& expr);

} // namespace warploom
