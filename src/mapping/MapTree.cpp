#include "mapping/MapTree.h"

#include "mapping/TileSets.h"
#include "mapping/Tunables.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <isl/set.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

bool isOn(const LoopTree& loop, Place::Kind kind) {
  return loop.kind == LoopTree::Kind::Loop && loop.place && loop.place->kind == kind;
}

void append(MappedNodes& nodes, MappedNodes others) {
  std::move(others.begin(), others.end(), std::back_inserter(nodes));
}

class Builder {
public:
  Builder(const Region& region, const Facts& facts, const RegionPlan& plan, const KernelPlan& kernel,
          const TilePlan& blocks)
      : region(region), facts(facts), plan(plan), kernel(kernel), blocks(blocks) {}

  MappedTree build() {
    readHost();
    result.threads = blockShape();
    result.shared = blocks.shared;
    result.registers = blocks.registers;
    result.tiles = blocks.loops;
    result.nodes = kernel.inBlocks ? blockNodes() : gridNodes();
    check(result, region);
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
    launched = fixed(instances(kernel.tree), kernel.hostLoops);
    result.context = context;
    // Collapsed loops must have iterations for their product to mean anything.
    if (kernel.hostLoops.empty() && !kernel.collapsed) return;
    isl::set runs = own(isl_union_set_params(launched.copy()));
    result.onlyFor = runs.gist(context).coalesce();
    result.context = context.intersect(runs);
  }

  std::vector<std::string> blockShape() const {
    if (kernel.isSingle()) return {"1"};
    if (!kernel.lanes.empty()) return {sizeName::lanes, sizeName::rows};
    if (!kernel.sharedCode.empty()) return {sizeName::group, sizeName::groups};
    if (kernel.inBlocks) {
      std::vector<std::string> threads;
      for (std::size_t axis = 0; axis < blocks.threads.size(); ++axis)
        if (!blocks.threads[axis].empty()) {
          threads.resize(axis, "1");
          threads.push_back(blocks.threads[axis]);
        }
      return threads;
    }
    if (kernel.isLine()) return {sizeName::block};
    return {sizeName::blockX, sizeName::blockY};
  }

  // Kernels whose iterations are shared out among all threads of the grid, or their warps or groups.

  MappedNodes gridNodes() {
    std::vector<LoopBounds> bounds;
    std::set<std::string> names;
    isl::set context = result.context;
    for (const ScheduledLoop& loop : kernel.mapped) {
      // The launcher writes these bounds, too, and knows no more.
      bounds.push_back(boundsOf(loop, launched, result.context));
      context = context.intersect(bounds.back().context);
      names.insert(loop.name);
    }
    const Position inside{fixed(launched, kernel.mapped), context};
    MappedNodes nodes;
    if (kernel.hasLanes())
      nodes = byLanes(findLoop(kernel.tree, kernel.mapped.back().name)->children.front(), inside);
    else
      nodes.push_back({CodeNode{kernel.tree, inside, names, {}}});
    if (const Scan* scan = kernel.scan()) {
      LoopNode loop;
      loop.bounds = loop.launched = bounds;
      for (const ScheduledLoop& one : kernel.mapped)
        loop.loops.push_back(one.name);
      return {{PrivateNode{{{scanOf(std::move(loop), *scan, CodeNode{kernel.tree, inside, names, {}})}}}}};
    }
    nodes = {{PrivateNode{std::move(nodes)}}};
    if (kernel.levels) {
      LoopNode loop = gridLoop(0, bounds, std::move(nodes));
      std::get<OnGrid>(loop.share).byLevels = true;
      CodeNode changes{kernel.tree, inside, names, {}};
      changes.at.runs = inside.runs.intersect(allOf(kernel.levels->telling()));
      loop.changes.push_back({std::move(changes)});
      nodes = {{std::move(loop)}};
    } else if (kernel.collapsed) {
      nodes = {{gridLoop(0, bounds, std::move(nodes))}};
    } else {
      for (std::size_t k = kernel.mapped.size(); k-- > 0;) {
        nodes = {{gridLoop(k, {bounds[k]}, std::move(nodes))}};
        if (k > 0 && k == kernel.partLevel) {
          isl::union_set column =
              fixed(launched, {kernel.mapped.begin(), kernel.mapped.begin() + static_cast<long>(k)});
          nodes = inParts(std::move(nodes), std::nullopt, {column, context});
        }
      }
    }
    return kernel.partLevel == 0 ? inParts(std::move(nodes), Threads::Grid, {launched, result.context})
                                 : nodes;
  }

