// The mapped tree of a kernel with loops on a block: tiles, copies in shared memory and registers, barriers.
#include "mapping/TileSets.h"
#include "mapping/Tiles.h"
#include "mapping/TreeSource.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/set.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

class BlockBuilder {
public:
  explicit BlockBuilder(const TreeSource& source)
      : source(source), region(source.region), facts(source.facts), kernel(source.kernel),
        blocks(source.kernel.body), axes(blockAxes(source.kernel.tree)) {}

  MappedNodes build() {
    MappedNodes nodes = inBlock(kernel.tree, {source.launched, source.context});
    // Threads that walk in strides leave and enter loops at different times: what is private stands outside.
    if (blocks.tiles.empty()) nodes = {{PrivateNode{std::move(nodes)}}};
    return source.inParts(std::move(nodes), Threads::Grid, {source.launched, source.context});
  }

private:
  MappedNodes inBlock(const LoopTree& tree, const Position& at) {
    if (at.runs.is_empty()) return {};
    if (isCode(tree)) {
      std::set<int> first;
      if (blocks.tiles.empty())
        std::set_difference(axes.begin(), axes.end(), openAxes.begin(), openAxes.end(),
                            std::inserter(first, first.end()));
      return {{CodeNode{tree, at, {}, first, inMemory}}};
    }
    if (tree.kind == LoopTree::Kind::Sequence) return inSequence(tree, at);
    if (isOn(tree, Place::Kind::Grid)) return {{blockLoop(tree, at)}};
    if (tree.place) return {{blocks.tiles.empty() ? strides(tree, at) : points(tree, at)}};
    if (tree.onTensor) return {{tensor(tree, at)}};
    return {{serialLoop(tree, at)}};
  }

  /// True when `tree` is for isl as a whole: nothing in it has a place, is tiled or staged, and its threads
  /// have nothing to wait for inside.
  bool isCode(const LoopTree& tree) const {
    if (tree.kind == LoopTree::Kind::Leaf) return true;
    auto isSpecial = [&](const std::string& name) {
      const LoopTree& loop = *findLoop(tree, name);
      auto isHere = [&](const auto& staged) { return staged.loop == name; };
      return loop.place || loop.tile || choosesRegisters(name) ||
             std::any_of(blocks.shared.begin(), blocks.shared.end(), isHere) ||
             std::any_of(blocks.registers.begin(), blocks.registers.end(), isHere);
    };
    const std::vector<std::string> names = loopNames(tree);
    if (std::any_of(names.begin(), names.end(), isSpecial)) return false;
    if (threadLoops > 0) return true;
    // One thread runs it, but for what each thread has of its own.
    const std::vector<int> statements = statementsOf(region, tree);
    return std::none_of(statements.begin(), statements.end(),
                        [&](int s) { return kernel.writesPrivate(region.statements[s]); });
  }

