// Write conflicts as assertions: two actions that are enabled together must give a cell the same value.
#include "sync/model/Cells.h"
#include "sync/model/Contradiction.h"
#include "sync/model/Text.h"
#include "sync/passes/NewLocals.h"
#include "sync/passes/Passes.h"

#include <fmt/format.h>
#include <map>

namespace warploom::sync {

namespace {

class ConflictChecks {
public:
  explicit ConflictChecks(System& of) : system(of), locals(of) {}

  void add() {
    const int count = int(system.variables.size());
    std::vector<std::vector<const Action*>> arriving(count), main(count);
    for (Part* part : {&system.init, &system.main}) {
      if (part == &system.init && system.presets) continue; // constants, no actions
      std::vector<std::vector<const Action*>> immediate(count), delayed(count);
      for (const std::vector<Action>* actions : {&part->controlFlow, &part->dataFlow})
        for (const Action& action : *actions)
          (action.delayed ? delayed : immediate)[action.target.variable].push_back(&action);
      std::vector<Assertion> found;
      for (int variable = 0; variable < count; ++variable) {
        comparePairs(immediate[variable], found);
        comparePairs(delayed[variable], found);
        arriving[variable].insert(arriving[variable].end(), delayed[variable].begin(),
                                  delayed[variable].end());
      }
      if (part == &system.main) main = std::move(immediate);
      part->assertions.insert(part->assertions.end(), found.begin(), found.end());
    }
    std::vector<Action> kept[2]; // for init and main: what keeps the delayed values
    for (int variable = 0; variable < count; ++variable)
      if (!arriving[variable].empty() && !main[variable].empty())
        compareWithArriving(variable, arriving[variable], main[variable], kept);
    auto append = [](std::vector<Action>& to, const std::vector<Action>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(system.init.dataFlow, kept[0]);
    append(system.main.dataFlow, kept[1]);
  }

private:
  static constexpr int mostPairs = 1'000'000;

  /// Both write the same cell, or null when they never do.
  ExprPtr sameCell(const Action& a, const Action& b) const {
    if (a.target.isCell() && b.target.isCell())
      return a.target.offset == b.target.offset ? boolLiteral(true) : nullptr;
    const Type& type = system.variables[a.target.variable].type;
    const std::vector<ExprPtr> left = subscriptsOf(type, a.target), right = subscriptsOf(type, b.target);
    std::vector<ExprPtr> equal;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const ExprPtr x = left[i], y = right[i];
      if (same(*x, *y)) continue;
      if (x->op == Expr::Op::Literal && y->op == Expr::Op::Literal) return nullptr;
      equal.push_back(apply(Expr::Op::Eq, {x, y}));
    }
    return conjunction(equal);
  }

  std::string named(const Action& a, const Action* b) const {
    std::string name = fmt::format("write conflict on {}", text(system, a.target));
    if (a.place.line != 0)
      name += b != nullptr ? fmt::format(" (lines {} and {})", a.place.line, b->place.line)
                           : fmt::format(" (line {} and an earlier step)", a.place.line);
    return name;
  }

  void compare(const Action& a, const Action& b, std::vector<Assertion>& found) {
    if (same(*a.value, *b.value) || obviouslyExclusive(*a.guard, *b.guard)) return;
    const ExprPtr meet = sameCell(a, b);
    if (!meet) return;
    if (++pairs > mostPairs)
      throw Error(b.place, fmt::format("checking for write conflicts would compare more than {} pairs of "
                                       "actions; compile without checks",
                                       mostPairs));
    found.push_back({conjunction({a.guard, b.guard, meet}), named(a, &b),
                     apply(Expr::Op::Eq, {a.value, b.value}), b.place});
  }

