#include "sync/model/Ranges.h"

#include <algorithm>

namespace warploom::sync {

namespace {

using Interval = Ranges::Interval;

constexpr __int128 beyond = __int128(1) << 100;

Interval clamped(Interval interval) {
  return {std::max(interval.low, -beyond), std::min(interval.high, beyond)};
}

Interval product(Interval a, Interval b) {
  // Beyond 62 bits a product may leave __int128's range after a few more steps; it is out of every word
  // anyway.
  const __int128 large = __int128(1) << 62;
  if (a.low < -large || a.high > large || b.low < -large || b.high > large) return {-beyond, beyond};
  const __int128 corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Interval combined(Expr::Op op, Interval a, Interval b) {
  switch (op) {
  case Expr::Op::Add:
    return clamped({a.low + b.low, a.high + b.high});
  case Expr::Op::Sub:
    return clamped({a.low - b.high, a.high - b.low});
  case Expr::Op::Mul:
    return product(a, b);
  case Expr::Op::Div: {
    const __int128 most = std::max(-a.low, a.high);
    return {a.low >= 0 && b.low >= 0 ? 0 : -most, most};
  }
  case Expr::Op::Mod: { // the sign of the dividend, smaller than the divisor
    const __int128 most = std::max({-b.low, b.high, __int128(1)}) - 1;
    return {a.low >= 0 ? 0 : -most, most};
  }
  case Expr::Op::Min:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case Expr::Op::Max:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  default: // no integer
    return {};
  }
}

} // namespace

std::pair<std::int64_t, std::int64_t> Ranges::of(const Expr& expr) {
  const Interval interval = visit(expr);
  return {std::int64_t(std::max<__int128>(interval.low, INT64_MIN)),
          std::int64_t(std::min<__int128>(interval.high, INT64_MAX))};
}

Ranges::Interval Ranges::visit(const Expr& expr) {
  const Interval result = computed(expr);
  if (expr.type.base == ScalarType::Base::Bits && expr.type.bound > 31) bits = 64;
  if (expr.type.isInteger() && (result.low < INT32_MIN || result.high > INT32_MAX)) bits = 64;
  return result;
}

Ranges::Interval Ranges::computed(const Expr& expr) {
  // Operands are computed whatever the type is, and so are subscripts.
  Interval result;
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    const Interval next = visit(*expr.operands[i]);
    if (expr.op == Expr::Op::If) // of either case
      result = i < 2 ? next : Interval{std::min(result.low, next.low), std::max(result.high, next.high)};
    else
      result = i == 0 ? next : combined(expr.op, result, next);
  }
  if (!expr.type.isInteger()) return {};
  switch (expr.op) {
  case Expr::Op::Abs:
    return {0, std::max({-result.low, result.high, __int128(0)})};
  case Expr::Op::ToNat:
    return {0, (__int128(1) << expr.operands[0]->type.bound) - 1};
  case Expr::Op::ToInt: {
    const __int128 half = __int128(1) << (expr.operands[0]->type.bound - 1);
    return {-half, half - 1};
  }
  case Expr::Op::Literal:
    return {expr.value.integer, expr.value.integer};
  case Expr::Op::Read: {
    const ScalarType& type = system.variables[expr.variable].type.scalar;
    return {type.smallest(), type.largest()};
  }
  case Expr::Op::Abbreviation:
    if (auto found = abbreviations.find(expr.variable); found != abbreviations.end()) return found->second;
    return abbreviations[expr.variable] = visit(*system.abbreviations[expr.variable].value);
  case Expr::Op::Neg:
    return {-result.high, -result.low};
  default:
    return result;
  }
}

int neededWordBits(const System& system) {
  Ranges search(system);
  for (const Abbreviation& entry : system.abbreviations)
    search.of(*entry.value);
  for (const Variable& variable : system.variables) {
    const ScalarType& type = variable.type.scalar;
    const bool wideBits = type.base == ScalarType::Base::Bits && type.bound > 31;
    if (wideBits || (type.isInteger() && type.bound > std::int64_t(1) << 31)) return 64;
  }
  auto visitTarget = [&](const Target& target) {
    for (ExprPtr subscript : target.subscripts)
      search.of(*subscript);
  };
  for (const Part* part : {&system.init, &system.main}) {
    for (const std::vector<Action>* actions : {&part->controlFlow, &part->dataFlow})
      for (const Action& action : *actions) {
        search.of(*action.guard);
        search.of(*action.value);
        visitTarget(action.target);
      }
    for (const Assertion& assertion : part->assertions) {
      search.of(*assertion.guard);
      search.of(*assertion.condition);
    }
  }
  for (const Reaction& reaction : system.reactions) {
    search.of(*reaction.value);
    visitTarget(reaction.target);
  }
  return search.wordBits();
}

} // namespace warploom::sync