  /// True when `loop` chooses among the elements that a thread keeps: it is written so that the compiler
  /// knows how many iterations it has.
  bool choosesRegisters(const std::string& loop) const {
    return std::any_of(blocks.registers.begin(), blocks.registers.end(),
                       [&](const RegisterTile& tile) { return tile.elements.over.count(loop) > 0; });
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

  /// True when a thread has its elements of `array` for itself here.
  bool isKept(int array) const {
    return std::any_of(blocks.registers.begin(), blocks.registers.end(), [&](const RegisterTile& tile) {
      return tile.array == array && (!tile.elements.box || keeping.count(tile.loop) > 0);
    });
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

  /// `tree`, and the loops right inside that are counted together with it.
  LoopNode blockLoop(const LoopTree& tree, const Position& at) {
    LoopNode loop = source.loopOf(tree, at);
    OnGrid share;
    share.axis = tree.place->dimension;
    loop.share = share;
    Position inside = source.inIteration(tree, at, loop);
    const LoopTree* innermost = &tree;
    while (isOn(innermost->children.front(), Place::Kind::Grid) &&
           innermost->children.front().place == tree.place) {
      innermost = &innermost->children.front();
      const LoopNode further = source.loopOf(*innermost, at); // which does not depend on those around
      loop.loops.push_back(innermost->name);
      loop.bounds.push_back(further.bounds.front());
      const isl::set known = inside.context;
      inside = source.inIteration(*innermost, inside, further);
      inside.context = inside.context.intersect(known);
    }
    // The grid is a box: blocks of a triangle with nothing to do end at once.
    for (const std::string& name : loop.loops)
      loop.launched.push_back(
          boundsOf(kernel.scheduled(*findLoop(tree, name)), source.launched, source.context));
    loop.body = iteration(*innermost, inside);
    return loop;
  }

  /// A loop that all threads of a block run together, or each of them.
  LoopNode serialLoop(const LoopTree& tree, const Position& at) {
    LoopNode loop = source.loopOf(tree, at);
    const Position inside = source.inIteration(tree, at, loop);
    if (choosesRegisters(tree.name)) {
      const isl::set runs = own(isl_union_set_params(at.runs.copy())).intersect(at.context);
      const isl::val most =
          loop.bounds.front().high.sub(loop.bounds.front().low).intersect_params(runs).max_val();
      if (most.is_int()) loop.trips = most.num_si() / loop.bounds.front().step + 1;
    }
    if (overlapsIn(tree))
      loop.prefetch =
          choice(tree, inside, false, [&](const Position& where) { return copiesIn(tree, where); });
    loop.body = threadLoops == 0 ? iteration(tree, inside) : inBlock(tree.children.front(), inside);
    return loop;
  }

  /// The product of tiles that `tree` is.
  TensorNode tensor(const LoopTree& tree, const Position& at) const {
    const auto product = std::find_if(blocks.products.begin(), blocks.products.end(),
                                      [&](const TileProduct& one) { return one.depth == tree.name; });
    TensorNode node{*product, source.loopOf(tree, at).bounds.front()};
    // Terms before the first would have to be left out one by one.
    const LoopTree* tiles = nullptr;
    for (const LoopTree* loop : pathTo(kernel.tree, tree.name))
      if (loop->tile && sourceLoop(region, *loop) == sourceLoop(region, tree)) tiles = loop;
    const isl::set runs = own(isl_union_set_params(at.runs.copy())).intersect(at.context);
    if (!tiles || node.depth.step != 1 ||
        !runs.is_subset(node.depth.low.eq_set(parameter(tiles->tile->origin))))
      throw NoPlan{region.range, fmt::format("map_to_tensor of `{}`: its tiles do not begin with its first "
                                             "iteration",
                                             tree.name)};
    return node;
  }

  bool keepsIn(const LoopTree& loop) const {
    return std::any_of(blocks.shared.begin(), blocks.shared.end(),
                       [&](const SharedTile& tile) { return tile.loop == loop.name; });
  }
  /// True when elements are copied for an iteration of `loop`.
  bool copiesFor(const LoopTree& loop) const {
    return std::any_of(blocks.shared.begin(), blocks.shared.end(),
                       [&](const SharedTile& tile) { return tile.loop == loop.name && !tile.own; });
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
    if (keeps) keeping.insert(loop.name);
    MappedNodes nodes = choice(loop, at, vectors, [&](const Position& where) {
      MappedNodes body;
      if (keeps && !inMemory) body.push_back({registersOf(loop, where, RegistersNode::Direction::Load)});
      MappedNodes copies = stages ? copiesIn(loop, where) : MappedNodes{};
      const bool copied = !copies.empty();
      append(body, std::move(copies));
      if (copied) body.push_back({BarrierNode{Threads::Block}});
      append(body, inBlock(loop.children.front(), where));
      if (keeps && !inMemory) body.push_back({registersOf(loop, where, RegistersNode::Direction::Store)});
      copies = stages ? copiesOut(loop, where) : MappedNodes{};
      if (!copies.empty()) body.push_back({BarrierNode{Threads::Block}});
      append(body, std::move(copies));
      return body;
    });
    keeping.erase(loop.name);
    const std::vector<int> statements = statementsOf(region, loop);
    const bool waits = !overlaps && !loop.place && needsBarrier(statements, statements);
    if (stages || waits) nodes.push_back({BarrierNode{Threads::Block}});
    return nodes;
  }

  /// Loads or stores of what threads keep for an iteration of `loop`.
  RegistersNode registersOf(const LoopTree& loop, const Position& at, RegistersNode::Direction direction) {
    RegistersNode node{loop.name, at, direction};
    for (const RegisterTile& tile : blocks.registers) {
      if (tile.loop != loop.name) continue;
      for (const std::string& name : tile.elements.threads) {
        if (std::any_of(node.threads.begin(), node.threads.end(),
                        [&](const auto& one) { return one.first == name; }))
          continue;
        node.threads.emplace_back(name, boundsOf({name, findLoop(loop, name)->value}, at.runs, at.context));
        owners.push_back(node.threads.back());
      }
    }
    return node;
  }

  /// Refuses threads that would keep other elements than those they use: each has the same iteration of a
  /// loop on the block wherever it comes by.
  void checkOwner(const LoopNode& loop, const Position& at) const {
    const LoopBounds& here = loop.bounds.front();
    const isl::set runs = own(isl_union_set_params(at.runs.copy())).intersect(at.context);
    for (const auto& [name, kept] : owners)
      if (name == loop.loops.front() &&
          (here.step != kept.step || !runs.is_subset(here.low.eq_set(kept.low))))
        throw NoPlan{
            region.range,
            fmt::format("which elements a thread keeps hangs on more than its iteration of `{}`", name)};
  }

  /// True when `loop` is the innermost one over tiles whose threads have neighbouring points: guards would
  /// keep from them what they have in common.
  bool hasNeighbours(const LoopTree& loop) const {
    return isOn(loop, Place::Kind::Grid) && !isOn(loop.children.front(), Place::Kind::Grid) &&
           std::any_of(blocks.tiles.begin(), blocks.tiles.end(), [](const TiledLoop& tile) {
             return tile.points == Points::Adjacent && !tile.onePerThread();
           });
  }

  /// What `body` gives at a position, twice where whole tiles are worth a text of their own. `vectors`: in
  /// whole tiles threads keep elements as vectors; what is left of tiles works on memory.
  template <typename Body>
  MappedNodes choice(const LoopTree& loop, const Position& at, bool vectors, Body body) {
    std::optional<isl::set> whole = vectors || copiesFor(loop) || hasNeighbours(loop)
                                        ? wholeTile(region, kernel.tree, loop, at)
                                        : std::nullopt;
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
      if (blocks.shared[k].loop != loop.name || blocks.shared[k].own) continue;
      isl::set elements = elementsRead(region, facts, blocks.shared[k], at);
      if (!elements.is_empty())
        copies.push_back({CopyNode{k, elements, at.context, CopyNode::Direction::In}});
    }
    return copies;
  }

  MappedNodes copiesOut(const LoopTree& loop, const Position& at) const {
    MappedNodes copies;
    for (std::size_t k = 0; k < blocks.shared.size(); ++k)
      if (blocks.shared[k].loop == loop.name && !blocks.shared[k].own && isWritten(region, blocks.shared[k]))
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
    if (threadLoops < blocks.tiles.size()) {
      loop.body = inBlock(tree.children.front(), inside);
    } else {
      isl::set exists = own(isl_union_set_params(inside.runs.copy())).coalesce();
      const bool isKnown = isl_set_n_basic_set(exists.get()) == 1,
                 // What is added at other points, nobody hears of.
          isGuard = isKnown && !isProduct(tree);
      GuardNode guard{exists, inside.context, {}};
      if (isKnown) inside.context = inside.context.intersect(exists);
      MappedNode body{PrivateNode{inBlock(tree.children.front(), inside)}};
      if (isGuard) guard.body.push_back(std::move(body));
      loop.body.push_back(isGuard ? MappedNode{std::move(guard)} : std::move(body));
    }
    --threadLoops;
    return loop;
  }

  /// True when what is in `tree` is a product of tiles, kept in registers.
  bool isProduct(const LoopTree& tree) const {
    const std::vector<int> inside = statementsOf(region, tree);
    return !inMemory &&
           std::any_of(blocks.products.begin(), blocks.products.end(),
                       [&](const TileProduct& one) { return inside == std::vector<int>{one.statement}; });
  }

  /// A loop on the block whose iterations, or tiles, the threads along its axis take in turn.
  LoopNode strides(const LoopTree& tree, const Position& at) {
    LoopNode loop = source.loopOf(tree, at);
    const int axis = tree.place->dimension;
    loop.share = OnBlock{axis, blocks.threads[static_cast<std::size_t>(axis)]};
    checkOwner(loop, at);
    ++threadLoops;
    const bool isNew = openAxes.insert(axis).second;
    loop.body = inBlock(tree.children.front(), source.inIteration(tree, at, loop));
    if (isNew) openAxes.erase(axis);
    --threadLoops;
    return loop;
  }

  const TreeSource& source;
  const Region& region;
  const Facts& facts;
  const KernelPlan& kernel;
  const MappedTree& blocks; ///< tiles, and what is kept close to threads
  const std::set<int> axes; ///< of the block, that loops are on

  // Where the building stands.
  bool inMemory = false;         ///< in the edge of a tile whose whole ones are kept in registers
  std::size_t threadLoops = 0;   ///< how many loops on the block are around
  std::set<int> openAxes;        ///< along which axes
  std::set<std::string> keeping; ///< loops for an iteration of which threads keep elements here
  /// The values of loops on the block where elements were loaded.
  std::vector<std::pair<std::string, LoopBounds>> owners;
};

} // namespace

MappedNodes blockNodes(const TreeSource& source) {
  return BlockBuilder(source).build();
}

} // namespace warploom
