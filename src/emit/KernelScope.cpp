#include "emit/KernelScope.h"

#include "emit/Refused.h"
#include "mapping/LastValues.h"
#include "mapping/Movement.h"
#include "mapping/Unrolled.h"
#include "support/IslC.h"
#include "support/Piecewise.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

KernelScope::KernelScope(const Region& region, const Facts& facts, const RegionPlan& plan,
                         const KernelPlan& kernel, Names& names)
    : region(region), facts(facts), plan(plan), kernel(kernel), names(names),
      bodies(region, plan, kernel, names, used) {
  used.table = &plan.sizes;
  if (kernel.ownTunables) used.sizePrefix = names.of("kernel " + kernel.name) + "_";
  if (kernel.fewTiles) used.tilesIn = "FewTiles";
  used.hasVariants = !kernel.variants.variants.empty();
  for (const SymbolicTile& tile : symbolicTiles(kernel.tree))
    sizes.insert(tile.size);
  for (std::size_t k = 0; k < kernel.hostLoops.size(); ++k) {
    // Of several loops with the same values, the outermost has the name of the index.
    const std::string fixed = fixedName(kernel.hostLoops[k].name),
                      variable = variableFor(region, kernel.hostLoops[k], kernel.hostRuns[k], names);
    const bool taken =
        std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return text.second == variable; });
    texts[fixed] = taken ? names.of(fixed) : variable;
  }
}

const char* axisName(int axis) {
  return axis == 0 ? "x" : axis == 1 ? "y" : "z";
}

std::string variableFor(const Region& region, const ScheduledLoop& loop, const isl::union_set& runs,
                        Names& names) {
  LoopTree leaf;
  leaf.domain = runs;
  LoopTree whole = loopAround(loop.name, loop.value, leaf);
  std::set<std::string> indices;
  for (int s : statementsOf(region, whole)) {
    std::optional<std::size_t> level = sourceLevel(region, whole, s);
    indices.insert(level ? region.loops[region.statements[s].loops[*level]].index : "");
  }
  bool isIndex = indices.size() == 1 && !indices.begin()->empty();
  return names.of(isIndex ? "index " + *indices.begin() : fixedName(loop.name));
}

std::string KernelScope::variableOf(const LoopTree& loop) {
  return variableFor(region, {loop.name, loop.value}, instances(loop), names);
}

std::string KernelScope::freeVariableOf(const LoopTree& loop) {
  std::string variable = variableOf(loop);
  // What the source calls the index is a name that may be given; the values of loops around are taken.
  bool taken = std::any_of(texts.begin(), texts.end(), [&](const auto& text) {
    return !text.first.starts_with("index ") && text.second == variable;
  });
  return taken ? names.of(fixedName(loop.name)) : variable;
}

bool KernelScope::declareIndices(int s, const std::string& text, TextWriter& to) {
  const Statement& statement = region.statements[s];
  const std::vector<std::string>& indices = latest.at(s);
  std::vector<std::pair<std::string, std::string>> values; // by name
  for (std::size_t k = 0; k < statement.loops.size(); ++k) {
    std::string name = names.of("index " + region.loops[statement.loops[k]].index);
    if (indices[k] == name || indices[k] == "(" + name + ")" || !mentions(text, name)) continue;
    values.emplace_back(name, indices[k]);
  }
  // Where a value is told by a variable of one of these names, of a loop around: before that name is taken.
  bool apart = std::any_of(values.begin(), values.end(), [&](const auto& value) {
    return std::any_of(values.begin(), values.end(),
                       [&](const auto& other) { return mentions(value.second, other.first); });
  });
  if (!values.empty()) to.open("");
  if (apart)
    for (auto& [name, value] : values) {
      std::string before = names.of(name + " here");
      to.line("const Index {} = {};", before, value);
      value = before;
    }
  for (const auto& [name, value] : values)
    to.line("const Index {} = {};", name, value);
  return !values.empty();
}

