#include "mapping/MapTree.h"

#include "analysis/Reductions.h"
#include "mapping/Races.h"
#include "mapping/TreeSource.h"
#include "support/IslC.h"
#include "support/Parameters.h"
#include "transform/Levels.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <isl/set.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

class Builder {
public:
  Builder(const Region& region, const Facts& facts, const RegionPlan& plan, const KernelPlan& kernel)
      : source{region, facts, plan, kernel}, region(region), plan(plan), kernel(kernel),
        mapped(kernel.launchedLoops()), result(kernel.body) {}

  MappedTree build() {
    readHost();
    result.context = source.context;
    if (!kernel.inBlocks) result.threads = blockShape();
    // A loop over tiles is one that all threads of a block run, also where there is one thread.
    const bool isBlock = kernel.inBlocks || (kernel.isSingle() && !symbolicTiles(kernel.tree).empty());
    result.nodes = isBlock ? blockNodes(source) : inBins(gridNodes());
    check(result, region);
    if (kernel.inBlocks) checkRaces(region, source.facts, kernel, result);
    return std::move(result);
  }

private:
  /// What is known of parameters and of the host's loops where the kernel runs. The launcher checks what a
  /// host loop does not ensure.
  void readHost() {
    isl::set context = plan.assumed.intersect(region.context);
    std::vector<ScheduledLoop> outer;
    for (std::size_t k = 0; k < kernel.hostLoops.size(); ++k) {
      context = boundsOf(kernel.hostLoops[k], fixed(kernel.hostRuns[k], outer), context).context;
      outer.push_back(kernel.hostLoops[k]);
    }
    source.launched = fixed(instances(kernel.tree), kernel.hostLoops);
    source.context = context;
    // Collapsed loops must have iterations for their product to mean anything.
    if (kernel.hostLoops.empty() && !kernel.collapsed) return;
    isl::set runs = own(isl_union_set_params(source.launched.copy()));
    result.onlyFor = runs.gist(context).coalesce();
    source.context = context.intersect(runs);
  }

  std::vector<std::string> blockShape() const {
    if (kernel.isSingle()) return {"1"};
    if (!kernel.lanes.empty()) return {sizeName::lanes, sizeName::rows};
    if (!kernel.sharedCode.empty()) return {sizeName::group, sizeName::groups};
    if (kernel.scan()) return {sizeName::scanBlock};
    if (kernel.isLine()) return {sizeName::block};
    return {sizeName::blockX, sizeName::blockY};
  }

  // Kernels whose iterations are shared out among all threads of the grid, or their warps or groups.

  MappedNodes gridNodes() {
    std::vector<LoopBounds> bounds;
    const std::set<std::string> names(kernel.mapped.begin(), kernel.mapped.end());
    isl::set context = source.context;
    for (const ScheduledLoop& loop : mapped) {
      // The launcher writes these bounds, too, and knows no more.
      bounds.push_back(boundsOf(loop, source.launched, source.context));
      context = context.intersect(bounds.back().context);
    }
    const Position inside{fixed(source.launched, mapped), context};
    MappedNodes nodes;
    if (kernel.hasLanes())
      nodes = laneNodes(source, findLoop(kernel.tree, kernel.mapped.back())->children.front(), inside);
    else
      nodes = ofOneThread(kernel.tree, inside, names);
    if (const Scan* scan = kernel.scan()) {
      LoopNode loop;
      loop.bounds = loop.launched = bounds;
      loop.loops = kernel.mapped;
      return {
          {PrivateNode{{{source.scanOf(std::move(loop), *scan, CodeNode{kernel.tree, inside, names, {}})}}}}};
    }
    nodes = {{PrivateNode{std::move(nodes)}}};
    if (kernel.levels) {
      LoopNode loop = gridLoop(0, bounds, std::move(nodes));
      std::get<OnGrid>(loop.share).byLevels = true;
      CodeNode changes{kernel.tree, inside, names, {}};
      changes.at.runs = inside.runs.intersect(source.allOf(kernel.levels->telling()));
      loop.changes.push_back({std::move(changes)});
      nodes = {{std::move(loop)}};
    } else if (kernel.collapsed) {
      nodes = {{gridLoop(0, bounds, std::move(nodes))}};
    } else {
      for (std::size_t k = kernel.mapped.size(); k-- > 0;) {
        nodes = {{gridLoop(k, {bounds[k]}, std::move(nodes))}};
        if (k > 0 && k == kernel.partLevel) {
          isl::union_set column =
              fixed(source.launched, {mapped.begin(), mapped.begin() + static_cast<long>(k)});
          nodes = source.inParts(std::move(nodes), std::nullopt, {column, context});
        }
      }
    }
    return kernel.partLevel == 0
               ? source.inParts(std::move(nodes), Threads::Grid, {source.launched, source.context})
               : nodes;
  }