  /// Actions of one kind that write one variable, each with each; those with different constant subscripts
  /// never meet.
  void comparePairs(const std::vector<const Action*>& actions, std::vector<Assertion>& found) {
    if (actions.size() < 2) return;
    std::map<std::int64_t, std::vector<const Action*>> byCell;
    std::vector<const Action*> anywhere;
    for (const Action* action : actions) {
      if (action->target.isCell())
        byCell[action->target.offset].push_back(action);
      else
        anywhere.push_back(action);
    }
    for (std::size_t i = 0; i < anywhere.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        compare(*anywhere[j], *anywhere[i], found);
      for (const auto& [offset, there] : byCell)
        for (const Action* action : there)
          compare(*action, *anywhere[i], found);
    }
    for (const auto& [offset, there] : byCell)
      for (std::size_t i = 0; i < there.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          compare(*there[j], *there[i], found);
  }

  /// A value that arrives from the step before must be that of the immediate actions. It is kept beside the
  /// variable, which they may overwrite.
  void compareWithArriving(int variable, const std::vector<const Action*>& delayed,
                           const std::vector<const Action*>& immediate, std::vector<Action> (&kept)[2]) {
    const Type type = system.variables[variable].type;
    const std::string name = system.variables[variable].name;
    if (system.variables[variable].isMemory) {
      compareWithStores(type, name, delayed, immediate, kept);
      return;
    }
    const int came = locals.add("__came_" + name, Variable::Storage::Event, {{}, type.extents});
    const int brought = locals.add("__brought_" + name, Variable::Storage::Memorized, type);
    const Action* const firstOfMain = system.main.dataFlow.data();
    for (const Action* action : delayed) {
      const bool inMain = action >= firstOfMain && action < firstOfMain + system.main.dataFlow.size();
      for (int to : {came, brought}) {
        Action copy = *action;
        copy.target.variable = to;
        if (to == came) copy.value = boolLiteral(true);
        kept[inMain].push_back(std::move(copy));
      }
    }
    if (system.presets && system.variables[variable].storage == Variable::Storage::Event)
      for (const Action& preset : std::vector<Action>(system.init.dataFlow))
        if (preset.target.variable == variable)
          for (int to : {came, brought}) {
            Action copy = preset;
            copy.target.variable = to;
            if (to == came) copy.value = boolLiteral(true);
            kept[0].push_back(std::move(copy));
          }
    for (const Action* action : immediate) {
      const std::vector<ExprPtr> subscripts = subscriptsOf(type, action->target);
      system.main.assertions.push_back(
          {conjunction({action->guard, read(came, {{}, type.extents}, subscripts)}), named(*action, nullptr),
           apply(Expr::Op::Eq, {action->value, read(brought, type, subscripts)}), action->place});
    }
  }

  /// The same for a memory, of which no copy is kept: every delayed action says where it stored, and what.
  void compareWithStores(const Type& type, const std::string& name, const std::vector<const Action*>& delayed,
                         const std::vector<const Action*>& immediate, std::vector<Action> (&kept)[2]) {
    const Action* const firstOfMain = system.main.dataFlow.data();
    const Action* const endOfMain = firstOfMain + system.main.dataFlow.size();
    for (const Action* action : delayed) {
      const bool inMain = action >= firstOfMain && action < endOfMain;
      const int came = locals.add("__came_" + name, Variable::Storage::Event, {});
      const int brought = locals.add("__brought_" + name, Variable::Storage::Memorized, {type.scalar, {}});
      const auto keep = [&](int to, ExprPtr value) {
        kept[inMain].push_back({action->guard, {to, 0, {}}, value, true, action->place});
      };
      keep(came, boolLiteral(true));
      keep(brought, action->value);
      std::vector<ExprPtr> where;
      const std::vector<ExprPtr> subscripts = subscriptsOf(type, action->target);
      for (std::size_t i = 0; i < subscripts.size(); ++i) {
        if (subscripts[i]->op == Expr::Op::Literal) {
          where.push_back(subscripts[i]);
          continue;
        }
        const ScalarType index{ScalarType::Base::Nat, type.extents[i]};
        const int at = locals.add("__at_" + name, Variable::Storage::Memorized, {index, {}});
        keep(at, subscripts[i]);
        where.push_back(readCell(at, index));
      }
      for (const Action* now : immediate) {
        std::vector<ExprPtr> meet{now->guard, readCell(came, {})};
        const std::vector<ExprPtr> there = subscriptsOf(type, now->target);
        for (std::size_t i = 0; i < there.size(); ++i)
          meet.push_back(apply(Expr::Op::Eq, {there[i], where[i]}));
        if (++pairs > mostPairs)
          throw Error(now->place,
                      "checking for write conflicts would compare too many actions; compile without checks");
        system.main.assertions.push_back({conjunction(meet), named(*now, nullptr),
                                          apply(Expr::Op::Eq, {now->value, readCell(brought, type.scalar)}),
                                          now->place});
      }
    }
  }

  System& system;
  NewLocals locals;
  int pairs = 0;
};

} // namespace

System withConflictChecks(System system) {
  ConflictChecks(system).add();
  return system;
}

} // namespace warploom::sync