std::string KernelScope::rename(const std::string& name) {
  auto found = texts.find(name);
  if (found != texts.end()) return found->second;
  if (sizes.count(name)) return used.size(name);
  used.parameters.insert(name);
  return names.ofParameter(name);
}

Rename KernelScope::renaming() {
  return [this](const std::string& name) { return rename(name); };
}

std::string KernelScope::condition(const isl::set& set, const isl::set& given) {
  std::string text = conditionText(set.gist_params(given).coalesce(), renaming());
  return text == "1" ? "" : text;
}

void KernelScope::writeUnroll(const LoopTree& loop, std::optional<long> iterations, TextWriter& to) const {
  const int unroll = writtenUnroll(loop, kernel.inBlocks, !sizes.empty(), iterations);
  if (unroll > 1)
    to.line("#pragma unroll {}", unroll);
  else if (unroll == 0)
    to.line("#pragma unroll");
}

IndexRange KernelScope::rangeOf(const LoopBounds& bounds) {
  if (isl_pw_aff_n_piece(bounds.high.get()) == 0) return {"0", "0", "0", 1};
  std::string first = valueText(bounds.low, renaming()),
              end = valueText(bounds.high.add_constant(1), renaming());
  isl::pw_aff steps = bounds.high.sub(bounds.low);
  if (bounds.step != 1)
    steps =
        own(isl_pw_aff_scale_down_val(steps.release(), isl_val_int_from_si(islContext().get(), bounds.step)))
            .floor();
  std::string count = valueText(simplified(steps.add_constant(1), bounds.context), renaming());
  if (bounds.onlyFor) {
    std::string condition = conditionText(*bounds.onlyFor, renaming());
    end = fmt::format("({} ? {} : {})", condition, end, first);
    count = fmt::format("({} ? {} : 0)", condition, count);
  }
  return {first, end, count, bounds.step};
}

std::string KernelScope::sliceElement(AccessRef access) {
  const int array = access.in(region).array;
  auto slice = plan.slices.find(array);
  if (slice == plan.slices.end()) return "";
  const Statement& statement = access.statementIn(region);
  std::vector<isl::pw_aff> indices;
  for (int loop : statement.loops) {
    const std::string name = "index " + region.loops[loop].index;
    texts[name] = names.of(name);
    indices.push_back(parameter(name));
  }
  isl::multi_aff subscripts = affineSubscripts(access.in(region)).value();
  std::string at;
  for (int d = 0; d < region.arrays[array].rank; ++d) {
    isl::pw_aff subscript = atIndices(subscripts.at(d), indices);
    if (d == 0) subscript = slice->second.second.first.neg().add(subscript).coalesce();
    std::string one = valueText(subscript, renaming());
    if (d > 0) {
      const isl::pw_aff& extent = *region.arrays[array].extents[static_cast<std::size_t>(d)];
      at = fmt::format("{} * {}", asFactor(at), asFactor(valueText(extent, renaming())));
      one = asFactor(one);
    }
    at += (at.empty() ? "" : " + ") + one;
  }
  used.arrays.insert(array);
  return fmt::format("{}[{}]", plan.constants.at(array), at);
}

/// True when the first statement that gives `array`, or a part of it, a value makes that of what it had
/// before: of some bits of a number the others.
static bool isCompleted(const Region& region, int array) {
  std::set<int> seen;
  for (const Statement& statement : region.statements)
    for (const Access& access : statement.accesses) {
      if (access.kind == Access::Kind::Kill || memoryOf(region, access.array) != array) continue;
      const bool isFirst = seen.insert(access.array).second;
      if (isFirst && access.reads() && statement.writes(access.array)) return true;
    }
  return false;
}

std::string KernelScope::privateDeclaration(int index) const {
  const Array& array = region.arrays[index];
  std::string extents;
  for (const auto& extent : array.extents)
    extents += "[" + valueText(*extent, [](const std::string& name) { return name; }) + "]";
  const bool isWhole = extents.empty() && array.declaredIn >= 0 && isCompleted(region, index);
  return fmt::format("{} {}{}{};", typeName(array.element), names.of(array.name), extents,
                     isWhole ? " = {}" : "");
}

