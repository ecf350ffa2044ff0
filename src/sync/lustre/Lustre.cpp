#include "sync/lustre/Lustre.h"

#include "sync/lustre/Clocks.h"
#include "sync/lustre/LustreSyntax.h"
#include "sync/reader/SystemBuilder.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace warploom::sync {

namespace {

using Kind = LustreTerm::Kind;
using Constants = std::map<std::string, ExprPtr, std::less<>>;

/// A value, and when there is one: on every clock where `clock` is null.
struct Flow {
  ExprPtr value = nullptr;
  const Clock* clock = nullptr;
};
using Flows = std::vector<Flow>;

/// Instantiates nodes into one system.
class LustreCompiler {
public:
  LustreCompiler(const LustreProgram& of, const Constants& with) : program(of), constants(with) {
    builder.system.presets = true; // what runs in the first step runs in all
  }

  /// The system of `node`, whose interface becomes that of the system.
  System compile(const LustreNode& node) {
    builder.system.name = node.name;
    instantiate(node, clocks.always(), nullptr, {});
    return builder.finish();
  }

  /// The value of a constant. Throws Error when the term is none.
  ExprPtr constant(const LustreConstant& of) {
    const ExprPtr value = constantTerm(*of.value) ? single(*of.value).value : nullptr;
    const std::optional<Value> known = value == nullptr ? std::nullopt : builder.constant(*value);
    if (!known) throw Error(of.value->place, fmt::format("`{}` must be given a constant", of.name));
    if (of.type) checkType(*value, *of.type, fmt::format("`{}`", of.name), of.value->place);
    if (value->type.isInteger() && !fits(lustreInt, *known))
      throw Error(of.value->place, fmt::format("{} does not fit into an int of 32 bits", known->integer));
    return literal(value->type, *known);
  }

  /// The nodes that were instantiated.
  std::set<const LustreNode*> met;

private:
  /// An instance while its node is read.
  struct Instance {
    const LustreNode* node = nullptr;
    const Clock* base = nullptr;
    std::map<std::string, const LustreDeclaration*, std::less<>> declarations;
    std::map<std::string, const Clock*, std::less<>> clocks; ///< of variables; null while it is looked for
    std::map<const Clock*, int> started;           ///< variables that hold from the second step of a clock on
    std::map<std::string, int, std::less<>> calls; ///< of nodes, so far
    int memories = 0, assertions = 0;
  };

  /// Whether nothing in `term` needs a node around it.
  static bool constantTerm(const LustreTerm& term) {
    const bool plain = term.kind == Kind::Literal || term.kind == Kind::Name || term.kind == Kind::Operator ||
                       term.kind == Kind::Implies || term.kind == Kind::RealOf;
    return plain && std::ranges::all_of(term.parts, [](LustreTermPtr part) { return constantTerm(*part); });
  }

  // ---- Instances

  /// Adds an instance of `node`, which `call` gives `arguments`, and which is the whole system where there is
  /// no call; its outputs.
  Flows instantiate(const LustreNode& node, const Clock* base, const LustreTerm* call,
                    const Flows& arguments) {
    met.insert(&node);
    Instance instance;
    instance.node = &node;
    instance.base = base;
    std::swap(current, instance);
    open.push_back(&node);
    declare(node.inputs, Variable::Role::Input);
    declare(node.outputs, Variable::Role::Output);
    declare(node.locals, Variable::Role::Local);
    for (const auto* declarations : {&node.inputs, &node.outputs, &node.locals})
      for (const LustreDeclaration& declaration : *declarations)
        clockOf(declaration.name, declaration.place);
    if (call != nullptr) checkClocks(*call, arguments);
    std::set<std::string_view> defined;
    for (const LustreEquation& equation : node.equations) {
      for (const auto& [name, place] : equation.left) {
        const auto found = current.declarations.find(name);
        if (found == current.declarations.end())
          throw Error(place, fmt::format("`{}` is not declared", name));
        if (isInput(*found->second)) throw Error(place, fmt::format("input `{}` cannot be defined", name));
        if (!defined.insert(name).second) throw Error(place, fmt::format("`{}` is defined twice", name));
      }
      define(equation);
    }
    for (const auto* declarations : {&node.outputs, &node.locals})
      for (const LustreDeclaration& declaration : *declarations)
        if (!defined.contains(declaration.name))
          throw Error(declaration.place, fmt::format("`{}` is never defined", declaration.name));
    for (const LustreAssertion& assertion : node.assertions)
      check(assertion);
    Flows outputs;
    for (const LustreDeclaration& output : node.outputs)
      outputs.push_back({valueOf(output.name, output.place), clockOf(output.name, output.place)});
    open.pop_back();
    std::swap(current, instance);
    return outputs;
  }

