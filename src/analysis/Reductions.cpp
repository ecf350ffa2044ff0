#include "analysis/Reductions.h"

#include "analysis/Order.h"
#include "support/IslC.h"

#include <algorithm>
#include <isl/set.h>
#include <map>
#include <set>

namespace warploom {

namespace {

/// `min` or `max` when `function` returns the smaller or the larger of its two parameters of `type`; else
/// empty.
std::string choiceOf(const Function& function, const Type& type) {
  const Code* body = function.body.get();
  if (!body || body->kind != Code::Kind::Return || function.parameters.size() != 2) return "";
  auto isOfType = [&](const Type& other) { return other.kind == type.kind && other.bits == type.bits; };
  if (!isOfType(function.result)) return "";
  const Expr& value = *body->value;
  if (value.kind != Expr::Kind::Conditional || value.operands[0]->kind != Expr::Kind::Binary) return "";
  const Expr &test = *value.operands[0], &yes = *value.operands[1], &no = *value.operands[2];
  bool less = test.text == "<" || test.text == "<=", greater = test.text == ">" || test.text == ">=";
  auto isParameter = [&](const Expr& expr, std::size_t k) {
    return expr.kind == Expr::Kind::Local && expr.text == function.parameters[k].name;
  };
  for (const Function::Parameter& parameter : function.parameters)
    if (!isOfType(parameter.type)) return "";
  for (std::size_t a : {0, 1}) {
    if (!isParameter(*test.operands[0], a) || !isParameter(*test.operands[1], 1 - a)) continue;
    bool first = isParameter(yes, a) && isParameter(no, 1 - a);
    bool second = isParameter(yes, 1 - a) && isParameter(no, a);
    if ((!first && !second) || (!less && !greater)) return "";
    return first == less ? "min" : "max";
  }
  return "";
}

/// The operation of a compound assignment; empty for those whose order matters.
std::string compoundOperation(const std::string& assignment) {
  static const std::map<std::string, std::string> operations = {{"+=", "+"}, {"-=", "+"}, {"*=", "*"},
                                                                {"&=", "&"}, {"|=", "|"}, {"^=", "^"}};
  auto found = operations.find(assignment);
  return found == operations.end() ? "" : found->second;
}

/// Recognises that the value assigned to an accumulator is a combination of the accumulator's old value.
class Matcher {
public:
  Matcher(const Statement& s, const Expr& t) : statement(s), target(t) {}

  /// The operation by which `value` combines the accumulator with something else; nothing when it does not.
  std::optional<std::string> operation(const Expr& value) const {
    switch (value.kind) {
    case Expr::Kind::Cast:
      // A cast that may round or cut off in between would make the order matter.
      if (!sameClass(value.type, value.operands[0]->type) || value.type.bits < target.type.bits) return {};
      return operation(*value.operands[0]);
    case Expr::Kind::Binary:
      return ofBinary(value);
    case Expr::Kind::Call:
      return ofCall(value);
    case Expr::Kind::Conditional:
      return ofConditional(value);
    default:
      return {};
    }
  }

  /// The operation of `assign`, which assigns to the accumulator, and what it combines by it; nothing where
  /// that is not one expression.
  std::optional<Update> update(const Expr& assign) const {
    const Expr* value = assign.operands[1].get();
    if (assign.text != "=") {
      const std::string op = compoundOperation(assign.text);
      if (op.empty() || !freeOfTarget(*value) || !combinable(*value)) return {};
      return Update{op, value, assign.text == "-="};
    }
    const std::optional<std::string> op = operation(*value);
    while (value->kind == Expr::Kind::Cast)
      value = value->operands[0].get();
    if (!op || value->kind != Expr::Kind::Binary || isLogical(*op)) return {};
    const Expr &left = *value->operands[0], &right = *value->operands[1];
    if (isTarget(left)) return Update{*op, &right, value->text == "-"};
    if (isTarget(right)) return Update{*op, &left};
    return {};
  }

