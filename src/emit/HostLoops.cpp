#include "emit/HostLoops.h"

#include "emit/KernelScope.h"
#include "emit/LibraryText.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <span>
#include <utility>

namespace warploom {

namespace {

std::string differenceText(const std::string& first, const std::string& last) {
  return first == "0" ? last : fmt::format("{} - ({})", last, first);
}

/// How many values there are from `first` to `last`.
std::string countText(const std::string& first, const std::string& last) {
  const std::string minusOne = " - 1";
  if (first == "0" && last.size() > minusOne.size() &&
      last.compare(last.size() - minusOne.size(), minusOne.size(), minusOne) == 0)
    return last.substr(0, last.size() - minusOne.size());
  return differenceText(first, last) + " + 1";
}

/// A launch of `grid` blocks of `block` threads.
std::string shapeText(const std::vector<std::string>& grid, const std::vector<std::string>& block,
                      const std::string& shared = "") {
  return fmt::format("{{dim3({}), dim3({}){}}}", fmt::join(grid, ", "), fmt::join(block, ", "), shared);
}

/// Writes nodes of the host's part, for the host or, as one kernel, for the device.
class NodeText {
public:
  NodeText(LauncherScope& scope, TextWriter& out) : scope(scope), out(out) {}
  virtual ~NodeText() = default;

  /// Writes `nodes`, which follow each other inside the loops `around`, where `context` is known.
  void write(std::span<const HostNode> nodes, const std::vector<ScheduledLoop>& around,
             const isl::set& context) {
    while (!nodes.empty()) {
      std::size_t count = 1;
      while (count < nodes.size() && nodes[count].beside)
        ++count;
      const HostNode& node = nodes.front();
      if (node.kernel >= 0)
        writeKernels(nodes.first(count));
      else
        writeLoop(node, around, boundsOf(*node.loop, fixed(node.runs, around), context));
      nodes = nodes.subspan(count);
    }
  }

protected:
  virtual void writeLoop(const HostNode& node, const std::vector<ScheduledLoop>& around,
                         const LoopBounds& bounds) = 0;
  /// Writes kernels that may run at the same time.
  virtual void writeKernels(std::span<const HostNode> beside) = 0;

  const KernelPlan& kernelOf(const HostNode& node) const {
    return scope.plan.kernels[static_cast<std::size_t>(node.kernel)];
  }
  const KernelCall& callOf(const HostNode& node) const {
    return scope.calls[static_cast<std::size_t>(node.kernel)];
  }

  /// Writes what `inside` writes, where the kernel has anything to do.
  template <typename Inside> void writeGuarded(const KernelCall& call, Inside inside) {
    if (call.onlyIf != "1") out.open("if ({})", call.onlyIf);
    inside();
    if (call.onlyIf != "1") out.close();
  }

  void writeChildren(const HostNode& node, std::vector<ScheduledLoop> around, const LoopBounds& bounds) {
    around.push_back(*node.loop);
    write(node.children, around, bounds.context);
  }

  void writeFor(const char* type, const HostNode& node, const std::vector<ScheduledLoop>& around,
                const LoopBounds& bounds) {
    std::string index = variableFor(scope.region, *node.loop, node.runs, scope.names);
    for (const ScheduledLoop& outer : around)
      if (auto taken = scope.hostVariables.find(outer.name);
          taken != scope.hostVariables.end() && taken->second == index)
        index = scope.names.of(fixedName(node.loop->name));
    scope.hostVariables[node.loop->name] = index;
    auto [first, last] = rangeOf(bounds);
    out.open("for ({0} {1} = {2}; {1} <= {3}; {4})", type, index, first, last,
             bounds.step == 1 ? "++" + index : fmt::format("{} += {}", index, bounds.step));
    writeSlices(node.loop->name);
    writeChildren(node, around, bounds);
    out.close();
  }

