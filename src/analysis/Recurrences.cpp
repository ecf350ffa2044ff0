#include "analysis/Recurrences.h"

#include "analysis/Order.h"
#include "analysis/Reductions.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warploom {

namespace {

/// Calls `visit` with every node of `expr`.
template <typename Visit> void forEachNode(const Expr& expr, const Visit& visit) {
  visit(expr);
  for (const ExprPtr& operand : expr.operands)
    forEachNode(*operand, visit);
}

class Finder {
public:
  Finder(const Region& region, const Dependences& dependences, int loop, const std::vector<int>& owned)
      : region(region), dependences(dependences), loop(loop), owned(owned) {}

  std::optional<Scan> find() {
    std::set<int> carried;
    for (const Dependence& one : dependences.all)
      if (one.carrier == loop && region.arrays[one.array].isScalar() && !isOwn(one.array))
        carried.insert(one.array);
    Scan scan;
    for (int array : carried) {
      auto state = recurrence(array);
      if (!state) return std::nullopt;
      scan.states.push_back(*state);
    }
    if (scan.states.empty() || !findSlice(scan)) return std::nullopt;
    findCounted(scan);
    return scan;
  }

private:
  bool isOwn(int array) const {
    const int declaredIn = region.arrays[array].declaredIn;
    return std::count(owned.begin(), owned.end(), array) > 0 ||
           (declaredIn >= 0 && encloses(region, loop, declaredIn));
  }

  bool reads(const Statement& statement, const Expr& expr, int array) const {
    bool found = false;
    forEachNode(expr, [&](const Expr& node) {
      found |= node.kind == Expr::Kind::Opaque ||
               (node.kind == Expr::Kind::Access && statement.accesses[node.access].array == array);
    });
    return found;
  }

  bool guardsRead(const Statement& statement, int array) const {
    return std::any_of(statement.guards.begin(), statement.guards.end(),
                       [&](const ExprPtr& guard) { return reads(statement, *guard, array); });
  }

  /// True when `expr` is `a * x + b` for the scalar `array`, which it reads, computed in the type of x.
  bool isAffine(const Statement& statement, const Expr& expr, int array) const {
    const Type& type = region.arrays[array].element;
    if (expr.type.kind != type.kind || expr.type.bits != type.bits) return false;
    if (expr.kind == Expr::Kind::Access) return statement.accesses[expr.access].array == array;
    if (expr.kind == Expr::Kind::Unary && expr.text == "-")
      return isAffine(statement, *expr.operands[0], array);
    if (expr.kind != Expr::Kind::Binary) return false;
    const Expr &left = *expr.operands[0], &right = *expr.operands[1];
    for (const Expr* side : {&left, &right})
      if (side->type.kind != type.kind || side->type.bits != type.bits) return false;
    const bool inLeft = reads(statement, left, array), inRight = reads(statement, right, array);
    if (inLeft && inRight) return false;
    if (inLeft) return isStep(expr.text, type) && isAffine(statement, left, array);
    return inRight && expr.text != "/" && isStep(expr.text, type) && isAffine(statement, right, array);
  }

  /// True when `x op e` is an affine function of x. Whole numbers are cut off by a division.
  static bool isStep(const std::string& op, const Type& type) {
    return op == "+" || op == "-" || op == "*" || (op == "/" && type.isFloating());
  }

