#include "sync/reader/SystemBuilder.h"

#include "sync/model/Ranges.h"
#include "sync/model/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::sync {

void SystemBuilder::enterInstance(const std::string& name, std::vector<std::int64_t> extents,
                                  std::vector<std::int64_t> at, Actuals actuals, Place place) {
  if (++instances > maximalInstances)
    throw Error(place, fmt::format("there are more than {} instances", maximalInstances));
  Scope inner;
  inner.prefix = scope().prefix + name + ".";
  inner.path = scope().path + name;
  for (std::int64_t index : at)
    inner.path += fmt::format("[{}]", index);
  inner.path += ".";
  // Instances of an array inside an array of instances have the indices of both.
  inner.extents = scope().extents;
  inner.extents.insert(inner.extents.end(), extents.begin(), extents.end());
  inner.at = scope().at;
  inner.at.insert(inner.at.end(), at.begin(), at.end());
  inner.actuals = std::move(actuals);
  scopes.push_back(std::move(inner));
}

void SystemBuilder::nameInstance(const std::string& name, Place place) {
  Meaning meaning;
  meaning.kind = Meaning::Kind::Instance;
  add(name, std::move(meaning), place);
}

void SystemBuilder::leaveInstance(const std::string& module, Place place) {
  const Scope done = std::move(scopes.back());
  scopes.pop_back();
  if (!done.actuals.empty()) {
    const auto& [name, meaning] = *done.actuals.begin();
    throw Error(meaning.place, fmt::format("`{}` is not in the interface of {}", name, module));
  }
  if (!done.inputs.empty())
    throw Error(place, fmt::format("input `{}` of {} is not given", done.inputs.front(), module));
}

const Meaning* SystemBuilder::find(std::string_view name) const {
  const auto found = scope().names.find(name);
  return found == scope().names.end() ? nullptr : &found->second;
}

void SystemBuilder::add(const std::string& name, Meaning meaning, Place place) {
  if (isDeclared(name)) throw Error(place, fmt::format("`{}` is already declared", name));
  scope().names.emplace(name, std::move(meaning));
}

int SystemBuilder::alias(const Variable& variable, Meaning actual) {
  const std::string& name = variable.name;
  if (actual.kind == Meaning::Kind::Value) {
    if (!variable.isInput())
      throw Error(actual.place, fmt::format("output `{}` needs a variable, not an expression", name));
    if (!variable.type.extents.empty())
      throw Error(actual.place,
                  fmt::format("input `{}` needs an array of type {}", name, text(variable.type)));
    checkAssignable(variable, *actual.value);
    add(name, std::move(actual), variable.place);
    return -1;
  }
  const Variable& given = system.variables[actual.index];
  Type type = given.type;
  type.extents.erase(type.extents.begin(), type.extents.begin() + std::ptrdiff_t(actual.at.size()));
  const bool fitting = variable.isInput() ? type.scalar.base == variable.type.scalar.base
                                          : type.scalar == variable.type.scalar;
  if (!fitting || type.extents != variable.type.extents)
    throw Error(actual.place,
                fmt::format("`{}` is {} and is given {}", name, text(variable.type), text(type)));
  if (!variable.isInput()) {
    if (given.isInput())
      throw Error(actual.place, fmt::format("output `{}` cannot be the input `{}`", name, given.name));
    if (given.storage != variable.storage)
      throw Error(actual.place,
                  fmt::format("output `{}` is {} and `{}` is {}", name,
                              variable.storage == Variable::Storage::Event ? "an event" : "memorized",
                              given.name,
                              given.storage == Variable::Storage::Event ? "an event" : "memorized"));
  }
  const int index = actual.index;
  add(name, std::move(actual), variable.place);
  return index;
}

