// Loops that run as scans, as text: what iterations do to the states, what each begins with, and then the
// iterations themselves. runtime/warploom_scan.h has what is done between threads.
#include "emit/TreeText.h"
#include "transform/Tunables.h"

#include <fmt/format.h>
#include <map>

namespace warploom {

namespace {

/// The states of a scan as the text has them: which functions they are, and the ways to their values.
class StateText {
public:
  StateText(KernelScope& scope, const Scan& scan) : scope(scope), scan(scan) {}

  /// The type of what an iteration does to all states.
  std::string type() const {
    std::string text;
    for (std::size_t k = scan.states.size(); k-- > 0;)
      if (!isRider(k))
        text = text.empty() ? typeOf(k) : fmt::format("warploom::Both<{}, {}>", typeOf(k), text);
    return text;
  }

  /// Assigns to `whole`, of that type, that the states are `values`, one for each, whatever they were before.
  std::vector<std::string> begin(const std::string& whole, const std::vector<std::string>& values) const {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < scan.states.size(); ++k)
      if (isChosen(k))
        lines.push_back(
            fmt::format("{}{} = {{{{{}, 1}}, {}}};", whole, member(k), values[k], riders(k, values)));
      else if (!isRider(k))
        lines.push_back(fmt::format("{}{} = {}::constant({});", whole, member(k), typeOf(k), values[k]));
    return lines;
  }

  /// The declarations of what stands for the states while an iteration tells what it does to them.
  std::vector<std::string> declareParts() const {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < scan.states.size(); ++k) {
      const Recurrence& state = scan.states[k];
      const std::string element = elementOf(k), name = part(k);
      if (isRider(k))
        lines.push_back(fmt::format("{} {}{{}};", element, name));
      else if (isChosen(k))
        lines.push_back(
            fmt::format("warploom::Candidate<{0}> {1} = warploom::Candidate<{0}>::none();", element, name));
      else if (state.kind == Recurrence::Kind::Folded)
        lines.push_back(
            fmt::format("{} {} = {}::identity<{}>();", element, name, reductionFunctor(state.op), element));
      else
        lines.push_back(fmt::format("{0} {1} = {0}::identity();", typeOf(k), name));
    }
    return lines;
  }
  /// Assigns to `whole` what they are then.
  std::vector<std::string> takeParts(const std::string& whole) const {
    std::vector<std::string> lines, parts;
    for (std::size_t k = 0; k < scan.states.size(); ++k)
      parts.push_back(part(k));
    for (std::size_t k = 0; k < scan.states.size(); ++k) {
      if (isRider(k)) continue;
      std::string value = parts[k];
      if (isChosen(k)) value = fmt::format("{{{}, {}}}", value, riders(k, parts));
      if (scan.states[k].kind == Recurrence::Kind::Affine) value += ".item()";
      lines.push_back(fmt::format("{}{} = {};", whole, member(k), value));
    }
    return lines;
  }

  /// Assigns the values in `whole`, of what the functions of all states have for a value, to the states.
  std::vector<std::string> giveValues(const std::string& whole) const {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < scan.states.size(); ++k)
      lines.push_back(fmt::format("{} = {}{};", name(k), whole, valueIn(k)));
    return lines;
  }

  std::string name(std::size_t k) const { return scope.names.of(arrayOf(k).name); }
  std::string part(std::size_t k) const { return scope.names.of(arrayOf(k).name + " part"); }

private:
  bool isRider(std::size_t k) const { return scan.states[k].kind == Recurrence::Kind::Rider; }
  bool isChosen(std::size_t k) const { return scan.states[k].kind == Recurrence::Kind::Chosen; }
  const Array& arrayOf(std::size_t k) const { return scope.region.arrays[scan.states[k].array]; }
  std::string elementOf(std::size_t k) const { return scalarType(arrayOf(k).element); }
  /// The first after `k` that does not ride with it.
  std::size_t endOf(std::size_t k) const {
    for (++k; k < scan.states.size() && isRider(k);)
      ++k;
    return k;
  }

  /// The type of what an iteration does to state `k` and those that ride with it.
  std::string typeOf(std::size_t k) const {
    static const std::map<std::string, std::string> comparisons = {
        {"<", "Less"}, {"<=", "LessOrEqual"}, {">", "Greater"}, {">=", "GreaterOrEqual"}};
    const Recurrence& state = scan.states[k];
    switch (state.kind) {
    case Recurrence::Kind::Affine:
      return fmt::format("warploom::Affine<{}>", elementOf(k));
    case Recurrence::Kind::Last:
      return fmt::format("warploom::Last<{}>", elementOf(k));
    case Recurrence::Kind::Folded:
      return fmt::format("warploom::Folded<{}, {}>", reductionFunctor(state.op), elementOf(k));
    case Recurrence::Kind::Chosen:
    case Recurrence::Kind::Rider:
      break;
    }
    std::string with = "warploom::Alone";
    for (std::size_t r = endOf(k); r-- > k + 1;)
      with = fmt::format("warploom::With<{}, {}>", elementOf(r), with);
    return fmt::format("warploom::Chosen<warploom::{}, {}, {}>", comparisons.at(state.op), elementOf(k),
                       with);
  }
  /// The way to the function of state `k`, which does not ride, in that of all.
  std::string member(std::size_t k) const {
    std::string path;
    for (std::size_t before = 0; before < k; ++before)
      if (!isRider(before)) path += ".second";
    return endOf(k) < scan.states.size() ? path + ".first" : path;
  }
  /// The way to the value of state `k`.
  std::string valueIn(std::size_t k) const {
    std::string path = isChosen(k) ? ".value" : "";
    for (; isRider(k); --k)
      path = path.empty() ? ".others.value" : ".others" + path;
    return member(k) + path;
  }
  /// `values` of those that ride with `k`, as With has them.
  std::string riders(std::size_t k, const std::vector<std::string>& values) const {
    std::string text = "{}";
    for (std::size_t r = endOf(k); r-- > k + 1;)
      text = fmt::format("{{{}, {}}}", values[r], text);
    return text;
  }

  KernelScope& scope;
  const Scan& scan;
};

} // namespace

