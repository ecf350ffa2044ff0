#include "sync/model/Expr.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory_resource>
#include <unordered_map>

namespace warploom::sync {

namespace {

std::pmr::memory_resource& arena() {
  static auto& memory = *new std::pmr::monotonic_buffer_resource; // for the rest of the process
  return memory;
}

/// `expr` in the arena, with these operands.
ExprPtr placed(Expr expr, ExprList operands = {}) {
  if (!operands.empty()) {
    auto* own = static_cast<ExprPtr*>(arena().allocate(operands.size_bytes(), alignof(ExprPtr)));
    std::copy(operands.begin(), operands.end(), own);
    expr.operands = {own, operands.size()};
    expr.depth = 1;
    for (ExprPtr operand : operands)
      expr.depth = std::max(expr.depth, operand->depth + 1);
    if (expr.depth > maximalDepth) throw Error(expr.place, "expression nested too deeply");
  }
  static_assert(std::is_trivially_destructible_v<Expr>);
  return new (arena().allocate(sizeof(Expr), alignof(Expr))) Expr(expr);
}

std::string typeWord(const ScalarType& type) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return "a boolean";
  case ScalarType::Base::Bits:
    return fmt::format("a vector of {} bits", type.bound);
  case ScalarType::Base::Real:
    return "a real";
  default:
    return "an integer";
  }
}

[[noreturn]] void mismatch(Expr::Op op, const Expr& operand, const char* wanted) {
  throw Error(operand.place, fmt::format("`{}` needs {}, and this operand is {}", spelling(op), wanted,
                                         typeWord(operand.type)));
}

ScalarType numberType(ExprList operands) {
  for (ExprPtr operand : operands)
    if (operand->type.base == ScalarType::Base::Real) return {ScalarType::Base::Real, 0};
  return {ScalarType::Base::Int, 0};
}

/// The type of `op` applied to `operands`; throws Error when they do not fit.
ScalarType resultType(Expr::Op op, ExprList operands) {
  using Base = ScalarType::Base;
  const ScalarType boolean{Base::Bool, 0};
  switch (op) {
  case Expr::Op::Not:
  case Expr::Op::And:
  case Expr::Op::Xor:
  case Expr::Op::Or: {
    const ScalarType first = operands[0]->type;
    if (first.isNumber()) mismatch(op, *operands[0], "booleans or bit vectors");
    for (ExprPtr operand : operands)
      if (operand->type != first)
        mismatch(op, *operand, first.isBool() ? "booleans on both sides" : "bit vectors of one width");
    return first;
  }
  case Expr::Op::Eq:
  case Expr::Op::Ne: {
    const ScalarType a = operands[0]->type, b = operands[1]->type;
    if (a.isNumber() ? !b.isNumber() : a != b)
      mismatch(op, *operands[1], ("the type of its left side, " + typeWord(a)).c_str());
    return boolean;
  }
  case Expr::Op::Lt:
  case Expr::Op::Le:
  case Expr::Op::Gt:
  case Expr::Op::Ge:
    for (ExprPtr operand : operands)
      if (!operand->type.isNumber()) mismatch(op, *operand, "numbers");
    return boolean;
  case Expr::Op::Mod:
    for (ExprPtr operand : operands)
      if (!operand->type.isInteger()) mismatch(op, *operand, "integers");
    return {Base::Int, 0};
  case Expr::Op::If: {
    if (!operands[0]->type.isBool()) mismatch(op, *operands[0], "a boolean before `?`");
    const ScalarType a = operands[1]->type, b = operands[2]->type;
    if (a.isNumber() && b.isNumber()) return numberType({operands[1], operands[2]});
    if (a != b) mismatch(op, *operands[2], ("the type of the other case, " + typeWord(a)).c_str());
    return a;
  }
  case Expr::Op::Shl:
  case Expr::Op::Shr:
    if (operands[0]->type.base != Base::Bits) mismatch(op, *operands[0], "bits on its left side");
    if (!operands[1]->type.isInteger()) mismatch(op, *operands[1], "an integer on its right side");
    return operands[0]->type;
  case Expr::Op::Join: {
    for (ExprPtr operand : operands)
      if (operand->type.base != Base::Bits) mismatch(op, *operand, "bit vectors");
    const std::int64_t width = operands[0]->type.bound + operands[1]->type.bound;
    if (width > 64)
      throw Error(operands[0]->place, fmt::format("a vector of {} bits is too wide; 64 is the most", width));
    return {Base::Bits, width};
  }
  case Expr::Op::ToNat:
  case Expr::Op::ToInt:
    if (operands[0]->type.base != Base::Bits) mismatch(op, *operands[0], "a bit vector");
    if (op == Expr::Op::ToNat && operands[0]->type.bound > 62)
      throw Error(operands[0]->place, "a vector of more than 62 bits is no integer here");
    return {Base::Int, 0};
  default:
    for (ExprPtr operand : operands)
      if (!operand->type.isNumber()) mismatch(op, *operand, "numbers");
    return numberType(operands);
  }
}

