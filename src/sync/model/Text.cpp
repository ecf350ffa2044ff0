#include "sync/model/Text.h"

#include "sync/model/Binding.h"
#include "sync/model/Cells.h"

#include <cmath>
#include <fmt/format.h>

namespace warploom::sync {

namespace {

Binding bindingOf(const Expr& expr) {
  // A negative literal binds like the minus it is written with.
  const bool negative = expr.op == Expr::Op::Literal &&
                        ((expr.type.isInteger() && expr.value.integer < 0) ||
                         (expr.type.base == ScalarType::Base::Real && std::signbit(expr.value.real)));
  return negative ? Binding::Prefix : sync::bindingOf(expr.op);
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
                 bindingOf(*expr.operands[0]) < Binding::Prefix ||
                     (expr.op == Expr::Op::Neg && expr.operands[0]->op == Expr::Op::Literal),
                 out);
    return;
  case Expr::Op::If: // always in parentheses: a colon ends many things
    out += '(';
    writeOperand(system, *expr.operands[0], bindingOf(*expr.operands[0]) <= Binding::Conditional, out);
    out += " ? ";
    write(system, *expr.operands[1], out);
    out += " : ";
    write(system, *expr.operands[2], out);
    out += ')';
    return;
  case Expr::Op::Slice:
    writeOperand(system, *expr.operands[0], bindingOf(*expr.operands[0]) < Binding::Atom, out);
    fmt::format_to(std::back_inserter(out), "{{{}:{}}}", expr.value.integer + expr.type.bound - 1,
                   expr.value.integer);
    return;
  case Expr::Op::Abs:
  case Expr::Op::Min:
  case Expr::Op::Max:
  case Expr::Op::ToNat:
  case Expr::Op::ToInt:
  case Expr::Op::ToBits:
    out += spelling(expr.op);
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      out += i == 0 ? "(" : ", ";
      write(system, *expr.operands[i], out);
    }
    if (expr.op == Expr::Op::ToBits) fmt::format_to(std::back_inserter(out), ", {}", expr.type.bound);
    out += ')';
    return;
  default:
    break;
  }
  const Binding own = bindingOf(expr);
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    if (i != 0) {
      const bool tight = own == Binding::Product;
      out += tight ? spelling(expr.op) : fmt::format(" {} ", spelling(expr.op));
    }
    const Expr& operand = *expr.operands[i];
    // A chain of one operator is one node, so its first operand needs parentheses when it is the same
    // operator again.
    const bool chained = expr.op == Expr::Op::And || expr.op == Expr::Op::Or || expr.op == Expr::Op::Add ||
                         expr.op == Expr::Op::Mul;
    const Binding theirs = bindingOf(operand);
    const bool needed = theirs < own || (theirs == own && (i != 0 || own == Binding::Comparison)) ||
                        (chained && operand.op == expr.op);
    writeOperand(system, operand, needed && operand.op != Expr::Op::If, out);
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
