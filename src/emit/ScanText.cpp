// Loops that run as scans, as text: what iterations do to the states, what each begins with, and then the
// iterations themselves. runtime/warploom_scan.h has what is done between threads.
#include "emit/TreeText.h"
#include "mapping/Tunables.h"

#include <fmt/format.h>

namespace warploom {

namespace {

/// The type of what an iteration does to `state`.
std::string functionType(const Region& region, const Recurrence& state) {
  const std::string type = scalarType(region.arrays[state.array].element);
  switch (state.kind) {
  case Recurrence::Kind::Affine:
    return fmt::format("warploom::Affine<{}>", type);
  case Recurrence::Kind::Last:
    return fmt::format("warploom::Last<{}>", type);
  case Recurrence::Kind::Folded:
    break;
  }
  return fmt::format("warploom::Folded<{}, {}>", reductionFunctor(state.op), type);
}

/// The type of what an iteration does to all states of `scan`.
std::string functionType(const Region& region, const Scan& scan) {
  std::string type = functionType(region, scan.states.back());
  for (std::size_t k = scan.states.size() - 1; k-- > 0;)
    type = fmt::format("warploom::Both<{}, {}>", functionType(region, scan.states[k]), type);
  return type;
}

/// The way to the part of state number `k` in it.
std::string memberOf(const Scan& scan, std::size_t k) {
  std::string path;
  for (std::size_t before = 0; before < k; ++before)
    path += ".second";
  return k + 1 < scan.states.size() ? path + ".first" : path;
}

} // namespace

void TreeText::write(const LoopNode& loop, const OnScan& share, TextWriter& to) {
  const Region& region = scope.region;
  const Scan& scan = share.scan;
  const bool onGrid = share.across == Threads::Grid;
  const IndexRange range = scope.rangeOf(loop.bounds.front());
  const std::string items = scope.used.size(sizeName::scanItems), type = functionType(region, scan);
  const std::string state = scope.local("State"), own = scope.local("items"), item = scope.local("item"),
                    number = scope.local("number"), tile = scope.local("tile"),
                    before = scope.local("before"), board = scope.local("board");
  const std::string each = onGrid ? fmt::format("{} * {}", scope.used.size(sizeName::block), items)
                                  : fmt::format("{} * {}", scope.used.size(sizeName::lanes), items);
  auto nameOf = [&](const Recurrence& one) { return scope.names.of(region.arrays[one.array].name); };
  auto outOf = [&](const Recurrence& one) {
    scope.savedArrays.insert(one.array);
    scope.used.arrays.insert(one.array);
    return scope.names.of(region.arrays[one.array].name + " out");
  };
  // What is written for every item, in braces that are closed below.
  auto open = [&](const std::string& otherwise) {
    to.line("#pragma unroll");
    to.open("for (int {0} = 0; {0} < {1}; ++{0})", item, items);
    to.line("const long {} = {} + {};", number, onGrid ? fmt::format("{} * ({})", tile, each) : tile,
            onGrid ? fmt::format("warploom::itemNumber<{}>({})", items, item)
                   : fmt::format("{} * {} + threadIdx.x", item, scope.used.size(sizeName::lanes)));
    if (!otherwise.empty()) to.line(otherwise);
    to.open("if ({} < {})", number, range.count);
    std::string value = fmt::format("Index({})", number);
    if (range.step != 1) value = fmt::format("{} * {}", range.step, value);
    to.line("const Index {} = {}{};", openVariable(loop), range.first == "0" ? "" : range.first + " + ",
            value);
  };

  if (!onGrid) to.open("");
  to.line("using {} = {};", state, type);
  if (onGrid) {
    call.state = type;
    call.grid[0] = fmt::format("warploom::tiles({}, {})", range.count, each);
    to.line("const long {} = warploom::nextTile({});", tile, board);
  } else {
    to.line("{0} {1} = {0}::identity();", state, before);
    for (std::size_t k = 0; k < scan.states.size(); ++k)
      to.line("{}{} = {}::constant({});", before, memberOf(scan, k), functionType(region, scan.states[k]),
              nameOf(scan.states[k]));
    to.open("for (long {0} = 0; {0} < {1}; {0} += {2})", tile, range.count, each);
  }
  to.line("{} {}[{}];", state, own, items);
  open(fmt::format("{}[{}] = {}::identity();", own, item, state));
  scope.savesLast = false;
  for (const Recurrence& one : scan.states) {
    const std::string part = scope.names.of(region.arrays[one.array].name + " part");
    const std::string element = scalarType(region.arrays[one.array].element);
    if (one.kind == Recurrence::Kind::Folded)
      to.line("{} {} = {}::identity<{}>();", element, part, reductionFunctor(one.op), element);
    else
      to.line("{0} {1} = {0}::identity();", functionType(region, one), part);
    stateParts[one.array] = part;
  }
  write(loop.changes, to);
  for (std::size_t k = 0; k < scan.states.size(); ++k) {
    const std::string& part = stateParts.at(scan.states[k].array);
    const bool folded = scan.states[k].kind == Recurrence::Kind::Folded;
    to.line("{}[{}]{} = {};", own, item, memberOf(scan, k), folded ? "{" + part + "}" : part);
  }
  stateParts.clear();
  scope.savesLast = true;
  closeVariable(loop);
  to.close();
  to.close();
  if (onGrid) {
    to.line("{0} {1} = {0}::identity();", state, before);
    for (std::size_t k = 0; k < scan.states.size(); ++k)
      to.line("if ({} == 0) {}{} = {}::constant(warploom::firstValue({}));", tile, before, memberOf(scan, k),
              functionType(region, scan.states[k]), outOf(scan.states[k]));
    to.line("warploom::scanTile({}, {}, {}, {});", own, tile, before, board);
  } else {
    to.line("warploom::scanWarp({}, {}, static_cast<int>(threadIdx.x));", own, before);
  }
  open("");
  for (std::size_t k = 0; k < scan.states.size(); ++k)
    to.line("{} = {}[{}]{}.value();", nameOf(scan.states[k]), own, item, memberOf(scan, k));
  write(loop.body, to);
  if (onGrid)
    for (const Recurrence& one : scan.states)
      to.line("if ({} + 1 == {}) warploom::lastValue({}, {});", number, range.count, outOf(one), nameOf(one));
  to.close();
  to.close();
  if (!onGrid) {
    to.close();
    for (std::size_t k = 0; k < scan.states.size(); ++k)
      to.line("{} = {}{}.value();", nameOf(scan.states[k]), before, memberOf(scan, k));
  }
  if (!onGrid) to.close();
  closeVariable(loop);
}

} // namespace warploom