  /// The kind of function by which the statements that write the scalar change it.
  std::optional<Recurrence> recurrence(int array) const {
    const Array& object = region.arrays[array];
    const Type& type = object.element;
    const bool isWord = (type.isInteger() || type.isFloating()) && (type.bits == 32 || type.bits == 64);
    if (!isWord || type.kind == Type::Kind::Bool || object.within >= 0 ||
        object.storage == Array::Storage::Predicate)
      return std::nullopt;
    Recurrence result{Recurrence::Kind::Folded, array, "", {}};
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
      const Statement& statement = region.statements[s];
      const bool writes = std::any_of(statement.accesses.begin(), statement.accesses.end(),
                                      [&](const Access& a) { return a.array == array && a.writes(); });
      if (!writes || !inside(statement, loop) || statement.kind == Statement::Kind::Kill) continue;
      if (statement.kind != Statement::Kind::Assign || statement.loops.back() != loop) return std::nullopt;
      result.statements.push_back(s);
    }
    if (result.statements.empty()) return std::nullopt;
    // A product of floating-point numbers may leave the range of its type where parts of it are composed; an
    // affine function does not.
    if (isFolded(result) && !(result.op == "*" && type.isFloating())) return result;
    result.op.clear();
    result.kind = Recurrence::Kind::Last;
    if (all(result, [&](const Statement& statement) { return isAssignment(statement, array); }))
      return result;
    result.kind = Recurrence::Kind::Affine;
    const bool isAffineAll = all(result, [&](const Statement& statement) {
      const Expr& body = *statement.body;
      const Expr& value = *body.operands[1];
      if (guardsRead(statement, array)) return false;
      if (isAssignment(statement, array)) return true;
      const bool sameType = value.type.kind == type.kind && value.type.bits == type.bits;
      if (body.text == "=") return isAffine(statement, value, array);
      return isStep(body.text.substr(0, body.text.size() - 1), type) && sameType &&
             !reads(statement, value, array);
    });
    return isAffineAll ? std::optional(result) : std::nullopt;
  }

  template <typename Test> bool all(const Recurrence& state, Test test) const {
    return std::all_of(state.statements.begin(), state.statements.end(),
                       [&](int s) { return test(region.statements[s]); });
  }

  /// `x = e` without a conversion, nothing of it reading x.
  bool isAssignment(const Statement& statement, int array) const {
    return statement.body->text == "=" && !guardsRead(statement, array) &&
           !reads(statement, *statement.body->operands[1], array);
  }

  bool isFolded(Recurrence& state) const {
    for (int s : state.statements) {
      auto into = accumulation(region, s);
      if (!into || into->array != state.array || into->makesTruth || isLogical(into->op)) return false;
      if (!state.op.empty() && into->op != state.op) return false;
      state.op = into->op;
    }
    return true;
  }