  /// Writes the copies to constant memory that an iteration of `loop` begins with.
  void writeSlices(const std::string& loop) {
    for (const auto& [array, slice] : scope.plan.slices) {
      if (slice.first != loop) continue;
      const Array& object = scope.region.arrays[array];
      std::string row;
      for (std::size_t d = 1; d < object.extents.size(); ++d)
        row += " * " + asFactor(scope.text(*object.extents[d]));
      std::string first = scope.text(slice.second.first), last = scope.text(slice.second.last);
      out.line("region.copyToConstant({}, {} + {}{}, ({}){} * sizeof({}));", scope.plan.constants.at(array),
               scope.names.of(object.name), row.empty() ? first : asFactor(first), row,
               countText(first, last), row, scalarType(object.element));
    }
  }

  /// The least and the greatest value of a loop as text.
  std::pair<std::string, std::string> rangeOf(const LoopBounds& bounds) {
    if (isl_pw_aff_n_piece(bounds.high.get()) == 0) return {"0", "-1"};
    std::string first = scope.text(bounds.low), last = scope.text(bounds.high);
    if (bounds.onlyFor) last = fmt::format("({} ? {} : {} - 1)", scope.text(*bounds.onlyFor), last, first);
    return {first, last};
  }

  LauncherScope& scope;
  TextWriter& out;
};

/// Launches.
class HostLoops : public NodeText {
public:
  using NodeText::NodeText;

private:
  void writeLoop(const HostNode& node, const std::vector<ScheduledLoop>& around,
                 const LoopBounds& bounds) override {
    if (node.library)
      out.open("{}.run(region, {}, [&]", libraryChoice(scope, firstKernel(scope.plan, node)),
               productText(scope, *node.library));
    writeLaunches(node, around, bounds);
    if (node.library) out.close(");");
  }

  void writeLaunches(const HostNode& node, const std::vector<ScheduledLoop>& around,
                     const LoopBounds& bounds) {
    auto one = scope.oneLaunches.find(node.loop->name);
    if (one != scope.oneLaunches.end()) {
      openOneLaunch(one->second);
      out.reopen("else");
    }
    if (around.empty() && scope.plan.slices.empty() && repeats(node)) {
      // The same launches every time: they are recorded once.
      auto [first, last] = rangeOf(bounds);
      out.open("region.repeat({}, [&]",
               bounds.step == 1 ? countText(first, last)
                                : fmt::format("({}) / {} + 1", differenceText(first, last), bounds.step));
      writeChildren(node, around, bounds);
      out.close(");");
    } else {
      bool before = std::exchange(inLoop, true);
      writeFor("long", node, around, bounds);
      inLoop = before;
    }
    if (one != scope.oneLaunches.end()) out.close();
  }

