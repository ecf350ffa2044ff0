#include "emit/BodyText.h"

#include "analysis/Reductions.h"
#include "emit/AstText.h"
#include "mapping/SharedCode.h"
#include "support/Failure.h"
#include "support/IslC.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <map>
#include <utility>

namespace warploom {

std::string UsedNames::size(const std::string& text) {
  return renamed(text, [this](const std::string& name) {
    sizes.insert(name);
    if (name == sizeName::lanes) return name;
    if (hasVariants) return (chosenSet = "Sizes") + "::" + constantName(name);
    if (!sizePrefix.empty()) return sizePrefix + name;
    if (!table->isOfTiles(name)) return constantName(name);
    if (tilesIn == "Tiles") chosenSet = tilesIn;
    return tilesIn + "::" + name;
  });
}

std::string reductionFunctor(const std::string& op) {
  static const std::map<std::string, std::string> functors = {
      {"+", "Sum"},   {"*", "Product"}, {"min", "Minimum"},   {"max", "Maximum"}, {"&", "BitAnd"},
      {"|", "BitOr"}, {"^", "BitXor"},  {"&&", "LogicalAnd"}, {"||", "LogicalOr"}};
  return "warploom::" + functors.at(op);
}

std::string atomicText(const std::string& target, const std::string& value, const std::string& type,
                       const std::string& op) {
  bool native = op == "+" && (type == "float" || type == "double" || type == "int" || type == "unsigned" ||
                              type.starts_with("warploom::Complex"));
  if (native) return fmt::format("atomicAdd({}, {});", target, value);
  return fmt::format("warploom::atomicUpdate({}, {}, {}());", target, value, reductionFunctor(op));
}

namespace {

/// `value`, a function of instances, with the instance's indices turned into parameters: `$i` for `i`, which
/// may be a parameter, too, its value before the loop.
isl::pw_aff overIndexNames(const isl::pw_aff& value, const Region& region, const Statement& statement) {
  isl_pw_aff* moved = value.copy();
  for (std::size_t k = statement.loops.size(); k-- > 0;) {
    std::string name = "$" + region.loops[statement.loops[k]].index;
    isl_id* id = isl_id_alloc(islContext().get(), name.c_str(), nullptr);
    unsigned at = static_cast<unsigned>(isl_pw_aff_dim(moved, isl_dim_param));
    moved = isl_pw_aff_move_dims(moved, isl_dim_param, at, isl_dim_in, static_cast<unsigned>(k), 1);
    moved = isl_pw_aff_set_dim_id(moved, isl_dim_param, at, id);
  }
  return own(isl_pw_aff_project_domain_on_params(moved));
}

/// How many of the subscripts of `array` are inside a struct.
std::size_t innerRank(const Array& array) {
  std::size_t inner = 0;
  if (array.within >= 0)
    for (const Member& member : array.members)
      inner += static_cast<std::size_t>(member.rank);
  return inner;
}

/// How many of the subscripts of `node`, an access to `array`, choose a struct; all when it is no field.
std::size_t outerSubscripts(const Expr& node, const Array& array) {
  return node.operands.size() - innerRank(array);
}

/// The way from a struct to `array`, a part of it: `.v[k]`; empty when it is none. `subscript` gives the text
/// of its subscripts in the struct.
std::string memberText(const Array& array, const std::function<std::string(std::size_t)>& subscript) {
  if (array.within < 0) return "";
  std::string text;
  std::size_t next = 0;
  for (const Member& member : array.members) {
    text += "." + plainName(member.field);
    for (int k = 0; k < member.rank; ++k)
      text += "[" + subscript(next++) + "]";
  }
  return text;
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
  int memory = memoryOf(region, array);
  used.arrays.insert(memory);
  if (kernel.placement[memory] == Placement::Constant) return plan.constants.at(memory);
  return names.of(region.arrays[memory].name);
}

std::string BodyText::atLeast(const Expr& node, const Statement& statement, int strength) const {
  return expr(node, statement).atLeast(strength);
}

ExprText BodyText::subscript(const Expr& access, std::size_t k, const Statement& statement) const {
  const bool before = std::exchange(neverWraps, statement.accesses[access.access].exact);
  ExprText text = expr(*access.operands[k], statement);
  neverWraps = before;
  return text;
}

ExprText BodyText::typed(const ExprText& text, const Type& type) const {
  bool wraps = type.kind == Type::Kind::UnsignedInt || (type.isInteger() && type.bits < 32);
  if (!wraps || neverWraps) return text;
  return {fmt::format("static_cast<{}>({})", scalarType(type), text.text)};
}

/// True for the accesses of an accumulating statement to its accumulator.
bool BodyText::accumulates(AccessRef access) const {
  // Of code that is shared out, all accesses to an accumulator are combinations.
  if (kernel.sharedCode.count(access.statement))
    return inParts.count({access.statement, access.in(region).array}) > 0;
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

ExprText BodyText::access(const Expr& node, const Statement& statement) const {
  int index = node.access < 0 ? -1 : statement.accesses[node.access].array;
  if (index < 0) throw Failure(region.name(), "a body without its access");
  const Array& array = region.arrays[index];
  if (redirection)
    if (std::string text = redirection({indexOf(statement), node.access}); !text.empty()) return {text};
  if (accumulates({indexOf(statement), node.access})) {
    auto part = inParts.find({indexOf(statement), index});
    if (part != inParts.end() || kernel.placement[index] == Placement::Partial) {
      used.arrays.insert(memoryOf(region, index));
      return {part != inParts.end() ? part->second : names.of(array.name + " part")};
    }
  }
  bool isDevice = kernel.placement[index] == Placement::Device;
  if (array.isScalar() && !isDevice) return {place(index) + memberText(node, statement)};
  if (array.isScalar() && !plan.expansionOf(index) && array.within < 0)
    return {"*" + place(index), ExprText::unary};
  if (kernel.placement[index] == Placement::Private) {
    std::string text = place(index);
    for (std::size_t k = 0; k < outerSubscripts(node, array); ++k)
      text += "[" + subscript(node, k, statement).text + "]";
    return {text + memberText(node, statement)};
  }
  return {loaded(index, elementText(node, statement))};
}

std::string BodyText::loaded(int array, const std::string& element) const {
  bool plain = plan.readOnly.count(array) == 0 || kernel.placement[array] != Placement::Device;
  return plain ? element : fmt::format("__ldg(&{})", element);
}

std::string BodyText::memberText(const Expr& node, const Statement& statement) const {
  const Array& array = region.arrays[statement.accesses[node.access].array];
  const std::size_t outer = outerSubscripts(node, array);
  return warploom::memberText(array,
                              [&](std::size_t k) { return subscript(node, outer + k, statement).text; });
}

/// Where the copy of `array` for the current iteration of the loops it is expanded along begins, in copies;
/// with `values`, for these of the loops.
std::string BodyText::copyOf(int array, const std::vector<std::string>& values) const {
  auto rename = [&](const std::string& parameter) {
    used.parameters.insert(parameter);
    return names.ofParameter(parameter);
  };
  std::string text;
  const std::vector<int>& loops = plan.expansionOf(array)->loops;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    auto [first, count] = sourceRange(region, loops[k]);
    std::string index = values.empty() ? names.of("index " + region.loops[loops[k]].index) : values[k],
                from = valueText(first, rename);
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
  const std::size_t outer = outerSubscripts(node, array);
  if (outer == 0 && array.within >= 0) {
    std::string member = memberText(node, statement);
    return name + "->" + member.substr(1);
  }
  if (array.isScalar()) return fmt::format("{}[{}]", name, copy);
  auto rename = [&](const std::string& parameter) {
    used.parameters.insert(parameter);
    return names.ofParameter(parameter);
  };
  auto extent = [&](std::size_t k) { return asFactor(valueText(*array.extents[k], rename)); };
  // Row-major: ((i * extent1 + j) * extent2 + k). A recovered array is subscripted as the source has it.
  ExprText text = subscript(node, 0, statement);
  if (!copy.empty()) text = {fmt::format("{} * {} + {}", copy, extent(0), text.text), ExprText::sum};
  for (std::size_t k = 1; k < outer; ++k) {
    if (text.text == "0") {
      text = subscript(node, k, statement);
      continue;
    }
    std::string width = extent(k);
    const std::size_t all = static_cast<std::size_t>(array.rank) - innerRank(array);
    for (std::size_t inner = outer; k + 1 == outer && inner < all; ++inner)
      width += " * " + extent(inner);
    text = {text.atLeast(ExprText::product) + " * " + width + " + " +
                subscript(node, k, statement).atLeast(ExprText::product),
            ExprText::sum};
  }
  return name + "[" + text.text + "]" + memberText(node, statement);
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
  for (const ExprPtr& guard : statement.guards)
    look(*guard, look);
  if (statement.body) look(*statement.body, look);
  if (statement.code) forEachExpr(*statement.code, [&](const Expr& node) { look(node, look); });
  if (!found) throw Failure(region.name(), "an access that its statement does not have");
  return elementText(*found, statement);
}

std::string BodyText::elementAt(int index, const std::vector<std::string>& coordinates) const {
  const Array& array = region.arrays[index];
  if (array.isScalar() && plan.expansionOf(index))
    return fmt::format("{}[{}]", place(index), copyOf(index, coordinates));
  const std::size_t outer = coordinates.size() - innerRank(array);
  std::string text = coordinates.front();
  for (std::size_t k = 1; k < outer; ++k) {
    std::string width = valueText(*array.extents[k], [&](const std::string& parameter) {
      used.parameters.insert(parameter);
      return names.ofParameter(parameter);
    });
    text = fmt::format("{} * {} + {}", k == 1 ? text : "(" + text + ")", asFactor(width), coordinates[k]);
  }
  return place(index) + "[" + text + "]" +
         warploom::memberText(array, [&](std::size_t k) { return coordinates[outer + k]; });
}

ExprText BodyText::expr(const Expr& node, const Statement& statement) const {
  return cudaText(node, [&](const Expr& one) { return leaf(one, statement); });
}

ExprText BodyText::leaf(const Expr& node, const Statement& statement) const {
  auto isLoop = [&](const std::string& name) {
    return std::any_of(statement.loops.begin(), statement.loops.end(),
                       [&](int loop) { return region.loops[loop].index == name; });
  };
  switch (node.kind) {
  case Expr::Kind::Index:
    if (!isLoop(node.text))
      for (auto part : {&Parameter::name, &Parameter::text})
        for (const Parameter& parameter : region.parameters)
          if (parameter.*part == node.text) {
            used.parameters.insert(parameter.name);
            return typed({names.ofParameter(parameter.name)}, node.type);
          }
    return typed({names.of("index " + node.text)}, node.type);
  case Expr::Kind::Affine: {
    isl::pw_aff value = overIndexNames(*node.value, region, statement);
    auto rename = [&](const std::string& name) {
      if (name.starts_with("$")) return names.of("index " + name.substr(1));
      used.parameters.insert(name);
      return names.ofParameter(name);
    };
    std::string text = valueText(value, rename);
    // Indices may have 32 bits. What may need more is computed from wider ones.
    const bool computed = text.find_first_of("+-*/(?") != std::string::npos;
    if (!neverWraps && region.hasNarrowIndices() && node.type.isInteger() &&
        (node.type.bits == 64 || (node.type.kind == Type::Kind::UnsignedInt && computed)))
      text = valueText(value, [&](const std::string& name) {
        return fmt::format("static_cast<long long>({})", rename(name));
      });
    return typed({asFactor(text)}, node.type);
  }
  case Expr::Kind::Access:
    return access(node, statement);
  case Expr::Kind::Local: {
    std::string text = names.of("local " + node.text);
    for (const ExprPtr& one : node.operands)
      text += "[" + expr(*one, statement).text + "]";
    return {text};
  }
  default:
    throw Failure(region.name(), "a leaf that should have been refused: " + node.text);
  }
}

std::string BodyText::atomicUpdate(const Statement& statement) const {
  std::optional<Update> update = updateOf(statement);
  if (!update) throw Failure(region.name(), "an accumulation without an atomic form: " + statement.text);
  const Expr& into = *statement.body->operands[0];
  std::string target = "&" + atLeast(into, statement, ExprText::primary), type = scalarType(into.type);
  std::string value = expr(*update->value, statement).text;
  const Type& from = update->value->type;
  const bool isOther = from.kind != into.type.kind || from.bits != into.type.bits;
  // Of what is not itself a truth value only the last bit matters to one.
  if (into.type.kind == Type::Kind::Bool && update->op == "&" && isOther) value = "(" + value + ") & 1";
  if (update->negated) // the value of an unsigned type has no negative
    value = isOther ? fmt::format("-static_cast<{}>({})", type, value) : "-(" + value + ")";
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
  if (statement.code) {
    TextWriter text(false);
    const bool shared = kernel.sharedCode.count(index) > 0;
    const CodePtr code =
        shared ? sharedOut(*statement.code, "threadIdx.x", used.size(sizeName::group)) : statement.code;
    writeCode(
        *code, [&](const Expr& node) { return leaf(node, statement); },
        [&](const std::string& local) { return names.of("local " + local); }, text);
    return text.text();
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