  /// Finds what tells how an iteration changes the states; false when it cannot be told beforehand.
  bool findSlice(Scan& scan) const {
    std::set<int> states, slice;
    for (const Recurrence& state : scan.states) {
      states.insert(state.array);
      slice.insert(state.statements.begin(), state.statements.end());
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Dependence& flow : dependences.all) {
        if (flow.kind != Dependence::Kind::Flow || slice.count(flow.sink.statement) == 0 ||
            states.count(flow.array))
          continue;
        const Statement& source = flow.source.statementIn(region);
        const bool sameIteration =
            inside(source, loop) &&
            (flow.carrier < 0 || (flow.carrier != loop && encloses(region, loop, flow.carrier)));
        if (!sameIteration) continue;
        if (!isOwn(flow.array)) return false;
        changed |= slice.insert(flow.source.statement).second;
      }
    }
    for (int s : slice) {
      const Statement& statement = region.statements[s];
      for (const Access& access : statement.accesses) {
        if (access.kind == Access::Kind::Kill) continue;
        const bool isWriter =
            std::any_of(scan.states.begin(), scan.states.end(), [&](const Recurrence& state) {
              return state.array == access.array &&
                     std::count(state.statements.begin(), state.statements.end(), s) > 0;
            });
        if (states.count(access.array) ? !isWriter : access.writes() && !isOwn(access.array)) return false;
      }
    }
    scan.slice.assign(slice.begin(), slice.end());
    return true;
  }

  /// The amount by which `statement` counts up or down; 0 when it is no such statement.
  static long countsBy(const Statement& statement) {
    const Expr &body = *statement.body, &value = *body.operands[1];
    const Expr* amount = nullptr;
    if (body.text == "+=" || body.text == "-=") amount = &value;
    if (body.text == "=" && value.kind == Expr::Kind::Binary && (value.text == "+" || value.text == "-"))
      for (const ExprPtr& side : value.operands)
        if (side->kind == Expr::Kind::Literal) amount = side.get();
    while (amount && amount->kind == Expr::Kind::Cast)
      amount = amount->operands[0].get();
    if (!amount || amount->kind != Expr::Kind::Literal) return 0;
    try {
      return std::stol(amount->text, nullptr, 0);
    } catch (const std::exception&) {
      return 0;
    }
  }

  /// True when `a` runs wherever `b` does, by their conditions, whose values nothing in the loop changes in
  /// between.
  bool runsWith(const Statement& a, const Statement& b) const {
    return std::all_of(a.guards.begin(), a.guards.end(), [&](const ExprPtr& guard) {
      bool steady = true;
      forEachNode(*guard, [&](const Expr& node) {
        steady = steady && node.kind != Expr::Kind::Opaque;
        if (node.kind != Expr::Kind::Access) return;
        const int array = a.accesses[node.access].array;
        steady = steady && (region.arrays[array].storage == Array::Storage::Predicate || !isWritten(array));
      });
      return steady && std::any_of(b.guards.begin(), b.guards.end(),
                                   [&](const ExprPtr& other) { return sameExpr(*guard, *other); });
    });
  }

  bool isWritten(int array) const {
    return std::any_of(region.statements.begin(), region.statements.end(), [&](const Statement& statement) {
      return inside(statement, loop) &&
             std::any_of(statement.accesses.begin(), statement.accesses.end(),
                         [&](const Access& access) { return access.array == array && access.writes(); });
    });
  }

  /// Finds arrays that are written once per count of a state, at the place that it counts.
  void findCounted(Scan& scan) const {
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array) {
      if (region.arrays[array].rank != 1) continue;
      int writer = -1, touches = 0;
      for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
        for (const Access& access : region.statements[s].accesses)
          if (access.array == array && access.kind != Access::Kind::Kill &&
              inside(region.statements[s], loop)) {
            ++touches;
            if (access.writes()) writer = s;
          }
      if (writer < 0 || touches != 1) continue;
      const Statement& statement = region.statements[writer];
      if (statement.kind != Statement::Kind::Assign || statement.body->text != "=" ||
          statement.loops.back() != loop)
        continue;
      const Expr& target = *statement.body->operands[0];
      if (target.kind != Expr::Kind::Access || target.operands.size() != 1) continue;
      for (const Recurrence& state : scan.states)
        if (isPlace(statement, *target.operands[0], state.array) && countsEach(state, statement)) {
          scan.counted.push_back(array);
          break;
        }
    }
  }

  /// True when `subscript` is the scalar `array`, converted or with a number added.
  bool isPlace(const Statement& statement, const Expr& subscript, int array) const {
    if (subscript.kind == Expr::Kind::Access) return statement.accesses[subscript.access].array == array;
    if (subscript.kind == Expr::Kind::Cast && subscript.type.isInteger() &&
        subscript.type.bits >= region.arrays[array].element.bits)
      return isPlace(statement, *subscript.operands[0], array);
    if (subscript.kind == Expr::Kind::Binary && (subscript.text == "+" || subscript.text == "-") &&
        subscript.operands[1]->kind == Expr::Kind::Literal)
      return isPlace(statement, *subscript.operands[0], array);
    return false;
  }

  /// True when `state` only ever counts in the loop, by one statement that runs whenever `writer` does, and
  /// never comes back to a number.
  bool countsEach(const Recurrence& state, const Statement& writer) const {
    if (state.kind != Recurrence::Kind::Folded || state.op != "+" || state.statements.size() != 1)
      return false;
    const Type& type = region.arrays[state.array].element;
    const Statement& counter = region.statements[state.statements.front()];
    const long amount = countsBy(counter);
    // Unsigned numbers come round again, but not in one loop.
    const bool comesRound =
        type.kind == Type::Kind::UnsignedInt &&
        (amount > 1024 || (type.bits < 64 && (amount != 1 || region.loops[loop].indexType.bits > 32)));
    return type.isInteger() && amount > 0 && !comesRound && runsWith(counter, writer) &&
           outermost(writer.domain, writer.loops.size())
               .is_subset(outermost(counter.domain, counter.loops.size()));
  }

  const Region& region;
  const Dependences& dependences;
  const int loop;
  const std::vector<int>& owned;
};

} // namespace

std::optional<Scan> scanOf(const Region& region, const Dependences& dependences, int loop,
                           const std::vector<int>& privateArrays) {
  return Finder(region, dependences, loop, privateArrays).find();
}

} // namespace warploom
