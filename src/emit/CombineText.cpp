#include "emit/CombineText.h"

#include "emit/CodeText.h"
#include "support/Failure.h"
#include "support/IslC.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/set.h>
#include <isl/union_set.h>

namespace warploom {

void CombineText::declare(const PartsNode& parts, TextWriter& to) {
  for (const Reduction& reduction : parts.reductions) {
    const Array& array = scope.region.arrays[reduction.array];
    std::string type = scalarType(array.element), part = scope.names.of(array.name + " part");
    // A second sum into the same variable stands in the same braces.
    while (!partNames.insert(part).second)
      part = scope.names.fresh(array.name + " part");
    to.line("{} {} = {}::identity<{}>();", type, part, reductionFunctor(reduction.op), type);
    partOf[reduction.array] = part;
    if (!isPartial(reduction)) scope.bodies.combineInParts(reduction, part);
  }
}

void CombineText::combine(const CombineNode& node, TextWriter& to) {
  if (!node.across) return eachByItself(node, to);
  if (*node.across == Threads::Grid) return acrossGrid(node, to);
  acrossLanes(node, to);
}

/// Where there are instances of `statements`, as far as it is not known at `node`.
isl::set CombineText::runs(const CombineNode& node, const std::vector<int>& statements) const {
  isl::union_set some = isl::union_set::empty(islContext());
  for (int s : statements)
    some = some.unite(isl::union_set(scope.region.statements[s].domain));
  return own(isl_union_set_params(some.intersect(node.at.runs).release())).gist(node.at.context).coalesce();
}

/// The condition under which the accumulator `target`, an element of an array, is one of the program's: that
/// anything is combined into it, or "1" where it was written before in any case.
std::string CombineText::existence(const CombineNode& node, const std::string& target) {
  const std::vector<int>& combining = node.of.statements;
  TextWriter unused;
  auto isPlain = [&](int s) { return scope.wasWritten(s) && !scope.declareIndices(s, target, unused); };
  const isl::set universe = isl::set::universe(node.at.context.space());
  bool isWritten = isPlain(combining.front()) &&
                   std::any_of(scope.kernel.statements.begin(), scope.kernel.statements.end(), [&](int s) {
                     const Statement& other = scope.region.statements[s];
                     return other.kind == Statement::Kind::Assign && other.guards.empty() && isPlain(s) &&
                            std::count(combining.begin(), combining.end(), s) == 0 &&
                            scope.bodies.target(s) == target && universe.is_subset(runs(node, {s}));
                   });
  return isWritten ? "1" : conditionText(runs(node, combining), scope.renaming());
}

/// The parts of a warp's lanes, or of a group's threads, go into the accumulator.
void CombineText::acrossLanes(const CombineNode& node, TextWriter& to) {
  const Reduction& reduction = node.of;
  const std::string functor = reductionFunctor(reduction.op), part = partOf.at(reduction.array);
  const bool groups = node.across == Threads::Group;
  to.line("{0} = warploom::{2}({0}, {1}());", part, functor,
          groups ? fmt::format("groupReduceAll<{}>", scope.used.size(sizeName::group)) : "warpReduceAll");
  scope.bodies.combineInPlace(reduction);
  const bool isPrivate = scope.kernel.placement[reduction.array] == Placement::Private;
  std::string target =
      groups ? scope.bodies.place(reduction.array) : scope.bodies.target(reduction.statements.front());
  std::string combined = fmt::format("{0} = {1}()({0}, {2});", target, functor, part);
  bool braces = scope.declareIndices(reduction.statements.front(), target, to);
  // Nothing is combined where nothing runs: the element may not exist, and `x && 1` is not x.
  std::string condition = isPrivate ? "" : firstAlong({0}), exists = "1";
  if (isLogical(reduction.op))
    exists = conditionText(runs(node, reduction.statements), scope.renaming());
  else if (!isPrivate && !scope.region.arrays[reduction.array].isScalar())
    exists = existence(node, target);
  if (exists != "1" && exists.find("||") != std::string::npos) exists = "(" + exists + ")";
  if (exists != "1") condition += (condition.empty() ? "" : " && ") + exists;
  to.line("{}{}", condition.empty() ? "" : fmt::format("if ({}) ", condition), combined);
  if (isPrivate) saveCombined(node, target, to);
  if (braces) to.close();
}

/// What is used after the kernel leaves it, where the last of the instances was among those combined here.
void CombineText::saveCombined(const CombineNode& node, const std::string& value, TextWriter& to) {
  const int array = node.of.array;
  for (int s : node.of.statements)
    for (int a = 0; a < static_cast<int>(scope.region.statements[s].accesses.size()); ++a) {
      if (scope.region.statements[s].accesses[a].array != array) continue;
      const auto last = scope.savedBy({s, a});
      if (!last) continue;
      const isl::union_set here = isl::union_set(*last).intersect(node.at.runs);
      const isl::set when = own(isl_union_set_params(here.copy())).gist(node.at.context).coalesce();
      const std::string one = conditionText(when, scope.renaming());
      to.line("if ({}{}) *{} = {};", firstAlong({0}), one == "1" ? "" : fmt::format(" && ({})", one),
              scope.names.of(scope.region.arrays[array].name + " out"), value);
    }
}

/// The parts of a block's threads come together, and those of blocks by atomic updates.
void CombineText::acrossGrid(const CombineNode& node, TextWriter& to) {
  const Reduction& reduction = node.of;
  const Array& array = scope.region.arrays[reduction.array];
  scope.used.arrays.insert(memoryOf(scope.region, reduction.array));
  to.line("{0} = warploom::blockReduce({0}, {1}());", partOf.at(reduction.array),
          reductionFunctor(reduction.op));
  std::set<int> axes;
  for (std::size_t axis = 0; axis < scope.kernel.body.threads.size(); ++axis)
    axes.insert(static_cast<int>(axis));
  // The accumulator itself is an argument, unless it is part of something.
  const bool expanded = scope.plan.expansionOf(reduction.array) || array.within >= 0;
  std::string target = scope.names.of(array.name);
  if (expanded) target = "&" + scope.bodies.element(writeOf(reduction));
  bool braces = expanded && scope.declareIndices(reduction.statements.front(), target, to);
  update(reduction, target, firstAlong(axes), to);
  if (braces) to.close();
}

/// Each thread's part goes into the element by itself, where there is one.
void CombineText::eachByItself(const CombineNode& node, TextWriter& to) {
  isl::set exists = own(isl_union_set_params(node.at.runs.copy()));
  std::string element = scope.bodies.element(writeOf(node.of));
  bool braces = scope.declareIndices(node.of.statements.front(), element, to);
  update(node.of, "&" + element, scope.condition(exists, node.at.context), to);
  if (braces) to.close();
}

void CombineText::update(const Reduction& reduction, const std::string& target, const std::string& guard,
                         TextWriter& to) {
  std::string type = scalarType(scope.region.arrays[reduction.array].element);
  std::string text = atomicText(target, partOf.at(reduction.array), type, reduction.op);
  to.line(guard.empty() ? text : fmt::format("if ({}) {}", guard, text));
}

/// The write of the accumulator by the first of its statements.
AccessRef CombineText::writeOf(const Reduction& reduction) const {
  int s = reduction.statements.front();
  const std::vector<Access>& accesses = scope.region.statements[s].accesses;
  for (int a = 0; a < static_cast<int>(accesses.size()); ++a)
    if (accesses[a].array == reduction.array && accesses[a].writes()) return {s, a};
  throw Failure(scope.region.name(), "an accumulation that writes nothing");
}

} // namespace warploom
