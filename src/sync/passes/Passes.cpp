#include "sync/passes/Passes.h"

#include "sync/model/Cells.h"
#include "sync/model/Ranges.h"
#include "sync/passes/NewLocals.h"

#include <algorithm>
#include <map>
#include <set>

namespace warploom::sync {

namespace {

Action presetAction(const System& system, int variable, std::int64_t offset, Value value) {
  return {boolLiteral(true),
          {variable, offset, {}},
          literal(system.variables[variable].type.scalar, value),
          false,
          {}};
}

/// The guard under which `action` writes cell `offset` of its target, or null when it never does.
ExprPtr guardFor(const System& system, const Action& action, std::int64_t offset) {
  const Type& type = system.variables[action.target.variable].type;
  std::vector<ExprPtr> conditions{action.guard};
  const std::vector<std::int64_t> subscripts = subscriptsOf(type, offset);
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const ExprPtr& subscript = action.target.subscripts[i];
    if (subscript->op != Expr::Op::Literal)
      conditions.push_back(apply(Expr::Op::Eq, {subscript, integerLiteral(subscripts[i])}));
    else if (subscript->value.integer != subscripts[i])
      return nullptr;
  }
  return conjunction(conditions);
}

/// Makes the absence reaction of variables explicit, one variable at a time. Everything about one variable
/// (its writers, reactions and presets) is found in time proportional to its own size.
class Reactions {
public:
  explicit Reactions(System& of) : system(of), locals(of) {
    for (std::size_t i = 0; i < system.main.dataFlow.size(); ++i) {
      const Action& action = system.main.dataFlow[i];
      (action.delayed ? delayed : immediate)[action.target.variable].push_back(i);
    }
    for (const Reaction& reaction : system.reactions)
      reactions[reaction.target.variable].emplace_back(reaction.target.offset, reaction.value);
    for (const Action& action : system.init.dataFlow)
      presets[action.target.variable].emplace_back(action.target.offset, action.value->value);
  }
  Reactions(const Reactions&) = delete;
  Reactions& operator=(const Reactions&) = delete;

  /// Puts the new actions into the system and takes out what they replace: resets go first, the others last.
  void finish() {
    std::erase_if(system.reactions,
                  [&](const Reaction& reaction) { return done.count(reaction.target.variable) != 0; });
    std::erase_if(system.init.dataFlow,
                  [&](const Action& action) { return presetAgain.count(action.target.variable) != 0; });
    auto& actions = system.main.dataFlow;
    actions.insert(actions.begin(), resets.begin(), resets.end());
    actions.insert(actions.end(), added.begin(), added.end());
    system.init.dataFlow.insert(system.init.dataFlow.end(), addedPresets.begin(), addedPresets.end());
  }

  bool hasImmediateWriter(int variable) const { return immediate.count(variable) != 0; }
  bool reacts(int variable) const { return reactions.count(variable) != 0; }

  /// Every reaction of `variable` is a constant.
  bool constantlyAbsent(int variable) const {
    auto found = reactions.find(variable);
    if (found == reactions.end()) return true;
    return std::all_of(found->second.begin(), found->second.end(),
                       [](const auto& entry) { return entry.second->op == Expr::Op::Literal; });
  }

  /// For an event that only delayed actions write: memorized, reset in the step before one in which none of
  /// them counts.
  void resetDelayed(int variable) {
    const std::vector<ExprPtr> absent = absentValues(variable);
    const std::vector<std::vector<ExprPtr>> guards = guardsPerCell(variable, delayed[variable]);
    std::map<std::int64_t, Value> given(presets[variable].begin(), presets[variable].end());
    for (std::int64_t offset = 0; offset < std::int64_t(guards.size()); ++offset) {
      const ExprPtr& value = absent[std::size_t(offset)];
      resets.push_back(
          {negation(disjunction(guards[std::size_t(offset)])), {variable, offset, {}}, value, true, {}});
      auto found = given.find(offset);
      addedPresets.push_back(
          presetAction(system, variable, offset, found != given.end() ? found->second : value->value));
    }
    presetAgain.insert(variable);
    markDone(variable);
  }

