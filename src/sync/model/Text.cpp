#include "sync/model/Text.h"

#include "sync/model/Cells.h"

#include <cmath>
#include <fmt/format.h>

namespace warploom::sync {

namespace {

int precedence(const Expr& expr) {
  switch (expr.op) {
  case Expr::Op::Or:
    return 1;
  case Expr::Op::And:
    return 2;
  case Expr::Op::Eq:
  case Expr::Op::Ne:
  case Expr::Op::Lt:
  case Expr::Op::Le:
  case Expr::Op::Gt:
  case Expr::Op::Ge:
    return 3;
  case Expr::Op::Add:
  case Expr::Op::Sub:
    return 4;
  case Expr::Op::Mul:
  case Expr::Op::Div:
  case Expr::Op::Mod:
    return 5;
  case Expr::Op::Not:
  case Expr::Op::Neg:
    return 6;
  case Expr::Op::Literal: // a negative literal binds like the minus it is written with
    return (expr.type.isInteger() && expr.value.integer < 0) ||
                   (expr.type.base == ScalarType::Base::Real && std::signbit(expr.value.real))
               ? 6
               : 7;
  default:
    return 7;
  }
}

void write(const System& system, const Expr& expr, std::string& out);

/// `x`, `x[1][0]` or `x[i + 1]`.
void writeCell(const System& system, int variable, std::int64_t offset, ExprList subscripts,
               std::string& out) {
  out += system.variables[variable].name;
  for (ExprPtr subscript : subscripts) {
    out += '[';
    write(system, *subscript, out);
    out += ']';
  }
  if (!subscripts.empty()) return;
  for (std::int64_t subscript : subscriptsOf(system.variables[variable].type, offset))
    fmt::format_to(std::back_inserter(out), "[{}]", subscript);
}

void writeOperand(const System& system, const Expr& operand, bool parenthesised, std::string& out) {
  if (parenthesised) out += '(';
  write(system, operand, out);
  if (parenthesised) out += ')';
}

void write(const System& system, const Expr& expr, std::string& out) {
  switch (expr.op) {
  case Expr::Op::Literal:
    out += text(expr.type, expr.value);
    return;
  case Expr::Op::Abbreviation:
    out += system.abbreviations[expr.variable].name;
    return;
  case Expr::Op::Read:
    writeCell(system, expr.variable, expr.value.integer, expr.operands, out);
    return;
  case Expr::Op::Not:
  case Expr::Op::Neg:
    out += spelling(expr.op);
    // `--1` would read as one token in some languages and as a folded literal in ours.
    writeOperand(system, *expr.operands[0],
                 precedence(*expr.operands[0]) < 6 ||
                     (expr.op == Expr::Op::Neg && expr.operands[0]->op == Expr::Op::Literal),
                 out);
    return;
  default:
    break;
  }
  const int own = precedence(expr);
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    if (i != 0) {
      const bool tight = expr.op == Expr::Op::Mul || expr.op == Expr::Op::Div || expr.op == Expr::Op::Mod;
      out += tight ? spelling(expr.op) : fmt::format(" {} ", spelling(expr.op));
    }
    const Expr& operand = *expr.operands[i];
    // A chain of one operator is one node, so its first operand needs parentheses when it is the same
    // operator again.
    const bool sameChain =
        operand.op == expr.op && (own < 3 || expr.op == Expr::Op::Add || expr.op == Expr::Op::Mul);
    const bool needed =
        precedence(operand) < own || (precedence(operand) == own && (i != 0 || own == 3)) || sameChain;
    writeOperand(system, operand, needed, out);
  }
}

} // namespace

std::string text(const ScalarType& type, const Value& value) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return value.integer != 0 ? "true" : "false";
  case ScalarType::Base::Bits: {
    std::string digits = "0b";
    for (std::int64_t bit = type.bound; bit-- > 0;)
      digits += char('0' + ((std::uint64_t(value.integer) >> bit) & 1));
    return digits;
  }
  case ScalarType::Base::Real: {
    std::string digits = fmt::format("{}", value.real);
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
  }
  default:
    return fmt::format("{}", value.integer);
  }
}

std::string text(const Type& type) {
  std::string result;
  switch (type.scalar.base) {
  case ScalarType::Base::Bool:
    result = "bool";
    break;
  case ScalarType::Base::Real:
    result = "real";
    break;
  case ScalarType::Base::Int:
    result = fmt::format("int{{{}}}", type.scalar.bound);
    break;
  case ScalarType::Base::Nat:
    result = fmt::format("nat{{{}}}", type.scalar.bound);
    break;
  case ScalarType::Base::Bits:
    result = fmt::format("bv{{{}}}", type.scalar.bound);
    break;
  }
  for (std::int64_t extent : type.extents)
    result += fmt::format("[{}]", extent);
  return result;
}

std::string text(const System& system, const Expr& expr) {
  std::string out;
  write(system, expr, out);
  return out;
}

std::string text(const System& system, const Target& target) {
  std::string out;
  writeCell(system, target.variable, target.offset, target.subscripts, out);
  return out;
}

std::string text(const System& system, const Action& action) {
  const std::string target = text(system, action.target);
  return fmt::format("{} => {} = {}", text(system, *action.guard),
                     action.delayed ? fmt::format("next({})", target) : target, text(system, *action.value));
}

} // namespace warploom::sync