ExprPtr flattened(Expr::Op op, ExprList operands) {
  const bool absorbing = op == Expr::Op::Or;
  std::vector<ExprPtr> kept;
  for (ExprPtr operand : operands) {
    if (operand->op == op) {
      kept.insert(kept.end(), operand->operands.begin(), operand->operands.end());
    } else if (operand->op == Expr::Op::Literal) {
      if ((operand->value.integer != 0) == absorbing) return boolLiteral(absorbing);
    } else {
      kept.push_back(operand);
    }
  }
  if (kept.empty()) return boolLiteral(!absorbing);
  if (kept.size() == 1) return kept.front();
  return apply(op, kept, kept.front()->place);
}

} // namespace

ExprPtr boolLiteral(bool value) {
  static const ExprPtr no = boolLiteral(false, {}), yes = boolLiteral(true, {});
  return value ? yes : no;
}

ExprPtr boolLiteral(bool value, Place place) {
  Expr expr;
  expr.value.integer = value;
  expr.place = place;
  return placed(expr);
}

ExprPtr integerLiteral(std::int64_t value, Place place) {
  Expr expr;
  expr.type = {ScalarType::Base::Int, 0};
  expr.value.integer = value;
  expr.place = place;
  return placed(expr);
}

ExprPtr realLiteral(double value, Place place) {
  Expr expr;
  expr.type = {ScalarType::Base::Real, 0};
  expr.value.real = value;
  expr.place = place;
  return placed(expr);
}

ExprPtr bitsLiteral(std::int64_t bits, std::int64_t width, Place place) {
  Expr expr;
  expr.type = {ScalarType::Base::Bits, width};
  expr.value.integer = bits;
  expr.place = place;
  return placed(expr);
}

ExprPtr literal(ScalarType type, Value value) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return boolLiteral(value.integer != 0);
  case ScalarType::Base::Bits:
    return bitsLiteral(value.integer, type.bound);
  case ScalarType::Base::Real:
    return realLiteral(value.real);
  default:
    return integerLiteral(value.integer);
  }
}

ExprPtr readCell(int variable, ScalarType type, std::int64_t offset, Place place) {
  Expr expr;
  expr.op = Expr::Op::Read;
  expr.type = type.isInteger() ? ScalarType{type.base, 0} : type;
  expr.variable = variable;
  expr.value.integer = offset;
  expr.place = place;
  return placed(expr);
}

std::optional<std::int64_t> constantOffset(const Type& type, ExprList subscripts) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const std::int64_t value = subscripts[i]->value.integer;
    if (subscripts[i]->op != Expr::Op::Literal || value < 0 || value >= type.extents[i]) return std::nullopt;
    offset = offset * type.extents[i] + value;
  }
  return offset;
}

ExprPtr read(int variable, const Type& type, ExprList subscripts, Place place) {
  if (const auto offset = constantOffset(type, subscripts))
    return readCell(variable, type.scalar, *offset, place);
  Expr expr;
  expr.op = Expr::Op::Read;
  expr.type = type.scalar.isInteger() ? ScalarType{type.scalar.base, 0} : type.scalar;
  expr.variable = variable;
  expr.place = place;
  return placed(expr, subscripts);
}

