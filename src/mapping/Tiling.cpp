#include "mapping/Tiling.h"

#include "analysis/DistanceVectors.h"
#include "mapping/Movement.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/union_map.h>
#include <map>
#include <optional>
#include <set>

namespace warploom {

namespace {

/// The nest being tiled: loops y and x, and k in them, each the index of a source loop.
class Tiler {
public:
  Tiler(ScheduleState& state, const std::vector<std::string>& parallel, int copies)
      : state(state), region(state.region()), facts(state.facts()), parallel(parallel), copies(copies) {}

  /// Finds what would be tiled; false when that is no product.
  bool find() {
    const LoopTree& fastest = *findLoop(state.tree(), parallel.back());
    const LoopTree* inner = sequentialLoop(fastest.children.front());
    if (!inner) return false;
    y = parallel[parallel.size() - 2];
    x = parallel.back();
    k = inner->name;
    nest = statementsOf(region, *findLoop(state.tree(), parallel.front()));
    heavy = statementsOf(region, *inner);
    return findShared();
  }

  bool tile() {
    if (!find() || !isPlain()) return false;
    ScheduleState trial = state;
    if (!takeSteps(trial, loop(x).children.front().kind == LoopTree::Kind::Sequence)) return false;
    state = std::move(trial);
    return true;
  }

private:
  /// The only loop of `body`, with nothing but statements in it; null when there is none.
  static const LoopTree* sequentialLoop(const LoopTree& body) {
    const LoopTree* found = nullptr;
    auto look = [&](const LoopTree& part) {
      if (part.kind != LoopTree::Kind::Loop) return true;
      if (found) return false;
      found = &part;
      return true;
    };
    if (body.kind == LoopTree::Kind::Sequence) {
      for (const LoopTree& part : body.children)
        if (!look(part)) return nullptr;
    } else {
      look(body);
    }
    if (!found) return nullptr;
    const LoopTree& inside = found->children.front();
    bool statementsOnly = inside.kind == LoopTree::Kind::Leaf;
    if (inside.kind == LoopTree::Kind::Sequence)
      statementsOnly = std::all_of(inside.children.begin(), inside.children.end(),
                                   [](const LoopTree& part) { return part.kind == LoopTree::Kind::Leaf; });
    return statementsOnly ? found : nullptr;
  }

  const LoopTree& loop(const std::string& name) const { return *findLoop(state.tree(), name); }

  /// The loops run over indices of the source, and k has enough iterations to be worth a tile.
  bool isPlain() {
    for (int s : nest)
      for (const std::string& name : {y, x})
        if (!sourceLevel(region, loop(name), s)) return false;
    std::optional<int> source = sourceLoop(region, loop(k));
    if (!source) return false;
    Effort effort;
    std::optional<long> trips = tripCount(region, *source, effort);
    if (trips && *trips < 16) return false;
    for (int s : nest)
      if (!region.statements[s].guards.empty() || region.statements[s].kind != Statement::Kind::Assign)
        return false;
    return true;
  }

  bool isWritten(int array) const {
    for (int s : nest)
      for (const Access& access : region.statements[s].accesses)
        if (access.array == array && access.writes()) return true;
    return false;
  }

  /// Per dimension of the access the loop of y, x, k that moves it, by 1, or the empty string where none
  /// does; nothing when a subscript is of another form.
  std::optional<std::vector<std::string>> spanned(AccessRef ref) const {
    std::optional<isl::multi_aff> subscripts = affineSubscripts(ref.in(region));
    if (!subscripts) return std::nullopt;
    std::vector<std::string> result;
    for (unsigned d = 0; d < unsigned(subscripts->size()); ++d) {
      isl::aff subscript = subscripts->at(static_cast<int>(d));
      std::string moved;
      for (const std::string& name : {y, x, k}) {
        std::optional<std::size_t> level = sourceLevel(region, loop(name), ref.statement);
        if (!level) continue;
        isl::val factor =
            own(isl_aff_get_coefficient_val(subscript.get(), isl_dim_in, static_cast<int>(*level)));
        if (factor.is_zero()) continue;
        if (!factor.is_one() || !moved.empty()) return std::nullopt;
        moved = name;
      }
      result.push_back(moved);
    }
    return result;
  }

