#include "strategy/Product.h"

#include "analysis/DistanceVectors.h"
#include "strategy/Strategies.h"
#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/Levels.h"
#include "transform/Tunables.h"

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

/// The nest being tiled: loops y and x, and k in them, each the index of a source loop; k may stand in others
/// that are sequential, too, and y in others that are parallel: a batch of products.
class Tiler {
public:
  Tiler(ScheduleState& state, const std::vector<std::string>& parallel, int copies)
      : state(state), region(state.region()), parallel(parallel), copies(copies) {}

  /// Finds what would be tiled; false when that is no product.
  bool find() {
    const LoopTree& fastest = *findLoop(state.tree(), parallel.back());
    const LoopTree* outermost = onlyLoop(fastest.children.front());
    if (!outermost) return false;
    const std::vector<const LoopTree*> sequential = nestFrom(*outermost);
    const LoopTree* inner = sequential.back();
    if (!hasStatementsOnly(*inner)) return false;
    between.clear();
    for (std::size_t at = 0; at + 1 < sequential.size(); ++at)
      between.push_back(sequential[at]->name);
    y = parallel[parallel.size() - 2];
    x = parallel.back();
    k = inner->name;
    nest = statementsOf(region, *findLoop(state.tree(), parallel.front()));
    heavy = statementsOf(region, *inner);
    return findShared();
  }

  bool tile() {
    if (!find() || !isPlain()) return false;
    const bool imperfect = loop(x).children.front().kind == LoopTree::Kind::Sequence;
    for (const bool onTensor : {true, false}) {
      if (onTensor && !mayBeOnTensor()) continue;
      ScheduleState trial = state;
      if (!takeSteps(trial, imperfect, onTensor)) continue;
      state = std::move(trial);
      return true;
    }
    return false;
  }

private:
  /// The only loop of `body`; null when there is none, or another one.
  static const LoopTree* onlyLoop(const LoopTree& body) {
    if (body.kind == LoopTree::Kind::Loop) return &body;
    const LoopTree* found = nullptr;
    for (const LoopTree& part : body.children) {
      if (part.kind != LoopTree::Kind::Loop) continue;
      if (found) return nullptr;
      found = &part;
    }
    return found;
  }

  static bool hasStatementsOnly(const LoopTree& loop) {
    auto isLeaf = [](const LoopTree& part) { return part.kind == LoopTree::Kind::Leaf; };
    const LoopTree& inside = loop.children.front();
    return isLeaf(inside) || (inside.kind == LoopTree::Kind::Sequence &&
                              std::all_of(inside.children.begin(), inside.children.end(), isLeaf));
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

  /// True when it is worth trying: tensor cores have doubles as exact as others.
  bool mayBeOnTensor() const {
    if (state.strictFp() || heavy.size() != 1) return false;
    const std::vector<Access>& all = region.statements[heavy.front()].accesses;
    return std::all_of(all.begin(), all.end(), [&](const Access& access) {
      const Type& element = region.arrays[access.array].element;
      return element.kind == Type::Kind::Float && element.bits == 64;
    });
  }

  bool isUsedInK(int array) const {
    return std::any_of(heavy.begin(), heavy.end(),
                       [&](int s) { return region.statements[s].touches(array); });
  }

  bool isWritten(int array) const {
    return std::any_of(nest.begin(), nest.end(), [&](int s) { return region.statements[s].writes(array); });
  }

  /// Per dimension of the access the loop of y, x, k that moves it, or the empty string where none does;
  /// nothing when a subscript is of another form.
  std::optional<std::vector<std::string>> spanned(AccessRef ref) const {
    if (!ref.in(region).exact) return std::nullopt;
    std::optional<isl::multi_aff> subscripts = affineSubscripts(elementsOf(state, ref));
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
        // Rows may be some apart, but not elements of a row.
        const bool isRow = d + 1 < unsigned(subscripts->size());
        if (!(isRow ? factor.is_pos() : factor.is_one()) || !moved.empty()) return std::nullopt;
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
        if (access.kind != Access::Kind::Read || isWritten(access.array)) continue;
        std::optional<std::vector<std::string>> loops = spanned(ref);
        if (!loops || loops->empty() || !spans(*loops, k)) continue;
        // One dimension per loop: then the tile is a box.
        bool twice = false;
        for (const std::string& name : {y, x, k})
          twice |= std::count(loops->begin(), loops->end(), name) > 1;
        if (twice || (spans(*loops, y) && spans(*loops, x))) continue;
        alongY |= !spans(*loops, y) && spans(*loops, x);
        alongX |= !spans(*loops, x) && spans(*loops, y);
        // A thread reads neighbours of other rows, or of its own, 16 bytes at a time.
        shared[access.array] |= loops->back() == k;
      }
    return alongY && alongX;
  }

