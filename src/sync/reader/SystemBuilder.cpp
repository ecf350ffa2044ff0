#include "sync/reader/SystemBuilder.h"

#include "sync/model/Ranges.h"
#include "sync/model/Text.h"

#include <charconv>
#include <fmt/format.h>

namespace warploom::sync {

int SystemBuilder::declare(Variable variable) {
  if (variables.count(variable.name) || abbreviations.count(variable.name))
    throw Error(variable.place, fmt::format("`{}` is already declared", variable.name));
  if (variable.role == Variable::Role::Label && !(variable.type == Type{}))
    throw Error(variable.place, fmt::format("label `{}` must be a single bool", variable.name));
  const std::string name = variable.name;
  const int index = declareUnnamed(std::move(variable));
  variables.emplace(name, index);
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

void SystemBuilder::abbreviate(std::string name, ExprPtr value, Place place) {
  if (variables.count(name) || abbreviations.count(name))
    throw Error(place, fmt::format("`{}` is already declared", name));
  abbreviations.emplace(name, int(system.abbreviations.size()));
  constantAbbreviations.push_back(constant(*value));
  system.abbreviations.push_back({std::move(name), value, place});
}

std::optional<Value> SystemBuilder::constant(const Expr& expr) const {
  const auto lookup = [&](const Expr& node) {
    return node.op == Expr::Op::Read ? std::nullopt : constantAbbreviations[node.variable];
  };
  return evaluate(expr, lookup, 64);
}

void SystemBuilder::checkSubscripts(const Variable& variable, ExprList subscripts, Place place) const {
  const std::vector<std::int64_t>& extents = variable.type.extents;
  if (subscripts.size() != extents.size())
    throw Error(place, fmt::format("`{}` has {} dimension{} and is used with {} subscript{}", variable.name,
                                   extents.size(), extents.size() == 1 ? "" : "s", subscripts.size(),
                                   subscripts.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Expr& subscript = *subscripts[i];
    if (!subscript.type.isInteger()) throw Error(subscript.place, "a subscript must be an integer");
    const std::optional<Value> value = constant(subscript);
    if (value && (value->integer < 0 || value->integer >= extents[i]))
      throw Error(subscript.place,
                  fmt::format("subscript {} is outside `{}`, whose dimension {} has {} cells", value->integer,
                              variable.name, i + 1, extents[i]));
  }
}

void SystemBuilder::bind(const std::string& name, std::int64_t value, Place place) {
  if (variables.count(name) || abbreviations.count(name) || !constants.emplace(name, value).second)
    throw Error(place, fmt::format("`{}` is already declared", name));
}

void SystemBuilder::fold(std::vector<ExprPtr>& subscripts) const {
  if (constants.empty()) return;
  for (ExprPtr& subscript : subscripts)
    if (subscript->type.isInteger() && subscript->op != Expr::Op::Literal)
      if (std::optional<Value> value = constant(*subscript))
        subscript = integerLiteral(value->integer, subscript->place);
}

ExprPtr SystemBuilder::named(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const {
  if (auto found = constants.find(name); found != constants.end() && subscripts.empty())
    return integerLiteral(found->second, place);
  fold(subscripts);
  if (auto found = variables.find(name); found != variables.end()) {
    const Variable& variable = system.variables[found->second];
    checkSubscripts(variable, subscripts, place);
    return read(found->second, variable.type, subscripts, place);
  }
  auto found = abbreviations.find(name);
  if (found == abbreviations.end()) throw Error(place, fmt::format("`{}` is not declared", name));
  if (!subscripts.empty()) throw Error(place, fmt::format("abbreviation `{}` takes no subscript", name));
  return abbreviation(found->second, system.abbreviations[found->second].value->type, place);
}

Target SystemBuilder::target(std::string_view name, std::vector<ExprPtr> subscripts, Place place) const {
  auto found = variables.find(name);
  if (found == variables.end())
    throw Error(place, abbreviations.count(name) ? fmt::format("abbreviation `{}` cannot be assigned", name)
                                                 : fmt::format("`{}` is not declared", name));
  const Variable& variable = system.variables[found->second];
  if (variable.isInput()) throw Error(place, fmt::format("input `{}` cannot be assigned", name));
  fold(subscripts);
  checkSubscripts(variable, subscripts, place);
  return makeTarget(found->second, variable.type, std::move(subscripts));
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

Assertion SystemBuilder::assertion(ExprPtr guard, std::string name, ExprPtr condition, Place place) const {
  if (!guard->type.isBool()) throw Error(guard->place, "a guard must be a boolean");
  if (!condition->type.isBool()) throw Error(condition->place, "an assertion must be a boolean");
  return {guard, std::move(name), condition, place};
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
