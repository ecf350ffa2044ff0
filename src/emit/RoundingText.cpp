#include "emit/RoundingText.h"

#include "emit/BodyText.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/map.h>

namespace warploom {

namespace {

/// `callee` without what tells its forms for double, float and long double apart.
std::string mathName(std::string callee) {
  const std::string builtin = "__builtin_";
  if (callee.rfind(builtin, 0) == 0) callee = callee.substr(builtin.size());
  static const std::set<std::string> known = {"fabs", "sqrt", "fmax", "fmin", "sin",  "cos",
                                              "tanh", "erf",  "atan", "asin", "acos", "fma"};
  if (known.count(callee)) return callee;
  if (!callee.empty() && (callee.back() == 'f' || callee.back() == 'l')) callee.pop_back();
  return known.count(callee) ? callee : "";
}

class RoundingWriter {
public:
  RoundingWriter(LauncherScope& scope, HostArrays& arrays, const std::set<int>& values, TextWriter& out)
      : scope(scope), region(scope.region), arrays(arrays), values(values), out(out) {}

  void write() {
    out.line("warploom::Size of[{}];", std::max<std::size_t>(region.arrays.size(), 1));
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
      writeEntry(array);
    for (const Statement& statement : region.statements)
      if (statement.kind == Statement::Kind::Assign && statement.body) writeStatement(statement);
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
      if (isNumber(region.arrays[array].element) && arrays.isOutput(memoryOf(region, array)))
        out.line("note(context, \"{0}\", of[{1}].roundings, of[{1}].most);", region.arrays[array].name,
                 array);
  }

private:
  static bool isNumber(const Type& type) { return type.isFloating() || type.isInteger(); }

  /// The size of what `array` holds before the region, where the region reads any of that.
  void writeEntry(int array) {
    const Array& object = region.arrays[array];
    if (!isNumber(object.element)) return;
    if (values.count(array))
      out.line("of[{}] = warploom::Size::exact(static_cast<double>({}));", array,
               scope.names.of(object.name));
    else if (auto piece = arrays.entryOf(array))
      out.line("if ({}) of[{}] = warploom::Size::among({});", piece->first, array, piece->second);
  }

  void writeStatement(const Statement& statement) {
    const Expr& body = *statement.body;
    if (body.kind != Expr::Kind::Assign || body.operands[0]->kind != Expr::Kind::Access) return;
    const Access& target = statement.accesses[body.operands[0]->access];
    if (!isNumber(region.arrays[target.array].element)) return;
    const Expr& value = *body.operands[1];
    std::string own = fmt::format("of[{}]", target.array);
    auto isOwn = [&](const Expr& node) { return sameExpr(node, *body.operands[0]); };
    const bool adds = body.text == "+=" || body.text == "-=";
    const bool isSum = body.text == "=" && value.kind == Expr::Kind::Binary &&
                       (value.text == "+" || value.text == "-") &&
                       (isOwn(*value.operands[0]) || isOwn(*value.operands[1]));
    if (adds || isSum) {
      const Expr& added = adds ? value : *value.operands[isOwn(*value.operands[0]) ? 1 : 0];
      out.line("{}.accumulate({}, {});", own, timesAt(statement, target), size(added, statement));
    } else if (body.text == "=") {
      out.line("{}.assign({});", own, size(value, statement));
    } else if (body.text == "*=" || body.text == "/=") {
      out.line("{0}.assign({0} {1} {2});", own, body.text[0], size(value, statement));
    }
  }

  /// How often the statement comes to one element, at most, from when another statement gave it a value: the
  /// iterations of those loops around it alone that the element does not tell.
  std::string timesAt(const Statement& statement, const Access& target) {
    std::size_t shared = 0;
    for (const Statement& other : region.statements) {
      if (&other == &statement || !givesValue(other, target.array)) continue;
      std::size_t both = 0;
      while (both < std::min(other.loops.size(), statement.loops.size()) &&
             other.loops[both] == statement.loops[both])
        ++both;
      shared = std::max(shared, both);
    }
    std::vector<std::string> factors;
    for (std::size_t k = shared; k < statement.loops.size(); ++k)
      if (!determines(target.map, static_cast<unsigned>(k)))
        factors.push_back(fmt::format("double({})", iterations(statement.loops[k])));
    return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
  }

