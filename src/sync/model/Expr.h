// Expressions of guarded actions: typed, immutable trees, and what they mean on known and unknown values.
#pragma once

#include "sync/model/Error.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warploom::sync {

/// The type of one cell. `int{N}` holds -N..N-1, `nat{N}` holds 0..N-1, `bv{N}` is a vector of N bits.
struct ScalarType {
  enum class Base : std::uint8_t { Bool, Int, Nat, Bits, Real };
  Base base = Base::Bool;
  std::int64_t bound = 0; ///< N above; 0 for bool and real, and for the integer type of an expression

  bool isBool() const { return base == Base::Bool; }
  bool isInteger() const { return base == Base::Int || base == Base::Nat; }
  bool isNumber() const { return isInteger() || base == Base::Real; }
  std::int64_t smallest() const { return base == Base::Int ? -bound : 0; }
  std::int64_t largest() const { return bound - 1; }
  bool operator==(const ScalarType&) const = default;
};

/// A cell type and the extents of the array around it; no extents: one cell.
struct Type {
  ScalarType scalar;
  std::vector<std::int64_t> extents;

  std::int64_t cellCount() const {
    std::int64_t count = 1;
    for (std::int64_t extent : extents)
      count *= extent;
    return count;
  }
  bool operator==(const Type&) const = default;
};

/// The value of a cell: `real` for a real, `integer` for everything else (0 or 1 for a boolean, the bits of a
/// vector).
struct Value {
  std::int64_t integer = 0;
  double real = 0;
  bool operator==(const Value&) const = default;
};

/// A node. It never changes and is never freed: all nodes live in one arena until the process ends, so that
/// trees share what they have in common and are copied by copying a pointer.
struct Expr;
using ExprPtr = const Expr*;

/// Operands are never null. And, Or, Add and Mul take two or more operands, evaluated from the left.
struct Expr {
  enum class Op : std::uint8_t {
    Literal,
    Read,
    Abbreviation,
    Not,
    Neg,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Xor,   ///< of booleans or of bits
    If,    ///< condition, value where it holds, value where not: the other value is not looked at
    Shl,   ///< bits by a number of places; beyond the width nothing is left
    Shr,   ///< the same to the right, filled with zeros
    Abs,   ///< of a number
    Min,   ///< of two numbers
    Max,   ///< of two numbers
    Slice, ///< some bits of a vector: `type.bound` of them from bit `value.integer` on
    Join,  ///< the bits of the first operand above those of the second
    ToNat, ///< bits as a number that is not negative
    ToInt, ///< bits as a number in two's complement
    ToBits ///< the lowest `type.bound` bits of an integer
  };
  Op op = Op::Literal;
  ScalarType type;
  int depth = 1;     ///< nodes on the longest path to a leaf; at most maximalDepth, so that recursion is safe
  int variable = -1; ///< Read: index into System::variables; Abbreviation: into System::abbreviations
  Place place;
  /// Literal: its value. Read of a cell known beforehand: `value.integer` is its row-major offset. Slice: its
  /// lowest bit.
  Value value;
  /// Read of any other cell: the subscripts, one per dimension.
  std::span<const ExprPtr> operands;

  bool isTrue() const { return op == Op::Literal && type.isBool() && value.integer != 0; }
  bool isFalse() const { return op == Op::Literal && type.isBool() && value.integer == 0; }
  /// A read of a cell known beforehand.
  bool isCell() const { return op == Op::Read && operands.empty(); }
};

/// Expressions handed to a function: a vector of them, or a list in braces.
class ExprList : public std::span<const ExprPtr> {
public:
  ExprList(std::span<const ExprPtr> of) : span(of) {}
  ExprList(const std::vector<ExprPtr>& of) : span(of) {}
  ExprList(std::initializer_list<ExprPtr> of) : span(of.begin(), of.size()) {}
};

/// Deeper expressions are refused: every walk over a tree is a plain recursion.
inline constexpr int maximalDepth = 2000;

/// Leaves.
ExprPtr boolLiteral(bool value);
ExprPtr boolLiteral(bool value, Place place);
ExprPtr integerLiteral(std::int64_t value, Place place = {});
ExprPtr realLiteral(double value, Place place = {});
ExprPtr bitsLiteral(std::int64_t bits, std::int64_t width, Place place = {});
ExprPtr literal(ScalarType type, Value value);
/// The cell of `variable` with a row-major offset.
ExprPtr readCell(int variable, ScalarType type, std::int64_t offset = 0, Place place = {});
/// The row-major offset of constant subscripts, or nothing when one is no literal or outside its extent.
std::optional<std::int64_t> constantOffset(const Type& type, ExprList subscripts);
/// `variable[subscripts]`, one per dimension of its type.
ExprPtr read(int variable, const Type& type, ExprList subscripts, Place place = {});
/// `variable`, a memory, at row-major offset `at`: a read with one operand, whatever the dimensions are.
ExprPtr load(int variable, ScalarType type, ExprPtr at, Place place = {});
/// What `read` reads, of another variable of the same type.
ExprPtr readFrom(int variable, const Expr& read);
ExprPtr abbreviation(int index, ScalarType type, Place place = {});

