// The passes that deal with values that may not exist: dynamic subscripts become cases, and checks become
// assertions.
#include "sync/Passes.h"

#include <fmt/format.h>

namespace warploom::sync {

namespace {

constexpr std::size_t mostCases = 1'000'000;

/// A subscript whose value a step decides, with the variable and dimension it selects in.
struct DynamicSubscript {
  ExprPtr subscript = nullptr;
  int variable = -1;
  std::size_t dimension = 0;
};

std::optional<DynamicSubscript> firstDynamic(ExprList subscripts, int variable);

/// The first in `expr`, innermost first.
std::optional<DynamicSubscript> firstDynamic(const Expr& expr) {
  if (expr.op == Expr::Op::Read) return firstDynamic(expr.operands, expr.variable);
  for (ExprPtr operand : expr.operands)
    if (auto found = firstDynamic(*operand)) return found;
  return std::nullopt;
}

/// The first of `subscripts`, those of `variable`.
std::optional<DynamicSubscript> firstDynamic(ExprList subscripts, int variable) {
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    if (subscripts[i]->op == Expr::Op::Literal) continue;
    if (auto inner = firstDynamic(*subscripts[i])) return inner;
    return DynamicSubscript{subscripts[i], variable, i};
  }
  return std::nullopt;
}

/// Those of `subscripts` that are literals lie within the extents of `type`.
bool within(const Type& type, ExprList subscripts) {
  for (std::size_t i = 0; i < subscripts.size(); ++i)
    if (subscripts[i]->op == Expr::Op::Literal &&
        (subscripts[i]->value.integer < 0 || subscripts[i]->value.integer >= type.extents[i]))
      return false;
  return true;
}

/// `expr` with the subscript expression `of` known to be `value` wherever it is used as a subscript of the
/// same extent or a larger one. Subscripts that become constant and lie outside their array turn the read
/// into the default value.
class Specialisation {
public:
  Specialisation(const System& in, const Expr& of, std::int64_t value)
      : system(in), subject(of), known(value) {}

  ExprPtr operator()(ExprPtr expr) const {
    if (expr->operands.empty()) return expr;
    if (expr->op == Expr::Op::Read) {
      const Type& type = system.variables[expr->variable].type;
      const std::vector<ExprPtr> subscripts = subscriptsOf(expr->operands);
      if (!within(type, subscripts)) return literal(expr->type, defaultValue());
      return read(expr->variable, type, subscripts, expr->place);
    }
    std::vector<ExprPtr> operands;
    for (ExprPtr operand : expr->operands)
      operands.push_back((*this)(operand));
    return withOperands(*expr, operands);
  }

  std::vector<ExprPtr> subscriptsOf(ExprList subscripts) const {
    std::vector<ExprPtr> result;
    for (ExprPtr subscript : subscripts)
      result.push_back(folded((*this)(subscript)));
    return result;
  }

private:
  /// `subscript` as a literal when it is the subject or has no variable left.
  ExprPtr folded(ExprPtr subscript) const {
    if (same(*subscript, subject)) return integerLiteral(known, subscript->place);
    if (subscript->op == Expr::Op::Literal) return subscript;
    auto unknown = [](const Expr&) -> std::optional<Value> { return std::nullopt; };
    std::optional<Value> value = evaluate(*subscript, unknown, system.wordBits);
    return value ? integerLiteral(value->integer, subscript->place) : subscript;
  }

  const System& system;
  const Expr& subject;
  const std::int64_t known;
};

class SubscriptElimination {
public:
  explicit SubscriptElimination(System& in) : system(in) {}

  void split(const Action& action, std::vector<Action>& into) {
    std::optional<DynamicSubscript> dynamic = firstDynamic(action.target.subscripts, action.target.variable);
    if (!dynamic) dynamic = firstDynamic(*action.value);
    if (!dynamic) {
      into.push_back(action);
      into.back().guard = resolved(action.guard);
      if (into.size() > mostCases)
        throw Error(action.place,
                    fmt::format("the dynamic subscripts of this system need more than {} cases", mostCases));
      return;
    }
    const auto [low, high] = reach(*dynamic);
    for (std::int64_t k = low; k <= high; ++k) {
      const Specialisation specialise(system, *dynamic->subscript, k);
      Action one = action;
      const Type& type = system.variables[action.target.variable].type;
      const std::vector<ExprPtr> subscripts = specialise.subscriptsOf(action.target.subscripts);
      if (!within(type, subscripts)) continue;
      if (!action.target.isCell()) one.target = makeTarget(action.target.variable, type, subscripts);
      one.value = specialise(action.value);
      one.guard = conjunction({specialise(action.guard), equals(*dynamic, k)});
      split(one, into);
    }
  }

