// The body of a statement: Warploom's own expression tree. The front end makes it from Clang's; everyone else
// reads it.
#pragma once

#include "support/Isl.h"
#include "support/Source.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The C type of a value, as far as a compiler of loops needs it.
struct Type {
  enum class Kind { Void, Bool, SignedInt, UnsignedInt, Float, Complex, Pointer, Struct, Other };
  Kind kind = Kind::Other;
  unsigned bits = 0;    ///< size in bits; 0 for void and incomplete types
  std::string spelling; ///< as the user wrote it, e.g. `DATA_TYPE` or `struct point`

  bool isInteger() const {
    return kind == Kind::Bool || kind == Kind::SignedInt || kind == Kind::UnsignedInt;
  }
  bool isFloating() const { return kind == Kind::Float; }
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// A node of a body. Immutable once made; operands are never null.
struct Expr {
  enum class Kind {
    Literal,     ///< text: the literal as written
    Index,       ///< text: a loop index or a symbolic size, an int that no statement of the region writes
    Affine,      ///< value: an int variable's closed form over loop indices and sizes; text: the same in C
    Access,      ///< access: which access of the statement; operands: the subscripts, outermost first
    Unary,       ///< text: operator; operands: 1
    Binary,      ///< text: operator; operands: 2
    Conditional, ///< operands: condition, then, else
    Cast,        ///< to `type`; operands: 1
    Call,        ///< text: callee; operands: arguments
    Member,      ///< text: field; operands: a struct value that is not in memory
    Assign,      ///< text: `=`, `+=`, ...; operands: target, value. Only as the root of a body
    Opaque       ///< text: source text that is not looked into
  };
  Kind kind = Kind::Opaque;
  Type type;
  SourceRange range;
  std::string text;
  std::vector<ExprPtr> operands;
  int access = -1; ///< index into Statement::accesses, for Kind::Access
  /// Over the statement's domain, for Kind::Affine. Optional because isl's null objects cannot be copied.
  std::optional<isl::pw_aff> value;
};

/// True when both trees are the same expression: same shape, kinds and texts; same types where a cast names
/// one.
bool sameExpr(const Expr& a, const Expr& b);

/// `expr` as C text with the source's names and only the parentheses it needs.
std::string exprText(const Expr& expr);

} // namespace warploom