int SystemBuilder::declare(Variable variable, bool own) {
  const std::string name = variable.name;
  const Place place = variable.place;
  if (isDeclared(name)) throw Error(place, fmt::format("`{}` is already declared", name));
  if (variable.role == Variable::Role::Label && !(variable.type == Type{}))
    throw Error(place, fmt::format("label `{}` must be a single bool", name));
  Scope& in = scope();
  if (insideInstance() && variable.role != Variable::Role::Local && variable.role != Variable::Role::Label) {
    if (auto given = in.actuals.find(name); given != in.actuals.end()) {
      Meaning actual = std::move(given->second);
      in.actuals.erase(given);
      return alias(variable, std::move(actual));
    }
    if (variable.isInput()) in.inputs.push_back(name);
    variable.role = Variable::Role::Local;
  }
  Meaning meaning;
  meaning.place = place;
  if (own || in.extents.empty()) {
    variable.name = in.prefix + name;
    for (std::int64_t index : in.at)
      variable.name += fmt::format("_{}", index);
    meaning.index = declareUnnamed(std::move(variable));
  } else {
    meaning.at = in.at;
    // A label of many instances is an event of its own in each.
    if (variable.role == Variable::Role::Label) variable.role = Variable::Role::Local;
    variable.name = in.prefix + name;
    variable.type.extents.insert(variable.type.extents.begin(), in.extents.begin(), in.extents.end());
    std::int64_t number = 0; // of this instance; they are declared in order
    for (std::size_t d = 0; d < in.at.size(); ++d)
      number = number * in.extents[d] + in.at[d];
    std::vector<Shared>& all = shared[variable.name];
    // A name that was forgotten and is declared again by this instance is another array.
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Shared& one) { return one.last < number; });
    if (found != all.end()) {
      const Variable& first = system.variables[found->variable];
      if (!(first.type == variable.type) || first.storage != variable.storage)
        throw Error(place, fmt::format("`{}` has another type in other instances of the array", name));
      meaning.index = found->variable;
      found->last = number;
    } else {
      meaning.index = declareUnnamed(std::move(variable));
      all.push_back({meaning.index, number});
    }
  }
  const int index = meaning.index;
  in.names.emplace(name, std::move(meaning));
  return index;
}

int SystemBuilder::declareUnnamed(Variable variable) {
  std::int64_t count = 1;
  for (std::int64_t extent : variable.type.extents) // stops growing before it could overflow
    count = count > maximalCells / extent ? maximalCells + 1 : count * extent;
  cells += count;
  if (cells > maximalCells)
    throw Error(variable.place,
                fmt::format("`{}` takes the system beyond {} cells, the most that can be compiled",
                            variable.name, maximalCells));
  const std::string written = variable.name;
  for (int number = 1; !used.insert(variable.name).second; ++number)
    variable.name = fmt::format("{}_{}", written, number);
  system.variables.push_back(std::move(variable));
  return int(system.variables.size()) - 1;
}

void SystemBuilder::abbreviate(const std::string& name, ExprPtr value, Place place) {
  Meaning meaning;
  meaning.kind = Meaning::Kind::Abbreviation;
  meaning.index = int(system.abbreviations.size());
  add(name, std::move(meaning), place);
  constantAbbreviations.push_back(constant(*value));
  system.abbreviations.push_back({scope().path + name, value, place});
}

std::optional<Value> SystemBuilder::constant(const Expr& expr) const {
  const auto lookup = [&](const Expr& node) {
    return node.op == Expr::Op::Read ? std::nullopt : constantAbbreviations[node.variable];
  };
  return evaluate(expr, lookup, 64);
}

