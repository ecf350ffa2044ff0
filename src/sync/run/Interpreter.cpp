#include "sync/run/Interpreter.h"

#include "sync/model/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace warploom::sync {

namespace {
/// Its value may hang on a division by zero or on a cell outside an array.
bool mayBeUndefined(const Expr& expr, const std::vector<bool>& abbreviations) {
  bool found = false;
  forEachNode(expr, [&](const Expr& node) {
    found |= (node.op == Expr::Op::Div || node.op == Expr::Op::Mod) && node.type.isInteger();
    if (node.op == Expr::Op::Abbreviation) found |= abbreviations[node.variable];
    found |= node.op == Expr::Op::Read && !node.isCell();
  });
  return found;
}
} // namespace

Interpreter::Interpreter(const System& of, RunChecks with)
    : system(of), checks(with), numbering(of), inputs_(inputCells(of)), outputs_(outputCells(of)) {
  const int count = numbering.count();
  cells.resize(count + system.abbreviations.size());
  reactionOf.assign(count, nullptr);
  for (const Reaction& reaction : system.reactions) {
    reactionOf[numbering.cell(reaction.target)] = reaction.value;
  }
  for (const Abbreviation& entry : system.abbreviations)
    undefinedAbbreviations.push_back(mayBeUndefined(*entry.value, undefinedAbbreviations));
  init = prepare(system.init);
  main = prepare(system.main);
  if (!system.presets) return;
  for (const Action& action : system.init.dataFlow) {
    const Variable& variable = system.variables[action.target.variable];
    const int cell = numbering.cell(action.target);
    const Value value = stored(cell, *action.value, action.value->value);
    if (variable.storage == Variable::Storage::Event)
      cells[cell].pending = value, arriving.push_back(cell);
    else
      cells[cell].value = value;
  }
}

void Interpreter::addReads(Program& program, const Expr& expr, int rule) const {
  forEachNode(expr, [&](const Expr& node) {
    if (node.op == Expr::Op::Abbreviation) {
      program.readers[numbering.count() + node.variable].push_back(rule);
    } else if (node.op == Expr::Op::Read) {
      if (node.isCell())
        program.readers[numbering.cell(node)].push_back(rule);
      else
        program.dynamicReaders[node.variable].push_back(rule);
    }
  });
}

Interpreter::Program Interpreter::prepare(const Part& part) const {
  Program program;
  program.part = &part;
  program.readers.resize(cells.size());
  program.dynamicReaders.resize(system.variables.size());
  program.writers.assign(cells.size(), 0);
  for (std::size_t i = 0; i < system.abbreviations.size(); ++i) {
    Rule rule;
    rule.value = system.abbreviations[i].value;
    rule.cell = numbering.count() + int(i);
    addReads(program, *rule.value, int(program.rules.size()));
    ++program.writers[rule.cell];
    program.rules.push_back(rule);
  }
  for (const std::vector<Action>* actions : {&part.controlFlow, &part.dataFlow})
    for (const Action& action : *actions) {
      if (action.delayed) {
        program.delayed.push_back(&action);
        continue;
      }
      Rule rule;
      rule.guard = action.guard;
      rule.value = action.value;
      rule.action = &action;
      rule.variable = action.target.variable;
      rule.mayBeUndefined = mayBeUndefined(*action.value, undefinedAbbreviations);
      const int number = int(program.rules.size());
      const Type& type = system.variables[rule.variable].type;
      const int first = numbering.first(rule.variable);
      if (action.target.isCell()) {
        rule.cell = numbering.cell(action.target);
        ++program.writers[rule.cell];
      } else {
        for (int cell = first; cell < first + type.cellCount(); ++cell)
          ++program.writers[cell];
        for (ExprPtr subscript : action.target.subscripts)
          addReads(program, *subscript, number);
      }
      addReads(program, *rule.guard, number);
      addReads(program, *rule.value, number);
      program.rules.push_back(rule);
    }
  for (const Variable& variable : system.variables)
    program.quiet.push_back(variable.storage == Variable::Storage::Memorized);
  for (const Rule& rule : program.rules)
    if (rule.variable >= 0) program.quiet[rule.variable] = false;
  for (const Reaction& reaction : system.reactions)
    program.quiet[reaction.target.variable] = false;
  for (int cell = 0; cell < int(cells.size()); ++cell)
    if (cell >= numbering.count() || !program.quiet[numbering.variableOf(cell)]) program.busy.push_back(cell);
  return program;
}

