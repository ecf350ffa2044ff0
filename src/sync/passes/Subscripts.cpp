// Dynamic subscripts become cases.
#include "sync/model/Ranges.h"
#include "sync/passes/Outside.h"
#include "sync/passes/Passes.h"

#include <fmt/format.h>

namespace warploom::sync {

namespace {

constexpr std::size_t mostCases = 1'000'000;

/// A subscript whose value a step decides, with the variable and dimension it selects in.
struct DynamicSubscript {
  ExprPtr subscript = nullptr;
  int variable = -1;
  std::size_t dimension = 0;

  std::int64_t extent(const System& system) const {
    return system.variables[variable].type.extents[dimension];
  }
};

std::optional<DynamicSubscript> firstDynamic(const System& system, ExprList subscripts, int variable);

/// The first in `expr`, innermost first; those of memories do not count.
std::optional<DynamicSubscript> firstDynamic(const System& system, const Expr& expr) {
  if (expr.op == Expr::Op::Read) return firstDynamic(system, expr.operands, expr.variable);
  for (ExprPtr operand : expr.operands)
    if (auto found = firstDynamic(system, *operand)) return found;
  return std::nullopt;
}

/// The first of `subscripts`, those of `variable`.
std::optional<DynamicSubscript> firstDynamic(const System& system, ExprList subscripts, int variable) {
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    if (subscripts[i]->op == Expr::Op::Literal) continue;
    if (auto inner = firstDynamic(system, *subscripts[i])) return inner;
    if (system.variables[variable].isMemory) continue;
    return DynamicSubscript{subscripts[i], variable, i};
  }
  return std::nullopt;
}

/// Expressions under a case of a subscript: it has one value, or it lies outside its dimension. A read
/// outside its array becomes the default value.
class Case {
public:
  Case(const System& in, const DynamicSubscript& of, std::int64_t value)
      : system(in), subject(*of.subscript), known(value),
        condition(apply(Expr::Op::Eq, {of.subscript, integerLiteral(value)}, of.subscript->place)) {}
  /// Outside, as `reason` says.
  Case(const System& in, const DynamicSubscript& of, ExprPtr reason)
      : system(in), subject(*of.subscript), extent(of.extent(in)), condition(reason) {}

  ExprPtr holds() const { return condition; }

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

  /// Those of `subscripts` whose value is known lie within the extents of `type`.
  bool within(const Type& type, ExprList subscripts) const {
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const std::int64_t value = subscripts[i]->value.integer;
      if (subscripts[i]->op == Expr::Op::Literal
              ? value < 0 || value >= type.extents[i]
              : !known && type.extents[i] <= extent && same(*subscripts[i], subject))
        return false;
    }
    return true;
  }

private:
  /// `subscript` as a literal when it is the subject or has no variable left.
  ExprPtr folded(ExprPtr subscript) const {
    if (known && same(*subscript, subject)) return integerLiteral(*known, subscript->place);
    if (subscript->op == Expr::Op::Literal) return subscript;
    auto unknown = [](const Expr&) -> std::optional<Value> { return std::nullopt; };
    std::optional<Value> value = evaluate(*subscript, unknown, system.wordBits);
    return value ? integerLiteral(value->integer, subscript->place) : subscript;
  }

  const System& system;
  const Expr& subject;
  std::optional<std::int64_t> known;
  std::int64_t extent = 0; ///< where the value is not known: outside this one, and every smaller one
  ExprPtr condition;
};

class SubscriptElimination {
public:
  explicit SubscriptElimination(System& in) : system(in) {}

  /// Appends `action` for every case of its subscripts. One that would assign no cell is left out.
  void split(const Action& action, std::vector<Action>& into) {
    std::optional<DynamicSubscript> dynamic =
        firstDynamic(system, action.target.subscripts, action.target.variable);
    if (!dynamic) dynamic = firstDynamic(system, *action.value);
    if (!dynamic) {
      into.push_back(action);
      into.back().guard = resolved(action.guard);
      if (into.size() > mostCases) tooMany(action.place);
      return;
    }
    const Type& type = system.variables[action.target.variable].type;
    for (const Case& one : casesOf(*dynamic, action.place)) {
      const std::vector<ExprPtr> subscripts = one.subscriptsOf(action.target.subscripts);
      if (!one.within(type, subscripts)) continue;
      Action made = action;
      if (!action.target.isCell()) made.target = makeTarget(action.target.variable, type, subscripts);
      made.value = one(action.value);
      made.guard = conjunction({one(action.guard), one.holds()});
      split(made, into);
    }
  }

  /// A boolean expression without dynamic subscripts that equals `expr`; a read outside its array is the
  /// default value.
  ExprPtr resolved(ExprPtr expr) {
    const std::optional<DynamicSubscript> dynamic = firstDynamic(system, *expr);
    if (!dynamic) return expr;
    const bool connective =
        expr->op == Expr::Op::And || expr->op == Expr::Op::Or || expr->op == Expr::Op::Not;
    std::vector<ExprPtr> parts;
    if (connective && expr->type.isBool()) {
      for (ExprPtr operand : expr->operands)
        parts.push_back(resolved(operand));
      return withOperands(*expr, parts);
    }
    // An atom: a disjunction over the cases of its first dynamic subscript.
    for (const Case& one : casesOf(*dynamic, expr->place))
      parts.push_back(conjunction({one.holds(), resolved(one(expr))}));
    atoms += parts.size();
    if (atoms > mostCases) tooMany(expr->place);
    return disjunction(parts);
  }

private:
  /// Every value the subscript can take inside its dimension, and, where it can lie outside, that.
  std::vector<Case> casesOf(const DynamicSubscript& dynamic, Place place) const {
    const auto [low, high] = Ranges(system).of(*dynamic.subscript);
    const std::int64_t first = std::max<std::int64_t>(low, 0),
                       last = std::min(high, dynamic.extent(system) - 1);
    if (last - first >= std::int64_t(mostCases)) tooMany(place);
    std::vector<Case> result;
    for (std::int64_t k = first; k <= last; ++k)
      result.emplace_back(system, dynamic, k);
    const ExprPtr reason = outside(dynamic.subscript, low, high, dynamic.extent(system));
    if (!reason->isFalse()) result.emplace_back(system, dynamic, reason);
    return result;
  }

  [[noreturn]] static void tooMany(Place place) {
    throw Error(place,
                fmt::format("the dynamic subscripts of this system need more than {} cases", mostCases));
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

} // namespace warploom::sync