  /// For any other variable: memorized, with actions that say what it becomes in a step in which nothing else
  /// assigns it. Delayed values of the step before count as assignments in this step and arrive through
  /// (x_pend, x_val). A cell of a memorized variable that has no reaction keeps its value.
  void reactNow(int variable) {
    const Type type = system.variables[variable].type;
    const bool wasEvent = system.variables[variable].storage == Variable::Storage::Event;
    const std::vector<ExprPtr> absent = absentValues(variable);
    std::vector<std::vector<ExprPtr>> guards = guardsPerCell(variable, immediate[variable]);
    if (delayed.count(variable) || (wasEvent && presets.count(variable))) {
      const std::string name = system.variables[variable].name;
      const int pend = locals.add(name + "_pend", Variable::Storage::Memorized, {{}, type.extents});
      const int held = locals.add(name + "_val", Variable::Storage::Memorized, type);
      const std::vector<std::vector<ExprPtr>> arriving = guardsPerCell(variable, delayed[variable]);
      for (std::size_t action : delayed[variable])
        system.main.dataFlow[action].target.variable = held;
      for (std::int64_t offset = 0; offset < type.cellCount(); ++offset) {
        const ExprPtr pending = readCell(pend, {}, offset);
        added.push_back(
            {boolLiteral(true), {pend, offset, {}}, disjunction(arriving[std::size_t(offset)]), true, {}});
        added.push_back({pending, {variable, offset, {}}, readCell(held, type.scalar, offset), false, {}});
        guards[std::size_t(offset)].push_back(pending);
      }
      if (wasEvent) {
        presetAgain.insert(variable);
        for (const auto& [offset, value] : presets[variable]) {
          addedPresets.push_back(presetAction(system, pend, offset, {1, 0}));
          addedPresets.push_back(presetAction(system, held, offset, value));
        }
      }
    }
    std::vector<bool> reacting(std::size_t(type.cellCount()), wasEvent);
    for (const auto& [offset, value] : reactions[variable])
      reacting[std::size_t(offset)] = true;
    for (std::int64_t offset = 0; offset < type.cellCount(); ++offset)
      if (reacting[std::size_t(offset)])
        added.push_back({negation(disjunction(guards[std::size_t(offset)])),
                         {variable, offset, {}},
                         absent[std::size_t(offset)],
                         false,
                         {}});
    markDone(variable);
  }

private:
  void markDone(int variable) {
    done.insert(variable);
    system.variables[variable].storage = Variable::Storage::Memorized;
  }

  /// What each cell of `variable` becomes when nothing writes it: its reaction where it has one, else the
  /// default value.
  std::vector<ExprPtr> absentValues(int variable) {
    const Type& type = system.variables[variable].type;
    std::vector<ExprPtr> result(std::size_t(type.cellCount()), literal(type.scalar, defaultValue()));
    for (const auto& [offset, value] : reactions[variable])
      result[std::size_t(offset)] = value;
    return result;
  }

  /// Per cell of `variable`, the guards under which `actions` write it.
  std::vector<std::vector<ExprPtr>> guardsPerCell(int variable,
                                                  const std::vector<std::size_t>& actions) const {
    const Type& type = system.variables[variable].type;
    std::vector<std::vector<ExprPtr>> result(std::size_t(type.cellCount()));
    for (std::size_t index : actions) {
      const Action& action = system.main.dataFlow[index];
      if (action.target.isCell()) {
        result[std::size_t(action.target.offset)].push_back(action.guard);
        continue;
      }
      for (std::int64_t offset = 0; offset < type.cellCount(); ++offset)
        if (ExprPtr guard = guardFor(system, action, offset)) result[std::size_t(offset)].push_back(guard);
    }
    return result;
  }

  System& system;
  NewLocals locals;
  std::map<int, std::vector<std::size_t>> immediate, delayed; ///< data-flow actions of main, by target
  std::map<int, std::vector<std::pair<std::int64_t, ExprPtr>>> reactions;
  std::map<int, std::vector<std::pair<std::int64_t, Value>>> presets;
  std::set<int> done, presetAgain;
  std::vector<Action> resets, added, addedPresets;
};

} // namespace

System controlFlowToDataFlow(System system) {
  for (Variable& variable : system.variables) {
    if (variable.role != Variable::Role::Label) continue;
    variable.role = Variable::Role::Local;
    variable.storage = Variable::Storage::Event;
  }
  for (Part* part : {&system.init, &system.main}) {
    part->dataFlow.insert(part->dataFlow.begin(), part->controlFlow.begin(), part->controlFlow.end());
    part->controlFlow.clear();
  }
  return system;
}

