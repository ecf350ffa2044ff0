#include "emit/HostLoops.h"

#include "emit/KernelScope.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <regex>

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

/// Writes nodes of the host's part, for the host or, as one kernel, for the device. What is done at a
/// kernel's place differs.
class NodeText {
public:
  NodeText(LauncherScope& scope, TextWriter& out) : scope(scope), out(out) {}
  virtual ~NodeText() = default;

  /// Writes `node`, inside the loops `around`, where `context` is known.
  void write(const HostNode& node, const std::vector<ScheduledLoop>& around, const isl::set& context) {
    if (node.kernel < 0)
      return writeLoop(node, around, boundsOf(*node.loop, fixed(node.runs, around), context));
    const KernelCall& call = callOf(node);
    if (call.onlyIf != "1") out.open("if ({})", call.onlyIf);
    writeKernel(scope.plan.kernels[static_cast<std::size_t>(node.kernel)], call);
    if (call.onlyIf != "1") out.close();
  }

protected:
  virtual void writeLoop(const HostNode& node, const std::vector<ScheduledLoop>& around,
                         const LoopBounds& bounds) = 0;
  virtual void writeKernel(const KernelPlan& kernel, const KernelCall& call) = 0;

  const KernelCall& callOf(const HostNode& node) const {
    return scope.calls[static_cast<std::size_t>(node.kernel)];
  }

  void writeChildren(const HostNode& node, std::vector<ScheduledLoop> around, const LoopBounds& bounds) {
    around.push_back(*node.loop);
    for (const HostNode& child : node.children)
      write(child, around, bounds.context);
  }

  void writeFor(const char* type, const HostNode& node, const std::vector<ScheduledLoop>& around,
                const LoopBounds& bounds) {
    std::string index = variableFor(scope.region, *node.loop, node.runs, scope.names);
    scope.hostVariables[node.loop->name] = index;
    auto [first, last] = rangeOf(bounds);
    out.open("for ({0} {1} = {2}; {1} <= {3}; {4})", type, index, first, last,
             bounds.step == 1 ? "++" + index : fmt::format("{} += {}", index, bounds.step));
    writeChildren(node, around, bounds);
    out.close();
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
    if (around.empty() && repeats(node)) {
      // The same launches every time: they are recorded once.
      auto [first, last] = rangeOf(bounds);
      out.open("region.repeat({}, [&]",
               bounds.step == 1 ? countText(first, last)
                                : fmt::format("({}) / {} + 1", differenceText(first, last), bounds.step));
      writeChildren(node, around, bounds);
      out.close(");");
    } else {
      writeFor("long", node, around, bounds);
    }
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
      return !takesLoop && !std::regex_search(texts, std::regex("\\b" + value + "\\b"));
    });
  }

  void writeKernel(const KernelPlan& kernel, const KernelCall& call) override {
    std::string arguments;
    for (const KernelParameter& parameter : call.parameters)
      arguments += ", " + (parameter.hostLoop.empty()
                               ? parameter.argument
                               : fmt::format("Index({})", scope.hostVariables.at(parameter.hostLoop)));
    out.line("region.launch({{dim3({}), dim3({})}}, {}<Index>{});", fmt::join(call.grid, ", "),
             fmt::join(call.block, ", "), scope.names.of("kernel " + kernel.name), arguments);
  }
};

} // namespace

void writeHostLoops(LauncherScope& scope, TextWriter& out) {
  for (const HostNode& node : scope.plan.host)
    HostLoops(scope, out).write(node, {}, scope.plan.assumed.intersect(scope.region.context));
}

} // namespace warploom