  /// What a thread runs of `tree` by itself, where it has taken iterations of the loops in `taken`: code for
  /// isl, in loops over tiles of symbolic size and what is around these.
  MappedNodes ofOneThread(const LoopTree& tree, const Position& at,
                          const std::set<std::string>& taken) const {
    if (at.runs.is_empty()) return {};
    if (symbolicTiles(tree).empty()) return {{CodeNode{tree, at, taken, {}}}};
    MappedNodes nodes;
    if (tree.kind == LoopTree::Kind::Sequence) {
      for (const LoopTree& child : tree.children)
        append(nodes, ofOneThread(child, {at.runs.intersect(instances(child)), at.context}, taken));
      return nodes;
    }
    if (taken.count(tree.name)) return ofOneThread(tree.children.front(), at, taken);
    LoopNode loop = source.loopOf(tree, at);
    loop.body = ofOneThread(tree.children.front(), source.inIteration(tree, at, loop), taken);
    nodes.push_back({std::move(loop)});
    return nodes;
  }

  /// `nodes`, with copies for each block of what they combine into where data choose.
  MappedNodes inBins(MappedNodes nodes) const {
    if (!kernel.isFlat() || !kernel.scans.empty() || kernel.levels || kernel.inOneLaunch) return nodes;
    BinsNode bins;
    std::set<int> others; // arrays that are used in another way, too
    for (int s : kernel.statements) {
      const Statement& statement = region.statements[s];
      const bool isAtomic = std::count(kernel.atomicStatements.begin(), kernel.atomicStatements.end(), s) > 0;
      const std::optional<Update> update = isAtomic ? updateOf(statement) : std::nullopt;
      for (const Access& access : statement.accesses) {
        if (access.kind == Access::Kind::Kill) continue;
        const bool mayBe = update && !access.exact && isInBins(access.array) &&
                           std::count_if(statement.accesses.begin(), statement.accesses.end(),
                                         [&](const Access& one) { return one.array == access.array; }) == 2;
        const auto known = bins.arrays.find(access.array);
        if (mayBe && (known == bins.arrays.end() || known->second == update->op))
          bins.arrays[access.array] = update->op;
        else
          others.insert(memoryOf(region, access.array));
      }
    }
    for (int array : others)
      bins.arrays.erase(array);
    if (bins.arrays.empty()) return nodes;
    bins.body = std::move(nodes);
    return {{std::move(bins)}};
  }

  /// True when `array` is one of numbers that blocks can have copies of.
  bool isInBins(int array) const {
    const Type& type = region.arrays[array].element;
    return !region.arrays[array].isScalar() && memoryOf(region, array) == array && !plan.expansionOf(array) &&
           type.bits >= 32 && type.kind != Type::Kind::Bool && (type.isInteger() || type.isFloating());
  }

  /// The mapped loop `k` around `body`; with several bounds, all of them counted together.
  LoopNode gridLoop(std::size_t k, const std::vector<LoopBounds>& bounds, MappedNodes body) const {
    LoopNode loop;
    const std::size_t count = bounds.size(), all = kernel.collapsed ? 1 : kernel.mapped.size();
    OnGrid share;
    share.axis = kernel.axes[k];
    if (kernel.hasLanes()) {
      if (share.axis == 0) share.threads = kernel.lanes.empty() ? sizeName::groups : sizeName::rows;
      share.threadAxis = 1;
    } else if (kernel.isLine()) {
      share.threads = sizeName::block;
      share.anyBlock = kernel.takesAnyBlock();
      share.anyGrid = kernel.anyGrid;
    } else if (share.axis < 2) {
      share.threads = share.axis == 0 ? sizeName::blockX : sizeName::blockY;
      share.threadAxis = share.axis;
    }
    // Where threads combine values, a few iterations each are better than one: sixteen, along both axes
    // together where both are combined.
    if (kernel.isFlat() && !kernel.reductions.empty() && k >= kernel.partLevel) {
      const bool both = all > 1 && kernel.partLevel == 0;
      share.leastEach = both ? 4 : all > 1 ? 16 : 8;
      share.mostBlocks = both ? 64 : all > 1 ? 128 : 2048;
    }
    loop.share = share;
    loop.bounds = loop.launched = bounds;
    isl::set context = plan.assumed.intersect(region.context);
    // The values of the loops around are no arguments of the launch of all.
    auto knownOutside = [](const LoopBounds& bounds, const std::string& name) {
      return withoutParameter(bounds.context, fixedName(name));
    };
    for (std::size_t other = 0; other < k && kernel.inOneLaunch; ++other)
      context = knownOutside(boundsOf(mapped[other], instances(kernel.tree), context), mapped[other].name);
    for (std::size_t one = k; one < k + count; ++one) {
      loop.loops.push_back(mapped[one].name);
      if (!kernel.inOneLaunch) continue;
      loop.widest.push_back(boundsOf(mapped[one], instances(kernel.tree), context));
      context = knownOutside(loop.widest.back(), loop.loops.back());
    }
    loop.body = std::move(body);
    return loop;
  }

  TreeSource source;
  const Region& region;
  const RegionPlan& plan;
  const KernelPlan& kernel;
  const std::vector<ScheduledLoop> mapped; ///< on the grid
  MappedTree result;
};

} // namespace

MappedTree mapTree(const Region& region, const Facts& facts, const RegionPlan& plan,
                   const KernelPlan& kernel) {
  return Builder(region, facts, plan, kernel).build();
}

} // namespace warploom
