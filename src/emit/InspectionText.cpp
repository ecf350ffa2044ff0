#include "emit/InspectionText.h"

#include "support/Failure.h"

#include <fmt/format.h>
#include <set>

namespace warploom {

namespace {

class Writer {
public:
  Writer(const InspectedUse& use, LauncherScope& scope) : use(use), scope(scope) {}

  /// The interval of all its subscripts, going through the loops that choose.
  std::string text() {
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

private:
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

std::string inspectionText(const std::vector<InspectedUse>& uses, LauncherScope& scope) {
  std::set<std::string> texts;
  for (const InspectedUse& use : uses)
    texts.insert(Writer(use, scope).text());
  std::string all;
  for (const std::string& one : texts)
    all = all.empty() ? one : fmt::format("{}.with({})", all, one);
  return all;
}

} // namespace warploom
