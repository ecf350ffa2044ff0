#include "emit/KernelText.h"

#include "emit/KernelScope.h"
#include "emit/Refused.h"
#include "emit/TreeText.h"
#include "mapping/Movement.h"
#include "support/Failure.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

class KernelWriter {
public:
  KernelWriter(const Region& region, const Facts& facts, const RegionPlan& plan, int index, Names& names,
               TextWriter& out)
      : region(region), kernel(plan.kernels[static_cast<std::size_t>(index)]), names(names), out(out),
        scope(region, facts, plan, kernel, names) {}

  KernelCall write() {
    // The body first: it decides which arguments there are.
    TextWriter body(false), shared;
    body.indent();
    if (kernel.body.onlyFor) {
      UsedNames before = scope.used; // the launcher asks it, not the kernel
      call.onlyIf = conditionText(*kernel.body.onlyFor, scope.renaming());
      scope.used = before;
    }
    TreeText(scope, call).write(shared, body);
    addArguments(body.text());
    out.comment(describe());
    out.lines(shared.text());
    std::string text = body.text();
    if (kernel.inOneLaunch) {
      writeFunction("__device__ void", bodyFunction(kernel, names), true, text);
      std::vector<std::string> arguments;
      for (const KernelParameter& parameter : call.parameters)
        arguments.push_back(parameter.name);
      text = fmt::format("  {}<Index>({});", bodyFunction(kernel, names), fmt::join(arguments, ", "));
    }
    std::string bounds = kernel.isSingle() ? "1" : fmt::format("{}", fmt::join(call.block, " * "));
    if (kernel.residents > 0) bounds += fmt::format(", {}", kernel.residents);
    writeFunction(fmt::format("__global__ void __launch_bounds__({})", bounds),
                  names.of("kernel " + kernel.name), false, text);
    call.sizes = scope.used.sizes;
    call.chosenSet = scope.used.chosenSet;
    call.sizePrefix = scope.used.sizePrefix;
    for (std::size_t k = 0; k < kernel.variants.variants.size(); ++k)
      call.variants.push_back(variantName(call.sizePrefix, k));
    if (kernel.levels) writeUses();
    return std::move(call);
  }

private:
  /// Of a kernel that runs by levels: what tells which elements an iteration uses, as a type.
  void writeUses() {
    KernelScope own(region, scope.facts, scope.plan, kernel, names);
    KernelCall unused;
    UsesCall uses;
    TextWriter body(false);
    TreeText(own, unused).writeUses(uses, body);
    for (const ScheduledLoop& loop : kernel.hostLoops)
      if (mentions(body.text() + uses.count, own.texts.at(fixedName(loop.name))))
        throw EmissionRefused(region.range, "where iterations meet depends on loops around them");
    for (const Parameter& parameter : region.parameters)
      if (own.used.parameters.count(parameter.name)) {
        const std::string name = names.ofParameter(parameter.name);
        uses.members.push_back({"long", name, name, ""});
      }
    for (int array : own.used.arrays) {
      if (kernel.placement[array] == Placement::Private) continue;
      const Array& object = region.arrays[array];
      const std::string type = typeName(object.element), name = names.of(object.name);
      if (kernel.placement[array] == Placement::Value) {
        uses.members.push_back({type, name, name, ""});
        continue;
      }
      if (kernel.placement[array] != Placement::Device || scope.plan.expansionOf(array))
        throw EmissionRefused(object.declaration,
                              "`" + object.name + "`, which tells where iterations meet, is kept elsewhere");
      uses.members.push_back({"const " + type + "*", name, names.of(object.name + " device"), ""});
      if (uses.arrays.count(array) == 0) uses.indices.insert(array);
    }
    for (int array : uses.arrays) {
      const std::string size = names.of(region.arrays[array].name + " size");
      uses.members.push_back({"long", size, size, ""});
    }
    uses.name = names.of(kernel.name + " uses");
    out.comment("Tells which elements an iteration of the kernel above uses.");
    out.open("struct {}", uses.name);
    for (const KernelParameter& member : uses.members)
      out.line("{} {};", member.type, member.name);
    out.open("template <typename Visit> __device__ void operator()(long {}, Visit& {}) const",
             names.of("number"), own.local("visit"));
    out.line("using Index = long;");
    out.lines(body.text());
    out.close();
    out.close(";");
    out.line();
    call.uses = std::move(uses);
  }