  std::string iterations(int loop) { return scope.text(sourceRange(region, loop).second.coalesce()); }

  static bool givesValue(const Statement& statement, int array) {
    if (statement.kind != Statement::Kind::Assign || !statement.body || statement.body->text != "=")
      return false;
    return std::any_of(statement.accesses.begin(), statement.accesses.end(),
                       [&](const Access& access) { return access.array == array && access.writes(); }) &&
           std::none_of(statement.accesses.begin(), statement.accesses.end(),
                        [&](const Access& access) { return access.array == array && access.reads(); });
  }

  /// True when an element in the range of `map` belongs to one value of dimension `k` of its domain.
  static bool determines(const isl::map& map, unsigned k) {
    isl_map* inverse = isl_map_reverse(map.copy());
    unsigned rank = static_cast<unsigned>(isl_map_dim(inverse, isl_dim_out));
    inverse = isl_map_project_out(inverse, isl_dim_out, k + 1, rank - k - 1);
    return own(isl_map_project_out(inverse, isl_dim_out, 0, k)).is_single_valued();
  }

  std::string size(const Expr& node, const Statement& statement) {
    const std::string nothing = "warploom::Size()";
    auto of = [&](std::size_t k) { return size(*node.operands[k], statement); };
    switch (node.kind) {
    case Expr::Kind::Literal:
      return isNumber(node.type) ? fmt::format("warploom::Size::exact(static_cast<double>({}))", node.text)
                                 : nothing;
    case Expr::Kind::Index:
      return index(node.text, statement);
    case Expr::Kind::Access:
      return fmt::format("of[{}]", statement.accesses[node.access].array);
    case Expr::Kind::Unary:
      return node.text == "-" || node.text == "+" ? of(0)
             : node.text == "!"                   ? "warploom::Size::upTo(1)"
                                                  : nothing;
    case Expr::Kind::Binary:
      if (node.text == "+" || node.text == "-" || node.text == "*" || node.text == "/")
        return fmt::format("({} {} {})", of(0), node.text, of(1));
      if (node.text == "%") return fmt::format("warploom::Size::upTo({}.most)", of(1));
      return isLogical(node.text) || node.text.find_first_of("<>=!") != std::string::npos
                 ? "warploom::Size::upTo(1)"
                 : nothing;
    case Expr::Kind::Conditional:
      return fmt::format("either({}, {})", of(1), of(2));
    case Expr::Kind::Cast:
      return isNumber(node.type) ? of(0) : nothing;
    case Expr::Kind::Call: {
      const std::string name = node.function ? "" : mathName(node.text);
      if (name.empty()) return nothing;
      if (name == "fabs") return of(0);
      if (name == "sqrt") return fmt::format("rootOf({})", of(0));
      if (name == "fmax" || name == "fmin") return fmt::format("either({}, {})", of(0), of(1));
      if (name == "fma") return fmt::format("({} * {} + {})", of(0), of(1), of(2));
      return fmt::format("gentle({})", of(0));
    }
    default:
      return nothing;
    }
  }

  std::string index(const std::string& name, const Statement& statement) {
    for (int loop : statement.loops)
      if (region.loops[loop].index == name)
        return fmt::format("warploom::Size::upTo(double({}))", iterations(loop));
    for (const Parameter& parameter : region.parameters)
      if (parameter.name == name)
        return fmt::format("warploom::Size::exact(static_cast<double>({}))", scope.names.ofParameter(name));
    return "warploom::Size()";
  }

  LauncherScope& scope;
  const Region& region;
  HostArrays& arrays;
  const std::set<int>& values;
  TextWriter& out;
};

} // namespace

void writeRounding(LauncherScope& scope, HostArrays& arrays, const std::set<int>& values, TextWriter& out) {
  RoundingWriter(scope, arrays, values, out).write();
}

} // namespace warploom