  static bool spans(const std::vector<std::string>& loops, const std::string& name) {
    return std::count(loops.begin(), loops.end(), name) > 0;
  }

  /// Finds what is worth shared memory: reads in k that the threads along y, and others that those along x,
  /// share.
  bool findShared() {
    bool alongY = false, alongX = false;
    for (int s : heavy)
      for (std::size_t a = 0; a < region.statements[s].accesses.size(); ++a) {
        AccessRef ref{s, static_cast<int>(a)};
        const Access& access = ref.in(region);
        if (access.kind != Access::Kind::Read || region.arrays[access.array].isScalar()) continue;
        if (isWritten(access.array)) continue;
        std::optional<std::vector<std::string>> loops = spanned(ref);
        if (!loops || !spans(*loops, k)) continue;
        // One dimension per loop: then the tile is a box.
        bool twice = false;
        for (const std::string& name : {y, x, k})
          twice |= std::count(loops->begin(), loops->end(), name) > 1;
        if (twice || (spans(*loops, y) && spans(*loops, x))) continue;
        alongY |= !spans(*loops, y) && spans(*loops, x);
        alongX |= !spans(*loops, x) && spans(*loops, y);
        // Neighbouring threads read along a column of the tile: with an odd width it is on different banks.
        int padding = loops->back() == x ? 1 : -16;
        auto [known, isNew] = shared.emplace(access.array, padding);
        if (!isNew) known->second = std::min(known->second, padding);
      }
    return alongY && alongX;
  }

  /// Takes the steps on `trial`; false when one refuses.
  bool takeSteps(ScheduleState& trial, bool imperfect) {
    auto take = [&](const Step& step) { return !trial.take(step); };
    std::vector<int> written;
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
      if (isWritten(array)) written.push_back(array);
    for (int array : written)
      if (region.arrays[array].isScalar() && !expand(trial, array)) return false;
    const std::string yTiles = y + "_tiles", xTiles = x + "_tiles", kTiles = k + "_tiles";
    if (!take(Tile{{y, x}, {std::string(tileY), std::string(tileX)}, {{yTiles}, {xTiles}}, {}})) return false;
    if (imperfect && (!take(Distribute{x}) || !take(Distribute{y}))) return false;
    std::vector<const LoopTree*> now = pathTo(trial.tree(), k);
    const std::string aroundY = now[now.size() - 3]->name, aroundX = now[now.size() - 2]->name;
    if (!take(Tile{{k}, {std::string(tileK)}, {{kTiles}}, {kTiles, k, aroundY, aroundX}})) return false;
    std::vector<std::string> grid = {xTiles, yTiles};
    if (parallel.size() > 2) grid.push_back(parallel.front());
    if (!take(MapToGrid{grid})) return false;
    // Every part of the tile has its own pair of point loops.
    std::vector<std::pair<std::string, std::string>> pairs;
    findPairs(*findLoop(trial.tree(), xTiles), pairs);
    for (const auto& [outer, inner] : pairs)
      if (!take(MapToBlock{{inner, outer}})) return false;
    for (const auto& [array, padding] : shared)
      if (!take(StageShared{kTiles, region.arrays[array].name, padding, copies})) return false;
    // Everything that the nest writes stays in registers.
    for (int array : written)
      if (!take(StageRegisters{xTiles, region.arrays[array].name})) return false;
    return true;
  }

  /// Gives each iteration of the loops that a scalar is private to its own copy.
  bool expand(ScheduleState& trial, int array) const {
    const int declaredIn = region.arrays[array].declaredIn;
    for (int one = 0; one < static_cast<int>(region.loops.size()); ++one) {
      const std::vector<int>& own = facts.loops[one].privateArrays;
      bool isPrivate = declaredIn < 0 ? std::count(own.begin(), own.end(), array) > 0 : one == declaredIn;
      if (isPrivate && trial.take(Expand{region.arrays[array].name, trial.sourceName(one)})) return false;
    }
    return true;
  }

