#include "mapping/Tiles.h"

#include "mapping/Movement.h"
#include "mapping/Nests.h"
#include "support/IslC.h"
#include "transform/Levels.h"
#include "transform/PrivateCopies.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/union_map.h>
#include <set>

namespace warploom {

namespace {

bool hasSameValue(const LoopTree& inner, const LoopTree& outer) {
  return own(isl_union_map_from_union_pw_aff(inner.value.copy()))
      .is_subset(own(isl_union_map_from_union_pw_aff(outer.value.copy())));
}

bool isNumber(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

/// What the threads of a block are called along each axis where no tile tells their number.
constexpr std::array<const char*, 3> threadsAlong = {sizeName::blockX, sizeName::blockY, sizeName::blockZ};

class Reader {
public:
  Reader(const ScheduleState& state, const LoopTree& root) : state(state), root(root) {}

  std::variant<MappedTree, Refusal> read() {
    findTiles();
    const std::set<int> axes = blockAxes(root);
    strided = !allCovered(root, {}, axes);
    for (const std::string& name : loopNames(root))
      if (const LoopTree& loop = *findLoop(root, name); isOn(loop, Place::Kind::Block))
        strided |= tilesAround(loop) == nullptr;
    std::erase_if(plan.tiles, [](const TiledLoop& loop) { return loop.loop.empty(); });
    if (strided) plan.tiles.clear();
    plan.threads.assign(static_cast<std::size_t>(*axes.rbegin()) + 1, "1");
    for (int axis : axes)
      plan.threads[static_cast<std::size_t>(axis)] = threadsOn(axis);
    limitThreads();
    if (strided)
      if (auto refused = refusedWaiting(root, {}, axes)) return *refused;
    for (const Staging& staging : state.staging())
      if (staging.kind == Staging::Kind::Shared && findLoop(root, staging.loop))
        for (const Box& box : sharedBoxes(state, staging.loop, staging.array))
          plan.shared.push_back({staging.array, staging.loop, box, staging.padding, staging.copies,
                                 staging.together, staging.transposed, isPrivate(state, staging.array)});
    for (TiledLoop& loop : plan.tiles)
      groupPoints(loop);
    if (auto refused = findProducts()) return *refused;
    for (const Staging& staging : state.staging()) {
      if (staging.kind != Staging::Kind::Registers || !findLoop(root, staging.loop)) continue;
      const std::vector<const LoopTree*> path = pathTo(root, staging.loop);
      if (std::any_of(path.begin(), path.end(),
                      [](const LoopTree* loop) { return isOn(*loop, Place::Kind::Block); }))
        return Refusal{
            fmt::format("copy_to_registers of `{}`: `{}` is inside a loop on the block, but a thread keeps "
                        "its elements for loops that all threads run",
                        state.region().arrays[staging.array].name, staging.loop)};
      if (strided) {
        if (auto refused = addThreadBox(staging)) return *refused;
        continue;
      }
      addRegisters(staging);
    }
    return plan;
  }

private:
  /// The loops over tiles on the grid, and the loops on the block that run in them along the same axis.
  void findTiles() {
    for (const LoopTree* loop : nestFrom(root)) {
      if (!isOn(*loop, Place::Kind::Grid)) break;
      if (!loop->tile) continue;
      TileShare share = state.sizes().shareOf(loop->tile->size);
      plan.tiles.push_back({loop->name, "", loop->tile->origin, loop->tile->size, share.threads, share.items,
                            loop->place->dimension, share.points});
      controls.push_back(loop);
    }
    for (const std::string& name : loopNames(root)) {
      const LoopTree& loop = *findLoop(root, name);
      if (!isOn(loop, Place::Kind::Block)) continue;
      if (TiledLoop* tiles = tilesAround(loop); tiles && tiles->loop.empty()) tiles->loop = name;
    }
  }

  /// The tiles on the grid that `loop`, on the block, runs in along the same axis; null when there are none.
  TiledLoop* tilesAround(const LoopTree& loop) {
    if (loop.tile) return nullptr;
    for (std::size_t k = 0; k < controls.size(); ++k)
      if (controls[k]->place->dimension == loop.place->dimension && hasSameValue(loop, *controls[k]))
        return &plan.tiles[k];
    return nullptr;
  }

  /// True when every statement below `tree` is in a loop on the block along each of `axes`, and in one for
  /// each loop over tiles on the grid; `open` are the axes of those around `tree`.
  bool allCovered(const LoopTree& tree, std::set<int> open, const std::set<int>& axes) const {
    if (isOn(tree, Place::Kind::Block)) open.insert(tree.place->dimension);
    if (tree.kind == LoopTree::Kind::Leaf)
      return open == axes && std::all_of(plan.tiles.begin(), plan.tiles.end(),
                                         [&](const TiledLoop& loop) { return open.count(loop.axis) > 0; });
    return std::all_of(tree.children.begin(), tree.children.end(),
                       [&](const LoopTree& child) { return allCovered(child, open, axes); });
  }

  /// How many threads a block has along `axis`: as many as a tile or a short loop there has iterations.
  std::string threadsOn(int axis) const {
    if (const TiledLoop* loop = plan.onAxis(axis)) return loop->threads;
    long most = 0;
    for (const std::string& name : loopNames(root)) {
      const LoopTree& loop = *findLoop(root, name);
      if (!isOn(loop, Place::Kind::Block) || loop.place->dimension != axis) continue;
      std::vector<const LoopTree*> path = pathTo(state.tree(), name);
      std::optional<long> extent = loop.tile ? std::nullopt : greatestExtent(path);
      if (!extent || *extent > mostThreads) {
        return threadsAlong[static_cast<std::size_t>(axis)];
      }
      most = std::max(most, *extent);
    }
    return std::to_string(std::max(1L, most));
  }

  /// Where threads walk in strides, any number of them does: a block has no more than it can.
  void limitThreads() {
    if (!strided) return;
    // Together they are as many as a block can have.
    auto usual = [](std::size_t axis) { return long{knownSizes().tunable(threadsAlong[axis]).usual}; };
    long threads = 1;
    for (std::size_t axis = 0; axis < plan.threads.size(); ++axis)
      threads *= isNumber(plan.threads[axis]) ? std::stol(plan.threads[axis]) : usual(axis);
    for (std::size_t axis = 0; axis < plan.threads.size(); ++axis)
      if (const std::string& own = plan.threads[axis]; isNumber(own) && (threads > mostThreads || axis == 2))
        plan.threads[axis] = std::to_string(std::min(std::stol(own), usual(axis)));
  }

  /// True when each copy of `array`, which is private, is used in one iteration of `loop` and of the loops
  /// around it.
  bool hasCopiesInside(const LoopTree& loop, int array) const {
    const isl::union_set below = instances(loop);
    bool any = false;
    for (const Relaxation& one : state.relaxations()) {
      if (one.kind != Relaxation::Kind::Private || one.array != array) continue;
      const isl::union_map copies =
          copiesOf(state.region(), array, one.loop).intersect_domain(instances(state.tree()));
      const isl::union_map here = copies.intersect_domain(below);
      if (!here.reverse().apply_range(valuesOf(pathTo(state.tree(), loop.name))).is_single_valued() ||
          !here.range().is_disjoint(copies.subtract_domain(below).range()))
        return false;
      any = true;
    }
    return any;
  }

  /// True when each thread has `array` for itself.
  bool isOfThread(int array) const { return isPrivate(state, array) && !isOfBlock(state, root, array); }

  /// Threads wait for each other outside all loops on the block only: elsewhere not all of them pass. Refuses
  /// what would have to wait inside one, where another axis still has several threads.
  std::optional<Refusal> refusedWaiting(const LoopTree& tree, std::set<int> open,
                                        const std::set<int>& axes) const {
    if (isOn(tree, Place::Kind::Block)) {
      open.insert(tree.place->dimension);
      const std::vector<int> inside = statementsOf(state.region(), tree);
      for (int s : inside)
        for (const Access& access : state.region().statements[s].accesses)
          if (access.writes() && isOfThread(access.array) && !keepsToItself(state, tree) &&
              !hasCopiesInside(tree, access.array))
            return Refusal{fmt::format("threads that share `{}` would not see each other's `{}`", tree.name,
                                       state.region().arrays[access.array].name)};
    }
    const bool apart = !open.empty() && open != axes;
    if (apart && tree.kind != LoopTree::Kind::Leaf && !isOn(tree, Place::Kind::Block)) {
      const std::vector<int> inside = statementsOf(state.region(), tree);
      for (const Dependence& dependence : state.facts().dependences.all) {
        auto isIn = [&](const AccessRef& end) {
          return std::count(inside.begin(), inside.end(), end.statement) > 0;
        };
        if (isIn(dependence.source) && isIn(dependence.sink) && !isOfThread(dependence.array))
          return Refusal{
              fmt::format("threads of a block might have to wait for each other at line {}, inside a "
                          "loop that they share out",
                          dependence.sink.in(state.region()).range.line)};
      }
    }
    for (const LoopTree& child : tree.children)
      if (auto refused = refusedWaiting(child, open, axes)) return refused;
    return std::nullopt;
  }

  /// Where rows of a tile in shared memory lie along `loop`, a thread reads those of neighbouring points in
  /// one access.
  void groupPoints(TiledLoop& loop) const {
    if (loop.points != Points::Apart || loop.onePerThread()) return;
    for (const SharedTile& tile : plan.shared) {
      const std::vector<std::size_t> sides = tile.sides();
      if (sides.empty() || !involves(tile.box.low[sides.back()], loop.origin)) continue;
      loop.points = Points::Grouped;
      loop.group =
          std::max(loop.group, std::max(1, 128 / int(state.region().arrays[tile.array].element.bits)));
    }
  }

  /// True when tiles are made of fragments, rows along y and columns along x.
  bool hasFragments() const {
    const TiledLoop *x = plan.onAxis(0), *y = plan.onAxis(1);
    return x && y && x->points == Points::Columns && y->points == Points::Rows;
  }

  /// Finds products of tiles, or why the threads of a block do not have the points for one on tensor cores.
  std::optional<Refusal> findProducts() {
    for (const TiledLoop& tile : plan.tiles)
      if ((tile.points == Points::Columns || tile.points == Points::Rows) && !hasFragments())
        return Refusal{fmt::format("tiles of {} are parts of fragments: of columns along x, with tiles of "
                                   "rows along y",
                                   tile.size)};
    for (const std::string& name : loopNames(root)) {
      const LoopTree& loop = *findLoop(root, name);
      const auto product = tileProduct(state, loop);
      const Refusal* refused = std::get_if<Refusal>(&product);
      if (loop.onTensor && refused) return *refused;
      if (loop.onTensor && (strided || !hasFragments()))
        return Refusal{fmt::format("map_to_tensor of `{}`: the loops on the block do not run over tiles of "
                                   "{} and {}, or sizes declared like them",
                                   name, tensorY, tensorX)};
      if (!refused && !strided) plan.products.push_back(std::get<TileProduct>(product));
    }
    return std::nullopt;
  }

  /// Adds what a thread keeps where threads walk in strides: each takes one iteration of its loops at most.
  std::optional<Refusal> addThreadBox(const Staging& staging) {
    const std::string& name = state.region().arrays[staging.array].name;
    RegisterTile tile{staging.array, staging.loop,
                      std::get<RegisterSet>(registerSet(state, staging.loop, staging.array))};
    if (!tile.elements.box)
      return Refusal{
          fmt::format("copy_to_registers of `{}`: the elements of a thread are those of one loop on "
                      "the block for each loop over tiles on the grid",
                      name)};
    for (const std::string& loop : tile.elements.threads) {
      const std::vector<const LoopTree*> path = pathTo(state.tree(), loop);
      const std::string& threads = plan.threads[static_cast<std::size_t>(path.back()->place->dimension)];
      const std::optional<long> extent = path.back()->tile ? std::nullopt : greatestExtent(path);
      if (!extent || !isNumber(threads) || *extent > std::stol(threads))
        return Refusal{
            fmt::format("copy_to_registers of `{}`: a thread takes several iterations of `{}`, as many "
                        "as there are",
                        name, loop)};
    }
    plan.registers.push_back(tile);
    return std::nullopt;
  }

  void addRegisters(const Staging& staging) {
    RegisterTile tile{staging.array, staging.loop,
                      std::get<RegisterSet>(registerSet(state, staging.loop, staging.array))};
    // Where elements stay in registers for a long time, how they got there matters little.
    if (const TiledLoop* x = plan.onAxis(0); x && state.sizes().shareOf(x->size).points == Points::Adjacent)
      tile.contiguous = movement(state.region(), state.facts(), *findLoop(root, x->loop),
                                 tile.elements.access) == Movement::Unit;
    plan.registers.push_back(tile);
  }

  const ScheduleState& state;
  const LoopTree& root;
  MappedTree plan;
  /// Not every statement is in all of `plan.tiles`, or there are other loops on the block.
  bool strided = false;
  std::vector<const LoopTree*> controls; ///< per entry of plan.tiles, while it is made
};

} // namespace

std::set<int> blockAxes(const LoopTree& tree) {
  std::set<int> axes;
  for (const std::string& name : loopNames(tree))
    if (const LoopTree& loop = *findLoop(tree, name); isOn(loop, Place::Kind::Block))
      axes.insert(loop.place->dimension);
  return axes;
}

std::variant<MappedTree, Refusal> tilesOf(const ScheduleState& state, const LoopTree& root) {
  return Reader(state, root).read();
}

} // namespace warploom