  /// The arguments of the instance must be on the clocks that its node declares for them.
  void checkClocks(const LustreTerm& call, const Flows& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const LustreDeclaration& input = current.node->inputs[i];
      const Clock* clock = clockOf(input.name, input.place);
      if (arguments[i].clock != nullptr && arguments[i].clock != clock)
        throw Error(call.parts.size() == arguments.size() ? call.parts[i]->place : call.place,
                    fmt::format("input `{}` of {} is on {}, and this is on {}", input.name,
                                current.node->name, named(clock), named(arguments[i].clock)));
    }
  }

  bool isInput(const LustreDeclaration& declaration) const {
    const std::vector<LustreDeclaration>& inputs = current.node->inputs;
    return !inputs.empty() && &declaration >= inputs.data() && &declaration < inputs.data() + inputs.size();
  }

  void declare(const std::vector<LustreDeclaration>& declarations, Variable::Role role) {
    for (const LustreDeclaration& declaration : declarations) {
      if (constants.contains(declaration.name))
        throw Error(declaration.place, fmt::format("`{}` is a constant", declaration.name));
      Variable variable;
      variable.name = declaration.name;
      variable.role = role;
      if (role == Variable::Role::Input) variable.storage = Variable::Storage::None;
      variable.type.scalar = declaration.type;
      variable.place = declaration.place;
      builder.declare(std::move(variable));
      current.declarations.emplace(declaration.name, &declaration);
    }
  }

  ExprPtr valueOf(const std::string& name, Place place) const { return builder.named(name, {}, place); }

  /// The clock of a variable of the node.
  const Clock* clockOf(const std::string& name, Place place) {
    auto [entry, isNew] = current.clocks.try_emplace(name, nullptr);
    if (!isNew) {
      if (entry->second == nullptr)
        throw Error(place, fmt::format("the clock of `{}` depends on itself", name));
      return entry->second;
    }
    const LustreDeclaration& declaration = *current.declarations.at(name);
    const Clock* result = declaration.clock ? clockOn(*declaration.clock) : current.base;
    current.clocks[name] = result;
    return result;
  }

  /// The clock on which `name.variable` says yes.
  const Clock* clockOn(const ClockName& name) {
    const auto found = current.declarations.find(name.variable);
    if (found == current.declarations.end())
      throw Error(name.place, fmt::format("`{}` is not declared", name.variable));
    if (!found->second->type.isBool())
      throw Error(name.place, fmt::format("clock `{}` must be a bool", name.variable));
    const Clock* parent = clockOf(name.variable, name.place);
    const ExprPtr condition = valueOf(name.variable, name.place);
    if (!condition->isCell())
      throw Error(name.place,
                  fmt::format("clock `{}` must be a variable, and is given a constant", name.variable));
    return clocks.on(parent, condition, name.variable, name.positive);
  }

  /// What `clock` is called in a message.
  std::string named(const Clock* clock) const {
    return clock == current.base ? "the base clock" : "clock " + clock->name;
  }

  void act(const Clock* clock, int variable, ExprPtr value, bool delayed, Place place) {
    builder.system.main.dataFlow.push_back(
        builder.action(clock->guard, {variable, 0, {}}, delayed, value, place));
  }