ExprPtr load(int variable, ScalarType type, ExprPtr at, Place place) {
  Expr expr;
  expr.op = Expr::Op::Read;
  expr.type = type.isInteger() ? ScalarType{type.base, 0} : type;
  expr.variable = variable;
  expr.place = place;
  return placed(expr, {at});
}

ExprPtr readFrom(int variable, const Expr& read) {
  Expr expr = read;
  expr.variable = variable;
  return placed(expr);
}

ExprPtr abbreviation(int index, ScalarType type, Place place) {
  Expr expr;
  expr.op = Expr::Op::Abbreviation;
  expr.type = type;
  expr.variable = index;
  expr.place = place;
  return placed(expr);
}

ExprPtr apply(Expr::Op op, ExprList operands, Place place) {
  Expr expr;
  expr.op = op;
  expr.type = resultType(op, operands);
  expr.place = place;
  return placed(expr, operands);
}

ExprPtr slice(ExprPtr vector, std::int64_t high, std::int64_t low, Place place) {
  if (vector->type.base != ScalarType::Base::Bits) mismatch(Expr::Op::Slice, *vector, "a bit vector");
  if (low < 0 || high < low || high >= vector->type.bound)
    throw Error(place,
                fmt::format("bits {}..{} are not within a vector of {} bits", high, low, vector->type.bound));
  Expr expr;
  expr.op = Expr::Op::Slice;
  expr.type = {ScalarType::Base::Bits, high - low + 1};
  expr.value.integer = low;
  expr.place = place;
  return placed(expr, {vector});
}

ExprPtr toBits(ExprPtr integer, std::int64_t width, Place place) {
  if (!integer->type.isInteger()) mismatch(Expr::Op::ToBits, *integer, "an integer");
  if (width < 1 || width > 64) throw Error(place, "the width of a bit vector must be between 1 and 64");
  Expr expr;
  expr.op = Expr::Op::ToBits;
  expr.type = {ScalarType::Base::Bits, width};
  expr.place = place;
  return placed(expr, {integer});
}

ExprPtr withOperands(const Expr& expr, ExprList operands) {
  return placed(expr, operands);
}

ExprPtr conjunction(ExprList operands) {
  return flattened(Expr::Op::And, operands);
}
ExprPtr disjunction(ExprList operands) {
  return flattened(Expr::Op::Or, operands);
}

ExprPtr negation(ExprPtr operand) {
  if (operand->op == Expr::Op::Literal) return boolLiteral(operand->value.integer == 0);
  if (operand->op == Expr::Op::Not) return operand->operands[0];
  return apply(Expr::Op::Not, {operand}, operand->place);
}

bool same(const Expr& a, const Expr& b) {
  if (&a == &b) return true;
  if (a.op != b.op || a.type != b.type || a.variable != b.variable || !(a.value == b.value) ||
      a.operands.size() != b.operands.size())
    return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!same(*a.operands[i], *b.operands[i])) return false;
  return true;
}

namespace {
std::size_t sizeOf(const Expr& expr, std::unordered_map<const Expr*, std::size_t>& known) {
  if (expr.operands.empty()) return 1;
  auto [entry, isNew] = known.try_emplace(&expr, 1);
  if (!isNew) return entry->second;
  std::size_t size = 1;
  for (ExprPtr operand : expr.operands)
    size = std::min(size + sizeOf(*operand, known), std::size_t(1) << 50);
  return known[&expr] = size;
}

ExprPtr rewriteShared(ExprPtr expr, const std::function<ExprPtr(const Expr&)>& replace,
                      std::unordered_map<const Expr*, ExprPtr>& done) {
  if (auto found = done.find(expr); found != done.end()) return found->second;
  ExprPtr result = expr;
  if (!expr->operands.empty()) {
    std::vector<ExprPtr> operands;
    bool changed = false;
    for (ExprPtr operand : expr->operands) {
      operands.push_back(rewriteShared(operand, replace, done));
      changed |= operands.back() != operand;
    }
    if (changed) result = withOperands(*expr, operands);
  }
  if (result->op == Expr::Op::Read || result->op == Expr::Op::Abbreviation || result->op == Expr::Op::Literal)
    if (ExprPtr replaced = replace(*result)) result = replaced;
  done.emplace(expr, result);
  return result;
}
} // namespace