  void openOneLaunch(const OneLaunch& one) {
    std::string shape = scope.names.of("resident");
    std::vector<std::string> shapes = one.lines;
    if (shapes.empty())
      for (const std::vector<std::string>& grid : one.grids)
        shapes.push_back(shapeText(grid, one.block));
    out.open("if (const warploom::Launch {0} = region.resident({1}<Index>, {{{2}}}); !{0}.isEmpty())", shape,
             one.name, fmt::join(shapes, ", "));
    std::vector<std::string> arguments = {shape, one.name + "<Index>"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    out.line("region.launchCooperative({});", fmt::join(arguments, ", "));
  }

  /// True when every iteration of a host loop is the same launches with the same arguments.
  bool repeats(const HostNode& node) {
    const std::string value = variableFor(scope.region, *node.loop, node.runs, scope.names);
    return std::all_of(node.children.begin(), node.children.end(), [&](const HostNode& child) {
      if (child.kernel < 0) return false;
      const KernelCall& call = callOf(child);
      std::string texts = call.onlyIf;
      for (const std::string& size : call.grid)
        texts += " " + size;
      bool takesLoop = std::any_of(call.parameters.begin(), call.parameters.end(),
                                   [](const KernelParameter& one) { return !one.hostLoop.empty(); });
      // A scan takes memory for each launch, levels are several, and a library is asked about each call.
      return !takesLoop && !kernelOf(child).library && call.state.empty() && !call.uses &&
             !mentions(texts, value);
    });
  }

  void writeKernels(std::span<const HostNode> beside) override {
    // In a loop of launches the host is what there is too little of: more calls do not help.
    bool overlap = beside.size() > 1 && !inLoop;
    if (overlap) out.open("region.overlap([&]");
    for (std::size_t k = 0; k < beside.size(); ++k) {
      if (overlap && k > 0) {
        out.close(", [&] {");
        out.indent();
      }
      writeGuarded(callOf(beside[k]), [&] { writeLaunch(kernelOf(beside[k]), callOf(beside[k])); });
    }
    if (overlap) out.close(");");
  }

  void writeLaunch(const KernelPlan& kernel, const KernelCall& call) {
    if (!kernel.library) return writeKernelLaunch(kernel, call);
    out.open("{}.run(region, {}, [&]", libraryChoice(scope, kernel.name),
             productText(scope, *kernel.library));
    writeKernelLaunch(kernel, call);
    out.close(");");
  }

  void writeKernelLaunch(const KernelPlan& kernel, const KernelCall& call) {
    std::string arguments;
    for (const KernelParameter& parameter : call.parameters)
      arguments += ", " + (parameter.hostLoop.empty()
                               ? parameter.argument
                               : fmt::format("Index({})", scope.hostVariables.at(parameter.hostLoop)));
    std::string shared = call.shared.empty()
                             ? ""
                             : fmt::format(", warploom::dynamicBytes<{}>", call.sharedFor(call.chosenSet));
    if (!call.bins.empty()) {
      std::vector<std::string> copied = {kernel.hostLoops.empty() ? "instances" : "0"};
      for (const auto& [array, op] : call.bins)
        copied.push_back(scope.names.of(scope.region.arrays[array].name + " device"));
      out.line("const warploom::BinCopies {}({});", scope.names.of(kernel.name + " bins"),
               fmt::join(copied, ", "));
      shared = fmt::format(", {}.bytes()", scope.names.of(kernel.name + " bins"));
    }
    std::string shape = call.line.empty() ? shapeText(call.grid, call.block, shared) : call.line;
    if (call.uses)
      out.line("for (const warploom::Level {} : {})", scope.names.of("own level"),
               scope.names.of(call.uses->name + " levels"));
    const std::string name = scope.names.of("kernel " + kernel.name);
    const std::string indent = call.uses ? "  " : "";
    if (!call.variants.empty()) {
      out.open("{}warploom::launchNearest<{}>({{{}}}, [&](auto sizes)", indent,
               fmt::join(call.variants, ", "), fmt::join(kernel.variants.problem, ", "));
      out.line("using Sizes = decltype(sizes);");
      out.line("region.launch({}, {}<Index, Sizes>{});", shape, name, arguments);
      out.close(");");
      return;
    }
    if (!call.hasTiles()) {
      out.line("{}region.launch({}, {}<Index>{});", indent, shape, name, arguments);
      return;
    }
    const std::string chosen = scope.names.of(kernel.name + " shape"), own = scope.names.of("own shape");
    out.open("auto {} = [&](auto tiles)", chosen);
    out.line("using Tiles = decltype(tiles);");
    out.line("return {}{};", call.line.empty() ? "warploom::Launch" : "", shape);
    out.close(";");
    out.open("warploom::launchTiles<ManyTiles, {}, FewTiles>({}, [&](auto tiles, const warploom::Launch& {})",
             call.mayBeTurned() ? "TurnedTiles" : "ManyTiles", chosen, own);
    out.line("region.launch({}, {}<Index, decltype(tiles)>{});", own, name, arguments);
    out.close(");");
  }

  bool inLoop = false; ///< inside a loop of launches
};

/// The bodies of all kernels of a loop, with barriers of the grid between them.
class OneLaunchText : public NodeText {
public:
  OneLaunchText(LauncherScope& scope, TextWriter& body) : NodeText(scope, body) {}

  OneLaunch found;
  std::vector<KernelParameter> parameters; ///< of all bodies; const only where it is for all
  std::vector<std::string> functions;

private:
  void writeLoop(const HostNode& node, const std::vector<ScheduledLoop>& around,
                 const LoopBounds& bounds) override {
    writeFor("Index", node, around, bounds);
  }

