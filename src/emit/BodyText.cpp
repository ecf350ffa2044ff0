#include "emit/BodyText.h"

#include "emit/AstText.h"
#include "mapping/Shaping.h"
#include "support/Failure.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <map>

namespace warploom {

std::string reductionFunctor(const std::string& op) {
  static const std::map<std::string, std::string> functors = {
      {"+", "Sum"},   {"*", "Product"}, {"min", "Minimum"},   {"max", "Maximum"}, {"&", "BitAnd"},
      {"|", "BitOr"}, {"^", "BitXor"},  {"&&", "LogicalAnd"}, {"||", "LogicalOr"}};
  return "warploom::" + functors.at(op);
}

std::string atomicText(const std::string& target, const std::string& value, const std::string& type,
                       const std::string& op) {
  bool native = op == "+" && (type == "float" || type == "double" || type == "int" || type == "unsigned");
  if (native) return fmt::format("atomicAdd({}, {});", target, value);
  return fmt::format("warploom::atomicUpdate({}, {}, {}());", target, value, reductionFunctor(op));
}

namespace {

constexpr int lowest = 0, choice = 1, unary = 12, primary = 13;

int strengthOf(const std::string& op) {
  static const std::map<std::string, int> strengths = {
      {"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7}, {"!=", 7}, {"<", 8},  {">", 8},
      {"<=", 8}, {">=", 8}, {"<<", 9}, {">>", 9}, {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};
  auto found = strengths.find(op);
  return found == strengths.end() ? lowest : found->second;
}

/// `value`, a function of instances, with the instance's indices turned into parameters of the indices'
/// names.
isl::pw_aff overIndexNames(const isl::pw_aff& value, const Region& region, const Statement& statement) {
  isl_pw_aff* moved = value.copy();
  for (std::size_t k = statement.loops.size(); k-- > 0;) {
    isl_id* id = isl_id_alloc(islContext().get(), region.loops[statement.loops[k]].index.c_str(), nullptr);
    unsigned at = static_cast<unsigned>(isl_pw_aff_dim(moved, isl_dim_param));
    moved = isl_pw_aff_move_dims(moved, isl_dim_param, at, isl_dim_in, static_cast<unsigned>(k), 1);
    moved = isl_pw_aff_set_dim_id(moved, isl_dim_param, at, id);
  }
  return own(isl_pw_aff_project_domain_on_params(moved));
}

/// True when two accesses of a statement, as the read and the write of `x += e`, are one node of its body.
bool sharesElement(const Statement& statement, int a, int b) {
  return statement.accesses[a].array == statement.accesses[b].array &&
         statement.accesses[a].map.is_equal(statement.accesses[b].map);
}

} // namespace

std::pair<isl::pw_aff, isl::pw_aff> sourceRange(const Region& region, int loop) {
  std::optional<isl::set> values;
  for (const Statement& statement : region.statements) {
    auto at = std::find(statement.loops.begin(), statement.loops.end(), loop);
    if (at == statement.loops.end()) continue;
    unsigned level = static_cast<unsigned>(at - statement.loops.begin()),
             depth = static_cast<unsigned>(statement.loops.size());
    isl_set* one = isl_set_project_out(statement.domain.copy(), isl_dim_set, level + 1, depth - level - 1);
    one = isl_set_reset_tuple_id(isl_set_project_out(one, isl_dim_set, 0, level));
    isl::set part = own(isl_set_remove_divs(one));
    values = values ? values->unite(part) : part;
  }
  isl::set all = values->coalesce();
  isl::pw_aff first = own(isl_set_dim_min(all.copy(), 0)).gist_params(region.context).coalesce(),
              last = own(isl_set_dim_max(all.copy(), 0)).gist_params(region.context).coalesce();
  return {first, last.sub(first).add_constant(1).coalesce()};
}

std::string BodyText::place(int array) const {
  used.arrays.insert(array);
  if (kernel.placement[array] == Placement::Constant) return plan.constants.at(array);
  return names.of(region.arrays[array].name);
}

std::string BodyText::atLeast(const Expr& node, const Statement& statement, int strength) const {
  Text text = expr(node, statement);
  return text.strength < strength ? "(" + text.text + ")" : text.text;
}

BodyText::Text BodyText::subscript(const Expr& node, const Statement& statement) const {
  ++subscripts;
  Text text = expr(node, statement);
  --subscripts;
  return text;
}

BodyText::Text BodyText::typed(const Text& text, const Type& type) const {
  bool wraps = type.kind == Type::Kind::UnsignedInt || (type.isInteger() && type.bits < 32);
  if (!wraps || subscripts > 0) return text;
  return {fmt::format("static_cast<{}>({})", scalarType(type), text.text), primary};
}

/// True for the accesses of an accumulating statement to its accumulator.
bool BodyText::accumulates(AccessRef access) const {
  std::optional<Accumulation> into = accumulation(region, access.statement);
  return into && into->owns(access);
}

void BodyText::combineInParts(const Reduction& reduction, const std::string& part) {
  for (int statement : reduction.statements)
    inParts[{statement, reduction.array}] = part;
}

void BodyText::combineInPlace(const Reduction& reduction) {
  for (int statement : reduction.statements)
    inParts.erase({statement, reduction.array});
}

BodyText::Text BodyText::access(const Expr& node, const Statement& statement) const {
  int index = node.access < 0 ? -1 : statement.accesses[node.access].array;
  if (index < 0) throw Failure(region.name(), "a body without its access");
  const Array& array = region.arrays[index];
  if (redirection)
    if (std::string text = redirection({indexOf(statement), node.access}); !text.empty())
      return {text, primary};
  if (accumulates({indexOf(statement), node.access})) {
    auto part = inParts.find({indexOf(statement), index});
    if (part != inParts.end() || kernel.placement[index] == Placement::Partial) {
      used.arrays.insert(index);
      return {part != inParts.end() ? part->second : names.of(array.name + " part"), primary};
    }
  }
  if (array.isScalar() && kernel.placement[index] != Placement::Device) return {place(index), primary};
  if (array.isScalar() && !plan.expansionOf(index)) return {"*" + place(index), unary};
  if (kernel.placement[index] == Placement::Private) {
    std::string text = place(index);
    for (const ExprPtr& subscript : node.operands)
      text += "[" + this->subscript(*subscript, statement).text + "]";
    return {text, primary};
  }
  return {loaded(index, elementText(node, statement)), primary};
}

/// What reading `element` of `array` in device memory is.
std::string BodyText::loaded(int array, const std::string& element) const {
  bool plain = plan.readOnly.count(array) == 0 || kernel.placement[array] != Placement::Device;
  return plain ? element : fmt::format("__ldg(&{})", element);
}

/// Where the copy of `array` for the current iteration of the loops it is expanded along begins, in copies.
std::string BodyText::copyOf(int array) const {
  auto rename = [&](const std::string& parameter) {
    used.parameters.insert(parameter);
    return names.ofParameter(parameter);
  };
  std::string text;
  for (int loop : plan.expansionOf(array)->loops) {
    auto [first, count] = sourceRange(region, loop);
    std::string index = names.of("index " + region.loops[loop].index), from = valueText(first, rename);
    if (from != "0") index = fmt::format("({} - {})", index, asFactor(from));
    std::string extent = valueText(count, rename);
    text = text.empty() ? index : fmt::format("({} * {} + {})", text, asFactor(extent), index);
  }
  return text;
}

/// The element in device memory: a[(i * extent1 + j) * extent2 + k].
std::string BodyText::elementText(const Expr& node, const Statement& statement) const {
  int index = statement.accesses[node.access].array;
  const Array& array = region.arrays[index];
  std::string name = place(index), copy = plan.expansionOf(index) ? copyOf(index) : "";
  if (array.isScalar()) return fmt::format("{}[{}]", name, copy);
  // Row-major: ((i * extent1 + j) * extent2 + k). A recovered array is subscripted as the source has it.
  std::string text = subscript(*node.operands[0], statement).text;
  if (!copy.empty()) {
    std::string extent = valueText(*array.extents[0], [&](const std::string& parameter) {
      used.parameters.insert(parameter);
      return names.ofParameter(parameter);
    });
    text = fmt::format("{} * {} + {}", copy, asFactor(extent), text);
  }
  for (std::size_t k = 1; k < node.operands.size(); ++k) {
    Text first = k == 1 && copy.empty() ? subscript(*node.operands[0], statement) : Text{text, 10};
    std::string left = first.strength < 11 ? "(" + first.text + ")" : first.text;
    const auto& extent = array.extents[k];
    std::string width = valueText(*extent, [&](const std::string& parameter) {
      used.parameters.insert(parameter);
      return names.ofParameter(parameter);
    });
    Text next = subscript(*node.operands[k], statement);
    std::string right = next.strength < 11 ? "(" + next.text + ")" : next.text;
    text = left + " * " + asFactor(width) + " + " + right;
  }
  return name + "[" + text + "]";
}

std::string BodyText::target(int index) const {
  const Statement& statement = region.statements[index];
  return expr(*statement.body->operands[0], statement).text;
}

std::string BodyText::element(AccessRef access) const {
  const Statement& statement = region.statements[access.statement];
  const Expr* found = nullptr;
  auto look = [&](const Expr& node, const auto& self) -> void {
    if (node.kind == Expr::Kind::Access &&
        (node.access == access.access || (!found && sharesElement(statement, node.access, access.access))))
      found = &node;
    for (const ExprPtr& operand : node.operands)
      self(*operand, self);
  };
  look(*statement.body, look);
  if (!found) throw Failure(region.name(), "an access that its statement does not have");
  return elementText(*found, statement);
}

std::string BodyText::elementAt(int index, const std::vector<std::string>& coordinates) const {
  const Array& array = region.arrays[index];
  std::string text = coordinates.front();
  for (std::size_t k = 1; k < coordinates.size(); ++k) {
    std::string width = valueText(*array.extents[k], [&](const std::string& parameter) {
      used.parameters.insert(parameter);
      return names.ofParameter(parameter);
    });
    text = fmt::format("{} * {} + {}", k == 1 ? text : "(" + text + ")",
                       isPlain(width) ? width : "(" + width + ")", coordinates[k]);
  }
  return loaded(index, place(index) + "[" + text + "]");
}

BodyText::Text BodyText::expr(const Expr& node, const Statement& statement) const {
  switch (node.kind) {
  case Expr::Kind::Literal:
    return {node.text, node.text[0] == '-' ? unary : primary};
  case Expr::Kind::Index: {
    for (const Parameter& parameter : region.parameters)
      if (parameter.text == node.text || parameter.name == node.text) {
        bool isLoop = std::any_of(statement.loops.begin(), statement.loops.end(),
                                  [&](int loop) { return region.loops[loop].index == node.text; });
        if (!isLoop) {
          used.parameters.insert(parameter.name);
          return typed({names.ofParameter(parameter.name), primary}, node.type);
        }
      }
    return typed({names.of("index " + node.text), primary}, node.type);
  }
  case Expr::Kind::Affine: {
    isl::pw_aff value = overIndexNames(*node.value, region, statement);
    std::string text = valueText(value, [&](const std::string& name) {
      bool isLoop = std::any_of(statement.loops.begin(), statement.loops.end(),
                                [&](int loop) { return region.loops[loop].index == name; });
      if (isLoop) return names.of("index " + name);
      used.parameters.insert(name);
      return names.ofParameter(name);
    });
    return typed({asFactor(text), primary}, node.type);
  }
  case Expr::Kind::Access:
    return access(node, statement);
  case Expr::Kind::Unary:
    return {node.text + atLeast(*node.operands[0], statement, primary), unary};
  case Expr::Kind::Binary: {
    int strength = strengthOf(node.text);
    return {atLeast(*node.operands[0], statement, strength) + " " + node.text + " " +
                atLeast(*node.operands[1], statement, strength + 1),
            strength};
  }
  case Expr::Kind::Conditional:
    return {atLeast(*node.operands[0], statement, choice + 1) + " ? " +
                expr(*node.operands[1], statement).text + " : " +
                atLeast(*node.operands[2], statement, choice),
            choice};
  case Expr::Kind::Cast:
    return {"(" + scalarType(node.type) + ")" + atLeast(*node.operands[0], statement, unary), unary};
  case Expr::Kind::Call: {
    std::string text = node.text + "(";
    // C converts an integer argument; C++ would choose another function.
    std::string number = node.text.back() == 'f' ? "float" : "double";
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      std::string argument = expr(*node.operands[k], statement).text;
      bool takesInteger = node.text.rfind("ldexp", 0) == 0 || node.text.rfind("scalb", 0) == 0;
      bool converted =
          node.type.isFloating() && node.operands[k]->type.isInteger() && !(takesInteger && k == 1);
      text += (k ? ", " : "") + (converted ? number + "(" + argument + ")" : argument);
    }
    return {text + ")", primary};
  }
  case Expr::Kind::Assign:
    return {expr(*node.operands[0], statement).text + " " + node.text + " " +
                expr(*node.operands[1], statement).text,
            lowest};
  case Expr::Kind::Member:
  case Expr::Kind::Opaque:
    break;
  }
  throw Failure(region.name(), "an expression that should have been refused: " + node.text);
}

std::string BodyText::atomicUpdate(const Statement& statement) const {
  std::optional<Update> update = updateOf(statement);
  if (!update) throw Failure(region.name(), "an accumulation without an atomic form: " + statement.text);
  const Expr& into = *statement.body->operands[0];
  std::string target = "&" + atLeast(into, statement, primary), type = scalarType(into.type);
  std::string value = expr(*update->value, statement).text;
  if (update->negated) value = "-(" + value + ")";
  return atomicText(target, value, type, update->op);
}

std::string BodyText::statement(int index) const {
  const Statement& statement = region.statements[index];
  if (std::find(kernel.atomicStatements.begin(), kernel.atomicStatements.end(), index) !=
      kernel.atomicStatements.end())
    return atomicUpdate(statement);
  if (statement.kind == Statement::Kind::Predicate) {
    for (const Access& access : statement.accesses)
      if (access.writes()) {
        bool pointer = kernel.placement[access.array] == Placement::Device;
        return fmt::format("{}{} = {};", pointer ? "*" : "", place(access.array),
                           expr(*statement.body, statement).text);
      }
  }
  return expr(*statement.body, statement).text + ";";
}

std::string BodyText::guards(int index) const {
  const Statement& statement = region.statements[index];
  std::string text;
  for (const ExprPtr& guard : statement.guards)
    text += (text.empty() ? "" : " && ") + atLeast(*guard, statement, 4);
  return text;
}

} // namespace warploom