std::size_t treeSize(const Expr& expr, std::size_t limit) {
  std::unordered_map<const Expr*, std::size_t> known;
  return std::min(sizeOf(expr, known), limit);
}

ExprPtr rewrite(ExprPtr expr, const std::function<ExprPtr(const Expr&)>& replace) {
  std::unordered_map<const Expr*, ExprPtr> done;
  return rewriteShared(expr, replace, done);
}

const char* spelling(Expr::Op op) {
  switch (op) {
  case Expr::Op::Not:
    return "!";
  case Expr::Op::Neg:
    return "-";
  case Expr::Op::And:
    return "&";
  case Expr::Op::Or:
    return "|";
  case Expr::Op::Eq:
    return "==";
  case Expr::Op::Ne:
    return "!=";
  case Expr::Op::Lt:
    return "<";
  case Expr::Op::Le:
    return "<=";
  case Expr::Op::Gt:
    return ">";
  case Expr::Op::Ge:
    return ">=";
  case Expr::Op::Add:
    return "+";
  case Expr::Op::Sub:
    return "-";
  case Expr::Op::Mul:
    return "*";
  case Expr::Op::Div:
    return "/";
  case Expr::Op::Mod:
    return "%";
  case Expr::Op::Xor:
    return "xor";
  case Expr::Op::If:
    return "?";
  case Expr::Op::Shl:
    return "<<";
  case Expr::Op::Shr:
    return ">>";
  case Expr::Op::Abs:
    return "abs";
  case Expr::Op::Min:
    return "min";
  case Expr::Op::Max:
    return "max";
  case Expr::Op::Slice:
    return "{}";
  case Expr::Op::Join:
    return "@";
  case Expr::Op::ToNat:
    return "bv2nat";
  case Expr::Op::ToInt:
    return "bv2int";
  case Expr::Op::ToBits:
    return "int2bv";
  default:
    return "";
  }
}

std::int64_t wrapped(std::int64_t value, int bits) {
  return bits == 32 ? std::int64_t(std::int32_t(std::uint32_t(std::uint64_t(value)))) : value;
}