std::optional<Value> Interpreter::lookup(const Expr& expr) const {
  int cell = 0;
  if (expr.op == Expr::Op::Abbreviation) {
    cell = numbering.count() + expr.variable;
  } else if (expr.isCell()) {
    cell = numbering.cell(expr);
  } else {
    std::vector<std::int64_t> subscripts;
    for (ExprPtr operand : expr.operands) {
      std::optional<Value> subscript = valueOf(*operand);
      if (!subscript) return std::nullopt;
      subscripts.push_back(subscript->integer);
    }
    const std::optional<std::int64_t> offset = offsetOf(system.variables[expr.variable].type, subscripts);
    if (!offset) return defaultValue(); // checkDefined reports it where it matters
    cell = numbering.first(expr.variable) + int(*offset);
  }
  return cells[cell].known ? std::optional(cells[cell].value) : std::nullopt;
}

std::string Interpreter::described(const Action& action) const {
  const std::string written = fmt::format("`{}`", text(system, action));
  return action.place.line == 0 ? written : fmt::format("{} (line {})", written, action.place.line);
}

Value Interpreter::stored(int cell, const Expr& value, Value computed) const {
  const bool real = system.variables[numbering.variableOf(cell)].type.scalar.base == ScalarType::Base::Real;
  return real && value.type.isInteger() ? Value{0, double(computed.integer)} : computed;
}

void Interpreter::step(const std::vector<Value>& inputs) {
  ++steps;
  run(steps == 1 && !system.presets ? init : main);
  states.assign(running->rules.size(), State::Open);
  waitingReactions.clear();
  queue.clear();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    checkRange(inputs_[i], inputs[i], nullptr);
    cells[inputs_[i]].known = true;
    cells[inputs_[i]].value = inputs[i];
  }
  for (int rule = 0; rule < int(running->rules.size()); ++rule)
    queue.push_back(rule);
  for (int cell : running->busy)
    if (cell < numbering.count() && !cells[cell].known && cells[cell].open == 0) absent(cell);
  while (true) {
    while (!queue.empty()) {
      const int rule = queue.front();
      queue.pop_front();
      if (states[rule] != State::Done) tryRule(rule);
    }
    // Absence reactions that read other cells: whichever are known by now.
    bool progress = false;
    for (std::size_t i = 0; i < waitingReactions.size(); ++i) {
      const int cell = waitingReactions[i];
      std::optional<Value> value = valueOf(*reactionOf[cell]);
      if (!value) continue;
      define(cell, stored(cell, *reactionOf[cell], *value), nullptr);
      waitingReactions[i] = waitingReactions.back();
      waitingReactions.pop_back();
      progress = true;
      break;
    }
    if (!progress) break;
  }
  for (int cell : running->busy)
    if (cell < numbering.count() && !cells[cell].known) reportCausality();
  for (State state : states)
    if (state != State::Done) reportCausality();
  checkAssertions();
  runDelayed();
}

/// Cells as they are when a step of `program` begins.
void Interpreter::run(const Program& program) {
  if (running != &program)
    for (int cell = 0; cell < numbering.count(); ++cell)
      if (program.quiet[numbering.variableOf(cell)]) cells[cell].known = true, cells[cell].open = 0;
  running = &program;
  for (int i : program.busy) {
    Cell& cell = cells[i];
    cell.open = program.writers[i];
    cell.known = false;
    cell.definer = nullptr;
  }
  for (int i : arriving) {
    Cell& cell = cells[i];
    cell.known = true;
    cell.value = *cell.pending;
    cell.definer = cell.pendingDefiner;
    cell.pending.reset();
    cell.pendingDefiner = nullptr;
  }
  arriving.clear();
}

void Interpreter::tryRule(int number) {
  const Rule& rule = running->rules[number];
  if (states[number] == State::Open && rule.guard != nullptr) {
    std::optional<Value> guard = valueOf(*rule.guard);
    if (!guard) return;
    if (guard->integer == 0) {
      states[number] = State::Done;
      release(rule, -1);
      return;
    }
    states[number] = State::Enabled;
  }
  int cell = rule.cell;
  if (cell < 0) {
    for (ExprPtr subscript : rule.action->target.subscripts)
      if (!valueOf(*subscript)) return;
    cell = numbering.first(rule.variable) + int(targetOffset(*rule.action));
  }
  std::optional<Value> value = valueOf(*rule.value);
  if (!value) return;
  states[number] = State::Done;
  if (rule.mayBeUndefined) checkDefined(*rule.action);
  define(cell, rule.action == nullptr ? *value : stored(cell, *rule.value, *value), rule.action);
  release(rule, cell);
}