void TreeText::write(const LoopNode& loop, const OnScan& share, TextWriter& to) {
  const Scan& scan = share.scan;
  const StateText states(scope, scan);
  const bool onGrid = share.across == Threads::Grid;
  for (const std::string& name : loop.loops)
    scope.texts[fixedName(name)] = scope.freeVariableOf(*findLoop(kernel.tree, name));
  std::vector<std::string> indices;
  const IndexRange range = rangeOf(loop, loop.bounds, indices);
  const std::string items = scope.used.size(sizeName::scanItems), state = scope.local("State"),
                    own = scope.local("items"), item = scope.local("item"), place = scope.local("place"),
                    tile = scope.local("tile"), before = scope.local("before"), board = scope.local("board"),
                    start = scope.local("start"), here = scope.local("here"), values = scope.local("values"),
                    each = fmt::format(
                        "{} * {}", scope.used.size(onGrid ? sizeName::scanBlock : sizeName::lanes), items);
  if (loop.loops.size() > 1)
    indices.insert(indices.begin(),
                   fmt::format("const Index {} = {} + {};", scope.names.of("number"), start, place));
  else
    indices.push_back(fmt::format("const Index {} = {}{};", scope.texts.at(fixedName(loop.loops.front())),
                                  range.first == "0" ? "" : range.first + " + ",
                                  range.step == 1 ? fmt::format("{} + {}", start, place)
                                                  : fmt::format("{} * ({} + {})", range.step, start, place)));
  auto lines = [&](const std::vector<std::string>& all, const std::string& condition = "") {
    for (const std::string& line : all)
      to.line(condition + line);
  };
  // What is written for every item, in braces that `close` closes.
  auto open = [&] {
    if (onGrid) {
      to.open("warploom::eachItem<{}, {}>({}, [&](int {}, int {})", items, each, here, item, place);
    } else {
      to.line("#pragma unroll");
      to.open("for (int {0} = 0; {0} < {1}; ++{0})", item, items);
      to.line("const int {} = {} * {} + int(threadIdx.x);", place, item, scope.used.size(sizeName::lanes));
      to.open("if ({} < {})", place, here);
    }
    lines(indices);
  };
  auto close = [&] {
    to.close(onGrid ? ");" : "");
    if (!onGrid) to.close();
  };
  // What holds the states before and after a scan over the grid.
  std::vector<std::string> memory, names, first;
  for (std::size_t k = 0; k < scan.states.size(); ++k) {
    const int array = scan.states[k].array;
    names.push_back(states.name(k));
    if (!onGrid) continue;
    scope.savedArrays.insert(array);
    scope.used.arrays.insert(array);
    memory.push_back(scope.names.of(scope.region.arrays[array].name + " out"));
    first.push_back(fmt::format("warploom::firstValue({})", memory.back()));
  }

  if (!onGrid) to.open("");
  to.line("using {} = {};", state, states.type());
  if (onGrid) {
    call.state = states.type();
    call.grid[0] = fmt::format("warploom::tiles({}, {})", range.count, each);
    if (loop.loops.size() > 1) call.iterations = range.count;
    to.line("const long {} = warploom::nextTile({});", tile, board);
  } else {
    to.line("{0} {1} = {0}::identity();", state, before);
    lines(states.begin(before, names));
    to.open("for (long {0} = 0; {0} < {1}; {0} += {2})", tile, range.count, each);
  }
  to.line("const Index {} = Index({});", start, onGrid ? fmt::format("{} * ({})", tile, each) : tile);
  to.line("const int {} = warploom::itemsFrom({}, Index({}), {});", here, start, range.count, each);
  to.line("{}::Item {}[{}];", state, own, items);
  to.line("warploom::clear<{}>({});", state, own);
  open();
  lines(states.declareParts());
  for (std::size_t k = 0; k < scan.states.size(); ++k)
    stateParts[scan.states[k].array] = states.part(k);
  scope.savesLast = false;
  write(loop.changes, to);
  scope.savesLast = true;
  stateParts.clear();
  lines(states.takeParts(fmt::format("{}[{}]", own, item)));
  close();
  to.line("{}::Value {}[{}];", state, values, items);
  if (onGrid) {
    to.line("{0} {1} = {0}::identity();", state, before);
    lines(states.begin(before, first), fmt::format("if ({} == 0) ", tile));
    to.line("warploom::scanTile<{}>({}, {}, {}, {}, {});", scope.used.size(sizeName::scanBlock), own, values,
            tile, before, board);
  } else {
    to.line("warploom::scanWarp<{}>({}, {}, {});", scope.used.size(sizeName::rows), own, values, before);
  }
  open();
  lines(states.giveValues(fmt::format("{}[{}]", values, item)));
  write(loop.body, to);
  close();
  if (onGrid) {
    to.open("if ({0} + {1} == {2} && warploom::hasItem<{3}>({1} - 1))", start, here, range.count, items);
    for (std::size_t k = 0; k < memory.size(); ++k)
      to.line("warploom::lastValue({}, {});", memory[k], names[k]);
    to.close();
  }
  if (!onGrid) {
    to.close();
    lines(states.giveValues(before + ".value()"));
    to.close();
  }
  closeVariable(loop);
}

} // namespace warploom