/// All subscripts of the variable, of which the user wrote those behind `meaning.at`.
std::vector<ExprPtr> SystemBuilder::checkedSubscripts(const Meaning& meaning, std::vector<ExprPtr> subscripts,
                                                      Place place) const {
  const Variable& variable = system.variables[meaning.index];
  const std::vector<std::int64_t>& extents = variable.type.extents;
  const std::size_t fixed = meaning.at.size(), written = extents.size() - fixed;
  if (subscripts.size() != written)
    throw Error(place,
                fmt::format("`{}` has {} dimension{} and is used with {} subscript{}", variable.name, written,
                            written == 1 ? "" : "s", subscripts.size(), subscripts.size() == 1 ? "" : "s"));
  fold(subscripts);
  std::vector<ExprPtr> all;
  for (std::int64_t index : meaning.at)
    all.push_back(integerLiteral(index, place));
  for (std::size_t i = 0; i < written; ++i) {
    const Expr& subscript = *subscripts[i];
    if (!subscript.type.isInteger()) throw Error(subscript.place, "a subscript must be an integer");
    const std::optional<Value> value = constant(subscript);
    if (value && (value->integer < 0 || value->integer >= extents[fixed + i]))
      throw Error(subscript.place,
                  fmt::format("subscript {} is outside `{}`, whose dimension {} has {} cells", value->integer,
                              variable.name, i + 1, extents[fixed + i]));
    all.push_back(subscripts[i]);
  }
  return all;
}

void SystemBuilder::bind(const std::string& name, std::int64_t value, Place place) {
  Meaning meaning;
  meaning.kind = Meaning::Kind::Value;
  meaning.value = integerLiteral(value, place);
  add(name, std::move(meaning), place);
  ++scope().constants;
}

void SystemBuilder::unbind(const std::string& name) {
  if (scope().names.erase(name)) --scope().constants;
}

void SystemBuilder::define(const std::string& name, Macro macro, Place place) {
  if (isDeclared(name)) throw Error(place, fmt::format("`{}` is already declared", name));
  macros.emplace(name, std::move(macro));
}

const Macro* SystemBuilder::macro(std::string_view name) const {
  const auto found = macros.find(name);
  return found == macros.end() ? nullptr : &found->second;
}

void SystemBuilder::fold(std::vector<ExprPtr>& subscripts) const {
  if (scope().constants == 0 && macros.empty()) return;
  for (ExprPtr& subscript : subscripts)
    if (subscript->type.isInteger() && subscript->op != Expr::Op::Literal)
      if (std::optional<Value> value = constant(*subscript))
        subscript = integerLiteral(value->integer, subscript->place);
}