std::int64_t Interpreter::targetOffset(const Action& action) const {
  if (action.target.isCell()) return action.target.offset;
  std::vector<std::int64_t> subscripts;
  for (ExprPtr subscript : action.target.subscripts)
    subscripts.push_back(valueOf(*subscript)->integer);
  const Variable& variable = system.variables[action.target.variable];
  if (const auto offset = offsetOf(variable.type, subscripts)) return *offset;
  throw RunError(
      RunError::Kind::Subscript, steps,
      fmt::format("step {}: a subscript is outside `{}`: {}", steps, variable.name, described(action)),
      {text(system, action)});
}

/// The rule will define no cell but `except`, if any.
void Interpreter::release(const Rule& rule, int except) {
  if (rule.cell >= 0) {
    if (rule.cell != except) lower(rule.cell);
    return;
  }
  const int first = numbering.first(rule.variable);
  for (int cell = first; cell < first + system.variables[rule.variable].type.cellCount(); ++cell)
    if (cell != except) lower(cell);
}

void Interpreter::lower(int cell) {
  if (--cells[cell].open == 0 && !cells[cell].known) absent(cell);
}

void Interpreter::define(int cell, Value value, const Action* by) {
  Cell& target = cells[cell];
  if (cell < numbering.count() && checks.ranges) checkRange(cell, value, by);
  if (target.known) {
    // The reaction to absence is for cells that are not known.
    if (by == nullptr || target.value == value) return;
    const std::string other =
        target.definer == nullptr ? "the value it was preset to" : described(*target.definer);
    std::vector<std::string> actions;
    if (target.definer != nullptr) actions.push_back(text(system, *target.definer));
    actions.push_back(text(system, *by));
    throw RunError(RunError::Kind::Conflict, steps,
                   fmt::format("step {}: write conflict on `{}`: {} and {}", steps, numbering.name(cell),
                               other, described(*by)),
                   actions);
  }
  target.known = true;
  target.value = value;
  target.definer = by;
  for (int rule : running->readers[cell])
    queue.push_back(rule);
  if (cell < numbering.count())
    for (int rule : running->dynamicReaders[numbering.variableOf(cell)])
      queue.push_back(rule);
}

/// No action defines `cell` in this step.
void Interpreter::absent(int cell) {
  if (cell >= numbering.count()) return;
  if (reactionOf[cell] != nullptr) {
    waitingReactions.push_back(cell);
    return;
  }
  const bool event = system.variables[numbering.variableOf(cell)].storage == Variable::Storage::Event;
  define(cell, event ? defaultValue() : cells[cell].value, nullptr);
}

void Interpreter::runDelayed() {
  for (const Action* action : running->delayed) {
    if (valueOf(*action->guard)->integer == 0) continue;
    const int cell = numbering.first(action->target.variable) + int(targetOffset(*action));
    checkDefined(*action);
    const Value value = stored(cell, *action->value, *valueOf(*action->value));
    if (checks.ranges) checkRange(cell, value, action);
    Cell& target = cells[cell];
    if (target.pending && !(*target.pending == value))
      throw RunError(RunError::Kind::Conflict, steps,
                     fmt::format("step {}: write conflict on `next({})`: {} and {}", steps,
                                 numbering.name(cell), described(*target.pendingDefiner), described(*action)),
                     {text(system, *target.pendingDefiner), text(system, *action)});
    if (!target.pending) arriving.push_back(cell);
    target.pending = value;
    target.pendingDefiner = action;
  }
}

/// The action is enabled: its value must not hang on a division by zero or on a cell outside an array.
void Interpreter::checkDefined(const Action& action) const {
  std::map<int, std::optional<Value>> abbreviations;
  auto strict = [&](auto&& self, const Expr& expr) -> std::optional<Value> {
    if (expr.op == Expr::Op::Abbreviation) {
      auto [entry, isNew] = abbreviations.try_emplace(expr.variable);
      if (isNew)
        entry->second = evaluate(
            *system.abbreviations[expr.variable].value, [&](const Expr& e) { return self(self, e); },
            system.wordBits, true);
      return entry->second;
    }
    if (expr.isCell()) return lookup(expr);
    std::vector<std::int64_t> subscripts;
    for (ExprPtr operand : expr.operands) {
      auto subscript =
          evaluate(*operand, [&](const Expr& e) { return self(self, e); }, system.wordBits, true);
      if (!subscript) return std::nullopt;
      subscripts.push_back(subscript->integer);
    }
    if (!offsetOf(system.variables[expr.variable].type, subscripts)) return std::nullopt;
    return lookup(expr);
  };
  const auto strictReader = [&](const Expr& e) { return strict(strict, e); };
  if (evaluate(*action.value, strictReader, system.wordBits, true)) return;
  const bool division = evaluate(*action.value, strictReader, system.wordBits, false).has_value();
  throw RunError(division ? RunError::Kind::Division : RunError::Kind::Subscript, steps,
                 fmt::format("step {}: {}: {}", steps,
                             division ? "division by zero" : "a subscript is outside its array",
                             described(action)),
                 {text(system, action)});
}