  /// Takes the steps on `trial`; false when one refuses.
  bool takeSteps(ScheduleState& trial, bool imperfect, bool onTensor) {
    const std::string sizeY = onTensor ? tensorY : tileY, sizeX = onTensor ? tensorX : tileX,
                      sizeK = onTensor ? tensorK : tileK;
    auto take = [&](const Step& step) { return !trial.take(step); };
    std::vector<int> written;
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
      if (isWritten(array)) written.push_back(array);
    for (int array : written)
      if (region.arrays[array].isScalar() && !expandScalar(trial, array)) return false;
    const std::string yTiles = y + "_tiles", xTiles = x + "_tiles", kTiles = k + "_tiles";
    const std::vector<std::string> batch(parallel.begin(), parallel.end() - 2);
    if (batch.size() > 1 && !take(CollapseToGrid{batch, 2})) return false;
    if (!take(Tile{{y, x}, {sizeY, sizeX}, {{yTiles}, {xTiles}}, {}})) return false;
    if (imperfect && (!take(Distribute{x}) || !take(Distribute{y}))) return false;
    const std::vector<const LoopTree*> now = pathTo(trial.tree(), k);
    const auto points = now.end() - static_cast<long>(between.size()) - 3;
    std::vector<std::string> order = between;
    for (const std::string& name : {kTiles, k, points[0]->name, points[1]->name})
      order.push_back(name);
    if (!take(Tile{{k}, {sizeK}, {{kTiles}}, order})) return false;
    std::vector<std::string> grid = {xTiles, yTiles};
    if (batch.size() == 1) grid.push_back(batch.front());
    if (!take(MapToGrid{grid})) return false;
    // Every part of the tile has its own pair of point loops.
    std::vector<std::pair<std::string, std::string>> pairs;
    findPairs(*findLoop(trial.tree(), xTiles), pairs);
    for (const auto& [outer, inner] : pairs)
      if (!take(MapToBlock{{inner, outer}})) return false;
    for (const auto& [array, alongK] : shared) {
      // Fragments are read from four rows at once, and from eight.
      const int together = onTensor ? 4
                           : alongK ? std::max(1, 128 / int(region.arrays[array].element.bits))
                                    : 1;
      if (!take(StageShared{kTiles, region.arrays[array].name, 1, copies, together, alongK && !onTensor}))
        return false;
    }
    // What the terms are added to stays in registers, and what is there for one point alone.
    for (int array : written)
      if ((region.arrays[array].isScalar() || isUsedInK(array)) &&
          !take(StageRegisters{xTiles, region.arrays[array].name}))
        return false;
    if (onTensor ? !take(MapToTensor{k}) : !take(Unroll{k, 4})) return false;
    // So few registers that other blocks work while one waits. In a loop of the host, launches may become
    // one.
    if (pathTo(trial.tree(), yTiles).size() == 1 + batch.size())
      return take(LaunchBounds{xTiles, onTensor ? 2 : 4});
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
  const std::vector<std::string>& parallel;
  int copies; ///< of tiles in shared memory
  std::string y, x, k;
  std::vector<std::string> between; ///< sequential loops in x that k is in
  std::vector<int> nest;            ///< all statements
  std::vector<int> heavy;           ///< those in k
  std::map<int, bool> shared;       ///< arrays for shared memory: true where neighbours lie along k
};

/// Tiles the nest that begins with `parallel` where it is a product; false, and `state` as it was, where it
/// is none, or where a step refuses.
bool tileProduct(ScheduleState& state, const std::vector<std::string>& parallel, int copies) {
  return Tiler(state, parallel, copies).tile();
}

/// Calls `visit` with the names of the first `depth` loops of every perfect nest of at least that many
/// loops.
template <typename Visit> void forEachNest(const LoopTree& tree, std::size_t depth, Visit visit) {
  if (tree.kind == LoopTree::Kind::Loop) {
    std::vector<std::string> names = namesOf(nestFrom(tree));
    if (names.size() < depth) return;
    names.resize(depth);
    return visit(names);
  }
  for (const LoopTree& child : tree.children)
    forEachNest(child, depth, visit);
}

/// Gives each part of a nest with several loops inside a nest of its own where that makes one of them a
/// nest that can be tiled; true when that was done.
bool distributeForTiles(ScheduleState& state, const std::vector<std::string>& parallel, int copies) {
  const LoopTree& body = findLoop(state.tree(), parallel.back())->children.front();
  auto isLoop = [](const LoopTree& part) { return part.kind == LoopTree::Kind::Loop; };
  if (std::count_if(body.children.begin(), body.children.end(), isLoop) < 2) return false;
  ScheduleState trial = state;
  for (std::size_t k = parallel.size(); k-- > 0;)
    if (trial.take(Distribute{parallel[k]})) return false;
  bool any = false;
  forEachNest(trial.tree(), parallel.size(), [&](const std::vector<std::string>& names) {
    ScheduleState further = trial;
    any = any || tileProduct(further, names, copies);
  });
  if (any) state = std::move(trial);
  return any;
}

/// Tiles a product without as few as possible of the parts after it, which get a nest of their own: what
/// they do to the result cannot be done to a tile.
bool cutForTiles(ScheduleState& state, const std::vector<std::string>& parallel, int copies) {
  const LoopTree& body = findLoop(state.tree(), parallel.back())->children.front();
  if (body.kind != LoopTree::Kind::Sequence || !Tiler(state, parallel, copies).find()) return false;
  for (std::size_t cut = body.children.size(); cut-- > 1;) {
    if (body.children[cut].kind == LoopTree::Kind::Loop) return false;
    ScheduleState trial = state;
    bool taken = std::all_of(parallel.rbegin(), parallel.rend(), [&](const std::string& loop) {
      return !trial.take(Distribute{loop, {firstIn(state.region(), body.children[cut])}});
    });
    if (taken && tileProduct(trial, parallel, copies)) {
      state = std::move(trial);
      return true;
    }
  }
  return false;
}
} // namespace