  void writeFunction(const std::string& kind, const std::string& name, bool shared, const std::string& body) {
    std::vector<std::string> parameters;
    for (const KernelParameter& parameter : call.parameters)
      parameters.push_back((shared ? coherent(parameter.type) : parameter.type) + " " + parameter.name);
    const std::string& set = scope.used.chosenSet;
    out.line("template <typename Index{}>", set.empty() ? "" : ", typename " + set);
    out.line("static {} {}({}) {{", kind, name, fmt::join(parameters, ", "));
    out.lines(body);
    out.line("}");
    out.line();
  }

  /// The type of a parameter where other parts of the same launch may write what this part only reads: it
  /// must not be taken for constant.
  static std::string coherent(const std::string& type) {
    const std::string restricted = " __restrict__";
    bool isRead = type.starts_with("const ") && type.ends_with(restricted);
    return isRead ? type.substr(0, type.size() - restricted.size()) : type;
  }

  void addArguments(const std::string& bodyText) {
    for (const Parameter& parameter : region.parameters)
      if (scope.used.parameters.count(parameter.name)) {
        std::string name = names.ofParameter(parameter.name);
        call.parameters.push_back({"Index", name, fmt::format("Index({})", name), ""});
      }
    std::vector<bool> written = writtenArrays();
    for (int array : scope.used.arrays) {
      if (kernel.placement[array] == Placement::Private && !scope.savedArrays.count(array)) continue;
      if (staysInRegisters(array)) continue;
      if (kernel.placement[array] == Placement::Constant) {
        call.constantArrays.insert(array);
        continue;
      }
      const Array& object = region.arrays[array];
      std::string type = typeName(object.element), name = names.of(object.name);
      if (kernel.placement[array] == Placement::Value) {
        call.parameters.push_back({type, name, name, ""});
        call.valueArrays.insert(array);
        continue;
      }
      call.deviceArrays.insert(array);
      if (kernel.placement[array] == Placement::Private) name = names.of(object.name + " out");
      if (auto bins = call.bins.find(array); bins != call.bins.end()) {
        const std::string op = reductionFunctor(bins->second);
        call.parameters.push_back({fmt::format("warploom::Bins<{}, {}>", type, op), name,
                                   fmt::format("{}.of({}, {}())", names.of(kernel.name + " bins"),
                                               names.of(object.name + " device"), op),
                                   ""});
        continue;
      }
      call.parameters.push_back({fmt::format("{}{}* __restrict__", written[array] ? "" : "const ", type),
                                 name, names.of(object.name + " device"), ""});
    }
    if (!call.state.empty())
      call.parameters.push_back(
          {fmt::format("warploom::TileBoard<{}>", call.state), scope.local("board"),
           fmt::format("warploom::TileMemory<{}>({}, region.stream())", call.state, call.grid.front()), ""});
    if (kernel.levels)
      call.parameters.push_back({"warploom::Level", scope.local("level"), scope.local("level"), ""});
    for (const ScheduledLoop& loop : kernel.hostLoops) {
      const std::string& variable = scope.texts.at(fixedName(loop.name));
      if (!mentions(bodyText, variable)) continue;
      call.parameters.push_back({"Index", variable, "", loop.name});
    }
  }

  bool staysInRegisters(int array) const {
    return std::any_of(kernel.body.registers.begin(), kernel.body.registers.end(),
                       [&](const RegisterTile& tile) {
                         return tile.array == array && !tile.elements.load && !tile.elements.store;
                       });
  }

  std::vector<bool> writtenArrays() const {
    std::vector<bool> written(region.arrays.size());
    for (int s : kernel.statements)
      for (const Access& access : region.statements[s].accesses)
        if (access.writes()) written[memoryOf(region, access.array)] = true;
    return written;
  }