  void writeKernels(std::span<const HostNode> beside) override {
    bool alone = beside.size() == 1;
    for (const HostNode& node : beside)
      writeGuarded(callOf(node), [&] {
        writeBody(kernelOf(node), callOf(node));
        if (alone) out.line("cooperative_groups::this_grid().sync();");
      });
    if (!alone) out.line("cooperative_groups::this_grid().sync();");
  }

  void writeBody(const KernelPlan& kernel, const KernelCall& call) {
    std::vector<std::string> arguments;
    for (const KernelParameter& parameter : call.parameters) {
      arguments.push_back(parameter.name);
      if (parameter.hostLoop.empty()) add(parameter);
    }
    bool isSingle = kernel.isSingle();
    if (found.block.empty() || found.block.front() == "1" || !(isSingle || kernel.anyGrid))
      found.block = call.block;
    addNew(found.grids, call.widestGrid);
    // Where one kernel needs a certain block, all have it.
    anyBlock = anyBlock && (isSingle || kernel.takesAnyBlock());
    if (!anyBlock)
      found.lines.clear();
    else if (!isSingle)
      addNew(found.lines, call.widestLine);
    functions.push_back(scope.names.of("kernel " + kernel.name));
    out.line("{}{}<Index>({});", isSingle ? "if (warploom::threadNumber<Index>() == 0) " : "",
             bodyFunction(kernel, scope.names), fmt::join(arguments, ", "));
  }

  template <typename T> static void addNew(std::vector<T>& all, const T& one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }

  void add(const KernelParameter& parameter) {
    auto same = std::find_if(parameters.begin(), parameters.end(),
                             [&](const KernelParameter& one) { return one.name == parameter.name; });
    if (same == parameters.end())
      parameters.push_back(parameter);
    else if (!parameter.type.starts_with("const "))
      same->type = parameter.type;
  }

  bool anyBlock = true; ///< no kernel so far needs a certain block
};

void writeOneLaunch(LauncherScope& scope, const HostNode& node, TextWriter& out) {
  TextWriter body(false);
  body.indent();
  OneLaunchText text(scope, body);
  text.write({&node, 1}, {}, scope.plan.assumed.intersect(scope.region.context));
  // Sizes that only bounds of the loops mention.
  std::vector<KernelParameter> all;
  for (const Parameter& parameter : scope.region.parameters) {
    std::string name = scope.names.ofParameter(parameter.name);
    if (mentions(body.text(), name)) all.push_back({"Index", name, fmt::format("Index({})", name), ""});
  }
  std::copy_if(text.parameters.begin(), text.parameters.end(), std::back_inserter(all),
               [](const KernelParameter& one) { return one.type != "Index"; });
  std::vector<std::string> declarations;
  OneLaunch one = text.found;
  for (const KernelParameter& parameter : all) {
    declarations.push_back(parameter.type + " " + parameter.name);
    one.arguments.push_back(parameter.argument);
  }
  one.name = scope.names.of(text.functions.front() + " loop");
  out.comment(fmt::format("All iterations of loop {} in one launch, with barriers of the grid between {}.",
                          node.loop->name, fmt::join(text.functions, ", ")));
  out.line("template <typename Index>");
  out.line("static __global__ void __launch_bounds__({}) {}({}) {{", fmt::join(one.block, " * "), one.name,
           fmt::join(declarations, ", "));
  out.lines(body.text());
  out.line("}");
  out.line();
  scope.oneLaunches.emplace(node.loop->name, one);
}

} // namespace

void writeOneLaunches(LauncherScope& scope, TextWriter& out) {
  for (const HostNode& node : scope.plan.host)
    if (node.oneLaunch) writeOneLaunch(scope, node, out);
}

void writeHostLoops(LauncherScope& scope, TextWriter& out) {
  HostLoops(scope, out).write(scope.plan.host, {}, scope.plan.assumed.intersect(scope.region.context));
}

} // namespace warploom
