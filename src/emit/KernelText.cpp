#include "emit/KernelText.h"

#include "emit/KernelScope.h"
#include "emit/TiledText.h"
#include "emit/TreeText.h"
#include "emit/Tunables.h"
#include "mapping/Movement.h"
#include "support/Failure.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/union_set.h>
#include <regex>

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
    isl::set context = hostContext();
    if (kernel.inBlocks) {
      TextWriter loops(false);
      TiledText(scope, context).write(call, shared, loops);
      declareParts(body);
      body.lines(loops.text());
      combineParts(body);
    } else {
      writeLoops(context, body);
    }
    addArguments(body.text());
    out.comment(describe());
    out.lines(sized(shared.text()));
    std::string text = sized(body.text());
    for (std::vector<std::string>* sizes : {&call.grid, &call.block})
      for (std::string& size : *sizes)
        size = sized(size);
    call.line = sized(call.line);
    if (kernel.inOneLaunch) {
      writeFunction("__device__ void", bodyFunction(kernel, names), true, text);
      std::vector<std::string> arguments;
      for (const KernelParameter& parameter : call.parameters)
        arguments.push_back(parameter.name);
      text = fmt::format("  {}<Index>({});", bodyFunction(kernel, names), fmt::join(arguments, ", "));
    }
    std::string bounds = kernel.isSingle() ? "1" : fmt::format("{}", fmt::join(call.block, " * "));
    writeFunction(fmt::format("__global__ void __launch_bounds__({})", bounds),
                  names.of("kernel " + kernel.name), false, text);
    return std::move(call);
  }