System clearInit(System system) {
  if (system.presets) return system;
  const int boot = NewLocals(system).add("__init0", Variable::Storage::Event, {});
  const ExprPtr booting = readCell(boot, {});

  // In the first step an event that is only written by delayed actions is false: nothing is pending yet.
  std::vector<bool> absentAtBoot(system.variables.size());
  for (std::size_t i = 0; i < system.variables.size(); ++i)
    absentAtBoot[i] =
        system.variables[i].storage == Variable::Storage::Event && system.variables[i].type == Type{};
  absentAtBoot[boot] = false;
  for (const Part* part : {&system.init, &system.main})
    for (const Action& action : part->dataFlow)
      if (!action.delayed) absentAtBoot[action.target.variable] = false;
  for (const Reaction& reaction : system.reactions)
    absentAtBoot[reaction.target.variable] = false;
  std::vector<std::optional<Value>> abbreviations;
  auto lookup = [&](const Expr& node) -> std::optional<Value> {
    if (node.op == Expr::Op::Abbreviation) return abbreviations[node.variable];
    return absentAtBoot[node.variable] ? std::optional(defaultValue()) : std::nullopt;
  };
  for (const Abbreviation& entry : system.abbreviations)
    abbreviations.push_back(evaluate(*entry.value, lookup, system.wordBits));
  auto afterBoot = [&](ExprPtr guard) {
    std::optional<Value> atBoot = evaluate(*guard, lookup, system.wordBits);
    return atBoot && atBoot->integer == 0 ? guard : conjunction({negation(booting), guard});
  };

  for (Action& action : system.main.dataFlow)
    action.guard = afterBoot(action.guard);
  for (Assertion& assertion : system.main.assertions)
    assertion.guard = afterBoot(assertion.guard);
  // A memory's cell that init gives one constant, and nothing else, holds it when the first step begins.
  std::map<std::pair<int, std::int64_t>, int> writers;
  std::set<int> anywhere; // memories with a cell that init chooses
  for (const Action& action : system.init.dataFlow) {
    if (!action.target.isCell()) anywhere.insert(action.target.variable);
    ++writers[{action.target.variable, action.target.offset}];
  }
  std::vector<Action> presets;
  std::erase_if(system.init.dataFlow, [&](const Action& action) {
    const int variable = action.target.variable;
    const bool constant = system.variables[variable].isMemory && action.guard->isTrue() && !action.delayed &&
                          action.value->op == Expr::Op::Literal && action.target.isCell() &&
                          writers[{variable, action.target.offset}] == 1 && !anywhere.count(variable);
    const bool toReal = system.variables[variable].type.scalar.base == ScalarType::Base::Real &&
                        action.value->type.isInteger();
    const Value value = toReal ? Value{0, double(action.value->value.integer)} : action.value->value;
    if (constant) presets.push_back(presetAction(system, variable, action.target.offset, value));
    return constant;
  });
  for (Action& action : system.init.dataFlow)
    action.guard = conjunction({booting, action.guard});
  for (Assertion& assertion : system.init.assertions)
    assertion.guard = conjunction({booting, assertion.guard});
  auto moveToFront = [](auto& into, auto& from) {
    into.insert(into.begin(), from.begin(), from.end());
    from.clear();
  };
  moveToFront(system.main.dataFlow, system.init.dataFlow);
  moveToFront(system.main.assertions, system.init.assertions);
  system.presets = true;
  system.init.dataFlow.push_back(presetAction(system, boot, 0, {1, 0}));
  system.init.dataFlow.insert(system.init.dataFlow.end(), presets.begin(), presets.end());
  return system;
}

System delayedEventsToMemorized(System system) {
  Reactions reactions(system);
  for (int variable = 0; variable < int(system.variables.size()); ++variable)
    // Where the reaction reads other variables, the value belongs to the step itself: left to `evel`.
    if (system.variables[variable].storage == Variable::Storage::Event &&
        !reactions.hasImmediateWriter(variable) && reactions.constantlyAbsent(variable))
      reactions.resetDelayed(variable);
  reactions.finish();
  return system;
}

System eliminateEvents(System system) {
  Reactions reactions(system);
  const int count = int(system.variables.size());
  for (int variable = 0; variable < count; ++variable)
    if (system.variables[variable].storage == Variable::Storage::Event) reactions.reactNow(variable);
  reactions.finish();
  return system;
}

System absenceToActions(System system) {
  Reactions reactions(system);
  const int count = int(system.variables.size());
  for (int variable = 0; variable < count; ++variable)
    if (reactions.reacts(variable)) reactions.reactNow(variable);
  reactions.finish();
  return system;
}