  bool isTarget(const Expr& expr) const {
    if (expr.kind == Expr::Kind::Cast && sameClass(expr.type, expr.operands[0]->type) &&
        expr.type.bits >= target.type.bits)
      return isTarget(*expr.operands[0]);
    return expr.kind == Expr::Kind::Access && sameElement(expr);
  }

  /// True when the accumulator's old value does not occur in `expr`.
  bool freeOfTarget(const Expr& expr) const {
    if (expr.kind == Expr::Kind::Opaque) return false;
    if (expr.kind == Expr::Kind::Access && sameElement(expr)) return false;
    return std::all_of(expr.operands.begin(), expr.operands.end(),
                       [&](const ExprPtr& operand) { return freeOfTarget(*operand); });
  }

  /// `min` or `max` when `condition` compares `value` with the accumulator and is true where `value` must
  /// replace it.
  std::optional<std::string> selection(const Expr& condition, const Expr& value) const {
    if (condition.kind != Expr::Kind::Binary || !freeOfTarget(value) || !combinable(value) || !fits(value))
      return {};
    const std::string& relation = condition.text;
    bool less = relation == "<" || relation == "<=", greater = relation == ">" || relation == ">=";
    if (!less && !greater) return {};
    const Expr &left = *condition.operands[0], &right = *condition.operands[1];
    // Compared in another type the values may have another order.
    for (const Expr* side : {&left, &right})
      if (side->kind == Expr::Kind::Cast && side->type.kind != side->operands[0]->type.kind) return {};
    if (sameExpr(left, value) && isTarget(right)) return less ? "min" : "max";
    if (isTarget(left) && sameExpr(right, value)) return less ? "max" : "min";
    return {};
  }

  /// True when `value` may be combined with the accumulator in any order: an integer accumulator that takes
  /// in floating-point values is rounded at every step.
  bool combinable(const Expr& value) const { return !(target.type.isInteger() && value.type.isRounded()); }

  /// True when the accumulator can hold `value` as it is: the smallest of values that are cut off, or ordered
  /// by another type, depends on their order.
  bool fits(const Expr& value) const {
    if (!target.type.isInteger()) return true;
    if (value.type.kind == target.type.kind) return value.type.bits <= target.type.bits;
    return value.type.kind == Type::Kind::UnsignedInt && value.type.bits < target.type.bits;
  }

  /// The accesses of the statement that are reads or the write of the accumulator. A compound assignment
  /// reads it without an expression that says so.
  std::vector<int> ownAccesses() const {
    std::set<int> named, accumulator{target.access};
    auto visit = [&](const Expr& expr, const auto& self) -> void {
      if (expr.kind == Expr::Kind::Access && expr.access >= 0) {
        named.insert(expr.access);
        if (sameElement(expr)) accumulator.insert(expr.access);
      }
      for (const ExprPtr& operand : expr.operands)
        self(*operand, self);
    };
    visit(*statement.body, visit);
    for (const ExprPtr& guard : statement.guards)
      visit(*guard, visit);
    int array = statement.accesses[target.access].array;
    for (int k = 0; k < static_cast<int>(statement.accesses.size()); ++k)
      if (!named.count(k) && statement.accesses[k].array == array) accumulator.insert(k);
    return {accumulator.begin(), accumulator.end()};
  }

private:
  static bool sameClass(const Type& a, const Type& b) {
    return (a.isInteger() && b.isInteger()) || (a.isRounded() && a.kind == b.kind);
  }

  /// True when `expr` certainly is the element that `target` is: by its text, or by its subscripts.
  bool sameElement(const Expr& expr) const {
    if (sameExpr(expr, target)) return true;
    if (expr.access < 0) return false;
    const Access &a = statement.accesses[expr.access], &b = statement.accesses[target.access];
    // Two inexact accesses may touch the same elements and still mean different ones.
    return a.array == b.array && a.exact && b.exact && own(isl_map_plain_is_equal(a.map.get(), b.map.get()));
  }