  /// All instances of `statements`.
  isl::union_set allOf(const std::vector<int>& statements) const {
    isl::union_set all = isl::union_set::empty(islContext());
    for (int s : statements)
      all = all.unite(isl::union_set(region.statements[s].domain));
    return all;
  }

  /// `loop`, in an iteration of which `code` runs, as `scan`.
  LoopNode scanOf(LoopNode loop, const Scan& scan, const CodeNode& code) const {
    loop.share = OnScan{kernel.scan() ? Threads::Grid : Threads::Warp, scan};
    CodeNode changes = code;
    changes.at.runs = changes.at.runs.intersect(allOf(scan.slice));
    loop.changes.push_back({std::move(changes)});
    loop.body.push_back({code});
    return loop;
  }

  /// `nodes` between the declaration of a thread's parts of the accumulators and their combination.
  MappedNodes inParts(MappedNodes nodes, std::optional<Threads> across, const Position& at) const {
    PartsNode parts;
    for (const Reduction& reduction : kernel.reductions)
      if (kernel.placement[reduction.array] == Placement::Partial) parts.reductions.push_back(reduction);
    if (parts.reductions.empty()) return nodes;
    nodes.insert(nodes.begin(), {parts});
    for (const Reduction& reduction : parts.reductions)
      nodes.push_back({CombineNode{reduction, across, at}});
    return nodes;
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
    // Where threads combine values, a few iterations each are better than one.
    if (kernel.isFlat() && !kernel.reductions.empty() && k >= kernel.partLevel) {
      share.leastEach = all > 1 ? 16 : 8;
      share.mostBlocks = all > 1 ? 128 : 2048;
    }
    loop.share = share;
    loop.bounds = loop.launched = bounds;
    isl::set context = plan.assumed.intersect(region.context);
    for (std::size_t other = 0; other < k && kernel.inOneLaunch; ++other)
      context = boundsOf(kernel.mapped[other], instances(kernel.tree), context).context;
    for (std::size_t one = k; one < k + count; ++one) {
      loop.loops.push_back(kernel.mapped[one].name);
      if (!kernel.inOneLaunch) continue;
      loop.widest.push_back(boundsOf(kernel.mapped[one], instances(kernel.tree), context));
      context = loop.widest.back().context;
    }
    loop.body = std::move(body);
    return loop;
  }

  // What the lanes of a warp, or the threads of a group, run together.

  /// True when every write of `statement` goes to what a thread has for itself.
  bool writesPrivate(int statement) const {
    const auto& accesses = region.statements[statement].accesses;
    return std::none_of(accesses.begin(), accesses.end(), [&](const Access& access) {
      return access.writes() && kernel.placement[access.array] != Placement::Private;
    });
  }

  MappedNodes byLanes(const LoopTree& tree, const Position& at) {
    MappedNodes nodes;
    if (tree.kind == LoopTree::Kind::Sequence) {
      for (const LoopTree& child : tree.children)
        append(nodes, byLanes(child, at));
      return nodes;
    }
    if (tree.kind == LoopTree::Kind::Leaf) {
      for (int s : statementsOf(region, tree))
        append(nodes, byOneLane(tree, s, at));
      return nodes;
    }
    if (isOn(tree, Place::Kind::Lane)) return laneLoop(tree, at);
    // An iteration follows the one before.
    unsettled = true;
    const Position here{at.runs.intersect(instances(tree)), at.context};
    LoopNode loop = loopOf(tree, here);
    loop.body = byLanes(tree.children.front(), inIteration(tree, here, loop));
    unsettled = true;
    return {{std::move(loop)}};
  }

  /// Makes lanes see what others wrote. Threads of a group have nothing to see.
  void synchronise(MappedNodes& nodes) {
    if (!unsettled || !kernel.sharedCode.empty()) return;
    nodes.push_back({BarrierNode{Threads::Warp}});
    unsettled = false;
    beingRead.clear();
  }

  /// All lanes run `statement`, or share it out.
  void noteReads(int statement) {
    for (const Access& access : region.statements[statement].accesses)
      if (access.reads() && kernel.placement[access.array] == Placement::Device)
        beingRead.insert(access.array);
  }

