#include "sync/order/Exclusion.h"

#include "sync/model/Ranges.h"
#include "sync/model/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <unordered_map>
#include <z3++.h>

namespace warploom::sync {

namespace {

bool readsOneOf(const CellSystem& system, const Expr& expr, const std::set<int>& cells) {
  bool found = false;
  forEachNode(expr, [&](const Expr& node) {
    found |= node.op == Expr::Op::Read && cells.count(system.cellOf(node)) != 0;
  });
  return found;
}

/// Guards as text in which cells are numbered as they are met, so that guards that differ only in the names
/// of cells read the same. Every two unsettled cells of a type are alike.
class QuestionText {
public:
  QuestionText(const CellSystem& of, const std::set<int>& open) : system(of), unsettled(open) {}

  void add(const Expr& expr) {
    text += fmt::format("{}:", int(expr.op));
    if (expr.op == Expr::Op::Slice) text += fmt::format("{}", expr.value.integer);
    if (expr.op == Expr::Op::Read) {
      const int cell = system.cellOf(expr);
      if (unsettled.count(cell))
        text += '?';
      else
        text += fmt::format("{}", numbers.try_emplace(cell, numbers.size()).first->second);
    } else if (expr.op == Expr::Op::Literal) {
      text += expr.type.base == ScalarType::Base::Real ? fmt::format("{:a}", expr.value.real)
                                                       : fmt::format("{}", expr.value.integer);
    }
    text += fmt::format(":{}:{}(", int(expr.type.base), expr.type.bound);
    for (ExprPtr operand : expr.operands)
      add(*operand);
    text += ')';
  }
  void add(int number) { text += fmt::format("{};", number); }

  std::string text;

private:
  const CellSystem& system;
  const std::set<int>& unsettled;
  std::unordered_map<int, std::size_t> numbers; ///< by cell
};

} // namespace

/// Guards as Z3 formulas in one context, and the question that is being put together.
struct GuardQuestions::Translation {
  Translation(const CellSystem& of, unsigned limit) : system(of) {
    z3::params parameters(context);
    parameters.set("rlimit", limit);
    solver.set(parameters);
  }

  const CellSystem& system;
  z3::context context;
  z3::solver solver{context}; ///< one for all questions: making it costs more than most of them do
  std::uint64_t counted = 0;  ///< its steps before this question
  std::unordered_map<int, z3::expr> variables; ///< by cell
  std::map<std::string, z3::expr> opaque;      ///< by text
  int fresh = 0;
  std::set<int> asked; ///< cells whose range the solver knows
  const std::set<int>* unsettled = nullptr;

  /// Begins a question.
  void begin(const std::set<int>& open) {
    solver.push();
    asked.clear();
    unsettled = &open;
  }
  /// Ends it, after which the model is gone.
  void end() { solver.pop(); }

  /// The answer after at most `limit` steps; those it took are added to `spent`. Z3 does not count all it
  /// does, so that a question counts for some steps at least.
  z3::check_result ask(unsigned limit, std::uint64_t& spent) {
    constexpr std::uint64_t fewest = 50;
    const z3::check_result result = solver.check();
    const z3::stats statistics = solver.statistics();
    std::uint64_t count = counted;
    for (unsigned i = 0; i < statistics.size(); ++i)
      if (statistics.key(i) == "rlimit count") count = statistics.uint_value(i);
    // A question left open counts tenfold: two of them, and a system is as good as refused.
    spent += result == z3::unknown ? 10 * std::uint64_t(limit)
                                   : std::max(count - std::min(count, counted), fewest);
    counted = count;
    return result;
  }

  /// Z3's integers and reals are exact, ours are not everywhere: divisions, reals, loads and the operators on
  /// bits beyond
  /// `&`, `|` and `!` are left uninterpreted.
  static bool isPlain(const Expr& expr) {
    bool plain = true;
    forEachNode(expr, [&](const Expr& node) {
      const bool load = node.op == Expr::Op::Read && !node.isCell();
      plain &= node.type.base != ScalarType::Base::Real && node.op < Expr::Op::Div && !load;
    });
    return plain;
  }

  z3::expr variable(const Expr& read) {
    const int cell = system.cellOf(read);
    const ScalarType& type = system.variableOf(cell).type.scalar;
    auto found = variables.find(cell);
    if (found == variables.end()) {
      const std::string name = fmt::format("c{}", cell);
      found = variables
                  .emplace(cell, type.isBool() ? context.bool_const(name.c_str())
                                 : type.base == ScalarType::Base::Bits
                                     ? context.bv_const(name.c_str(), unsigned(type.bound))
                                     : context.int_const(name.c_str()))
                  .first;
    }
    if (type.isInteger() && asked.insert(cell).second) {
      solver.add(found->second >= context.int_val(type.smallest()));
      solver.add(found->second <= context.int_val(type.largest()));
    }
    return found->second;
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
      for (ExprPtr operand : expr.operands)
        parts.push_back(boolean(*operand));
      return expr.op == Expr::Op::And ? z3::mk_and(parts) : z3::mk_or(parts);
    }
    case Expr::Op::Xor:
      return boolean(*expr.operands[0]) != boolean(*expr.operands[1]);
    case Expr::Op::If:
      return z3::ite(boolean(*expr.operands[0]), boolean(*expr.operands[1]), boolean(*expr.operands[2]));
    default:
      break;
    }
    if (readsOneOf(system, expr, *unsettled)) return context.bool_const(fmt::format("u{}", fresh++).c_str());
    if (!isPlain(expr)) return unknown(expr);
    if (expr.op == Expr::Op::Read) return variable(expr);
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