  /// The point loops of y and x in the parts of a tile.
  void findPairs(const LoopTree& tree, std::vector<std::pair<std::string, std::string>>& pairs) const {
    if (tree.kind == LoopTree::Kind::Loop && !tree.tile &&
        tree.children.front().kind == LoopTree::Kind::Loop && isCopyOf(tree, y) &&
        isCopyOf(tree.children.front(), x)) {
      pairs.emplace_back(tree.name, tree.children.front().name);
      return;
    }
    for (const LoopTree& child : tree.children)
      findPairs(child, pairs);
  }

  /// True when `tree` is what became of a part of the loop called `name`.
  bool isCopyOf(const LoopTree& tree, const std::string& name) const {
    return own(isl_union_map_from_union_pw_aff(tree.value.copy()))
        .is_subset(own(isl_union_map_from_union_pw_aff(loop(name).value.copy())));
  }

  ScheduleState& state;
  const Region& region;
  const Facts& facts;
  const std::vector<std::string>& parallel;
  int copies; ///< of tiles in shared memory
  std::string y, x, k;
  std::vector<int> nest;     ///< all statements
  std::vector<int> heavy;    ///< those in k
  std::map<int, int> shared; ///< arrays for shared memory, with their padding
};

/// How many reads of a point make a copy in shared memory worth its while: a few the cache serves as well.
constexpr double leastReuse = 12;

/// True when the points of a tile along both loops read different elements of `box`.
bool spreads(const Box& box) {
  std::set<std::string> sizes;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    for (const char* size : {sweepX, sweepY})
      if (involves(box.extent(d), size)) sizes.insert(size);
  return sizes.size() == 2;
}

/// How many reads an iteration of `loop` makes by `accesses`.
double readsPerPoint(const Region& region, const LoopTree& loop, const std::vector<AccessRef>& accesses) {
  double reads = 0;
  Effort effort;
  for (AccessRef ref : accesses) {
    const std::vector<int>& loops = ref.statementIn(region).loops;
    double times = 1;
    for (std::size_t level = *sourceLevel(region, loop, ref.statement) + 1; level < loops.size(); ++level)
      times *= static_cast<double>(tripCount(region, loops[level], effort).value_or(1));
    reads += times;
  }
  return reads;
}

/// Elements that a thread had better move several of at once have at most so many bits.
constexpr int mostVectorBits = 32;
/// A point that does more than so many iterations of loops inside is no better off with neighbours.
constexpr long mostIterations = 32;

/// True when statement `s` runs a few times at most in the loops around it that are none of `parallel`.
bool hasLittleWork(const Region& region, const std::vector<const LoopTree*>& parallel, int s) {
  const std::vector<int>& loops = region.statements[s].loops;
  long iterations = 1;
  Effort effort;
  for (std::size_t level = 0; level < loops.size(); ++level) {
    if (std::any_of(parallel.begin(), parallel.end(),
                    [&](const LoopTree* loop) { return sourceLevel(region, *loop, s) == level; }))
      continue;
    std::optional<long> trips = tripCount(region, loops[level], effort);
    if (!trips || *trips > mostIterations) return false;
    iterations *= *trips;
  }
  return iterations <= mostIterations;
}

} // namespace

TileShare shareOf(const std::string& size) {
  static const std::map<std::string, TileShare> known = {{tileX, {"THREADS_X", "ITEMS_X"}},
                                                         {tileY, {"THREADS_Y", "ITEMS_Y"}},
                                                         {sweepY, {"BLOCK_Y", "SWEEP_Y / BLOCK_Y"}},
                                                         {stripX, {"BLOCK_X", "VECTOR", true}},
                                                         {strip, {"BLOCK", "VECTOR", true}}};
  auto found = known.find(size);
  return found == known.end() ? TileShare{size, "1"} : found->second;
}

bool tileProduct(ScheduleState& state, const std::vector<std::string>& parallel, int copies) {
  return Tiler(state, parallel, copies).tile();
}

bool hasProduct(ScheduleState state, const std::vector<std::string>& parallel) {
  return Tiler(state, parallel, 1).find();
}

bool tileSweep(ScheduleState& state, const std::vector<std::string>& parallel) {
  const Region& region = state.region();
  const std::string &y = parallel[0], &x = parallel[1];
  const std::string yTiles = y + "_tiles", xTiles = x + "_tiles";
  std::set<int> arrays;
  for (int s : statementsOf(region, *findLoop(state.tree(), y))) {
    for (const std::string& name : parallel)
      if (!sourceLevel(region, *findLoop(state.tree(), name), s)) return false;
    for (const Access& access : region.statements[s].accesses)
      if (access.kind == Access::Kind::Read && !region.arrays[access.array].isScalar())
        arrays.insert(access.array);
  }
  for (int s : statementsOf(region, *findLoop(state.tree(), y)))
    for (const Access& access : region.statements[s].accesses)
      if (access.writes()) arrays.erase(access.array);
  ScheduleState trial = state;
  auto take = [&](const Step& step) { return !trial.take(step); };
  if (!take(Tile{{y, x}, {std::string(sweepY), std::string(sweepX)}, {{yTiles}, {xTiles}}, {}}) ||
      !take(MapToGrid{{xTiles, yTiles}}) || !take(MapToBlock{{x, y}}))
    return false;
  bool any = false;
  for (int array : arrays) {
    auto boxes = limited([&] { return sharedBoxes(trial, xTiles, array); });
    if (!boxes || boxes->size() != 1 || !spreads(boxes->front())) continue;
    if (readsPerPoint(region, *findLoop(state.tree(), x), boxes->front().accesses) < leastReuse) continue;
    any |= take(StageShared{xTiles, region.arrays[array].name, 1});
  }
  if (any) state = std::move(trial);
  return any;
}

bool tileStrips(ScheduleState& state, const std::vector<std::string>& parallel) {
  const Region& region = state.region();
  const LoopTree& x = *findLoop(state.tree(), parallel.back());
  std::vector<const LoopTree*> loops;
  for (const std::string& name : parallel)
    loops.push_back(findLoop(state.tree(), name));
  std::set<int> moved, still; // arrays of which neighbouring points have different elements, or the same ones
  for (int s : statementsOf(region, x)) {
    const Statement& statement = region.statements[s];
    for (const LoopTree* loop : loops)
      if (!sourceLevel(region, *loop, s)) return false;
    if (statement.kind != Statement::Kind::Assign || !statement.guards.empty() ||
        !hasLittleWork(region, loops, s))
      return false;
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const AccessRef ref{s, a};
      const Array& array = region.arrays[ref.in(region).array];
      if (array.isScalar()) continue;
      Movement along = movement(region, state.facts(), x, ref);
      if (along == Movement::None) still.insert(ref.in(region).array);
      if (along == Movement::None) continue;
      if (along != Movement::Unit || array.element.bits > mostVectorBits || array.element.bits == 0 ||
          array.within >= 0)
        return false;
      moved.insert(ref.in(region).array);
    }
  }
  ScheduleState trial = state;
  auto take = [&](const Step& step) { return !trial.take(step); };
  const std::string xTiles = parallel.back() + "_tiles";
  std::vector<std::string> grid = {xTiles}, block = {parallel.back()};
  Tile tile{{parallel.back()}, {std::string(parallel.size() > 1 ? stripX : strip)}, {{xTiles}}, {}};
  if (parallel.size() > 1) {
    const std::string& y = parallel[parallel.size() - 2];
    tile.loops.insert(tile.loops.begin(), y);
    tile.sizes.insert(tile.sizes.begin(), std::string(stripY));
    tile.names.insert(tile.names.begin(), {y + "_tiles"});
    grid.push_back(y + "_tiles");
    block.push_back(y);
  }
  if (parallel.size() > 2) grid.push_back(parallel.front());
  if (!take(tile) || !take(MapToGrid{grid}) || !take(MapToBlock{block})) return false;
  // What a point reads of its neighbours' places the cache serves.
  bool any = false;
  for (int array : moved)
    any |= take(StageRegisters{xTiles, region.arrays[array].name});
  // What all points of a thread need is loaded once.
  for (int array : still)
    take(StageRegisters{xTiles, region.arrays[array].name});
  if (any) state = std::move(trial);
  return any;
}

} // namespace warploom
