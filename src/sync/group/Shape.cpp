#include "sync/group/Shape.h"

#include "sync/model/Text.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace warploom::sync {

namespace {

/// A letter for the base of `type`, and the width of a bit vector.
std::string kind(const ScalarType& type) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return "b";
  case ScalarType::Base::Real:
    return "r";
  case ScalarType::Base::Bits:
    return "v" + std::to_string(type.bound);
  default:
    return "i";
  }
}

bool isIntegerSum(const Expr& expr) {
  return expr.type.isInteger() &&
         (expr.op == Expr::Op::Add || expr.op == Expr::Op::Sub || expr.op == Expr::Op::Neg);
}

/// The terms of a sum of integers; `negative` is the sign the sum stands under.
void collectTerms(ExprPtr expr, bool negative, std::vector<ExprPtr>& added,
                  std::vector<ExprPtr>& subtracted) {
  if (!isIntegerSum(*expr)) {
    (negative ? subtracted : added).push_back(expr);
  } else if (expr->op == Expr::Op::Neg) {
    collectTerms(expr->operands[0], !negative, added, subtracted);
  } else {
    for (std::size_t i = 0; i < expr->operands.size(); ++i)
      collectTerms(expr->operands[i], negative != (i != 0 && expr->op == Expr::Op::Sub), added, subtracted);
  }
}

/// The operands of nested `op`.
void collectOperands(ExprPtr expr, Expr::Op op, std::vector<ExprPtr>& operands) {
  if (expr->op != op) {
    operands.push_back(expr);
    return;
  }
  for (ExprPtr operand : expr->operands)
    collectOperands(operand, op, operands);
}

/// Puts expressions into canonical form and finds their shapes.
class Canonicaliser {
public:
  Canonicaliser(const CellSystem& of, const ShapeOptions& with, Shapes& in)
      : system(of), options(with), shapes(in) {}

  struct Shaped {
    ExprPtr expr = nullptr; ///< canonical
    int shape = -1;
  };

  Shaped operator()(ExprPtr expr) {
    if (expr->op == Expr::Op::Literal || expr->isCell()) return {expr, shapes.whole(leafText(*expr))};
    // What is no operand counts too: the memory, the lowest bit, the width.
    if (expr->op == Expr::Op::Read || expr->op == Expr::Op::Slice || expr->op == Expr::Op::ToBits) {
      const Shaped operand = (*this)(expr->operands[0]);
      return {operand.expr == expr->operands[0] ? expr : withOperands(*expr, {operand.expr}),
              shapes.whole(std::string(expr->op == Expr::Op::Read ? "(load" : spelling(expr->op)) + " " +
                           std::to_string(expr->op == Expr::Op::Read ? expr->variable : expr->value.integer) +
                           " " + std::to_string(expr->type.bound) + " " +
                           std::string(shapes.text(operand.shape)) + ")")};
    }
    if (options.commutative && isIntegerSum(*expr)) return sum(expr);
    const bool associative = options.commutative && (expr->op == Expr::Op::And || expr->op == Expr::Op::Or ||
                                                     (expr->op == Expr::Op::Mul && expr->type.isInteger()));
    const bool swappable =
        options.commutative && expr->operands.size() == 2 &&
        (expr->op == Expr::Op::Add || expr->op == Expr::Op::Mul || expr->op == Expr::Op::Eq ||
         expr->op == Expr::Op::Ne || expr->op == Expr::Op::Xor);
    std::vector<ExprPtr> operands;
    operands.reserve(expr->operands.size());
    if (associative)
      collectOperands(expr, expr->op, operands);
    else
      operands.assign(expr->operands.begin(), expr->operands.end());
    const int shape = shapes.node(expr->op, arrange(operands, associative || swappable));
    const bool unchanged = std::ranges::equal(operands, expr->operands);
    return {unchanged ? expr : withOperands(*expr, operands), shape};
  }

private:
  std::string leafText(const Expr& leaf) const {
    std::string result = leaf.op == Expr::Op::Literal                        ? "#"
                         : system.system->variables[leaf.variable].isInput() ? "I"
                                                                             : "V";
    result += leaf.op == Expr::Op::Literal && isStructural(leaf, options) ? text(leaf.type, leaf.value)
                                                                          : kind(leaf.type);
    return result += ' ';
  }

