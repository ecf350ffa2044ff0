#include "sync/Shape.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace warploom::sync {

namespace {

char kindLetter(const ScalarType& type) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return 'b';
  case ScalarType::Base::Real:
    return 'r';
  case ScalarType::Base::Bits:
    return 'v';
  default:
    return 'i';
  }
}

bool isIntegerSum(const Expr& expr) {
  return expr.type.isInteger() &&
         (expr.op == Expr::Op::Add || expr.op == Expr::Op::Sub || expr.op == Expr::Op::Neg);
}

/// The terms of a sum of integers; `negative` is the sign the sum stands under.
void collectTerms(const ExprPtr& expr, bool negative, std::vector<std::pair<bool, ExprPtr>>& terms) {
  if (!isIntegerSum(*expr)) {
    terms.emplace_back(negative, expr);
  } else if (expr->op == Expr::Op::Neg) {
    collectTerms(expr->operands[0], !negative, terms);
  } else {
    for (std::size_t i = 0; i < expr->operands.size(); ++i)
      collectTerms(expr->operands[i], negative != (i != 0 && expr->op == Expr::Op::Sub), terms);
  }
}

/// The operands of nested `op`.
void collectOperands(const ExprPtr& expr, Expr::Op op, std::vector<ExprPtr>& operands) {
  if (expr->op != op) {
    operands.push_back(expr);
    return;
  }
  for (const ExprPtr& operand : expr->operands)
    collectOperands(operand, op, operands);
}

class Canonicaliser {
public:
  Canonicaliser(const CellSystem& of, const ShapeOptions& with) : system(of), options(with) {}

  ExprPtr operator()(const ExprPtr& expr) const {
    if (expr->operands.empty() || expr->op == Expr::Op::Read) return expr;
    if (isIntegerSum(*expr)) return sum(expr);
    std::vector<ExprPtr> operands;
    const bool associative = expr->op == Expr::Op::And || expr->op == Expr::Op::Or ||
                             (expr->op == Expr::Op::Mul && expr->type.isInteger());
    if (associative)
      collectOperands(expr, expr->op, operands);
    else
      operands = expr->operands;
    for (ExprPtr& operand : operands)
      operand = (*this)(operand);
    const bool swappable = (expr->op == Expr::Op::Add || expr->op == Expr::Op::Mul ||
                            expr->op == Expr::Op::Eq || expr->op == Expr::Op::Ne) &&
                           operands.size() == 2;
    if (associative || swappable) sort(operands);
    if (operands == expr->operands) return expr;
    return apply(expr->op, std::move(operands), expr->place);
  }

private:
  ExprPtr sum(const ExprPtr& expr) const {
    std::vector<std::pair<bool, ExprPtr>> terms;
    collectTerms(expr, false, terms);
    std::vector<ExprPtr> positive, negative;
    for (const auto& [minus, term] : terms)
      (minus ? negative : positive).push_back((*this)(term));
    sort(positive);
    sort(negative);
    if (expr->op == Expr::Op::Add && positive == expr->operands) return expr;
    ExprPtr result;
    if (!positive.empty())
      result = positive.size() == 1 ? positive[0] : apply(Expr::Op::Add, std::move(positive), expr->place);
    for (ExprPtr& term : negative)
      result = result ? apply(Expr::Op::Sub, {result, term}, expr->place)
                      : apply(Expr::Op::Neg, {term}, expr->place);
    return result;
  }

  /// Leaves of one shape.
  bool alike(const Expr& a, const Expr& b) const {
    if (a.op != b.op || !(a.type == b.type)) return false;
    if (a.op == Expr::Op::Literal) return !isStructural(a, options);
    return a.op == Expr::Op::Read &&
           system.system->variables[a.variable].isInput() == system.system->variables[b.variable].isInput();
  }

  void sort(std::vector<ExprPtr>& operands) const {
    if (std::all_of(operands.begin(), operands.end(),
                    [&](const ExprPtr& operand) { return alike(*operand, *operands[0]); }))
      return;
    std::vector<std::tuple<std::string, std::size_t, ExprPtr>> keyed;
    for (const ExprPtr& operand : operands) {
      std::string shape;
      appendShape(system, *operand, options, shape);
      keyed.emplace_back(std::move(shape), keyed.size(), operand);
    }
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < operands.size(); ++i)
      operands[i] = std::move(std::get<ExprPtr>(keyed[i]));
  }

  const CellSystem& system;
  const ShapeOptions& options;
};

} // namespace

bool isStructural(const Expr& literal, const ShapeOptions& options) {
  return !options.constantsAsParameters || literal.type.isBool();
}

ExprPtr canonical(const CellSystem& system, const ExprPtr& expr, const ShapeOptions& options) {
  return options.commutative ? Canonicaliser(system, options)(expr) : expr;
}

void appendShape(const CellSystem& system, const Expr& expr, const ShapeOptions& options,
                 std::string& shape) {
  switch (expr.op) {
  case Expr::Op::Literal:
    shape += '#';
    if (isStructural(expr, options))
      shape += text(expr.type, expr.value);
    else
      shape += kindLetter(expr.type);
    if (expr.type.base == ScalarType::Base::Bits) shape += std::to_string(expr.type.bound);
    shape += ' ';
    return;
  case Expr::Op::Read:
    shape += system.system->variables[expr.variable].isInput() ? 'I' : 'V';
    shape += kindLetter(expr.type);
    if (expr.type.base == ScalarType::Base::Bits) shape += std::to_string(expr.type.bound);
    shape += ' ';
    return;
  default:
    break;
  }
  shape += '(';
  shape += spelling(expr.op);
  if (expr.op == Expr::Op::Neg) shape += 'u';
  shape += ' ';
  for (const ExprPtr& operand : expr.operands)
    appendShape(system, *operand, options, shape);
  shape += ')';
}

std::string shapeOf(const CellSystem& system, const CellAction& action, const ShapeOptions& options) {
  std::string shape;
  appendShape(system, *action.guard, options, shape);
  if (action.kind == CellAction::Kind::Report) return shape + "!";
  shape += '>';
  shape += kindLetter(system.variableOf(action.target).type.scalar);
  appendShape(system, *action.value, options, shape);
  return shape;
}

namespace {
void appendLeaves(const CellSystem& system, const Expr& expr, const ShapeOptions& options,
                  std::vector<Leaf>& leaves) {
  if (expr.op == Expr::Op::Read) { // its subscripts are part of the cell
    Leaf leaf;
    leaf.cell = system.cellOf(expr);
    leaves.push_back(leaf);
  } else if (expr.op == Expr::Op::Literal) {
    if (!isStructural(expr, options)) leaves.push_back({-1, false, expr.type, expr.value});
  } else {
    for (const ExprPtr& operand : expr.operands)
      appendLeaves(system, *operand, options, leaves);
  }
}
} // namespace

void appendLeaves(const CellSystem& system, const CellAction& action, const ShapeOptions& options,
                  std::vector<Leaf>& leaves) {
  appendLeaves(system, *action.guard, options, leaves);
  Leaf target;
  target.cell = action.target;
  target.written = true;
  if (action.kind == CellAction::Kind::Report) {
    target.type = {ScalarType::Base::Int, 0};
    target.value.integer = action.report;
  }
  leaves.push_back(target);
  if (action.value) appendLeaves(system, *action.value, options, leaves);
}

} // namespace warploom::sync