void Interpreter::checkRange(int cell, const Value& value, const Action* by) const {
  const ScalarType& type = system.variables[numbering.variableOf(cell)].type.scalar;
  if (fits(type, value)) return;
  const std::string range = type.base == ScalarType::Base::Bits
                                ? fmt::format("{} bits", type.bound)
                                : fmt::format("range {}..{}", type.smallest(), type.largest());
  throw RunError(RunError::Kind::Range, steps,
                 fmt::format("step {}: {} is outside the {} of `{}`{}", steps, value.integer, range,
                             numbering.name(cell), by == nullptr ? "" : ": " + described(*by)),
                 by == nullptr ? std::vector<std::string>{} : std::vector<std::string>{text(system, *by)});
}

void Interpreter::checkAssertions() const {
  if (!checks.assertions) return;
  for (const Assertion& assertion : running->part->assertions) {
    if (valueOf(*assertion.guard)->integer == 0 || valueOf(*assertion.condition)->integer != 0) continue;
    throw RunError(RunError::Kind::Assertion, steps,
                   fmt::format("step {}: {} {} violated: {}", steps,
                               assertion.assumed ? "assumption" : "assertion", assertion.name,
                               text(system, *assertion.condition)),
                   {assertion.name});
  }
}

void Interpreter::reportCausality() const {
  // Every open action waits for an unknown cell, and every unknown cell for an open action or a waiting
  // reaction: walk from one to the next until an action comes up again, and name the actions of that cycle.
  auto unknownRead = [&](const Rule& rule) {
    int found = -1;
    auto visit = [&](const Expr& expr) {
      forEachNode(expr, [&](const Expr& node) {
        if (found >= 0) return;
        if (node.op == Expr::Op::Abbreviation) {
          if (!cells[numbering.count() + node.variable].known) found = numbering.count() + node.variable;
        } else if (node.op == Expr::Op::Read) {
          const int first = node.isCell() ? numbering.cell(node) : numbering.first(node.variable);
          const int count = node.isCell() ? 1 : int(system.variables[node.variable].type.cellCount());
          for (int cell = first; cell < first + count && found < 0; ++cell)
            if (!cells[cell].known) found = cell;
        }
      });
    };
    if (rule.guard != nullptr && !valueOf(*rule.guard)) visit(*rule.guard);
    if (found < 0 && rule.action != nullptr)
      for (ExprPtr subscript : rule.action->target.subscripts)
        visit(*subscript);
    if (found < 0) visit(*rule.value);
    return found;
  };
  auto openWriter = [&](int cell) {
    for (int rule = 0; rule < int(running->rules.size()); ++rule) {
      if (states[rule] == State::Done) continue;
      const Rule& candidate = running->rules[rule];
      if (candidate.cell == cell || (candidate.cell < 0 && cell < numbering.count() &&
                                     numbering.variableOf(cell) == candidate.variable))
        return rule;
    }
    return -1;
  };
  int rule = -1;
  for (int i = 0; i < int(states.size()) && rule < 0; ++i)
    if (states[i] != State::Done && running->rules[i].action != nullptr) rule = i;
  std::vector<int> path;
  while (rule >= 0 && std::find(path.begin(), path.end(), rule) == path.end()) {
    path.push_back(rule);
    const int cell = unknownRead(running->rules[rule]);
    rule = cell < 0 ? -1 : openWriter(cell);
  }
  std::vector<std::string> names;
  std::string list;
  for (auto at = rule < 0 ? path.begin() : std::find(path.begin(), path.end(), rule); at != path.end();
       ++at) {
    const Rule& member = running->rules[*at];
    if (member.action == nullptr) continue;
    names.push_back(text(system, *member.action));
    list += "\n  " + described(*member.action);
  }
  throw RunError(RunError::Kind::Causality, steps,
                 fmt::format("step {}: causality error: {}{}", steps,
                             names.empty() ? "absence reactions wait for each other"
                                           : "these actions wait for each other:",
                             list),
                 names);
}

std::vector<Value> Interpreter::outputs() const {
  std::vector<Value> result;
  for (int cell : outputs_)
    result.push_back(cells[cell].value);
  return result;
}

} // namespace warploom::sync