  std::optional<std::string> ofBinary(const Expr& value) const {
    static const std::set<std::string> operators = {"+", "*", "&", "|", "^", "&&", "||"};
    const Expr &left = *value.operands[0], &right = *value.operands[1];
    std::string op = value.text == "-" ? "+" : value.text;
    if (!operators.count(op)) return {};
    if (freeOfTarget(right) && combinable(right) && continues(left, op)) return op;
    if (value.text != "-" && freeOfTarget(left) && combinable(left) && continues(right, op)) return op;
    return {};
  }

  std::optional<std::string> ofCall(const Expr& value) const {
    static const std::map<std::string, std::string> functions = {
        {"fmin", "min"}, {"fminf", "min"}, {"fminl", "min"}, {"min", "min"},
        {"fmax", "max"}, {"fmaxf", "max"}, {"fmaxl", "max"}, {"max", "max"}};
    auto known = functions.find(value.text);
    std::string op = known == functions.end() ? "" : known->second;
    if (target.type.isInteger() && value.text.starts_with("f")) op.clear(); // rounds
    // A function of the program is what its body says, whatever its name.
    if (value.function) op = choiceOf(*value.function, target.type);
    if (op.empty() || value.operands.size() != 2) return {};
    for (int side : {0, 1}) {
      const Expr &own = *value.operands[side], &other = *value.operands[1 - side];
      if (freeOfTarget(other) && combinable(other) && continues(own, op)) return op;
    }
    return {};
  }

  std::optional<std::string> ofConditional(const Expr& value) const {
    const Expr &condition = *value.operands[0], &yes = *value.operands[1], &no = *value.operands[2];
    if (isTarget(no))
      if (auto op = selection(condition, yes)) return op;
    if (isTarget(yes))
      if (auto op = selection(condition, no)) return op == "min" ? "max" : "min";
    // `c ? x + e : x` is a guarded accumulation.
    if (!freeOfTarget(condition)) return {};
    if (isTarget(no)) return guarded(operation(yes));
    if (isTarget(yes)) return guarded(operation(no));
    auto first = operation(yes), second = operation(no);
    return first == second ? first : std::nullopt;
  }

  /// `op`, where it may be left out: `x && e` makes a truth value of any x.
  std::optional<std::string> guarded(const std::optional<std::string>& op) const {
    return op && isLogical(*op) && target.type.kind != Type::Kind::Bool ? std::nullopt : op;
  }

  /// True when `expr` is the accumulator or already combines it by `op`.
  bool continues(const Expr& expr, const std::string& op) const {
    return isTarget(expr) || operation(expr) == op;
  }