void KernelScope::writeInstance(int s, const std::vector<std::string>& indices, const std::string& onlyLane,
                                TextWriter& to) {
  auto other = instead.find(s);
  const bool isBody = other == instead.end();
  std::string guards = isBody || other->second.isGuarded ? bodies.guards(s) : "",
              body = isBody ? bodies.statement(s) : other->second.text, save = saveText(s);
  latest[s] = indices;
  // The names go away with the braces: another instance may have other values for them.
  bool braces = declareIndices(s, guards + " " + body + " " + save, to);
  std::string condition = kernel.writesPrivate(region.statements[s]) ? "" : onlyLane;
  if (!guards.empty()) condition += (condition.empty() ? "" : " && ") + guards;
  if (!condition.empty()) to.open("if ({})", condition);
  to.lines(body);
  if (!save.empty() && !onlyLane.empty() && condition.find(onlyLane) == std::string::npos) {
    to.open("if ({})", onlyLane);
    to.lines(save);
    to.close();
  } else if (!save.empty()) {
    to.lines(save);
  }
  if (!condition.empty()) to.close();
  if (braces) to.close();
}

std::optional<isl::set> KernelScope::savedBy(AccessRef write) {
  const Access& access = write.in(region);
  if (!savesLast || !access.writes() || kernel.placement[access.array] != Placement::Private)
    return std::nullopt;
  const Array& array = region.arrays[access.array];
  const Scan* scan = kernel.scan();
  const bool isState = scan && std::any_of(scan->states.begin(), scan->states.end(),
                                           [&](const Recurrence& one) { return one.array == access.array; });
  if (array.storage == Array::Storage::Predicate || isState) return std::nullopt;
  // Statements whose values nobody sees run nowhere.
  auto runsIn = [](const KernelPlan& one, int sink) {
    return std::count(one.statements.begin(), one.statements.end(), sink) > 0;
  };
  isl::set last = lastInstances(region, facts, write, [&](int sink) {
    return !runsIn(kernel, sink) && std::any_of(plan.kernels.begin(), plan.kernels.end(),
                                                [&](const KernelPlan& other) { return runsIn(other, sink); });
  });
  if (last.is_empty()) return std::nullopt;
  if (array.within >= 0 || array.element.kind == Type::Kind::Struct || !array.isScalar())
    throw EmissionRefused(access.range,
                          "`" + array.name + "` is private to a thread, and used after the loops");
  savedArrays.insert(access.array);
  used.arrays.insert(access.array);
  return last;
}

/// A private value that is used after the kernel leaves it from the instance that wrote it last.
std::string KernelScope::saveText(int s) {
  const Statement& statement = region.statements[s];
  std::string result;
  for (std::size_t a = 0; a < statement.accesses.size(); ++a) {
    const Array& array = region.arrays[statement.accesses[a].array];
    // What is combined in parts has its value when they have come together.
    if (bodies.isInParts(s, statement.accesses[a].array)) continue;
    const auto saved = savedBy({s, static_cast<int>(a)});
    if (!saved) continue;
    isl::set last = *saved;
    isl_set* moved = last.coalesce().gist(statement.domain).release();
    for (std::size_t k = statement.loops.size(); k-- > 0;) {
      std::string index = "index " + region.loops[statement.loops[k]].index;
      texts[index] = names.of(index);
      unsigned at = static_cast<unsigned>(isl_set_dim(moved, isl_dim_param));
      moved = isl_set_move_dims(moved, isl_dim_param, at, isl_dim_set, static_cast<unsigned>(k), 1);
      moved = isl_set_set_dim_id(moved, isl_dim_param, at,
                                 isl_id_alloc(islContext().get(), index.c_str(), nullptr));
    }
    result += fmt::format("if ({}) *{} = {};\n", conditionText(own(isl_set_params(moved)), renaming()),
                          names.of(array.name + " out"), names.of(array.name));
  }
  return result;
}

} // namespace warploom