  void define(const LustreEquation& equation) {
    const LustreTerm& right = *equation.right;
    // A call gives its results straight to the variables, so that one of them can be the clock of others.
    const Flows flows = right.kind == Kind::Call ? call(right, &equation) : flowsOf(right);
    if (flows.size() != equation.left.size())
      throw Error(equation.place, fmt::format("{} variable{} and {} value{}", equation.left.size(),
                                              equation.left.size() == 1 ? "" : "s", flows.size(),
                                              flows.size() == 1 ? "" : "s"));
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const auto& [name, place] = equation.left[i];
      checkType(*flows[i].value, current.declarations.at(name)->type, fmt::format("`{}`", name), right.place);
      const Clock* clock = clockOf(name, place);
      if (flows[i].clock != nullptr && flows[i].clock != clock)
        throw Error(right.place, fmt::format("`{}` is on {}, and this is on {}", name, named(clock),
                                             named(flows[i].clock)));
      const Target target = builder.target(name, {}, place);
      if (flows[i].value->isCell() && flows[i].value->variable == target.variable && right.kind == Kind::Call)
        continue; // the instance defines it
      act(clock, target.variable, flows[i].value, false, equation.place);
    }
  }

  void check(const LustreAssertion& assertion) {
    const Flow flow = single(*assertion.condition);
    if (!flow.value->type.isBool()) throw Error(assertion.condition->place, "an assertion must be a bool");
    const Clock* clock = flow.clock == nullptr ? current.base : flow.clock;
    builder.system.main.assertions.push_back(builder.assertion(
        clock->guard, fmt::format("{}{}", assertion.assumed ? "assert" : "property", ++current.assertions),
        flow.value, assertion.place, assertion.assumed));
  }

  // ---- Expressions

  static void checkType(const Expr& value, const ScalarType& type, const std::string& what, Place place) {
    if (value.type.base != type.base)
      throw Error(place,
                  fmt::format("{} is {}, and this is {}", what, lustreName(type), lustreName(value.type)));
  }

  Flow single(const LustreTerm& term) {
    const Flows flows = flowsOf(term);
    if (flows.size() != 1)
      throw Error(term.place, fmt::format("expected one value, found a list of {}", flows.size()));
    return flows[0];
  }

  /// The clock that `a` and `b` have in common. Throws Error at `place` when there is none.
  const Clock* common(const Clock* a, const Clock* b, Place place) const {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    if (a != b)
      throw Error(place, fmt::format("operands on different clocks: {} and {}", named(a), named(b)));
    return a;
  }

  /// The flows of all parts, one part after the other.
  Flows flowsOfAll(const LustreTerm& term) {
    Flows result;
    for (LustreTermPtr part : term.parts)
      for (const Flow& flow : flowsOf(*part))
        result.push_back(flow);
    return result;
  }

  Flows flowsOf(const LustreTerm& term) {
    if (++size > mostTerms)
      throw Error(term.place, fmt::format("all instances together have more than {} terms", mostTerms));
    switch (term.kind) {
    case Kind::Literal:
      return {{term.literal, nullptr}};
    case Kind::Name:
      if (const auto found = constants.find(term.name); found != constants.end())
        return {{found->second, nullptr}};
      if (!current.declarations.contains(term.name))
        throw Error(term.place, fmt::format("`{}` is not declared", term.name));
      return {{valueOf(term.name, term.place), clockOf(term.name, term.place)}};
    case Kind::Call:
      return call(term, nullptr);
    case Kind::List:
      return flowsOfAll(term);
    case Kind::Operator:
    case Kind::Implies:
      return operation(term);
    case Kind::RealOf: {
      const Flow flow = single(*term.parts[0]);
      checkType(*flow.value, lustreInt, "the operand of `real`", term.parts[0]->place);
      return {{apply(Expr::Op::Mul, {flow.value, realLiteral(1)}, term.place), flow.clock}};
    }
    case Kind::When: {
      const Clock* clock = clockOn(term.clock);
      Flows result = flowsOf(*term.parts[0]);
      for (Flow& flow : result) {
        if (flow.clock != nullptr && flow.clock != clock->parent)
          throw Error(term.place, fmt::format("this is on {}, and `{}` is on {}", named(flow.clock),
                                              term.clock.variable, named(clock->parent)));
        flow.clock = clock;
      }
      return result;
    }
    case Kind::Current:
      return heldValues(term);
    case Kind::Pre: {
      Flows result = flowsOf(*term.parts[0]);
      for (Flow& flow : result)
        flow = before(flow, nullptr, term.place);
      return result;
    }
    default:
      return arrow(term);
    }
  }

  /// A flow that is what `flow` was in the step before of its clock, and in the first one `first`, or nothing
  /// in particular.
  Flow before(const Flow& flow, ExprPtr first, Place place) {
    const Clock* clock = flow.clock == nullptr ? current.base : flow.clock;
    const int memory = newVariable(fmt::format("pre{}", ++current.memories), flow.value->type, place);
    act(clock, memory, flow.value, true, place);
    if (first != nullptr)
      builder.system.init.dataFlow.push_back(
          builder.action(boolLiteral(true), {memory, 0, {}}, false, first, place));
    return {readCell(memory, flow.value->type, 0, place), clock};
  }

  int newVariable(const std::string& name, ScalarType type, Place place) {
    Variable variable;
    variable.name = builder.fullName(name);
    variable.type.scalar = type.isInteger() ? lustreInt : type;
    variable.place = place;
    return builder.declareUnnamed(std::move(variable));
  }

  /// The last values of flows, on the clock of their clock.
  Flows heldValues(const LustreTerm& term) {
    Flows result = flowsOf(*term.parts[0]);
    for (Flow& flow : result) {
      if (flow.clock == nullptr || flow.clock == current.base)
        throw Error(term.place, "`current` of a value that is always there");
      const int held =
          newVariable(fmt::format("current{}", ++current.memories), flow.value->type, term.place);
      act(flow.clock, held, flow.value, false, term.place);
      flow = {readCell(held, flow.value->type, 0, term.place), flow.clock->parent};
    }
    return result;
  }

  /// `a -> b` and `a fby b`.
  Flows arrow(const LustreTerm& term) {
    const Flows first = flowsOf(*term.parts[0]);
    // Of a constant and `pre` nothing is left but the memory, which begins with the constant.
    const LustreTerm& second = *term.parts[1];
    const bool fby = term.kind == Kind::Fby, remembers = fby || second.kind == Kind::Pre;
    const bool fused = remembers && std::ranges::all_of(first, [](const Flow& flow) {
                         return flow.clock == nullptr && flow.value->op == Expr::Op::Literal;
                       });
    Flows then = flowsOf(fused && !fby ? *second.parts[0] : second);
    if (first.size() != then.size())
      throw Error(term.place, fmt::format("a list of {} and a list of {}", first.size(), then.size()));
    for (std::size_t i = 0; i < then.size(); ++i) {
      const Clock* clock = common(first[i].clock, then[i].clock, term.place);
      checkType(*then[i].value, first[i].value->type, "the first value", second.place);
      if (clock == nullptr) clock = current.base;
      then[i].clock = clock;
      if (fused) {
        then[i] = before(then[i], first[i].value, term.place);
        continue;
      }
      if (fby) then[i] = before(then[i], nullptr, term.place);
      then[i].value = apply(Expr::Op::If, {startedOn(clock), then[i].value, first[i].value}, term.place);
    }
    return then;
  }

  /// Holds from the second step of `clock` on, counted from the start of the instance.
  ExprPtr startedOn(const Clock* clock) {
    auto [entry, isNew] = current.started.try_emplace(clock, -1);
    if (isNew) {
      entry->second = newVariable("started", {}, current.node->place);
      act(clock, entry->second, boolLiteral(true), true, current.node->place);
    }
    return readCell(entry->second, {});
  }

  /// Operators take single values; the cases of `if` may be lists.
  Flows operation(const LustreTerm& term) {
    if (term.kind == Kind::Operator && term.op == Expr::Op::If) return choice(term);
    std::vector<ExprPtr> operands;
    const Clock* clock = nullptr;
    for (LustreTermPtr part : term.parts) {
      const Flow flow = single(*part);
      clock = common(clock, flow.clock, part->place);
      if (!operands.empty()) checkType(*flow.value, operands[0]->type, "the first operand", part->place);
      operands.push_back(flow.value);
    }
    if (term.kind == Kind::Implies)
      return {
          {apply(Expr::Op::Or, {apply(Expr::Op::Not, {operands[0]}, term.place), operands[1]}, term.place),
           clock}};
    if (term.op == Expr::Op::Neg && operands[0]->op == Expr::Op::Literal && operands[0]->type.isInteger())
      return {{integerLiteral(-operands[0]->value.integer, term.place), clock}};
    return {{apply(term.op, operands, term.place), clock}};
  }

  Flows choice(const LustreTerm& term) {
    const Flow condition = single(*term.parts[0]);
    if (!condition.value->type.isBool())
      throw Error(term.parts[0]->place,
                  fmt::format("the condition is {}, not bool", lustreName(condition.value->type)));
    const Flows yes = flowsOf(*term.parts[1]);
    Flows result = flowsOf(*term.parts[2]);
    if (yes.size() != result.size())
      throw Error(term.place, fmt::format("a list of {} and a list of {}", yes.size(), result.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
      const Clock* clock = common(yes[i].clock, result[i].clock, term.place);
      checkType(*result[i].value, yes[i].value->type, "the first case", term.parts[2]->place);
      result[i].clock = common(condition.clock, clock, term.place);
      result[i].value = apply(Expr::Op::If, {condition.value, yes[i].value, result[i].value}, term.place);
    }
    return result;
  }

  // ---- Calls

  /// An instance of a node; its results, where the call is a whole equation `into`, are the variables there.
  Flows call(const LustreTerm& term, const LustreEquation* into) {
    const auto found = program.byName.find(term.name);
    if (found == program.byName.end())
      throw Error(term.place, fmt::format("there is no node `{}`", term.name));
    const LustreNode& node = program.nodes[found->second];
    refuseRecursion(node, term.place);
    const Flows arguments = flowsOfAll(term);
    if (arguments.size() != node.inputs.size())
      throw Error(term.place,
                  fmt::format("`{}` has {} input{} and is given {}", node.name, node.inputs.size(),
                              node.inputs.size() == 1 ? "" : "s", arguments.size()));
    if (into != nullptr && into->left.size() != node.outputs.size())
      throw Error(into->place, fmt::format("{} variable{} and {} value{}", into->left.size(),
                                           into->left.size() == 1 ? "" : "s", node.outputs.size(),
                                           node.outputs.size() == 1 ? "" : "s"));
    // The node's own clock is that of the arguments that have it.
    const Clock* base = nullptr;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      checkType(*arguments[i].value, node.inputs[i].type, fmt::format("input `{}`", node.inputs[i].name),
                arguments[i].value->place);
      if (!node.inputs[i].clock) base = common(base, arguments[i].clock, term.place);
    }
    if (base == nullptr) base = current.base;
    const std::string name = fmt::format("{}{}", node.name, ++current.calls[node.name]);
    Actuals actuals;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      actuals.emplace(node.inputs[i].name, actual(arguments[i], base, name, node.inputs[i]));
    for (std::size_t i = 0; into != nullptr && i < node.outputs.size(); ++i) {
      const auto& [result, place] = into->left[i];
      checkType(*valueOf(result, place), node.outputs[i].type,
                fmt::format("output `{}` of {}", node.outputs[i].name, node.name), place);
      actuals.emplace(node.outputs[i].name, builder.part(result, {}, place));
    }
    builder.enterInstance(name, {}, {}, std::move(actuals), term.place);
    const Flows results = instantiate(node, base, &term, arguments);
    builder.leaveInstance(node.name, term.place);
    return results;
  }

  void refuseRecursion(const LustreNode& node, Place place) const {
    const auto first = std::ranges::find(open, &node);
    if (first != open.end()) {
      std::string way;
      for (auto at = first; at != open.end(); ++at)
        way += (*at)->name + " -> ";
      throw Error(place, fmt::format("recursive instantiation: {}{}", way, node.name));
    }
    if (open.size() >= mostNested) throw Error(place, "nodes nested too deeply");
  }

  /// What stands for an input: a variable or a constant as it is, anything else a variable made for it.
  Meaning actual(const Flow& argument, const Clock* base, const std::string& instance,
                 const LustreDeclaration& input) {
    Meaning result;
    result.place = argument.value->place;
    if (argument.value->op == Expr::Op::Literal) {
      result.kind = Meaning::Kind::Value;
      result.value = argument.value;
      return result;
    }
    result.index = argument.value->variable;
    if (argument.value->isCell()) return result;
    result.index =
        newVariable(fmt::format("{}.{}", instance, input.name), argument.value->type, result.place);
    act(argument.clock == nullptr ? base : argument.clock, result.index, argument.value, false, result.place);
    return result;
  }

  static constexpr std::int64_t mostTerms = 1'000'000;
  static constexpr std::size_t mostNested = 200;

  const LustreProgram& program;
  const Constants& constants;
  SystemBuilder builder;
  ClockTable clocks;
  Instance current;
  std::vector<const LustreNode*> open; ///< being instantiated, the innermost last
  std::int64_t size = 0;               ///< terms so far
};

} // namespace

System readLustre(const std::string& text) {
  const LustreProgram program = parseLustre(text);
  Constants constants;
  for (const LustreConstant& constant : program.constants) {
    if (constants.contains(constant.name))
      throw Error(constant.place, fmt::format("there is another constant `{}`", constant.name));
    constants.emplace(constant.name, LustreCompiler(program, constants).constant(constant));
  }
  const LustreNode* main = &program.nodes.back();
  for (const LustreNode& node : program.nodes)
    if (node.isMain) main = &node;
  LustreCompiler compiler(program, constants);
  System system = compiler.compile(*main);
  // The last one first: it calls those before it, which are then seen.
  std::set<const LustreNode*> seen = compiler.met;
  for (auto node = program.nodes.rbegin(); node != program.nodes.rend(); ++node) {
    if (seen.contains(&*node)) continue;
    LustreCompiler other(program, constants);
    other.compile(*node);
    seen.merge(other.met);
  }
  return system;
}

} // namespace warploom::sync