bool tileBatch(ScheduleState& state, const std::vector<std::string>& others, const std::string& fastest,
               int copies) {
  ScheduleState trial = state;
  std::vector<std::string> order = others;
  order.push_back(fastest);
  if (trial.take(Permute{order})) return false;
  for (std::size_t rows = others.size(); rows-- > 0;) {
    order = others;
    order.erase(order.begin() + static_cast<long>(rows));
    order.insert(order.end(), {others[rows], fastest});
    if (!Tiler(trial, order, copies).find()) continue;
    if (trial.take(Permute{order}) || !tileProduct(trial, order, copies)) return false;
    state = std::move(trial);
    return true;
  }
  return false;
}

bool mapProduct(ScheduleState& state, const ParallelNest& nest) {
  const std::vector<std::string>& parallel = nest.parallel;
  if (!nest.further.empty()) {
    std::vector<std::string> others(parallel.begin(), parallel.end() - 1);
    others.insert(others.end(), nest.further.begin(), nest.further.end());
    return tileBatch(state, others, nest.fastest(), nest.tileCopies);
  }
  return parallel.size() >= 2 &&
         (distributeForTiles(state, parallel, nest.tileCopies) ||
          tileProduct(state, parallel, nest.tileCopies) || cutForTiles(state, parallel, nest.tileCopies));
}

} // namespace warploom