ExprPtr SystemBuilder::named(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const {
  const Meaning* meaning = find(name);
  if (meaning == nullptr) throw Error(place, fmt::format("`{}` is not declared", name));
  switch (meaning->kind) {
  case Meaning::Kind::Variable: {
    const Variable& variable = system.variables[meaning->index];
    return read(meaning->index, variable.type, checkedSubscripts(*meaning, std::move(subscripts), place),
                place);
  }
  case Meaning::Kind::Abbreviation:
    if (!subscripts.empty()) throw Error(place, fmt::format("abbreviation `{}` takes no subscript", name));
    return abbreviation(meaning->index, system.abbreviations[meaning->index].value->type, place);
  case Meaning::Kind::Instance:
    throw Error(place, fmt::format("`{}` is an instance and has no value", name));
  default:
    if (!subscripts.empty()) throw Error(place, fmt::format("`{}` takes no subscript", name));
    return meaning->value;
  }
}

Target SystemBuilder::target(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const {
  const Meaning* meaning = find(name);
  if (meaning == nullptr) throw Error(place, fmt::format("`{}` is not declared", name));
  if (meaning->kind == Meaning::Kind::Abbreviation)
    throw Error(place, fmt::format("abbreviation `{}` cannot be assigned", name));
  if (meaning->kind != Meaning::Kind::Variable)
    throw Error(place, fmt::format("`{}` cannot be assigned", name));
  const Variable& variable = system.variables[meaning->index];
  if (variable.isInput()) throw Error(place, fmt::format("input `{}` cannot be assigned", name));
  return makeTarget(meaning->index, variable.type, checkedSubscripts(*meaning, std::move(subscripts), place));
}

Meaning SystemBuilder::part(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const {
  const Meaning* meaning = find(name);
  if (meaning == nullptr) throw Error(place, fmt::format("`{}` is not declared", name));
  Meaning result = *meaning;
  result.place = place;
  if (meaning->kind != Meaning::Kind::Variable) {
    result.kind = Meaning::Kind::Value;
    result.value = named(name, std::move(subscripts), place);
    return result;
  }
  const Variable& variable = system.variables[meaning->index];
  const std::size_t dimensions = variable.type.extents.size();
  std::vector<std::int64_t> chosen;
  for (ExprPtr subscript : subscripts) {
    const std::optional<Value> value = constant(*subscript);
    const std::size_t dimension = meaning->at.size() + chosen.size();
    if (!value ||
        dimension >= dimensions) { // a value that the step decides, or a mistake that named() reports
      result.kind = Meaning::Kind::Value;
      result.value = named(name, subscripts, place);
      return result;
    }
    if (value->integer < 0 || value->integer >= variable.type.extents[dimension])
      throw Error(subscript->place,
                  fmt::format("subscript {} is outside `{}`, whose dimension {} has {} cells", value->integer,
                              variable.name, chosen.size() + 1, variable.type.extents[dimension]));
    chosen.push_back(value->integer);
  }
  result.at.insert(result.at.end(), chosen.begin(), chosen.end());
  return result;
}

void SystemBuilder::checkAssignable(const Variable& variable, const Expr& value) const {
  const ScalarType& type = variable.type.scalar;
  const bool fitting = type.base == ScalarType::Base::Real ? value.type.isNumber()
                       : type.isInteger()                  ? value.type.isInteger()
                                                           : value.type == type;
  if (!fitting)
    throw Error(value.place, fmt::format("this value cannot be assigned to `{}`, a {}", variable.name,
                                         text(Type{type, {}})));
  if (value.op == Expr::Op::Literal && type.isInteger() && !fits(type, value.value))
    throw Error(value.place, fmt::format("{} is outside the range {}..{} of `{}`", value.value.integer,
                                         type.smallest(), type.largest(), variable.name));
}

Action SystemBuilder::action(ExprPtr guard, Target target, bool delayed, ExprPtr value, Place place) const {
  if (!guard->type.isBool()) throw Error(guard->place, "a guard must be a boolean");
  const Variable& variable = system.variables[target.variable];
  checkAssignable(variable, *value);
  if (variable.role == Variable::Role::Label && !delayed)
    throw Error(place,
                fmt::format("label `{}` can only be assigned with next({})", variable.name, variable.name));
  return {guard, std::move(target), value, delayed, place};
}

Assertion SystemBuilder::assertion(ExprPtr guard, std::string name, ExprPtr condition, Place place,
                                   bool assumed) const {
  if (!guard->type.isBool()) throw Error(guard->place, "a guard must be a boolean");
  if (!condition->type.isBool()) throw Error(condition->place, "an assertion must be a boolean");
  return {guard, scope().path + name, condition, place, assumed};
}

void SystemBuilder::react(Target target, ExprPtr value, Place place) {
  checkAssignable(system.variables[target.variable], *value);
  if (!target.isCell()) throw Error(place, "an absence reaction needs constant subscripts");
  if (!reacting.emplace(target.variable, target.offset).second)
    throw Error(place, fmt::format("`{}` already has an absence reaction", text(system, target)));
  system.reactions.push_back({std::move(target), value, place});
}

System SystemBuilder::finish() {
  if (system.presets) {
    for (const Action& action : system.init.dataFlow)
      if (!action.guard->isTrue() || action.delayed || action.value->op != Expr::Op::Literal ||
          !action.target.isCell())
        throw Error(action.place, "a preset has the form `true => x = constant`");
    if (!system.init.controlFlow.empty())
      throw Error(system.init.controlFlow[0].place, "presets stand in the data flow");
    if (!system.init.assertions.empty())
      throw Error(system.init.assertions[0].place, "presets come without assertions");
  }
  system.wordBits = neededWordBits(system);
  return std::move(system);
}

} // namespace warploom::sync