  /// A product of two or more factors that are not constants, or an integer that may wrap around: only
  /// linear arithmetic without wrapping is put to Z3, for it alone is decided quickly.
  bool isOpaque(const Expr& expr) const {
    int factors = 0;
    for (ExprPtr operand : expr.operands)
      factors += operand->op != Expr::Op::Literal;
    if (expr.op == Expr::Op::Mul && factors > 1) return true;
    if (!expr.type.isInteger() || expr.operands.empty() || expr.op == Expr::Op::Read) return false;
    const auto [smallest, largest] = Ranges(*system.system).of(expr);
    return smallest == std::numeric_limits<std::int64_t>::min() ||
           largest == std::numeric_limits<std::int64_t>::max();
  }

  /// One unknown of the type of `expr` for all expressions with its text (factors in any order).
  z3::expr unknown(const Expr& expr) {
    std::vector<std::string> parts;
    for (ExprPtr operand : expr.operands)
      parts.push_back(sync::text(*system.system, *operand));
    if (expr.op == Expr::Op::Mul || expr.op == Expr::Op::Add) std::sort(parts.begin(), parts.end());
    const std::string name = fmt::format("o{}", opaque.size());
    return opaque
        .try_emplace(
            parts.empty() || expr.op == Expr::Op::Read || expr.op == Expr::Op::Slice
                ? sync::text(*system.system, expr)
                : fmt::format("{} {} {}", spelling(expr.op), fmt::join(parts, " ; "), expr.type.bound),
            expr.type.isBool() ? context.bool_const(name.c_str())
            : expr.type.base == ScalarType::Base::Bits
                ? context.bv_const(name.c_str(), unsigned(expr.type.bound))
                : context.int_const(name.c_str()))
        .first->second;
  }

  /// An integer or a bit vector.
  z3::expr term(const Expr& expr) {
    if (isOpaque(expr)) return unknown(expr);
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

GuardQuestions::GuardQuestions(const CellSystem& of, SolverLimits with)
    : translation(std::make_unique<Translation>(of, with.questionSteps)), system(of), limits(with) {}
GuardQuestions::~GuardQuestions() = default;

bool GuardQuestions::exclusive(const CellAction& a, const CellAction& b, const std::set<int>& unsettled) {
  for (const Expr* left : conjuncts(*a.guard))
    for (const Expr* right : conjuncts(*b.guard))
      if (contradict(*left, *right) && !readsOneOf(system, *left, unsettled)) return true;
  QuestionText question(system, unsettled);
  question.add(*a.guard);
  question.add(*b.guard);
  if (const auto found = exclusions.find(question.text); found != exclusions.end()) return found->second;
  if (spentSteps >= limits.totalSteps) return false;
  translation->begin(unsettled);
  translation->solver.add(translation->boolean(*a.guard));
  translation->solver.add(translation->boolean(*b.guard));
  ++questions;
  const bool answer = translation->ask(limits.questionSteps, spentSteps) == z3::unsat;
  translation->end();
  exclusions.emplace(std::move(question.text), answer);
  return answer;
}

std::optional<std::vector<int>> GuardQuestions::enabledCycle(const std::vector<int>& actions,
                                                             const std::vector<Edge>& edges,
                                                             const std::set<int>& unsettled) {
  QuestionText question(system, unsettled);
  std::unordered_map<int, int> positions;
  for (int action : actions) {
    positions.emplace(action, int(positions.size()));
    question.add(*system.actions[action].guard);
  }
  for (const Edge& edge : edges) {
    question.add(positions.at(edge.from));
    question.add(positions.at(edge.to));
  }
  if (harmless.count(question.text)) return std::vector<int>{};
  if (spentSteps >= limits.totalSteps) return std::nullopt;
  // Choose a set of actions that is not empty, in which every action is enabled and has a successor: it has a
  // cycle.
  translation->begin(unsettled);
  z3::context& context = translation->context;
  z3::solver& solver = translation->solver;
  std::map<int, z3::expr> chosen;
  z3::expr_vector any(context);
  for (int action : actions) {
    z3::expr choice = context.bool_const(fmt::format("a{}", action).c_str());
    chosen.emplace(action, choice);
    any.push_back(choice);
    solver.add(z3::implies(choice, translation->boolean(*system.actions[action].guard)));
  }
  solver.add(z3::mk_or(any));
  std::map<int, std::vector<int>> successors;
  for (const Edge& edge : edges)
    successors[edge.from].push_back(edge.to);
  for (int action : actions) {
    z3::expr_vector next(context);
    for (int successor : successors[action])
      next.push_back(chosen.at(successor));
    solver.add(z3::implies(chosen.at(action), z3::mk_or(next)));
  }
  ++questions;
  const z3::check_result result = translation->ask(limits.questionSteps, spentSteps);
  if (result != z3::sat) translation->end();
  if (result == z3::unknown) return std::nullopt;
  if (result == z3::unsat) {
    harmless.insert(std::move(question.text));
    return std::vector<int>{};
  }
  const z3::model model = solver.get_model();
  translation->end();
  auto isChosen = [&](int action) { return model.eval(chosen.at(action), true).is_true(); };
  std::vector<int> path;
  std::unordered_map<int, std::size_t> met; // where on the path
  int at = *std::find_if(actions.begin(), actions.end(), isChosen);
  while (met.try_emplace(at, path.size()).second) {
    path.push_back(at);
    at = *std::find_if(successors[at].begin(), successors[at].end(), isChosen);
  }
  return std::vector<int>(path.begin() + std::ptrdiff_t(met.at(at)), path.end());
}

} // namespace warploom::sync
