#include "sync/Exclusion.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <unordered_map>
#include <z3++.h>

namespace warploom::sync {

/// Guards as Z3 formulas in one context.
struct GuardQuestions::Translation {
  Translation(const CellSystem& of, const std::set<int>& open)
      : system(of), unsettled(open), ranges(context) {}

  const CellSystem& system;
  const std::set<int>& unsettled;
  z3::context context;
  z3::expr_vector ranges; ///< what is known of the integer variables made so far
  std::unordered_map<int, z3::expr> variables;
  std::map<std::string, z3::expr> opaque;
  int fresh = 0;

  bool readsUnsettled(const Expr& expr) const {
    bool found = false;
    forEachNode(expr, [&](const Expr& node) {
      found |= node.op == Expr::Op::Read && unsettled.count(system.cellOf(node)) != 0;
    });
    return found;
  }

  /// Z3's integers and reals are exact, ours are not everywhere: divisions and reals are left uninterpreted.
  static bool isPlain(const Expr& expr) {
    bool plain = true;
    forEachNode(expr, [&](const Expr& node) {
      plain &=
          node.type.base != ScalarType::Base::Real && node.op != Expr::Op::Div && node.op != Expr::Op::Mod;
    });
    return plain;
  }

  z3::expr variable(const Expr& read) {
    const int cell = system.cellOf(read);
    if (auto found = variables.find(cell); found != variables.end()) return found->second;
    const ScalarType& type = system.variableOf(cell).type.scalar;
    const std::string name = fmt::format("c{}", cell);
    z3::expr made = type.isBool() ? context.bool_const(name.c_str())
                    : type.base == ScalarType::Base::Bits
                        ? context.bv_const(name.c_str(), unsigned(type.bound))
                        : context.int_const(name.c_str());
    if (type.isInteger()) {
      ranges.push_back(made >= context.int_val(type.smallest()));
      ranges.push_back(made <= context.int_val(type.largest()));
    }
    variables.emplace(cell, made);
    return made;
  }