private:
  void writeFunction(const std::string& kind, const std::string& name, bool shared, const std::string& body) {
    std::vector<std::string> parameters;
    for (const KernelParameter& parameter : call.parameters)
      parameters.push_back((shared ? coherent(parameter.type) : parameter.type) + " " + parameter.name);
    out.line("template <typename Index>");
    out.line("static {} {}({}) {{", kind, name, fmt::join(parameters, ", "));
    out.lines(body);
    out.line("}");
    out.line();
  }

  /// `text` with the kernel's own names for its sizes.
  std::string sized(const std::string& text) {
    if (!kernel.ownTunables) return text;
    std::set<std::string> own;
    for (const SymbolicTile& tile : symbolicTiles(kernel.tree))
      own.insert(tile.size);
    const std::regex sizes("\\b(" + anySize(own) + ")\\b");
    return std::regex_replace(text, sizes, names.of("kernel " + kernel.name) + "_$1");
  }

  /// The type of a parameter where other parts of the same launch may write what this part only reads: it
  /// must not be taken for constant.
  static std::string coherent(const std::string& type) {
    const std::string restricted = " __restrict__";
    bool isRead = type.starts_with("const ") && type.ends_with(restricted);
    return isRead ? type.substr(0, type.size() - restricted.size()) : type;
  }

  /// What is known of parameters and of the host's loops where the kernel runs. The launcher checks what a
  /// host loop does not ensure.
  isl::set hostContext() {
    isl::set context = scope.plan.assumed.intersect(region.context);
    std::vector<ScheduledLoop> outer;
    UsedNames before = scope.used;
    for (std::size_t k = 0; k < kernel.hostLoops.size(); ++k) {
      scope.rangeOf(kernel.hostLoops[k], fixed(kernel.hostRuns[k], outer), context);
      outer.push_back(kernel.hostLoops[k]);
    }
    isl::set runs = own(isl_union_set_params(fixed(instances(kernel.tree), kernel.hostLoops).release()));
    isl::set only = runs.gist(context).coalesce();
    // Collapsed loops must have iterations for their product to mean anything.
    bool guarded = !kernel.hostLoops.empty() || kernel.collapsed;
    if (guarded) call.onlyIf = conditionText(only, scope.renaming());
    scope.used = before; // isl knows it; the text does not say it
    return guarded ? context.intersect(runs) : context;
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
      call.parameters.push_back({fmt::format("{}{}* __restrict__", written[array] ? "" : "const ", type),
                                 name, names.of(object.name + " device"), ""});
    }
    for (const ScheduledLoop& loop : kernel.hostLoops) {
      const std::string& variable = scope.texts.at(fixedName(loop.name));
      if (!mentions(bodyText, variable)) continue;
      call.parameters.push_back({"Index", variable, "", loop.name});
    }
  }

  bool staysInRegisters(int array) const {
    return std::any_of(kernel.tiles.registers.begin(), kernel.tiles.registers.end(),
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
    for (std::size_t k = 0; k < kernel.mapped.size(); ++k)
      parts.push_back(fmt::format("loop {}{}", kernel.mapped[k].name, roleOf(k)));
    for (const std::string& lane : kernel.lanes)
      parts.push_back(fmt::format("loop {} by the lanes of a warp", lane));
    if (!kernel.sharedCode.empty()) parts.push_back("what is in it by groups of threads");
    for (const TiledLoop& loop : kernel.tiles.loops)
      parts.push_back(
          fmt::format("loop {} in tiles of {} over {}", loop.loop, loop.size, axisName(loop.axis)));
    if (kernel.tiles.strided)
      for (const std::string& name : loopNames(kernel.tree))
        if (const LoopTree& loop = *findLoop(kernel.tree, name); loop.place)
          parts.push_back(fmt::format("loop {} over {} {}", name,
                                      loop.place->kind == Place::Kind::Grid ? "blocks along" : "threads",
                                      axisName(loop.place->dimension)));
    std::string text = fmt::format("{}, line {}: {}", region.function, line, fmt::join(parts, ", "));
    std::set<std::string> shared, kept;
    for (const SharedTile& tile : kernel.tiles.shared)
      shared.insert(region.arrays[tile.array].name);
    for (const RegisterTile& tile : kernel.tiles.registers)
      kept.insert(region.arrays[tile.array].name);
    if (!shared.empty()) text += fmt::format("; {} through shared memory", fmt::join(shared, ", "));
    if (!kept.empty()) text += fmt::format("; {} in registers", fmt::join(kept, ", "));
    std::set<std::string> combined;
    for (const Reduction& reduction : kernel.reductions)
      combined.insert(fmt::format("; {} combined by {}", region.arrays[reduction.array].name, reduction.op));
    for (const std::string& one : combined)
      text += one;
    return text + ".";
  }

  std::string roleOf(std::size_t k) const {
    const char* axis = axisName(kernel.axes[k]);
    if (kernel.hasLanes() && kernel.axes[k] > 0) return fmt::format(" over blocks along {}", axis);
    if (!kernel.lanes.empty()) return " over warps";
    if (kernel.collapsed) return k + 1 == kernel.mapped.size() ? " together over x" : "";
    return fmt::format(" {}over {}", kernel.partLevel > 0 && isSliced(k) ? "in slices " : "", axis);
  }

  /// True when threads take iterations of mapped loop `k` to combine values: a few each are better then than
  /// one.
  bool isSliced(std::size_t k) const {
    return kernel.isFlat() && !kernel.reductions.empty() && k >= kernel.partLevel;
  }

  /// Where and by how many threads the iterations of mapped loop `k` are taken.
  struct Axis {
    std::string grid;    ///< axis of the grid
    std::string threads; ///< threads of a block along it; empty: one
    std::string thread;  ///< axis of the block
  };
  Axis axisOf(std::size_t k) const {
    const int axis = kernel.axes[k];
    if (kernel.hasLanes()) {
      if (axis > 0) return {axisName(axis), "", ""};
      return {"x", kernel.lanes.empty() ? "GROUPS" : "ROWS", "y"};
    }
    if (kernel.takesAnyBlock()) return {"x", "blockDim.x", "x"};
    if (kernel.isLine()) return {"x", "BLOCK", "x"};
    if (axis == 0) return {"x", "BLOCK_X", "x"};
    if (axis == 1) return {"y", "BLOCK_Y", "y"};
    return {"z", "", ""};
  }

  std::vector<std::string> blockShape() const {
    if (kernel.isSingle()) return {"1"};
    if (!kernel.lanes.empty()) return {"LANES", "ROWS"};
    if (!kernel.sharedCode.empty()) return {"GROUP", "GROUPS"};
    if (kernel.isLine()) return {"BLOCK"};
    return {"BLOCK_X", "BLOCK_Y"};
  }

  void writeLoops(isl::set context, TextWriter& to) {
    call.block = blockShape();
    isl::union_set all = fixed(instances(kernel.tree), kernel.hostLoops);
    std::vector<IndexRange> ranges;
    std::set<std::string> mapped;
    const isl::set outside = context; // the launcher writes these ranges, too, and knows no more
    for (const ScheduledLoop& loop : kernel.mapped) {
      isl::set within = outside;
      ranges.push_back(scope.rangeOf(loop, all, within));
      context = context.intersect(within);
      scope.texts[fixedName(loop.name)] = scope.freeVariableOf(*findLoop(kernel.tree, loop.name));
      mapped.insert(loop.name);
    }
    if (kernel.collapsed) collapse(ranges);
    call.grid = gridFor(ranges);
    call.line = lineFor(ranges);
    if (kernel.inOneLaunch) findWidest();
    isl::union_set inside = fixed(all, kernel.mapped);
    scope.bodies.redirect([this](AccessRef access) {
      int array = access.in(region).array;
      return kernel.contracted.count(array) ? names.of(region.arrays[array].name)
                                            : scope.sliceElement(access);
    });
    TextWriter body(false);
    TreeText(scope, context).write(kernel.tree, inside, mapped, body);

    const std::size_t level = kernel.partLevel;
    if (level == 0) declareParts(to);
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      if (level > 0 && k == level) declareParts(to);
      openLoop(k, ranges[k], to);
    }
    for (const std::string& declaration : collapsedIndices)
      to.line(declaration);
    declarePrivate(to);
    to.lines(body.text());
    for (std::size_t k = ranges.size(); k-- > 0;) {
      to.close();
      if (level > 0 && k == level) combineColumns(all, context, to);
    }
    if (level == 0) combineParts(to);
  }

  /// Makes one range of those of collapsed loops, and of its index theirs.
  void collapse(std::vector<IndexRange>& ranges) {
    collapsedIndices.clear();
    std::string inner; // how many iterations the loops further in have together
    for (std::size_t k = ranges.size(); k-- > 0;) {
      const auto& [first, end, all, step] = ranges[k];
      std::string count = asFactor(all);
      std::string number = collapsedIndex();
      if (!inner.empty()) number += " / " + (k + 2 == ranges.size() ? inner : "(" + inner + ")");
      if (k > 0) number += " % " + count;
      if (step != 1) number = fmt::format("{} * ({})", step, number);
      if (first != "0") number = first + " + " + number;
      collapsedIndices.insert(
          collapsedIndices.begin(),
          fmt::format("const Index {} = {};", scope.texts.at(fixedName(kernel.mapped[k].name)), number));
      inner = inner.empty() ? count : count + " * " + inner;
    }
    call.iterations = inner;
    ranges = {{"0", inner, inner, 1}};
  }
  std::string collapsedIndex() { return names.of("number"); }

  /// Finds a grid for all that any launch of the kernel runs.
  void findWidest() {
    UsedNames before = scope.used; // the launcher needs it, not the kernel
    isl::set context = scope.plan.assumed.intersect(region.context);
    std::vector<IndexRange> ranges;
    for (const ScheduledLoop& loop : kernel.mapped)
      ranges.push_back(scope.rangeOf(loop, instances(kernel.tree), context));
    if (kernel.collapsed) collapse(ranges);
    scope.used = before;
    call.widestGrid = gridFor(ranges);
    call.widestLine = lineFor(ranges);
  }

  std::string lineFor(const std::vector<IndexRange>& ranges) const {
    if (!kernel.takesAnyBlock()) return "";
    const auto& [first, end, all, step] = ranges.front();
    return fmt::format("warploom::line({}, {}, BLOCK{})", first, end,
                       step == 1 ? "" : fmt::format(", {}", step));
  }

  std::vector<std::string> gridFor(const std::vector<IndexRange>& ranges) const {
    if (kernel.isSingle()) return {"1"};
    std::vector<std::string> grid;
    for (const char* axis : {"x", "y", "z"})
      for (std::size_t k = 0; k < ranges.size(); ++k) {
        Axis at = axisOf(k);
        if (at.grid != axis) continue;
        std::string threads = at.threads.empty() ? "1" : kernel.takesAnyBlock() ? "BLOCK" : at.threads;
        if (ranges[k].step != 1) threads = fmt::format("{} * {}", ranges[k].step, threads);
        if (isSliced(k))
          grid.push_back(fmt::format("warploom::slices({}, {}, {}, {}, {})", ranges[k].first, ranges[k].end,
                                     threads, ranges.size() > 1 ? 16 : 8, ranges.size() > 1 ? 128 : 2048));
        else
          grid.push_back(
              fmt::format("warploom::blocks({}, {}, {})", ranges[k].first, ranges[k].end, threads));
      }
    return grid;
  }

  void openLoop(std::size_t k, const IndexRange& range, TextWriter& to) {
    Axis at = axisOf(k);
    std::string index =
        kernel.collapsed ? collapsedIndex() : scope.texts.at(fixedName(kernel.mapped[k].name));
    // The built-in variables are unsigned, and might be narrower than what is added to them.
    std::string number = "blockIdx." + at.grid;
    if (range.first != "0") number = "Index(" + number + ")";
    std::string start = at.threads.empty() ? number
                                           : fmt::format("blockIdx.{} * Index({}) + threadIdx.{}", at.grid,
                                                         at.threads, at.thread);
    std::string advance = at.threads.empty() ? fmt::format("gridDim.{}", at.grid)
                                             : fmt::format("gridDim.{} * Index({})", at.grid, at.threads);
    if (kernel.anyGrid) {
      start = "warploom::threadNumber<Index>()";
      advance = "warploom::threadCount<Index>()";
    }
    if (range.step != 1) {
      start = fmt::format("{} * ({})", range.step, start);
      advance = fmt::format("{} * ({})", range.step, advance);
    }
    // The built-in variables are unsigned: a negative number is taken from them.
    bool isNegative =
        range.first.starts_with("-") && range.first.find_first_not_of("0123456789", 1) == std::string::npos;
    std::string from = range.first == "0" ? start
                       : isNegative       ? start + " - " + range.first.substr(1)
                                          : range.first + " + " + start;
    to.open("for (Index {0} = {1}; {0} < {2}; {0} += {3})", index, from, range.end, advance);
  }

  void declareParts(TextWriter& to) {
    for (const Reduction& reduction : kernel.reductions)
      if (kernel.placement[reduction.array] == Placement::Partial) {
        std::string type = scalarType(region.arrays[reduction.array].element);
        to.line("{} {} = {}::identity<{}>();", type, names.of(region.arrays[reduction.array].name + " part"),
                reductionFunctor(reduction.op), type);
      }
  }

  void declarePrivate(TextWriter& to) {
    for (int array : kernel.contracted)
      to.line("{} {};", scalarType(region.arrays[array].element), names.of(region.arrays[array].name));
    for (std::size_t a = 0; a < region.arrays.size(); ++a) {
      bool isPrivate =
          kernel.placement[a] == Placement::Private && scope.used.arrays.count(static_cast<int>(a));
      if (!isPrivate) continue;
      to.line(scope.privateDeclaration(static_cast<int>(a)));
    }
  }

  void update(const Reduction& reduction, const std::string& target, TextWriter& to,
              const std::string& guard) {
    std::string type = scalarType(region.arrays[reduction.array].element);
    std::string part = names.of(region.arrays[reduction.array].name + " part");
    std::string text = atomicText(target, part, type, reduction.op);
    to.line(guard.empty() ? text : fmt::format("if ({}) {}", guard, text));
  }

  void combineParts(TextWriter& to) {
    for (const Reduction& reduction : kernel.reductions) {
      if (kernel.placement[reduction.array] != Placement::Partial) continue;
      scope.used.arrays.insert(reduction.array);
      std::string part = names.of(region.arrays[reduction.array].name + " part");
      to.line("{0} = warploom::blockReduce({0}, {1}());", part, reductionFunctor(reduction.op));
      std::string first = "threadIdx.x == 0";
      if (call.block.size() > 1) first += " && threadIdx.y == 0";
      if (call.block.size() > 2) first += " && threadIdx.z == 0";
      // The accumulator itself is an argument, unless it is part of something.
      const bool expanded =
          scope.plan.expansionOf(reduction.array) || region.arrays[reduction.array].within >= 0;
      std::string target = names.of(region.arrays[reduction.array].name);
      if (expanded) target = "&" + scope.bodies.element(writeOf(reduction));
      bool braces = expanded && scope.declareIndices(reduction.statements.front(), target, to);
      update(reduction, target, to, first);
      if (braces) to.close();
    }
  }

  /// Adds a column's part; only where the column has an element.
  void combineColumns(const isl::union_set& all, const isl::set& context, TextWriter& to) {
    isl::union_set column =
        fixed(all, {kernel.mapped.begin(), kernel.mapped.begin() + static_cast<long>(kernel.partLevel)});
    isl::set exists = own(isl_union_set_params(column.release())).gist(context).coalesce();
    std::string condition = conditionText(exists, scope.renaming());
    for (const Reduction& reduction : kernel.reductions) {
      std::string element = scope.bodies.element(writeOf(reduction));
      bool braces = scope.declareIndices(reduction.statements.front(), element, to);
      update(reduction, "&" + element, to, condition == "1" ? "" : condition);
      if (braces) to.close();
    }
  }

  /// The write of the accumulator by the first of its statements.
  AccessRef writeOf(const Reduction& reduction) const {
    int s = reduction.statements.front();
    const std::vector<Access>& accesses = region.statements[s].accesses;
    for (int a = 0; a < static_cast<int>(accesses.size()); ++a)
      if (accesses[a].array == reduction.array && accesses[a].writes()) return {s, a};
    throw Failure(region.name(), "an accumulation that writes nothing");
  }

  const Region& region;
  const KernelPlan& kernel;
  Names& names;
  TextWriter& out;
  KernelScope scope;
  KernelCall call;
  std::vector<std::string> collapsedIndices; ///< declarations of the indices of collapsed loops
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