/// The operator applied to the operands, exactly as written. Throws Error when the types do not fit or the
/// tree would be too deep.
ExprPtr apply(Expr::Op op, ExprList operands, Place place = {});
/// Bits `high`..`low` of a vector, and the lowest `width` bits of an integer; the same errors.
ExprPtr slice(ExprPtr vector, std::int64_t high, std::int64_t low, Place place = {});
ExprPtr toBits(ExprPtr integer, std::int64_t width, Place place = {});
/// `expr` on other operands of the same types.
ExprPtr withOperands(const Expr& expr, ExprList operands);

/// The same with `true` and `false` folded, nested conjunctions and disjunctions flattened, and double
/// negation gone: what the passes use to build guards.
ExprPtr conjunction(ExprList operands);
ExprPtr disjunction(ExprList operands);
ExprPtr negation(ExprPtr operand);

/// Both trees are the same expression: same operators, variables and literals in the same order.
bool same(const Expr& a, const Expr& b);

/// Number of nodes of the tree, counted with sharing undone, at most `limit`.
std::size_t treeSize(const Expr& expr, std::size_t limit = std::size_t(1) << 40);

/// `expr` with every leaf or read replaced by what `replace` returns for it; null leaves the node as it is.
/// Subscripts are rewritten first. Shared nodes stay shared.
ExprPtr rewrite(ExprPtr expr, const std::function<ExprPtr(const Expr&)>& replace);

/// Calls `visit` for every node, parents before operands, operands from the left.
template <typename F> void forEachNode(const Expr& expr, F&& visit) {
  visit(expr);
  for (ExprPtr operand : expr.operands)
    forEachNode(*operand, visit);
}

/// `op` as it is written between or before its operands, e.g. `<=`, or the name of a function, e.g. `min`.
const char* spelling(Expr::Op op);

/// How integer arithmetic wraps: every integer operation is done modulo 2^bits, bits being 32 or 64.
std::int64_t wrapped(std::int64_t value, int bits);

/// The operator applied to known operands (never Read, Literal or Abbreviation). Integer operations wrap at
/// `wordBits`;
/// `/` and `%` round towards zero, and are 0 when the divisor is 0.
Value applyOperator(const Expr& expr, const Value* operands, int wordBits);

/// The value of `expr` where `lookup(node)` gives that of Read and Abbreviation nodes, nothing where it is
/// not known. Three-valued: a conjunction with a false operand is false and a disjunction with a true one is
/// true whatever the others are, and a conditional needs its condition and the operand that chooses; every
/// other operator needs all its operands. Where `definedOnly`, an integer division by zero counts as not
/// known instead of 0.
template <typename Lookup>
std::optional<Value> evaluate(const Expr& expr, const Lookup& lookup, int wordBits,
                              bool definedOnly = false) {
  switch (expr.op) {
  case Expr::Op::Literal:
    return expr.value;
  case Expr::Op::Read:
  case Expr::Op::Abbreviation:
    return lookup(expr);
  case Expr::Op::And:
  case Expr::Op::Or:
    if (expr.type.isBool()) {
      const std::int64_t absorbing = expr.op == Expr::Op::Or;
      bool unknown = false;
      for (ExprPtr operand : expr.operands) {
        std::optional<Value> value = evaluate(*operand, lookup, wordBits, definedOnly);
        if (!value)
          unknown = true;
        else if (value->integer == absorbing)
          return value;
      }
      if (unknown) return std::nullopt;
      return Value{!absorbing, 0};
    }
    break;
  case Expr::Op::If: {
    const std::optional<Value> condition = evaluate(*expr.operands[0], lookup, wordBits, definedOnly);
    if (!condition) return std::nullopt;
    const Expr& chosen = *expr.operands[condition->integer != 0 ? 1 : 2];
    const std::optional<Value> value = evaluate(chosen, lookup, wordBits, definedOnly);
    if (value && expr.type.base == ScalarType::Base::Real && chosen.type.isInteger())
      return Value{0, double(value->integer)};
    return value;
  }
  default:
    break;
  }
  if (expr.operands.size() <= 2) {
    Value operands[2];
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      std::optional<Value> value = evaluate(*expr.operands[i], lookup, wordBits, definedOnly);
      if (!value) return std::nullopt;
      operands[i] = *value;
    }
    if (definedOnly && (expr.op == Expr::Op::Div || expr.op == Expr::Op::Mod) && expr.type.isInteger() &&
        operands[1].integer == 0)
      return std::nullopt;
    return applyOperator(expr, operands, wordBits);
  }
  std::vector<Value> operands;
  for (ExprPtr operand : expr.operands) {
    std::optional<Value> value = evaluate(*operand, lookup, wordBits, definedOnly);
    if (!value) return std::nullopt;
    operands.push_back(*value);
  }
  return applyOperator(expr, operands.data(), wordBits);
}

} // namespace warploom::sync
