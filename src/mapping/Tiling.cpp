#include "mapping/Tiling.h"

#include "analysis/DistanceVectors.h"
#include "mapping/Movement.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/union_map.h>
#include <set>

namespace warploom {

namespace {

/// The nest being tiled: loops y and x, and k in them, each the index of a source loop.
class Tiler {
public:
  Tiler(ScheduleState& state, const std::vector<std::string>& parallel)
      : state(state), region(state.region()), facts(state.facts()), parallel(parallel) {}

  std::optional<TilePlan> tile() {
    const LoopTree& fastest = *findLoop(state.tree(), parallel.back());
    const LoopTree* inner = sequentialLoop(fastest.children.front());
    if (!inner) return std::nullopt;
    y = parallel[parallel.size() - 2];
    x = parallel.back();
    k = inner->name;
    nest = statementsOf(region, *findLoop(state.tree(), parallel.front()));
    heavy = statementsOf(region, *inner);
    if (!isPlain() || !findShared() || !findRegisters()) return std::nullopt;
    ScheduleState trial = state;
    if (!takeSteps(trial, fastest.children.front().kind == LoopTree::Kind::Sequence)) return std::nullopt;
    state = std::move(trial);
    return plan;
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
    for (const LoopTree* around : pathTo(state.tree(), k))
      path.push_back(around);
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

  /// The subscripts of `access`; nothing when they are not one affine expression each.
  static std::optional<isl::multi_aff> affine(const Access& access) {
    isl::pw_multi_aff subscripts = own(isl_pw_multi_aff_from_map(access.map.copy()));
    subscripts = subscripts.gist(subscripts.domain());
    if (!subscripts.isa_multi_aff()) return std::nullopt;
    return subscripts.as_multi_aff();
  }

  /// Per dimension of the access the loop of y, x, k that moves it, by 1, or the empty string where none
  /// does; nothing when a subscript is of another form.
  std::optional<std::vector<std::string>> spanned(AccessRef ref) const {
    const Access& access = ref.in(region);
    if (!access.exact || access.map.is_empty()) return std::nullopt;
    std::optional<isl::multi_aff> subscripts = affine(access);
    if (!subscripts) return std::nullopt;
    std::vector<std::string> result;
    for (unsigned d = 0; d < unsigned(subscripts->size()); ++d) {
      isl::aff subscript = subscripts->at(static_cast<int>(d));
      if (own(isl_aff_involves_dims(subscript.get(), isl_dim_div, 0,
                                    static_cast<unsigned>(isl_aff_dim(subscript.get(), isl_dim_div)))))
        return std::nullopt;
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
        auto same = std::find_if(plan.shared.begin(), plan.shared.end(), [&](const SharedTile& tile) {
          return tile.array == access.array && sameElement(tile.accesses.front(), ref);
        });
        if (same != plan.shared.end())
          same->accesses.push_back(ref);
        else
          plan.shared.push_back({access.array, {ref}, *loops});
      }
    return alongY && alongX;
  }

  /// True when both accesses, of one array, subscript by the same function of the loops of the schedule.
  bool sameElement(AccessRef a, AccessRef b) const {
    isl::multi_aff first = affine(a.in(region)).value(), second = affine(b.in(region)).value();
    for (int d = 0; d < static_cast<int>(first.size()); ++d)
      if (overLoops(first.at(d), a.statement) != overLoops(second.at(d), b.statement)) return false;
    return true;
  }

  /// The affine subscript of `statement` as text over the names of the loops of the schedule.
  std::string overLoops(const isl::aff& subscript, int statement) const {
    std::string result = printed(own(isl_aff_get_constant_val(subscript.get())));
    std::set<std::size_t> levels;
    for (const LoopTree* around : path) {
      std::optional<std::size_t> level = sourceLevel(region, *around, statement);
      if (!level || !levels.insert(*level).second) continue;
      isl::val factor =
          own(isl_aff_get_coefficient_val(subscript.get(), isl_dim_in, static_cast<int>(*level)));
      if (!factor.is_zero()) result += fmt::format(" + {} {}", printed(factor), around->name);
    }
    for (std::size_t level = 0; level < region.statements[statement].loops.size(); ++level) {
      isl::val factor =
          own(isl_aff_get_coefficient_val(subscript.get(), isl_dim_in, static_cast<int>(level)));
      // An index that no loop of the schedule runs over has a meaning in this statement only.
      if (!factor.is_zero() && levels.count(level) == 0)
        result += fmt::format(" + {} {}.{}", printed(factor), statement, level);
    }
    for (int p = 0; p < static_cast<int>(isl_aff_dim(subscript.get(), isl_dim_param)); ++p) {
      isl::val factor = own(isl_aff_get_coefficient_val(subscript.get(), isl_dim_param, p));
      if (!factor.is_zero())
        result +=
            fmt::format(" + {} {}", printed(factor), isl_aff_get_dim_name(subscript.get(), isl_dim_param, p));
    }
    return result;
  }

  /// Finds the elements that a thread keeps: everything the nest writes must be one of them.
  bool findRegisters() {
    for (std::size_t a = 0; a < region.arrays.size(); ++a) {
      int array = static_cast<int>(a);
      if (!isWritten(array)) continue;
      std::optional<RegisterTile> tile = registerTile(array);
      if (!tile) return false;
      plan.registers.push_back(*tile);
    }
    return true;
  }

  std::optional<RegisterTile> registerTile(int array) const {
    RegisterTile tile;
    tile.array = array;
    tile.load = true;
    bool first = true;
    for (int s : nest)
      for (std::size_t a = 0; a < region.statements[s].accesses.size(); ++a) {
        AccessRef ref{s, static_cast<int>(a)};
        const Access& access = ref.in(region);
        if (access.array != array || access.kind == Access::Kind::Kill) continue;
        if (region.arrays[array].isScalar()) {
          tile.access = ref;
          continue;
        }
        std::optional<std::vector<std::string>> loops = spanned(ref);
        if (!loops || spans(*loops, k) || !spans(*loops, y) || !spans(*loops, x)) return std::nullopt;
        if (first) tile.access = ref;
        if (!first && !sameElement(tile.access, ref)) return std::nullopt;
        first = false;
      }
    if (region.arrays[array].isScalar()) {
      // Each point has its own, which lives and dies inside the nest.
      const auto& all = state.relaxations();
      bool isPrivate = std::any_of(all.begin(), all.end(), [&](const Relaxation& one) {
        return one.array == array && one.kind == Relaxation::Kind::Private;
      });
      if (!isPrivate || leavesNest(array)) return std::nullopt;
      tile.load = tile.store = false;
      return tile;
    }
    // The elements are loaded unless the first statement that touches them only writes, and for every point.
    const Statement& begins = region.statements[tile.access.statement];
    bool reads = std::any_of(begins.accesses.begin(), begins.accesses.end(),
                             [&](const Access& access) { return access.array == array && access.reads(); });
    bool outside = std::count(heavy.begin(), heavy.end(), tile.access.statement) == 0;
    if (!reads && outside && touches(tile.access.statement, array).is_equal(allTouches(array)))
      tile.load = false;
    return tile;
  }

  isl::set touches(int s, int array) const {
    isl::set all = isl::set::empty(region.statements[s].accesses.front().map.range().space());
    bool any = false;
    for (const Access& access : region.statements[s].accesses)
      if (access.array == array && access.kind != Access::Kind::Kill) {
        all = any ? all.unite(access.map.range()) : access.map.range();
        any = true;
      }
    return all;
  }

  isl::set allTouches(int array) const {
    std::optional<isl::set> all;
    for (int s : nest)
      for (const Access& access : region.statements[s].accesses)
        if (access.array == array && access.kind != Access::Kind::Kill)
          all = all ? all->unite(access.map.range()) : access.map.range();
    return *all;
  }

  /// True when a value of `array` that the nest writes is read outside it.
  bool leavesNest(int array) const {
    auto isInside = [&](int s) { return std::count(nest.begin(), nest.end(), s) > 0; };
    for (const Dependence& dependence : facts.dependences.all)
      if (dependence.kind == Dependence::Kind::Flow && dependence.array == array &&
          (!isInside(dependence.source.statement) || !isInside(dependence.sink.statement)))
        return true;
    if (!region.arrays[array].liveAfter) return false;
    return std::any_of(facts.dependences.final.begin(), facts.dependences.final.end(),
                       [&](const Instances& last) {
                         return last.access.in(region).array == array && isInside(last.access.statement);
                       });
  }

  /// Takes the steps on `trial`; false when one refuses.
  bool takeSteps(ScheduleState& trial, bool imperfect) {
    auto take = [&](const Step& step) { return !trial.take(step); };
    for (const RegisterTile& tile : plan.registers)
      if (region.arrays[tile.array].isScalar() && !expand(trial, tile.array)) return false;
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
    for (const std::string& name : {yTiles, xTiles}) {
      const LoopTree& control = *findLoop(trial.tree(), name);
      plan.loops.push_back(
          {name == yTiles ? y : x, name, control.tile->origin, control.tile->size, name == yTiles ? 1 : 0});
    }
    plan.control = kTiles;
    return true;
  }

  /// Gives each iteration of the loops that a scalar is private to its own copy.
  bool expand(ScheduleState& trial, int array) const {
    std::vector<Relaxation> before = trial.relaxations();
    for (const Relaxation& one : before)
      if (one.array == array && one.kind == Relaxation::Kind::Private &&
          (region.arrays[array].declaredIn < 0 || region.arrays[array].declaredIn == one.loop))
        if (trial.take(Expand{region.arrays[array].name, trial.sourceName(one.loop)})) return false;
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
  std::string y, x, k;
  std::vector<const LoopTree*> path; ///< the loops around k, from the root, and k
  std::vector<int> nest;             ///< all statements
  std::vector<int> heavy;            ///< those in k
  TilePlan plan;
};

} // namespace

std::optional<TilePlan> tileNest(ScheduleState& state, const std::vector<std::string>& parallel) {
  return Tiler(state, parallel).tile();
}

} // namespace warploom
