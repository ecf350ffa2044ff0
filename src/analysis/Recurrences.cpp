#include "analysis/Recurrences.h"

#include "analysis/Order.h"
#include "analysis/Reductions.h"

#include <algorithm>
#include <map>
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
    for (int array : std::set<int>(carried)) {
      const std::vector<Recurrence> group = choice(array, carried);
      for (const Recurrence& one : group)
        carried.erase(one.array);
      scan.states.insert(scan.states.end(), group.begin(), group.end());
    }
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

  static bool isWord(const Array& array) {
    const Type& type = array.element;
    return (type.kind == Type::Kind::SignedInt || type.kind == Type::Kind::UnsignedInt ||
            type.isFloating()) &&
           (type.bits == 32 || type.bits == 64) && array.within < 0 &&
           array.storage != Array::Storage::Predicate;
  }

  /// The statements of the loop that write `array`.
  std::vector<int> writersOf(int array) const {
    std::vector<int> found;
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
      const Statement& statement = region.statements[s];
      if (statement.writes(array) && inside(statement, loop) && statement.kind != Statement::Kind::Kill)
        found.push_back(s);
    }
    return found;
  }

  /// The only statement of the loop that sets the scalar `array`, `x = e`; -1 when there is no such one.
  int setterOf(int array) const {
    const std::vector<int> all = writersOf(array);
    if (all.size() != 1 || !isWord(region.arrays[array])) return -1;
    const Statement& statement = region.statements[all.front()];
    return statement.kind == Statement::Kind::Assign && statement.body->text == "=" ? all.front() : -1;
  }

  /// A comparison `e op x` by which the next x is chosen.
  struct Comparison {
    std::string op;
    const Expr* value = nullptr; ///< e
    int statement = -1;          ///< whose expression it is
  };

  /// The comparison of `x`, a scalar, that `guard` of statement `s` is or stands for, alone or beside
  /// conditions that read none of `carried`.
  std::optional<Comparison> comparison(int s, const Expr& guard, int x, const std::set<int>& carried) const {
    const Statement& statement = region.statements[s];
    if (guard.kind == Expr::Kind::Access) {
      const int array = statement.accesses[guard.access].array;
      const std::vector<int> setters = writersOf(array);
      if (region.arrays[array].storage != Array::Storage::Predicate || setters.size() != 1)
        return std::nullopt;
      const Statement& setter = region.statements[setters.front()];
      if (setter.kind != Statement::Kind::Predicate || setter.body->kind == Expr::Kind::Access ||
          setter.loops != statement.loops)
        return std::nullopt;
      return comparison(setters.front(), *setter.body, x, carried);
    }
    if (guard.kind == Expr::Kind::Binary && guard.text == "&&")
      for (std::size_t side : {0, 1})
        if (!readsAny(statement, *guard.operands[1 - side], carried))
          return comparison(s, *guard.operands[side], x, carried);
    static const std::map<std::string, std::string> turned = {
        {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
    if (guard.kind != Expr::Kind::Binary || turned.count(guard.text) == 0) return std::nullopt;
    const Expr &left = *guard.operands[0], &right = *guard.operands[1];
    const Type& type = region.arrays[x].element;
    auto isX = [&](const Expr& side) {
      return side.kind == Expr::Kind::Access && statement.accesses[side.access].array == x;
    };
    for (const Expr* side : {&left, &right})
      if (side->type.kind != type.kind || side->type.bits != type.bits) return std::nullopt;
    if (isX(right)) return Comparison{guard.text, &left, s};
    if (isX(left)) return Comparison{turned.at(guard.text), &right, s};
    return std::nullopt;
  }

  static bool sameGuards(const Statement& a, const Statement& b) {
    return std::equal(a.guards.begin(), a.guards.end(), b.guards.begin(), b.guards.end(),
                      [](const ExprPtr& one, const ExprPtr& other) { return sameExpr(*one, *other); });
  }

  /// True when `expr`, of `statement`, has the same value in all statements from number `from` on that follow
  /// in the iteration.
  bool isSteady(const Statement& statement, const Expr& expr, int from) const {
    bool steady = true;
    forEachNode(expr, [&](const Expr& node) {
      steady = steady && node.kind != Expr::Kind::Opaque;
      if (node.kind != Expr::Kind::Access) return;
      const int array = statement.accesses[node.access].array;
      const std::vector<int> writers = writersOf(array);
      const bool before = region.arrays[array].isScalar() && isOwn(array) &&
                          std::all_of(writers.begin(), writers.end(), [&](int s) {
                            return s < from && region.statements[s].loops == statement.loops;
                          });
      steady = steady && (writers.empty() || before);
    });
    return steady;
  }

  /// True when `expr` can be worked out wherever the comparison can: it reads no array and divides nothing.
  bool isHarmless(const Statement& statement, const Expr& expr) const {
    bool harmless = true;
    forEachNode(expr, [&](const Expr& node) {
      const bool plain =
          node.kind == Expr::Kind::Index || node.kind == Expr::Kind::Affine ||
          node.kind == Expr::Kind::Literal || node.kind == Expr::Kind::Cast ||
          (node.kind == Expr::Kind::Access &&
           region.arrays[statement.accesses[node.access].array].isScalar()) ||
          (node.kind == Expr::Kind::Binary && (node.text == "+" || node.text == "-" || node.text == "*"));
      harmless = harmless && plain;
    });
    return harmless;
  }

  bool readsAny(const Statement& statement, const Expr& expr, const std::set<int>& arrays) const {
    return std::any_of(arrays.begin(), arrays.end(),
                       [&](int array) { return reads(statement, expr, array); });
  }

  /// The scalar `array` as one that is chosen, `if (e > x) x = e`, and those of `carried` that are set with
  /// it; none where it is not.
  std::vector<Recurrence> choice(int array, const std::set<int>& carried) const {
    const int s = setterOf(array);
    if (s < 0) return {};
    const Statement& setter = region.statements[s];
    const Expr& value = *setter.body->operands[1];
    std::optional<Comparison> by;
    for (const ExprPtr& guard : setter.guards) {
      const auto found = comparison(s, *guard, array, carried);
      if (found ? by.has_value() : readsAny(setter, *guard, carried)) return {};
      if (found) by = found;
    }
    const Type& type = region.arrays[array].element;
    if (!by || !sameExpr(*by->value, value) || readsAny(setter, value, carried) ||
        value.type.kind != type.kind || value.type.bits != type.bits)
      return {};
    const bool direct = by->statement == s;
    if (!direct && !isSteady(setter, value, by->statement)) return {};
    std::vector<Recurrence> group = {
        {Recurrence::Kind::Chosen, array, by->op, {s}, direct ? -1 : by->statement}};
    for (int other : carried) {
      const int r = other == array ? -1 : setterOf(other);
      if (r < 0 || !sameGuards(region.statements[r], setter) || region.statements[r].loops != setter.loops)
        continue;
      const Statement& rider = region.statements[r];
      const Expr& with = *rider.body->operands[1];
      // Once x is set, it no longer compares as before.
      if ((direct && r > s) || !isHarmless(rider, with) || readsAny(rider, with, carried)) continue;
      group.push_back({Recurrence::Kind::Rider, other, "", {r}, -1});
    }
    // A maximum alone is simpler.
    return direct && group.size() == 1 ? std::vector<Recurrence>{} : group;
  }

  /// The kind of function by which the statements that write the scalar change it.
  std::optional<Recurrence> recurrence(int array) const {
    const Type& type = region.arrays[array].element;
    Recurrence result{Recurrence::Kind::Folded, array, "", writersOf(array)};
    auto isAssign = [](const Statement& statement) { return statement.kind == Statement::Kind::Assign; };
    if (!isWord(region.arrays[array]) || !all(result, isAssign)) return std::nullopt;
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
        if (states.count(access.array) ? !mayTouch(scan, s, access.array)
                                       : access.writes() && !isOwn(access.array))
          return false;
        if (access.reads() && !mayAsk(scan, s, access.array)) return false;
      }
    }
    scan.slice.assign(slice.begin(), slice.end());
    return true;
  }

  static bool has(const Recurrence& state, int statement) {
    return std::count(state.statements.begin(), state.statements.end(), statement) > 0;
  }

  /// True when statement `s` changes the state `array`, or belongs to those that choose it.
  static bool mayTouch(const Scan& scan, int s, int array) {
    for (std::size_t k = 0; k < scan.states.size(); ++k) {
      const Recurrence& state = scan.states[k];
      if (state.array != array) continue;
      if (has(state, s) || state.predicate == s) return true;
      if (state.kind != Recurrence::Kind::Chosen || state.predicate >= 0) return false;
      for (++k; k < scan.states.size() && scan.states[k].kind == Recurrence::Kind::Rider; ++k)
        if (has(scan.states[k], s)) return true;
      return false;
    }
    return false;
  }

  /// False where `array` is the outcome of a comparison by which a state is chosen, and statement `s` does
  /// not belong to that.
  bool mayAsk(const Scan& scan, int s, int array) const {
    for (std::size_t k = 0; k < scan.states.size(); ++k) {
      const int compares = scan.states[k].predicate;
      if (compares < 0) continue;
      if (!region.statements[compares].writes(array)) continue;
      bool belongs = has(scan.states[k], s);
      for (std::size_t r = k + 1; r < scan.states.size() && scan.states[r].kind == Recurrence::Kind::Rider;
           ++r)
        belongs = belongs || has(scan.states[r], s);
      return belongs;
    }
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
      return inside(statement, loop) && statement.writes(array);
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
      if (statement.kind != Statement::Kind::Assign || statement.body->text != "=") continue;
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
        (amount > 1024 || (type.bits < 64 && (amount != 1 || writer.loops.back() != loop ||
                                              region.loops[loop].indexType.bits > 32)));
    return type.isInteger() && amount > 0 && !comesRound && counter.loops == writer.loops &&
           runsWith(counter, writer) &&
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