  /// Before one lane writes to `array`, all are done with reading it.
  void awaitReads(int array, MappedNodes& nodes) {
    if (beingRead.count(array) == 0) return;
    unsettled = true;
    synchronise(nodes);
  }

  /// The instances of `statement` in `leaf`: one lane runs what others can see.
  MappedNodes byOneLane(const LoopTree& leaf, int statement, const Position& at) {
    MappedNodes nodes;
    LoopTree only = leaf;
    only.domain = leaf.domain.intersect(region.statements[statement].domain);
    if (at.runs.intersect(only.domain).is_empty()) return nodes;
    synchronise(nodes);
    const bool byAll = writesPrivate(statement);
    if (byAll)
      noteReads(statement);
    else
      for (const Access& access : region.statements[statement].accesses)
        if (access.writes()) awaitReads(access.array, nodes);
    std::vector<Reduction> parts;
    if (kernel.sharedCode.count(statement)) parts = reductionsOf({statement});
    if (!parts.empty()) nodes.push_back({PartsNode{parts}});
    nodes.push_back({CodeNode{only, at, {}, {0}}});
    for (const Reduction& part : parts)
      nodes.push_back({CombineNode{part, Threads::Group, at}});
    unsettled |= !byAll;
    return nodes;
  }

  std::vector<Reduction> reductionsOf(const std::vector<int>& statements) const {
    std::vector<Reduction> found;
    for (const Reduction& reduction : kernel.reductions)
      if (std::count(statements.begin(), statements.end(), reduction.statements.front()))
        found.push_back(reduction);
    return found;
  }

