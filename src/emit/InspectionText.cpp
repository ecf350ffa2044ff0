#include "emit/InspectionText.h"

#include "support/Failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace warploom {

namespace {

class Writer {
public:
  Writer(const InspectedUse& use, LauncherScope& scope) : use(use), scope(scope) {}

  /// The interval of all its subscripts, going through the loops that choose; none where it does not happen.
  std::string text(const isl::set& known) {
    const isl::set begun = known.intersect(begins());
    if (begun.is_subset(use.happens)) return subscripts();
    const std::string where = scope.text(use.happens.gist(begun).coalesce());
    return fmt::format("({} ? {} : warploom::Interval())",
                       where.find("||") == where.npos ? where : "(" + where + ")", subscripts());
  }

private:
  static bool mentions(const InspectedValue& value, int loop) {
    return (value.kind == InspectedValue::Kind::Index && value.loop == loop) ||
           std::any_of(value.operands.begin(), value.operands.end(),
                       [&](const InspectedValue& operand) { return mentions(operand, loop); });
  }

  /// The parameters for which the intervals that are gone through are not empty; without these nothing is
  /// loaded, and the result is as empty as they are. If nothing is loaded, the intervals of its subscript.
  isl::set begins() const {
    isl::set all(islContext(), "{ : }");
    for (const InspectedUse::Range& range : use.loops)
      if (use.chosenBy.empty() ? mentions(use.subscript, range.loop) : use.chosenBy.count(range.loop) > 0)
        all = all.intersect(range.first.le_set(range.last));
    return all;
  }

  std::string subscripts() {
    std::string begin, end;
    for (const InspectedUse::Range& range : use.loops)
      if (use.chosenBy.count(range.loop)) {
        begin +=
            fmt::format("warploom::forEach({}, [&](long {}) {{ return ", interval(range), index(range.loop));
        end += "; })";
      }
    const std::string value = of(use.subscript);
    if (!begin.empty()) return begin + value + end;
    return use.subscript.kind == InspectedValue::Kind::Index ? value
                                                             : fmt::format("warploom::Interval({})", value);
  }
  std::string index(int loop) { return scope.names.of("index " + scope.region.loops[loop].index); }
  std::string interval(const InspectedUse::Range& range) {
    return fmt::format("warploom::Interval({}, {})", scope.text(range.first), scope.text(range.last));
  }

  /// `value`: a number, or an interval where it has indices of other loops.
  std::string of(const InspectedValue& value) {
    switch (value.kind) {
    case InspectedValue::Kind::Size:
      return asFactor(scope.text(*value.value));
    case InspectedValue::Kind::Index:
      if (use.chosenBy.count(value.loop)) return index(value.loop);
      for (const InspectedUse::Range& range : use.loops)
        if (range.loop == value.loop) return interval(range);
      break;
    case InspectedValue::Kind::Load:
      return fmt::format("long({}[{}])", scope.names.of(scope.region.arrays[value.array].name),
                         of(value.operands[0]));
    case InspectedValue::Kind::Binary: {
      auto operand = [&](const InspectedValue& one) {
        const std::string text = of(one);
        const bool binds =
            one.kind != InspectedValue::Kind::Binary || value.op == "+" || (value.op == "*" && one.op == "*");
        return binds ? text : "(" + text + ")";
      };
      return fmt::format("{} {} {}", operand(value.operands[0]), value.op, operand(value.operands[1]));
    }
    }
    throw Failure(scope.region.name(), "an index of no loop around the use");
  }

  const InspectedUse& use;
  LauncherScope& scope;
};

} // namespace

std::string inspectionText(const std::vector<InspectedUse>& uses, const isl::set& known,
                           LauncherScope& scope) {
  std::set<std::string> texts;
  for (const InspectedUse& use : uses)
    texts.insert(Writer(use, scope).text(known));
  std::string all;
  for (const std::string& one : texts)
    all = all.empty() ? one : fmt::format("{}.with({})", all, one);
  return all;
}

std::string inspectionSteps(const std::vector<InspectedUse>& uses, LauncherScope& scope) {
  std::set<std::string> sums;
  for (const InspectedUse& use : uses) {
    std::string steps;
    for (const InspectedUse::Range& range : use.loops) {
      if (!use.chosenBy.count(range.loop)) continue;
      const isl::pw_aff count = range.last.sub(range.first).add_constant(1).coalesce();
      steps += fmt::format("{}double({})", steps.empty() ? "" : " * ", scope.text(count));
    }
    if (!steps.empty()) sums.insert(steps);
  }
  return fmt::format("{}", fmt::join(sums, " + "));
}

} // namespace warploom