  /// A sum of integers: what is added, less what is subtracted, each in the order of shapes.
  Shaped sum(ExprPtr expr) {
    std::vector<ExprPtr> added, subtracted;
    added.reserve(expr->operands.size());
    collectTerms(expr, false, added, subtracted);
    Shaped result;
    if (added.size() == 1) {
      result = (*this)(added[0]);
    } else if (!added.empty()) {
      result.shape = shapes.node(Expr::Op::Add, arrange(added, true));
      const bool unchanged = expr->op == Expr::Op::Add && std::ranges::equal(added, expr->operands);
      result.expr = unchanged ? expr : apply(Expr::Op::Add, added, expr->place);
    }
    const std::vector<int> terms = arrange(subtracted, true);
    for (std::size_t i = 0; i < subtracted.size(); ++i) {
      const int operands[] = {result.shape, terms[i]};
      result = result.expr == nullptr
                   ? Shaped{apply(Expr::Op::Neg, {subtracted[i]}, expr->place),
                            shapes.node(Expr::Op::Neg, std::span(operands).subspan(1))}
                   : Shaped{apply(Expr::Op::Sub, {result.expr, subtracted[i]}, expr->place),
                            shapes.node(Expr::Op::Sub, operands)};
    }
    return result;
  }

  /// Puts each operand into canonical form, and all of them into the order of their shapes where they may be
  /// `sorted`. Returns their shapes.
  std::vector<int> arrange(std::vector<ExprPtr>& operands, bool sorted) {
    std::vector<int> result;
    result.reserve(operands.size());
    for (ExprPtr& operand : operands) {
      const Shaped canonical = (*this)(operand);
      operand = canonical.expr;
      result.push_back(canonical.shape);
    }
    const auto before = [&](int a, int b) { return a != b && shapes.text(a) < shapes.text(b); };
    if (!sorted || std::is_sorted(result.begin(), result.end(), before)) return result;
    std::vector<std::tuple<std::string_view, std::size_t, ExprPtr, int>> order;
    order.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
      order.emplace_back(shapes.text(result[i]), i, operands[i], result[i]);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      operands[i] = std::get<ExprPtr>(order[i]);
      result[i] = std::get<int>(order[i]);
    }
    return result;
  }

  const CellSystem& system;
  const ShapeOptions& options;
  Shapes& shapes;
};

} // namespace

bool isStructural(const Expr& literal, const ShapeOptions& options) {
  return !options.constantsAsParameters || literal.type.isBool();
}

int Shapes::whole(std::string_view text) {
  if (const auto found = wholes.find(text); found != wholes.end()) return found->second;
  texts.push_back(kept(text, memory));
  return wholes.emplace(texts.back(), int(texts.size()) - 1).first->second;
}

int Shapes::node(Expr::Op op, std::span<const int> operands) {
  if (const auto found = nodes.find({op, operands}); found != nodes.end()) return found->second;
  std::string text = std::string("(") + spelling(op) + (op == Expr::Op::Neg ? "u " : " ");
  for (int operand : operands)
    text += texts[operand];
  texts.push_back(kept(text + ")", memory));
  return nodes.emplace(Node{op, kept(operands, memory)}, int(texts.size()) - 1).first->second;
}

int canonicalise(const CellSystem& system, CellAction& action, const ShapeOptions& options, Shapes& shapes) {
  Canonicaliser canonical(system, options, shapes);
  const Canonicaliser::Shaped guard = canonical(action.guard);
  action.guard = guard.expr;
  if (action.kind == CellAction::Kind::Report)
    return shapes.whole(std::string(shapes.text(guard.shape)) + "!");
  const Canonicaliser::Shaped value = canonical(action.value);
  action.value = value.expr;
  std::string whole(shapes.text(guard.shape));
  whole += '>';
  if (action.address) {
    const Canonicaliser::Shaped address = canonical(action.address);
    action.address = address.expr;
    whole += "[" + std::to_string(system.cells.variableOf(action.target)) + " ";
    whole += shapes.text(address.shape);
  } else {
    whole += kind(system.variableOf(action.target).type.scalar)[0];
  }
  whole += shapes.text(value.shape);
  return shapes.whole(whole);
}

namespace {
void appendLeaves(const CellSystem& system, const Expr& expr, const ShapeOptions& options,
                  std::vector<Leaf>& leaves) {
  if (expr.isCell()) {
    Leaf leaf;
    leaf.cell = system.cellOf(expr);
    leaves.push_back(leaf);
  } else if (expr.op == Expr::Op::Literal) {
    if (!isStructural(expr, options)) leaves.push_back({-1, false, expr.type, expr.value});
  } else {
    for (ExprPtr operand : expr.operands)
      appendLeaves(system, *operand, options, leaves);
  }
}
} // namespace

void appendLeaves(const CellSystem& system, const CellAction& action, const ShapeOptions& options,
                  std::vector<Leaf>& leaves) {
  appendLeaves(system, *action.guard, options, leaves);
  if (action.address) {
    appendLeaves(system, *action.address, options, leaves);
    appendLeaves(system, *action.value, options, leaves);
    return;
  }
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