namespace {
double asReal(const Expr& operand, const Value& value) {
  return operand.type.base == ScalarType::Base::Real ? value.real : double(value.integer);
}

bool compare(Expr::Op op, auto a, auto b) {
  switch (op) {
  case Expr::Op::Eq:
    return a == b;
  case Expr::Op::Ne:
    return a != b;
  case Expr::Op::Lt:
    return a < b;
  case Expr::Op::Le:
    return a <= b;
  case Expr::Op::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

std::int64_t integerOperation(Expr::Op op, std::int64_t a, std::int64_t b, int bits) {
  const auto ua = std::uint64_t(a), ub = std::uint64_t(b);
  switch (op) {
  case Expr::Op::Add:
    return wrapped(std::int64_t(ua + ub), bits);
  case Expr::Op::Sub:
    return wrapped(std::int64_t(ua - ub), bits);
  case Expr::Op::Mul:
    return wrapped(std::int64_t(ua * ub), bits);
  case Expr::Op::Div:
    // The quotient of the smallest number and -1 wraps around like everything else.
    return b == 0 ? 0 : b == -1 ? wrapped(std::int64_t(0 - ua), bits) : a / b;
  default:
    return b == 0 || b == -1 ? 0 : a % b;
  }
}

double realOperation(Expr::Op op, double a, double b) {
  switch (op) {
  case Expr::Op::Add:
    return a + b;
  case Expr::Op::Sub:
    return a - b;
  case Expr::Op::Mul:
    return a * b;
  default:
    return a / b;
  }
}
} // namespace

namespace {
std::uint64_t maskOf(std::int64_t width) {
  return width < 64 ? (std::uint64_t(1) << width) - 1 : ~std::uint64_t(0);
}
} // namespace

Value applyOperator(const Expr& expr, const Value* operands, int wordBits) {
  const bool isBits = expr.type.base == ScalarType::Base::Bits;
  const std::uint64_t mask = isBits ? maskOf(expr.type.bound) : ~std::uint64_t(0);
  const auto bits = [&](int i) { return std::uint64_t(operands[i].integer); };
  switch (expr.op) {
  case Expr::Op::Xor:
    return {operands[0].integer ^ operands[1].integer, 0};
  case Expr::Op::Shl:
  case Expr::Op::Shr: {
    if (bits(1) >= std::uint64_t(expr.type.bound)) return {}; // negative ones too
    return {std::int64_t((expr.op == Expr::Op::Shl ? bits(0) << bits(1) : bits(0) >> bits(1)) & mask), 0};
  }
  case Expr::Op::Slice:
    return {std::int64_t(bits(0) >> expr.value.integer & mask), 0};
  case Expr::Op::Join:
    return {std::int64_t((bits(0) << expr.operands[1]->type.bound | bits(1)) & mask), 0};
  case Expr::Op::ToNat:
    return operands[0];
  case Expr::Op::ToInt: {
    const std::uint64_t sign = std::uint64_t(1) << (expr.operands[0]->type.bound - 1);
    return {wrapped(std::int64_t((bits(0) ^ sign) - sign), wordBits), 0};
  }
  case Expr::Op::ToBits:
    return {std::int64_t(bits(0) & mask), 0};
  case Expr::Op::If: { // also where all operands are known at once
    const Expr& chosen = *expr.operands[operands[0].integer != 0 ? 1 : 2];
    const Value& value = operands[operands[0].integer != 0 ? 1 : 2];
    return expr.type.base == ScalarType::Base::Real ? Value{0, asReal(chosen, value)} : value;
  }
  case Expr::Op::Abs:
    if (expr.type.base == ScalarType::Base::Real)
      return {0, operands[0].real < 0 ? -operands[0].real : operands[0].real};
    return {operands[0].integer < 0 ? integerOperation(Expr::Op::Sub, 0, operands[0].integer, wordBits)
                                    : operands[0].integer,
            0};
  case Expr::Op::Min:
  case Expr::Op::Max: {
    if (expr.type.base != ScalarType::Base::Real)
      return (operands[0].integer < operands[1].integer) == (expr.op == Expr::Op::Min) ? operands[0]
                                                                                       : operands[1];
    const double a = asReal(*expr.operands[0], operands[0]), b = asReal(*expr.operands[1], operands[1]);
    return {0, (a < b) == (expr.op == Expr::Op::Min) ? a : b};
  }
  case Expr::Op::Not:
    return isBits ? Value{std::int64_t(~std::uint64_t(operands[0].integer) & mask), 0}
                  : Value{operands[0].integer == 0, 0};
  case Expr::Op::Neg:
    if (expr.type.base == ScalarType::Base::Real) return {0, -operands[0].real};
    return {integerOperation(Expr::Op::Sub, 0, operands[0].integer, wordBits), 0};
  case Expr::Op::And:
  case Expr::Op::Or: {
    std::int64_t result = operands[0].integer;
    for (std::size_t i = 1; i < expr.operands.size(); ++i)
      result = expr.op == Expr::Op::And ? result & operands[i].integer : result | operands[i].integer;
    return {result, 0};
  }
  case Expr::Op::Eq:
  case Expr::Op::Ne:
  case Expr::Op::Lt:
  case Expr::Op::Le:
  case Expr::Op::Gt:
  case Expr::Op::Ge: {
    const Expr &a = *expr.operands[0], &b = *expr.operands[1];
    if (a.type.base == ScalarType::Base::Real || b.type.base == ScalarType::Base::Real)
      return {compare(expr.op, asReal(a, operands[0]), asReal(b, operands[1])), 0};
    return {compare(expr.op, operands[0].integer, operands[1].integer), 0};
  }
  default:
    break;
  }
  if (expr.type.base == ScalarType::Base::Real) {
    double result = asReal(*expr.operands[0], operands[0]);
    for (std::size_t i = 1; i < expr.operands.size(); ++i)
      result = realOperation(expr.op, result, asReal(*expr.operands[i], operands[i]));
    return {0, result};
  }
  std::int64_t result = operands[0].integer;
  for (std::size_t i = 1; i < expr.operands.size(); ++i)
    result = integerOperation(expr.op, result, operands[i].integer, wordBits);
  return {result, 0};
}

} // namespace warploom::sync