  const Statement& statement;
  const Expr& target;
};

/// True when every iteration of `loop` that runs anything runs an instance of statement `index`, which is in
/// the loop.
bool alwaysRuns(const Region& region, int index, int loop) {
  auto iterations = [&](const Statement& statement) {
    auto at = std::find(statement.loops.begin(), statement.loops.end(), loop);
    auto level = static_cast<unsigned>(at - statement.loops.begin()) + 1;
    isl_set* domain = isl_set_reset_tuple_id(statement.domain.copy());
    return own(isl_set_project_out(domain, isl_dim_set, level,
                                   static_cast<unsigned>(statement.loops.size()) - level));
  };
  const isl::set those = iterations(region.statements[index]);
  return std::all_of(region.statements.begin(), region.statements.end(), [&](const Statement& other) {
    return other.kind == Statement::Kind::Kill || !inside(other, loop) || iterations(other).is_subset(those);
  });
}

} // namespace

std::optional<Accumulation> accumulation(const Region& region, int index) {
  const Statement& statement = region.statements[index];
  if (statement.kind != Statement::Kind::Assign || !statement.body ||
      statement.body->kind != Expr::Kind::Assign)
    return {};
  const Expr &target = *statement.body->operands[0], &value = *statement.body->operands[1];
  if (target.kind != Expr::Kind::Access || target.access < 0) return {};
  Matcher matcher(statement, target);
  Accumulation found{index, statement.accesses[target.access].array, "", {}, false};

  if (statement.body->text == "=") {
    if (auto op = matcher.operation(value)) found.op = *op;
  } else if (matcher.freeOfTarget(value) && matcher.combinable(value)) {
    found.op = compoundOperation(statement.body->text);
  }
  for (const ExprPtr& guard : statement.guards) {
    if (matcher.freeOfTarget(*guard)) continue;
    // `if (e < x) x = e`
    auto op =
        statement.body->text == "=" && found.op.empty() ? matcher.selection(*guard, value) : std::nullopt;
    if (!op) return {};
    found.op = *op;
  }
  // A truth value is cut off at every step.
  static const std::set<std::string> arithmetic = {"+", "*", "^"};
  if (target.type.kind == Type::Kind::Bool && arithmetic.count(found.op)) return {};
  // And anything becomes a truth value when it is combined as one.
  found.makesTruth = target.type.kind != Type::Kind::Bool && isLogical(found.op);
  if (found.makesTruth && !statement.guards.empty()) return {};
  // Of complex numbers only the parts of a sum are combined each on its own.
  if (found.op.empty() || (target.type.kind == Type::Kind::Complex && found.op != "+")) return {};
  found.accesses = matcher.ownAccesses();
  return found;
}

std::optional<Update> updateOf(const Statement& statement, const Expr& assign) {
  const Expr& target = *assign.operands[0];
  if (target.kind != Expr::Kind::Access || target.access < 0) return {};
  std::optional<Update> found = Matcher(statement, target).update(assign);
  if (found && target.type.kind == Type::Kind::Complex && found->op != "+") return {};
  return found;
}

std::optional<Update> updateOf(const Statement& statement) {
  if (!statement.body || statement.body->kind != Expr::Kind::Assign) return {};
  return updateOf(statement, *statement.body);
}

bool Accumulation::owns(AccessRef ref) const {
  return ref.statement == statement &&
         std::find(accesses.begin(), accesses.end(), ref.access) != accesses.end();
}

std::vector<Reduction> reductions(const Region& region, const Dependences& dependences, int loop,
                                  const std::vector<Accumulation>& accumulations) {
  auto operationOf = [&](AccessRef ref) -> std::string {
    for (const Accumulation& candidate : accumulations)
      if (candidate.owns(ref)) return candidate.op;
    return "";
  };
  std::map<int, Reduction> found;
  std::set<int> spoilt;
  for (const Dependence& dependence : dependences.all) {
    if (dependence.carrier != loop) continue;
    std::string op = operationOf(dependence.source);
    Reduction& reduction =
        found.try_emplace(dependence.array, Reduction{op, dependence.array, {}}).first->second;
    if (op.empty() || op != reduction.op || op != operationOf(dependence.sink))
      spoilt.insert(dependence.array);
    for (int statement : {dependence.source.statement, dependence.sink.statement})
      if (std::find(reduction.statements.begin(), reduction.statements.end(), statement) ==
          reduction.statements.end())
        reduction.statements.push_back(statement);
  }
  // Whatever else in the same iteration touches the accumulator sees, or makes, a value of one order only.
  for (const Dependence& dependence : dependences.all) {
    if (!found.count(dependence.array) || !inside(dependence.source.statementIn(region), loop) ||
        !inside(dependence.sink.statementIn(region), loop))
      continue;
    bool sameIteration = dependence.carrier < 0 || encloses(region, loop, dependence.carrier);
    const std::string& op = found.at(dependence.array).op;
    if (sameIteration && (operationOf(dependence.source) != op || operationOf(dependence.sink) != op))
      spoilt.insert(dependence.array);
  }
  for (const Accumulation& candidate : accumulations)
    if (candidate.makesTruth && found.count(candidate.array) &&
        inside(region.statements[candidate.statement], loop) &&
        !alwaysRuns(region, candidate.statement, loop))
      spoilt.insert(candidate.array);
  std::vector<Reduction> result;
  for (auto& [array, reduction] : found)
    if (!spoilt.count(array)) {
      std::sort(reduction.statements.begin(), reduction.statements.end());
      result.push_back(reduction);
    }
  return result;
}

} // namespace warploom