  std::string describe() const {
    std::size_t line = kernel.line;
    if (kernel.isSingle())
      return fmt::format("{}, line {}: what is not parallel, by one thread.", region.function, line);
    std::vector<std::string> parts;
    bool onTensor = false;
    auto add = [&](const std::string& part) {
      if (std::count(parts.begin(), parts.end(), part) == 0) parts.push_back(part);
    };
    forEachNode(kernel.body.nodes, [&](const MappedNode& node) {
      if (const auto* loop = std::get_if<LoopNode>(&node.is))
        if (std::string role = roleOf(*loop); !role.empty()) add(role);
      if (std::holds_alternative<TensorNode>(node.is)) {
        for (const TiledLoop& tile : kernel.body.tiles)
          add(roleOf(tile));
        onTensor = true;
      }
    });
    if (!kernel.sharedCode.empty()) add("what is in it by groups of threads");
    std::string text = fmt::format("{}, line {}: {}", region.function, line, fmt::join(parts, ", "));
    std::set<std::string> shared, kept;
    for (const SharedTile& tile : kernel.body.shared)
      shared.insert(region.arrays[tile.array].name);
    for (const RegisterTile& tile : kernel.body.registers)
      kept.insert(region.arrays[tile.array].name);
    if (!shared.empty()) text += fmt::format("; {} through shared memory", fmt::join(shared, ", "));
    if (!kept.empty()) text += fmt::format("; {} in registers", fmt::join(kept, ", "));
    if (onTensor) text += "; on tensor cores";
    std::set<std::string> combined;
    for (const Reduction& reduction : kernel.reductions)
      combined.insert(fmt::format("; {} combined by {}", region.arrays[reduction.array].name, reduction.op));
    for (const std::string& one : combined)
      text += one;
    return text + ".";
  }

  static std::string roleOf(const TiledLoop& tile) {
    return fmt::format("loop {} in tiles of {} over {}", tile.loop, tile.size, axisName(tile.axis));
  }
  /// Who takes the iterations of `loop`; empty when every thread does, or when the loop inside its tiles
  /// tells it.
  std::string roleOf(const LoopNode& loop) const {
    if (const auto* points = std::get_if<OnTile>(&loop.share)) return roleOf(points->tile);
    const std::string name = fmt::format("loop {}", fmt::join(loop.loops, ", loop "));
    if (const auto* block = std::get_if<OnBlock>(&loop.share))
      return fmt::format("{} over threads {}", name, axisName(block->axis));
    if (std::holds_alternative<OnLanes>(loop.share)) return name + " by the lanes of a warp";
    if (const auto* scan = std::get_if<OnScan>(&loop.share)) {
      std::vector<std::string> states;
      for (const Recurrence& state : scan->scan.states)
        states.push_back(region.arrays[state.array].name);
      return fmt::format("{} by a scan of {}{}", name, fmt::join(states, " and "),
                         scan->across == Threads::Grid ? " over x" : " by the lanes of a warp");
    }
    const auto* grid = std::get_if<OnGrid>(&loop.share);
    if (!grid) return "";
    const char* axis = axisName(grid->axis);
    if (grid->threads.empty()) {
      const auto& tiles = kernel.body.tiles;
      const bool isTold = std::any_of(tiles.begin(), tiles.end(), [&](const TiledLoop& tile) {
        return tile.control == loop.loops.front();
      });
      const bool onThreads = !kernel.inBlocks && !kernel.hasLanes();
      return isTold      ? ""
             : onThreads ? fmt::format("{} over {}", name, axis)
                         : fmt::format("{} {}over blocks along {}", name,
                                       loop.loops.size() > 1 ? "together " : "", axis);
    }
    if (!kernel.lanes.empty()) return name + " over warps";
    if (grid->byLevels)
      return fmt::format("{} {}by levels over x", name, loop.loops.size() > 1 ? "together " : "");
    if (loop.loops.size() > 1) return name + " together over x";
    return fmt::format("{} {}over {}", name, kernel.partLevel > 0 && grid->leastEach > 0 ? "in slices " : "",
                       axis);
  }

  const Region& region;
  const KernelPlan& kernel;
  Names& names;
  TextWriter& out;
  KernelScope scope;
  KernelCall call;
};

} // namespace

std::string bodyFunction(const KernelPlan& kernel, Names& names) {
  return names.of(kernel.name + " body");
}

KernelCall writeKernel(const Region& region, const Facts& facts, const RegionPlan& plan, int kernel,
                       Names& names, TextWriter& out) {
  return KernelWriter(region, facts, plan, kernel, names, out).write();
}

} // namespace warploom