  /// A boolean expression without dynamic subscripts that equals `expr`; a read outside its array is the
  /// default value.
  ExprPtr resolved(ExprPtr expr) {
    if (!firstDynamic(*expr)) return expr;
    const bool connective =
        expr->op == Expr::Op::And || expr->op == Expr::Op::Or || expr->op == Expr::Op::Not;
    if (connective && expr->type.isBool()) {
      std::vector<ExprPtr> operands;
      for (ExprPtr operand : expr->operands)
        operands.push_back(resolved(operand));
      return withOperands(*expr, operands);
    }
    // An atom: a disjunction over the values of its first dynamic subscript.
    const DynamicSubscript dynamic = *firstDynamic(*expr);
    const auto [low, high] = reach(dynamic);
    std::vector<ExprPtr> cases;
    for (std::int64_t k = low; k <= high; ++k)
      cases.push_back(
          conjunction({equals(dynamic, k), resolved(Specialisation(system, *dynamic.subscript, k)(expr))}));
    const auto [smallest, largest] = bounds(system, *dynamic.subscript);
    if (smallest < low || largest > high) {
      const ExprPtr outside = disjunction({apply(Expr::Op::Lt, {dynamic.subscript, integerLiteral(low)}),
                                           apply(Expr::Op::Gt, {dynamic.subscript, integerLiteral(high)})});
      cases.push_back(
          conjunction({outside, resolved(Specialisation(system, *dynamic.subscript, high + 1)(expr))}));
    }
    if ((atoms += cases.size()) > mostCases)
      throw Error(expr->place,
                  fmt::format("the dynamic subscripts of this system need more than {} cases", mostCases));
    return disjunction(cases);
  }

private:
  /// The values the subscript can take inside its dimension.
  std::pair<std::int64_t, std::int64_t> reach(const DynamicSubscript& dynamic) const {
    const auto [low, high] = bounds(system, *dynamic.subscript);
    const std::int64_t extent = system.variables[dynamic.variable].type.extents[dynamic.dimension];
    return {std::max<std::int64_t>(low, 0), std::min(high, extent - 1)};
  }
  static ExprPtr equals(const DynamicSubscript& dynamic, std::int64_t k) {
    return apply(Expr::Op::Eq, {dynamic.subscript, integerLiteral(k)}, dynamic.subscript->place);
  }

  System& system;
  std::size_t atoms = 0;
};

} // namespace

System eliminateDynamicSubscripts(System system) {
  SubscriptElimination elimination(system);
  std::vector<Action> actions;
  for (const Action& action : system.main.dataFlow)
    elimination.split(action, actions);
  system.main.dataFlow = std::move(actions);
  for (Assertion& assertion : system.main.assertions) {
    assertion.guard = elimination.resolved(assertion.guard);
    assertion.condition = elimination.resolved(assertion.condition);
  }
  return system;
}

namespace {

/// A boolean that holds exactly where the value of `expr` hangs on a division by zero or on a read outside
/// its array; `false` when it never does.
ExprPtr undefined(const System& system, ExprPtr expr) {
  std::vector<ExprPtr> reasons;
  for (ExprPtr operand : expr->operands)
    reasons.push_back(undefined(system, operand));
  if ((expr->op == Expr::Op::Div || expr->op == Expr::Op::Mod) && expr->type.isInteger()) {
    const ExprPtr divisor = expr->operands[1];
    if (divisor->op != Expr::Op::Literal || divisor->value.integer == 0)
      reasons.push_back(apply(Expr::Op::Eq, {divisor, integerLiteral(0)}));
  }
  if (expr->op == Expr::Op::Read)
    for (std::size_t i = 0; i < expr->operands.size(); ++i) {
      const std::int64_t extent = system.variables[expr->variable].type.extents[i];
      const auto [low, high] = bounds(system, *expr->operands[i]);
      if (low < 0) reasons.push_back(apply(Expr::Op::Lt, {expr->operands[i], integerLiteral(0)}));
      if (high >= extent) reasons.push_back(apply(Expr::Op::Ge, {expr->operands[i], integerLiteral(extent)}));
    }
  const ExprPtr any = disjunction(reasons);
  const bool connective = (expr->op == Expr::Op::And || expr->op == Expr::Op::Or) && expr->type.isBool();
  if (!connective || any->isFalse()) return any;
  // A defined operand that decides the connective settles its value whatever the others are.
  std::vector<ExprPtr> settled;
  for (std::size_t i = 0; i < expr->operands.size(); ++i) {
    const ExprPtr operand = expr->operands[i];
    settled.push_back(
        conjunction({negation(reasons[i]), expr->op == Expr::Op::Or ? operand : negation(operand)}));
  }
  return conjunction({any, negation(disjunction(settled))});
}

} // namespace

System withChecks(System system, Checks checks) {
  if (!checks.assertions) system.main.assertions.clear();
  for (const Action& action : system.main.dataFlow) {
    const Variable& variable = system.variables[action.target.variable];
    const ScalarType& type = variable.type.scalar;
    const std::string where = action.place.line == 0 ? "" : fmt::format(" (line {})", action.place.line);
    auto require = [&](const char* what, ExprPtr condition) {
      const std::string name = fmt::format("{} of {}{}", what, text(system, action.target), where);
      system.main.assertions.push_back({action.guard, name, condition, action.place});
    };
    // The target counts like a read of itself: its subscripts must lie inside.
    const ExprPtr bad =
        disjunction({undefined(system, read(action.target.variable, variable.type, action.target.subscripts)),
                     undefined(system, action.value)});
    if (!bad->isFalse()) require("definedness", negation(bad));
    if (!checks.ranges || !type.isInteger()) continue;
    const auto [low, high] = bounds(system, *action.value);
    std::vector<ExprPtr> within;
    if (low < type.smallest())
      within.push_back(apply(Expr::Op::Le, {integerLiteral(type.smallest()), action.value}));
    if (high > type.largest())
      within.push_back(apply(Expr::Op::Le, {action.value, integerLiteral(type.largest())}));
    if (!within.empty()) require("range", conjunction(within));
  }
  return system;
}

} // namespace warploom::sync