  z3::expr boolean(const Expr& expr) {
    switch (expr.op) {
    case Expr::Op::Literal:
      return context.bool_val(expr.value.integer != 0);
    case Expr::Op::Not:
      return !boolean(*expr.operands[0]);
    case Expr::Op::And:
    case Expr::Op::Or: {
      z3::expr_vector parts(context);
      for (const ExprPtr& operand : expr.operands)
        parts.push_back(boolean(*operand));
      return expr.op == Expr::Op::And ? z3::mk_and(parts) : z3::mk_or(parts);
    }
    default:
      break;
    }
    if (readsUnsettled(expr)) return context.bool_const(fmt::format("u{}", fresh++).c_str());
    if (expr.op == Expr::Op::Read) return variable(expr);
    if (!isPlain(expr)) {
      const std::string text = sync::text(*system.system, expr);
      auto [entry, isNew] =
          opaque.try_emplace(text, context.bool_const(fmt::format("o{}", opaque.size()).c_str()));
      return entry->second;
    }
    const Expr &left = *expr.operands[0], &right = *expr.operands[1];
    const bool booleans = left.type.isBool();
    z3::expr a = booleans ? boolean(left) : term(left), b = booleans ? boolean(right) : term(right);
    switch (expr.op) {
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

  /// An integer or a bit vector.
  z3::expr term(const Expr& expr) {
    const bool bits = expr.type.base == ScalarType::Base::Bits;
    if (expr.op == Expr::Op::Read) return variable(expr);
    if (expr.op == Expr::Op::Literal)
      return bits ? context.bv_val(std::uint64_t(expr.value.integer), unsigned(expr.type.bound))
                  : context.int_val(expr.value.integer);
    z3::expr result = term(*expr.operands[0]);
    if (expr.op == Expr::Op::Neg) return -result;
    if (expr.op == Expr::Op::Not) return ~result;
    for (std::size_t i = 1; i < expr.operands.size(); ++i) {
      const z3::expr next = term(*expr.operands[i]);
      switch (expr.op) {
      case Expr::Op::And:
        result = result & next;
        break;
      case Expr::Op::Or:
        result = result | next;
        break;
      case Expr::Op::Add:
        result = result + next;
        break;
      case Expr::Op::Sub:
        result = result - next;
        break;
      default:
        result = result * next;
        break;
      }
    }
    return result;
  }
};

GuardQuestions::GuardQuestions(const CellSystem& of, SolverLimits with) : system(of), limits(with) {}
GuardQuestions::~GuardQuestions() = default;

namespace {

/// The operands of a conjunction, or the guard itself.
std::vector<const Expr*> conjuncts(const Expr& guard) {
  std::vector<const Expr*> result;
  if (guard.op == Expr::Op::And && guard.type.isBool())
    for (const ExprPtr& operand : guard.operands)
      result.push_back(operand.get());
  else
    result.push_back(&guard);
  return result;
}

/// One is the negation of the other, or they compare the same thing with different constants.
bool contradict(const Expr& a, const Expr& b) {
  if (a.op == Expr::Op::Not && same(*a.operands[0], b)) return true;
  if (b.op == Expr::Op::Not && same(*b.operands[0], a)) return true;
  return a.op == Expr::Op::Eq && b.op == Expr::Op::Eq && a.operands[1]->op == Expr::Op::Literal &&
         b.operands[1]->op == Expr::Op::Literal && a.operands[0]->type.base != ScalarType::Base::Real &&
         a.operands[1]->value.integer != b.operands[1]->value.integer && same(*a.operands[0], *b.operands[0]);
}

/// Asks `solver`, and adds the time it took to `spent`.
z3::check_result timed(z3::solver& solver, double& spent) {
  const auto start = std::chrono::steady_clock::now();
  const z3::check_result result = solver.check();
  spent += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace

bool GuardQuestions::exclusive(const CellAction& a, const CellAction& b, const std::set<int>& unsettled) {
  Translation translation(system, unsettled);
  for (const Expr* left : conjuncts(*a.guard))
    for (const Expr* right : conjuncts(*b.guard))
      if (contradict(*left, *right) && !translation.readsUnsettled(*left)) return true;
  if (spentMilliseconds > limits.totalMilliseconds) {
    exhausted = true;
    return false;
  }
  z3::solver solver(translation.context);
  solver.set("timeout", limits.questionMilliseconds);
  solver.add(translation.boolean(*a.guard));
  solver.add(translation.boolean(*b.guard));
  for (const z3::expr& range : translation.ranges)
    solver.add(range);
  const z3::check_result result = timed(solver, spentMilliseconds);
  exhausted |= result == z3::unknown;
  return result == z3::unsat;
}

std::optional<std::vector<int>> GuardQuestions::enabledCycle(const std::vector<int>& actions,
                                                             const std::vector<Edge>& edges,
                                                             const std::set<int>& unsettled) {
  if (spentMilliseconds > limits.totalMilliseconds) {
    exhausted = true;
    return std::nullopt;
  }
  // Choose a set of actions that is not empty, in which every action is enabled and has a successor: it has a
  // cycle.
  Translation translation(system, unsettled);
  z3::solver solver(translation.context);
  solver.set("timeout", limits.questionMilliseconds);
  std::map<int, z3::expr> chosen;
  z3::expr_vector any(translation.context);
  for (int action : actions) {
    z3::expr choice = translation.context.bool_const(fmt::format("a{}", action).c_str());
    chosen.emplace(action, choice);
    any.push_back(choice);
    solver.add(z3::implies(choice, translation.boolean(*system.actions[action].guard)));
  }
  solver.add(z3::mk_or(any));
  std::map<int, std::vector<int>> successors;
  for (const Edge& edge : edges)
    successors[edge.from].push_back(edge.to);
  for (int action : actions) {
    z3::expr_vector next(translation.context);
    for (int successor : successors[action])
      next.push_back(chosen.at(successor));
    solver.add(z3::implies(chosen.at(action), z3::mk_or(next)));
  }
  for (const z3::expr& range : translation.ranges)
    solver.add(range);
  const z3::check_result result = timed(solver, spentMilliseconds);
  if (result == z3::unsat) return std::vector<int>{};
  if (result == z3::unknown) {
    exhausted = true;
    return std::nullopt;
  }
  const z3::model model = solver.get_model();
  auto isChosen = [&](int action) { return model.eval(chosen.at(action), true).is_true(); };
  std::vector<int> path;
  int at = *std::find_if(actions.begin(), actions.end(), isChosen);
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    at = *std::find_if(successors[at].begin(), successors[at].end(), isChosen);
  }
  return std::vector<int>(std::find(path.begin(), path.end(), at), path.end());
}

} // namespace warploom::sync
