// Checks as assertions: values that do not exist, and values outside their ranges.
#include "sync/model/Ranges.h"
#include "sync/model/Text.h"
#include "sync/passes/NewLocals.h"
#include "sync/passes/Outside.h"
#include "sync/passes/Passes.h"

#include <fmt/format.h>

namespace warploom::sync {

namespace {

/// Where values hang on a division by zero or on a read outside its array.
class Definedness {
public:
  /// Of an abbreviation of `in` that may be undefined, that becomes an abbreviation too.
  explicit Definedness(System& in) : system(in), ranges(in) {
    NewLocals names(system);
    const std::size_t count = system.abbreviations.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Abbreviation entry = system.abbreviations[i];
      ranges.of(*entry.value);
      ExprPtr reason = undefined(entry.value);
      if (!reason->isFalse()) {
        system.abbreviations.push_back({names.unused("__undefined_" + entry.name), reason, entry.place});
        reason = abbreviation(int(system.abbreviations.size()) - 1, {});
      }
      abbreviations.push_back(reason);
    }
  }

  /// A boolean that holds exactly where the value of `expr` is undefined; `false` when it never is.
  ExprPtr undefined(ExprPtr expr) {
    if (expr->op == Expr::Op::Abbreviation) return abbreviations[expr->variable];
    std::vector<ExprPtr> reasons;
    for (ExprPtr operand : expr->operands)
      reasons.push_back(undefined(operand));
    if ((expr->op == Expr::Op::Div || expr->op == Expr::Op::Mod) && expr->type.isInteger()) {
      const ExprPtr divisor = expr->operands[1];
      if (divisor->op != Expr::Op::Literal || divisor->value.integer == 0)
        reasons.push_back(apply(Expr::Op::Eq, {divisor, integerLiteral(0)}));
    }
    if (expr->op == Expr::Op::Read && !expr->isCell())
      reasons.push_back(outsideOf(expr->variable, expr->operands));
    if (expr->op == Expr::Op::If) // what is not chosen does not count
      return disjunction({reasons[0], conjunction({expr->operands[0], reasons[1]}),
                          conjunction({negation(expr->operands[0]), reasons[2]})});
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

  /// The same for the subscripts of a target, which must lie inside.
  ExprPtr undefined(const Target& target) {
    std::vector<ExprPtr> reasons;
    for (ExprPtr subscript : target.subscripts)
      reasons.push_back(undefined(subscript));
    reasons.push_back(outsideOf(target.variable, target.subscripts));
    return disjunction(reasons);
  }

  std::pair<std::int64_t, std::int64_t> rangeOf(const Expr& expr) { return ranges.of(expr); }

private:
  ExprPtr outsideOf(int variable, ExprList subscripts) {
    std::vector<ExprPtr> reasons;
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const auto [low, high] = ranges.of(*subscripts[i]);
      reasons.push_back(outside(subscripts[i], low, high, system.variables[variable].type.extents[i]));
    }
    return disjunction(reasons);
  }

  System& system;
  Ranges ranges;
  std::vector<ExprPtr> abbreviations; ///< where each is undefined
};

} // namespace

System withChecks(System system, Checks checks) {
  if (!checks.assertions) system.main.assertions.clear();
  Definedness definedness(system);
  for (const Action& action : system.main.dataFlow) {
    const Variable& variable = system.variables[action.target.variable];
    const ScalarType& type = variable.type.scalar;
    const std::string where = action.place.line == 0 ? "" : fmt::format(" (line {})", action.place.line);
    auto require = [&](const char* what, ExprPtr condition) {
      const std::string name = fmt::format("{} of {}{}", what, text(system, action.target), where);
      system.main.assertions.push_back({action.guard, name, condition, action.place});
    };
    const ExprPtr bad =
        disjunction({definedness.undefined(action.target), definedness.undefined(action.value)});
    if (!bad->isFalse()) require("definedness", negation(bad));
    if (!checks.ranges || !type.isInteger()) continue;
    const auto [low, high] = definedness.rangeOf(*action.value);
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