  /// A loop whose iterations the lanes share: each has its part of the accumulators.
  MappedNodes laneLoop(const LoopTree& tree, const Position& at) {
    MappedNodes nodes;
    const std::vector<int> inside = statementsOf(region, tree);
    const Position here{at.runs.intersect(instances(tree)), at.context};
    if (here.runs.is_empty()) return nodes;
    synchronise(nodes);
    const std::vector<Reduction> parts = reductionsOf(inside);
    auto isPart = [&](int array) {
      return std::any_of(parts.begin(), parts.end(),
                         [&](const Reduction& part) { return part.array == array; });
    };
    // A lane that writes must not overtake others that still read what it overwrites.
    for (int s : inside)
      for (const Access& access : region.statements[s].accesses)
        if (access.writes() && !isPart(access.array)) awaitReads(access.array, nodes);
    if (!parts.empty()) nodes.push_back({PartsNode{parts}});
    LoopNode loop = loopOf(tree, here);
    const CodeNode body{tree.children.front(), inIteration(tree, here, loop), {}, {}};
    if (auto scan = kernel.scans.find(tree.name); scan != kernel.scans.end()) {
      loop = scanOf(std::move(loop), scan->second, body);
    } else {
      loop.share = OnLanes{};
      loop.body.push_back({body});
    }
    nodes.push_back({std::move(loop)});
    for (int s : inside)
      noteReads(s);
    // Accumulators are read where they are combined, by the one lane that does it.
    for (const Reduction& part : parts)
      if (std::none_of(inside.begin(), inside.end(), [&](int s) {
            const auto& accesses = region.statements[s].accesses;
            return std::count(part.statements.begin(), part.statements.end(), s) == 0 &&
                   std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                     return access.array == part.array && access.reads();
                   });
          }))
        beingRead.erase(part.array);
    for (const Reduction& part : parts) {
      const bool isPrivate = kernel.placement[part.array] == Placement::Private;
      if (!isPrivate) awaitReads(part.array, nodes);
      nodes.push_back({CombineNode{part, Threads::Warp, at}});
      unsettled |= !isPrivate;
    }
    for (int s : inside)
      for (const Access& access : region.statements[s].accesses) {
        unsettled |=
            access.writes() && !isPart(access.array) && kernel.placement[access.array] != Placement::Private;
      }
    return nodes;
  }

  // Kernels with loops on a block.

  MappedNodes blockNodes() {
    MappedNodes nodes = inBlock(kernel.tree, {launched, result.context});
    // Threads that walk in strides leave and enter loops at different times: what is private stands outside.
    if (blocks.strided) nodes = {{PrivateNode{std::move(nodes)}}};
    return inParts(std::move(nodes), Threads::Grid, {launched, result.context});
  }

  MappedNodes inBlock(const LoopTree& tree, const Position& at) {
    if (at.runs.is_empty()) return {};
    if (isCode(tree)) {
      std::set<int> first;
      for (int axis : {0, 1, 2})
        if (blocks.strided && !blocks.threads[static_cast<std::size_t>(axis)].empty() &&
            openAxes.count(axis) == 0)
          first.insert(axis);
      return {{CodeNode{tree, at, {}, first, inMemory}}};
    }
    if (tree.kind == LoopTree::Kind::Sequence) return inSequence(tree, at);
    if (isOn(tree, Place::Kind::Grid)) return {{blockLoop(tree, at)}};
    if (tree.place) return {{blocks.strided ? strides(tree, at) : points(tree, at)}};
    return {{serialLoop(tree, at)}};
  }

  /// True when `tree` is for isl as a whole: nothing in it has a place, is tiled or staged, and its threads
  /// have nothing to wait for inside.
  bool isCode(const LoopTree& tree) const {
    if (tree.kind == LoopTree::Kind::Leaf) return true;
    auto isSpecial = [&](const std::string& name) {
      const LoopTree& loop = *findLoop(tree, name);
      auto isHere = [&](const auto& staged) { return staged.loop == name; };
      return loop.place || loop.tile || std::any_of(blocks.shared.begin(), blocks.shared.end(), isHere) ||
             std::any_of(blocks.registers.begin(), blocks.registers.end(), isHere);
    };
    const std::vector<std::string> names = loopNames(tree);
    if (std::any_of(names.begin(), names.end(), isSpecial)) return false;
    if (threadLoops > 0) return true;
    // One thread runs it, but for what each thread has of its own.
    const std::vector<int> statements = statementsOf(region, tree);
    return std::none_of(statements.begin(), statements.end(), [&](int s) { return writesPrivate(s); });
  }

  MappedNodes inSequence(const LoopTree& sequence, const Position& at) {
    MappedNodes nodes;
    std::vector<int> before;
    for (const LoopTree& child : sequence.children) {
      const std::vector<int> now = statementsOf(region, child);
      // Inside the loops on the block, a thread has only its own to wait for.
      if (threadLoops == 0 && needsBarrier(before, now)) {
        nodes.push_back({BarrierNode{Threads::Block}});
        before.clear();
      }
      before.insert(before.end(), now.begin(), now.end());
      append(nodes, inBlock(child, {at.runs.intersect(instances(child)), at.context}));
    }
    return nodes;
  }

  bool isKept(int array) const {
    return std::any_of(blocks.registers.begin(), blocks.registers.end(),
                       [&](const RegisterTile& tile) { return tile.array == array; });
  }

  /// True when threads that run `second` may see what others do in `first`.
  bool needsBarrier(const std::vector<int>& first, const std::vector<int>& second) const {
    auto isIn = [](const std::vector<int>& all, int s) { return std::count(all.begin(), all.end(), s) > 0; };
    return std::any_of(facts.dependences.all.begin(), facts.dependences.all.end(),
                       [&](const Dependence& dependence) {
                         const bool isOwn = isKept(dependence.array) ||
                                            kernel.placement[dependence.array] == Placement::Private;
                         return !isOwn && isIn(first, dependence.source.statement) &&
                                isIn(second, dependence.sink.statement);
                       });
  }

  /// The loop `tree` where it stands, without a body.
  LoopNode loopOf(const LoopTree& tree, const Position& at) const {
    LoopNode loop;
    loop.loops = {tree.name};
    loop.bounds = {boundsOf({tree.name, tree.value}, at.runs, at.context)};
    loop.tile = tree.tile;
    return loop;
  }

  /// What runs in one iteration, or in one tile, of `tree`, which is `loop`.
  Position inIteration(const LoopTree& tree, const Position& at, const LoopNode& loop) const {
    const LoopBounds& bounds = loop.bounds.front();
    if (!tree.tile) return {fixed(at.runs, {{tree.name, tree.value}}), bounds.context};
    // The bounds speak of a fixed loop: the origin takes its place.
    isl_set* renamed = bounds.context.copy();
    int position = isl_set_find_dim_by_name(renamed, isl_dim_param, fixedName(tree.name).c_str());
    if (position >= 0)
      renamed = isl_set_set_dim_name(renamed, isl_dim_param, static_cast<unsigned>(position),
                                     tree.tile->origin.c_str());
    // Values are `step` apart, but the origins of tiles are not.
    if (bounds.step != 1) renamed = isl_set_remove_divs(renamed);
    isl::set positive = parameter(tree.tile->size).gt_set(constant(0));
    return {insideTile(tree, at.runs), own(renamed).intersect(positive)};
  }

  /// `tree`, and the loops right inside that are counted together with it.
  LoopNode blockLoop(const LoopTree& tree, const Position& at) {
    LoopNode loop = loopOf(tree, at);
    OnGrid share;
    share.axis = tree.place->dimension;
    loop.share = share;
    Position inside = inIteration(tree, at, loop);
    const LoopTree* innermost = &tree;
    while (isOn(innermost->children.front(), Place::Kind::Grid) &&
           innermost->children.front().place == tree.place) {
      innermost = &innermost->children.front();
      const LoopNode further = loopOf(*innermost, at); // which does not depend on those around
      loop.loops.push_back(innermost->name);
      loop.bounds.push_back(further.bounds.front());
      const isl::set known = inside.context;
      inside = inIteration(*innermost, inside, further);
      inside.context = inside.context.intersect(known);
    }
    // The grid is a box: blocks of a triangle with nothing to do end at once.
    for (const std::string& name : loop.loops)
      loop.launched.push_back(boundsOf({name, findLoop(tree, name)->value}, launched, result.context));
    loop.body = iteration(*innermost, inside);
    return loop;
  }

  /// A loop that all threads of a block run together, or each of them.
  LoopNode serialLoop(const LoopTree& tree, const Position& at) {
    LoopNode loop = loopOf(tree, at);
    const Position inside = inIteration(tree, at, loop);
    if (overlapsIn(tree))
      loop.prefetch =
          choice(tree, inside, false, [&](const Position& where) { return copiesIn(tree, where); });
    loop.body = threadLoops == 0 ? iteration(tree, inside) : inBlock(tree.children.front(), inside);
    return loop;
  }

  bool keepsIn(const LoopTree& loop) const {
    return std::any_of(blocks.shared.begin(), blocks.shared.end(),
                       [&](const SharedTile& tile) { return tile.loop == loop.name; });
  }
  /// True when the tile of the next iteration of `loop` arrives while this one is worked on.
  bool overlapsIn(const LoopTree& loop) const {
    return std::any_of(blocks.shared.begin(), blocks.shared.end(),
                       [&](const SharedTile& tile) { return tile.loop == loop.name && tile.copies > 1; });
  }

  /// What an iteration of `loop`, which all threads of a block run, does.
  MappedNodes iteration(const LoopTree& loop, const Position& at) {
    auto isHere = [&](const RegisterTile& tile) { return tile.loop == loop.name; };
    const bool keeps = std::any_of(blocks.registers.begin(), blocks.registers.end(), isHere);
    const bool vectors =
        std::any_of(blocks.registers.begin(), blocks.registers.end(),
                    [&](const RegisterTile& tile) { return isHere(tile) && tile.contiguous; });
    // With a prefetch the loop has its own barrier.
    const bool overlaps = overlapsIn(loop), stages = keepsIn(loop) && !overlaps;
    MappedNodes nodes = choice(loop, at, vectors, [&](const Position& where) {
      MappedNodes body;
      if (keeps && !inMemory)
        body.push_back({RegistersNode{loop.name, where, RegistersNode::Direction::Load}});
      MappedNodes copies = stages ? copiesIn(loop, where) : MappedNodes{};
      const bool copied = !copies.empty();
      append(body, std::move(copies));
      if (copied) body.push_back({BarrierNode{Threads::Block}});
      append(body, inBlock(loop.children.front(), where));
      if (keeps && !inMemory)
        body.push_back({RegistersNode{loop.name, where, RegistersNode::Direction::Store}});
      copies = stages ? copiesOut(loop, where) : MappedNodes{};
      if (!copies.empty()) body.push_back({BarrierNode{Threads::Block}});
      append(body, std::move(copies));
      return body;
    });
    const std::vector<int> statements = statementsOf(region, loop);
    const bool waits = !overlaps && !loop.place && needsBarrier(statements, statements);
    if (stages || waits) nodes.push_back({BarrierNode{Threads::Block}});
    return nodes;
  }

  /// What `body` gives at a position, twice where whole tiles are worth a text of their own. `vectors`: in
  /// whole tiles threads keep elements as vectors; what is left of tiles works on memory.
  template <typename Body>
  MappedNodes choice(const LoopTree& loop, const Position& at, bool vectors, Body body) {
    std::optional<isl::set> whole =
        vectors || keepsIn(loop) ? wholeTile(region, kernel.tree, loop, at) : std::nullopt;
    if (!whole) return body(at);
    ChoiceNode both{*whole, {}, {}};
    // With all points of the tile there, no guard is left.
    both.whole = body({at.runs, at.context.intersect(*whole)});
    const bool outside = inMemory;
    inMemory = outside || vectors;
    both.edge = body(at);
    inMemory = outside;
    return {{std::move(both)}};
  }

  MappedNodes copiesIn(const LoopTree& loop, const Position& at) const {
    MappedNodes copies;
    for (std::size_t k = 0; k < blocks.shared.size(); ++k) {
      if (blocks.shared[k].loop != loop.name) continue;
      isl::set elements = elementsRead(region, facts, blocks.shared[k], at);
      if (!elements.is_empty())
        copies.push_back({CopyNode{k, elements, at.context, CopyNode::Direction::In}});
    }
    return copies;
  }

  MappedNodes copiesOut(const LoopTree& loop, const Position& at) const {
    MappedNodes copies;
    for (std::size_t k = 0; k < blocks.shared.size(); ++k)
      if (blocks.shared[k].loop == loop.name && isWritten(region, blocks.shared[k]))
        copies.push_back({CopyNode{k, elementsWritten(region, blocks.shared[k], at), at.context,
                                   CopyNode::Direction::Out}});
    return copies;
  }

  /// The loop `tree` on the block over the points of a tile on the grid.
  LoopNode points(const LoopTree& tree, const Position& at) {
    LoopNode loop;
    const TiledLoop& tiled = *blocks.onAxis(tree.place->dimension);
    loop.loops = {tree.name};
    loop.share = OnTile{tiled};
    Position inside{fixed(at.runs, {{tree.name, tree.value}}),
                    withinTile(at.context, fixedName(tree.name), tiled.origin, tiled.size)};
    ++threadLoops;
    if (threadLoops < blocks.loops.size()) {
      loop.body = inBlock(tree.children.front(), inside);
    } else {
      isl::set exists = own(isl_union_set_params(inside.runs.copy())).coalesce();
      const bool isGuard = isl_set_n_basic_set(exists.get()) == 1;
      GuardNode guard{exists, inside.context, {}};
      if (isGuard) inside.context = inside.context.intersect(exists);
      MappedNode body{PrivateNode{inBlock(tree.children.front(), inside)}};
      if (isGuard) guard.body.push_back(std::move(body));
      loop.body.push_back(isGuard ? MappedNode{std::move(guard)} : std::move(body));
    }
    --threadLoops;
    return loop;
  }

  /// A loop on the block whose iterations, or tiles, the threads along its axis take in turn.
  LoopNode strides(const LoopTree& tree, const Position& at) {
    LoopNode loop = loopOf(tree, at);
    const int axis = tree.place->dimension;
    loop.share = OnBlock{axis, blocks.threads[static_cast<std::size_t>(axis)]};
    ++threadLoops;
    const bool isNew = openAxes.insert(axis).second;
    loop.body = inBlock(tree.children.front(), inIteration(tree, at, loop));
    if (isNew) openAxes.erase(axis);
    --threadLoops;
    return loop;
  }

  const Region& region;
  const Facts& facts;
  const RegionPlan& plan;
  const KernelPlan& kernel;
  const TilePlan& blocks;
  isl::union_set launched; ///< what one launch runs
  MappedTree result;

  // Where the building stands.
  bool unsettled = false;      ///< lanes may not see yet what others wrote
  std::set<int> beingRead;     ///< arrays that lanes may not be done reading when another one goes on
  bool inMemory = false;       ///< in the edge of a tile whose whole ones are kept in registers
  std::size_t threadLoops = 0; ///< how many loops on the block are around
  std::set<int> openAxes;      ///< along which axes
};

} // namespace

MappedTree mapTree(const Region& region, const Facts& facts, const RegionPlan& plan, const KernelPlan& kernel,
                   const TilePlan& blocks) {
  return Builder(region, facts, plan, kernel, blocks).build();
}

} // namespace warploom