namespace {

template <typename F> void forEachExpression(System& system, const F& change) {
  auto changeTarget = [&](Target& target) {
    if (target.isCell()) return;
    for (ExprPtr& subscript : target.subscripts)
      subscript = change(subscript);
    target = makeTarget(target.variable, system.variables[target.variable].type, target.subscripts);
  };
  for (Part* part : {&system.init, &system.main}) {
    for (std::vector<Action>* actions : {&part->controlFlow, &part->dataFlow})
      for (Action& action : *actions) {
        action.guard = change(action.guard);
        action.value = change(action.value);
        changeTarget(action.target);
      }
    for (Assertion& assertion : part->assertions) {
      assertion.guard = change(assertion.guard);
      assertion.condition = change(assertion.condition);
    }
  }
  for (Reaction& reaction : system.reactions)
    reaction.value = change(reaction.value);
}

} // namespace

System substituteAbbreviations(System system) {
  if (system.abbreviations.empty()) return system;
  // Substitution recomputes an abbreviation at every use. That is the price of parallelism while it is small;
  // an abbreviation that is large and used often becomes a variable instead.
  constexpr std::size_t mostAddedNodes = 256;
  const std::size_t count = system.abbreviations.size();
  std::vector<std::size_t> uses(count);
  auto countUses = [&](const Expr& expr) {
    forEachNode(expr, [&](const Expr& node) {
      if (node.op == Expr::Op::Abbreviation) ++uses[node.variable];
    });
  };
  forEachExpression(system, [&](ExprPtr expr) {
    countUses(*expr);
    return expr;
  });
  for (const Abbreviation& entry : system.abbreviations)
    countUses(*entry.value);

  std::vector<ExprPtr> replacement(count);
  auto substitute = [&](ExprPtr expr) {
    return rewrite(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op == Expr::Op::Abbreviation) return replacement[node.variable];
      // Its subscripts may be constants by now.
      if (node.op != Expr::Op::Read || node.isCell()) return nullptr;
      return read(node.variable, system.variables[node.variable].type, node.operands, node.place);
    });
  };
  NewLocals locals(system);
  std::vector<Action> definitions;
  for (std::size_t i = 0; i < count; ++i) {
    ExprPtr value = substitute(system.abbreviations[i].value);
    // An expression that is very deep would soon be too deep to walk.
    const bool shallow = value->depth <= maximalDepth / 8;
    const std::size_t copies = std::max<std::size_t>(uses[i], 1) - 1;
    if (shallow && treeSize(*value, mostAddedNodes + 1) * copies <= mostAddedNodes) {
      replacement[i] = value;
      continue;
    }
    ScalarType type = value->type;
    if (type.isInteger()) {
      const auto [low, high] = Ranges(system).of(*value);
      type = {ScalarType::Base::Int,
              std::max(high == INT64_MAX ? high : high + 1, low <= -INT64_MAX ? INT64_MAX : -low)};
      if (type.bound < 1) type.bound = 1;
    }
    locals.release(system.abbreviations[i].name); // the variable takes it over
    const int variable = locals.add(system.abbreviations[i].name, Variable::Storage::Memorized, {type, {}});
    definitions.push_back(
        {boolLiteral(true), {variable, 0, {}}, value, false, system.abbreviations[i].place});
    replacement[i] = readCell(variable, type);
  }
  forEachExpression(system, substitute);
  system.main.dataFlow.insert(system.main.dataFlow.end(), definitions.begin(), definitions.end());
  system.abbreviations.clear();
  return system;
}

const std::vector<Pass>& normalisingPasses() {
  static const std::vector<Pass> passes = {
      {"cocf", controlFlowToDataFlow},     {"clin", clearInit},        {"nxte", delayedEventsToMemorized},
      {"evel", eliminateEvents},           {"coar", absenceToActions}, {"suab", substituteAbbreviations},
      {"prcr", eliminateDynamicSubscripts}};
  return passes;
}

System normalised(System system, Checks checks, std::int64_t smallest) {
  system = markMemories(std::move(system), smallest);
  if (checks.conflicts) {
    if (!checks.assertions)
      for (Part* part : {&system.init, &system.main})
        part->assertions.clear();
    checks.assertions = true;
    system = withConflictChecks(std::move(system));
  }
  for (const Pass& pass : normalisingPasses()) {
    if (pass.run == substituteAbbreviations) system = withChecks(std::move(system), checks);
    if (pass.run == eliminateDynamicSubscripts) system = guardMemories(std::move(system));
    system = pass.run(std::move(system));
  }
  return system;
}

} // namespace warploom::sync
