#include "mapping/Shaping.h"

#include "analysis/DistanceVectors.h"
#include "mapping/Movement.h"
#include "mapping/Nests.h"
#include "mapping/Tiling.h"
#include "mapping/Updates.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>
#include <limits>

namespace warploom {

namespace {

constexpr std::size_t mostMapped = 3;

std::vector<std::string> namesOf(const std::vector<const LoopTree*>& loops) {
  std::vector<std::string> names;
  for (const LoopTree* loop : loops)
    names.push_back(loop->name);
  return names;
}

class Shaper {
public:
  Shaper(ScheduleState& state, const MappingOptions& options)
      : state(state), region(state.region()), facts(state.facts()), mayTile(options.sharedMemory),
        tileCopies(options.tileCopies) {}

  void shape() {
    // A step may change the tree anywhere: begin anew until every nest has its places.
    while (shapeNext(state.tree())) {
    }
  }

private:
  /// A reduction that another nest took may let a loop look parallel whose iterations combine values.
  bool isParallel(const std::string& loop) const { return state.isParallelUnreduced(loop).value_or(false); }

  /// Maps the first nest of `tree` in which no loop has a place, or changes it for the better; false when
  /// there is no such nest.
  bool shapeNext(const LoopTree& tree) {
    if (tree.kind == LoopTree::Kind::Loop) {
      if (tree.place) return false;
      const std::string name = tree.name;
      if (!settled.count(name) && !hasPlaces(tree) && shapeNest(name)) return true;
      settled.insert(name);
    }
    for (const LoopTree& child : tree.children)
      if (shapeNext(child)) return true;
    return false;
  }

  static bool hasPlaces(const LoopTree& tree) {
    return tree.place || std::any_of(tree.children.begin(), tree.children.end(), hasPlaces);
  }

  /// Maps the nest that begins with `root`, or changes it for the better; false when its outermost
  /// loop can neither be mapped nor be made one that can.
  bool shapeNest(const std::string& root) {
    if (hoistParallel(root)) return true;
    const LoopTree& loop = *findLoop(state.tree(), root);
    if (isParallel(root)) return shapeParallel(loop);
    return shapeReduction(loop);
  }

  /// Moves the parallel loops of the perfect nest at `root` outside the others; true when that changed
  /// anything.
  bool hoistParallel(const std::string& root) {
    std::vector<std::string> names = namesOf(nestFrom(*findLoop(state.tree(), root))), order, rest;
    for (const std::string& name : names)
      (isParallel(name) ? order : rest).push_back(name);
    if (order.empty()) return false;
    const std::vector<std::string> parallel = order;
    order.insert(order.end(), rest.begin(), rest.end());
    if (order == names) return false;
    // Outside, a loop may carry what another one carried before.
    ScheduleState trial = state;
    if (trial.take(Permute{order})) return false;
    for (const std::string& name : parallel)
      if (!trial.isParallel(name).value_or(false)) return false;
    state = std::move(trial);
    return true;
  }

  bool shapeParallel(const LoopTree& root) {
    std::vector<const LoopTree*> nest = nestFrom(root);
    std::vector<const LoopTree*> parallel;
    for (const LoopTree* loop : nest) {
      if (!isParallel(loop->name)) break;
      parallel.push_back(loop);
    }
    if (reorder(parallel)) return true;
    if (parallel.size() == 1 && keepOutside(nest)) return true;
    if (parallel.size() > mostMapped) parallel.resize(mostMapped);
    const LoopTree& fastest = *parallel.back();
    const LoopTree& body = fastest.children.front();

    if (mayTile && parallel.size() >= 2 && distributeForTiles(namesOf(parallel))) return true;
    if (mayTile && parallel.size() >= 2 && tileProduct(state, namesOf(parallel), tileCopies)) return true;
    if (mayTile && parallel.size() >= 2 && cutForTiles(namesOf(parallel))) return true;
    if (mayTile && parallel.size() == 2 && tileSweep(state, namesOf(parallel))) return true;

    double along = coalescing(region, facts, fastest);
    const std::string name = root.name;
    const std::vector<std::string> mapped = namesOf(parallel);
    if (parallel.size() <= 2 && byRows(body, along, mapped)) return true;
    if (parallel.size() == 1 && byColumns(root, body, along)) return true;
    if (parallel.size() <= 2 && byGroups(body, mapped)) return true;
    // A loop of the host's may run all its kernels in one launch, in which none is tiled.
    if (pathTo(state.tree(), name).size() == 1 && tileStrips(state, mapped)) return true;
    if (parallel.size() > 1 && spread(fastest) < 16 && takeAll({CollapseToGrid{mapped}})) return true;
    return takeAll({toGrid(mapped)});
  }

  /// Gives each part of a nest with several loops inside a nest of its own where that makes one of them a
  /// nest that can be tiled; true when that was done.
  bool distributeForTiles(const std::vector<std::string>& parallel) {
    const LoopTree& body = findLoop(state.tree(), parallel.back())->children.front();
    auto isLoop = [](const LoopTree& part) { return part.kind == LoopTree::Kind::Loop; };
    if (std::count_if(body.children.begin(), body.children.end(), isLoop) < 2) return false;
    ScheduleState trial = state;
    for (std::size_t k = parallel.size(); k-- > 0;)
      if (trial.take(Distribute{parallel[k]})) return false;
    bool any = false;
    forEachNest(trial.tree(), parallel.size(), [&](const std::vector<std::string>& names) {
      ScheduleState further = trial;
      any = any || tileProduct(further, names, tileCopies);
    });
    if (any) state = std::move(trial);
    return any;
  }

  /// Tiles a product without as few as possible of the parts after it, which get a nest of their own: what
  /// they do to the result cannot be done to a tile.
  bool cutForTiles(const std::vector<std::string>& parallel) {
    const LoopTree& body = findLoop(state.tree(), parallel.back())->children.front();
    if (body.kind != LoopTree::Kind::Sequence || !hasProduct(state, parallel)) return false;
    for (std::size_t cut = body.children.size(); cut-- > 1;) {
      if (body.children[cut].kind == LoopTree::Kind::Loop) return false;
      ScheduleState trial = state;
      bool taken = std::all_of(parallel.rbegin(), parallel.rend(), [&](const std::string& loop) {
        return !trial.take(Distribute{loop, {firstIn(body.children[cut])}});
      });
      if (taken && tileProduct(trial, parallel, tileCopies)) {
        state = std::move(trial);
        return true;
      }
    }
    return false;
  }

  /// The name of the first statement of `tree`; none where there are no instances.
  std::string firstIn(const LoopTree& tree) const {
    std::vector<int> all = statementsOf(region, tree);
    return all.empty() ? "" : region.statements[all.front()].name;
  }

  /// Calls `visit` with the names of the first `depth` loops of every perfect nest of at least that many
  /// loops.
  template <typename Visit> static void forEachNest(const LoopTree& tree, std::size_t depth, Visit visit) {
    if (tree.kind == LoopTree::Kind::Loop) {
      std::vector<std::string> names = namesOf(nestFrom(tree));
      if (names.size() < depth) return;
      names.resize(depth);
      return visit(names);
    }
    for (const LoopTree& child : tree.children)
      forEachNest(child, depth, visit);
  }

  /// One parallel loop around two or more sequential ones gives few threads long work. When the innermost one
  /// combines values, which threads can share, the others go outside, to the host; true when that was done.
  bool keepOutside(const std::vector<const LoopTree*>& nest) {
    if (nest.size() < 3 || reductionsOf(*nest.back()).empty()) return false;
    std::vector<std::string> names = namesOf(nest), order(names.begin() + 1, names.end() - 1);
    std::vector<std::string> outside = order;
    order.push_back(names.front());
    order.push_back(names.back());
    ScheduleState trial = state;
    if (trial.take(Permute{order}) || !trial.isParallel(names.front()).value_or(false)) return false;
    state = std::move(trial);
    settled.insert(outside.begin(), outside.end());
    return true;
  }

  /// Takes `steps`, or none of them: false when one is refused, or the nest that they map is.
  bool takeAll(const std::vector<Step>& steps) {
    ScheduleState trial = state;
    for (const Step& step : steps)
      if (trial.take(step)) return false;
    state = std::move(trial);
    return true;
  }

  /// Gives `loops`, outermost first, the axes of the grid, the last of them x.
  static Step toGrid(const std::vector<std::string>& loops) {
    return MapToGrid{{loops.rbegin(), loops.rend()}};
  }

  /// Adds the steps that let `loop`, of which these are the reductions, be shared out.
  void reduce(const LoopTree& loop, const std::vector<Reduction>& reductions,
              std::vector<Step>& steps) const {
    for (const Reduction& reduction : reductions)
      steps.push_back(
          Reduce{region.arrays[reduction.array].name, state.sourceName(*sourceLoop(region, loop))});
  }

  /// Puts the loop whose iterations are best taken by neighbouring threads innermost among `parallel`.
  bool reorder(const std::vector<const LoopTree*>& parallel) {
    if (parallel.size() < 2 || reordered.count(parallel.front()->name)) return false;
    std::size_t best = parallel.size() - 1;
    double most = coalescing(region, facts, *parallel[best]);
    for (std::size_t k = parallel.size() - 1; k-- > 0;)
      if (double score = coalescing(region, facts, *parallel[k]); score > most) {
        most = score;
        best = k;
      }
    std::vector<std::string> order = namesOf(parallel);
    for (const std::string& name : order)
      reordered.insert(name);
    bool tooMany = order.size() > mostMapped;
    if (best + 1 == order.size() && !tooMany) return false;
    std::string fastest = order[best];
    order.erase(order.begin() + static_cast<long>(best));
    order.insert(order.begin() + static_cast<long>(std::min(order.size(), mostMapped - 1)), fastest);
    return !state.take(Permute{order}); // parallel loops stay so in any order
  }

  /// The reductions by which `loop` may be shared out, once they are taken; empty when it may not.
  std::vector<Reduction> reductionsOf(const LoopTree& loop) const {
    std::optional<int> source = sourceLoop(region, loop);
    if (!source) return {};
    // Those of other parts of the source's loop are not its own.
    std::vector<int> below = statementsOf(region, loop);
    std::vector<Reduction> known;
    for (Reduction reduction : facts.loops[*source].reductions) {
      std::erase_if(reduction.statements,
                    [&](int s) { return std::count(below.begin(), below.end(), s) == 0; });
      if (!reduction.statements.empty()) known.push_back(std::move(reduction));
    }
    ScheduleState trial = state;
    for (const Reduction& reduction : known) {
      const Array& array = region.arrays[reduction.array];
      if (!isCombined(array.element)) return {};
      if (trial.take(Reduce{array.name, state.sourceName(*source)})) return {};
    }
    return trial.isParallel(loop.name).value_or(false) ? known : std::vector<Reduction>{};
  }

  /// Has warps take the iterations of `mapped` where their lanes better share loops of `body` than they would
  /// take those of the loop around it, of which `along` tells the coalescing.
  bool byRows(const LoopTree& body, double along, const std::vector<std::string>& mapped) {
    std::vector<Step> steps;
    std::set<std::string> lanes;
    double inside = 0;
    for (const LoopTree* part : partsOf(body)) {
      if (part->kind != LoopTree::Kind::Loop) continue;
      double score = coalescing(region, facts, *part);
      if (score <= std::min(along, 0.0) || isShort(*part) || !keepsToItself(state, *part)) continue;
      if (!isParallel(part->name)) {
        std::vector<Reduction> found = reductionsOf(*part);
        if (found.empty() || !hasOnePart(state, *part, found)) continue;
        reduce(*part, found, steps);
      }
      lanes.insert(part->name);
      inside += score;
    }
    if (lanes.empty() || inside <= along) return false;
    steps.push_back(toGrid(mapped));
    steps.push_back(MapToLanes{{lanes.begin(), lanes.end()}});
    return takeAll(steps);
  }

  /// Has groups of threads share the loops of `body` whose bounds only data tell, in nests where they can.
  bool byGroups(const LoopTree& body, const std::vector<std::string>& mapped) {
    auto found = groupReductions(state, body);
    if (std::holds_alternative<Refusal>(found)) return false;
    std::set<int> shared;
    for (const Reduction& reduction : std::get<std::vector<Reduction>>(found))
      shared.insert(reduction.statements.front());
    MapToGroups groups;
    for (int s : shared)
      groups.statements.push_back(region.statements[s].name);
    return takeAll({toGrid(mapped), groups});
  }

  /// How far the last value of `loop` is from the first at most, whatever sizes and loops around are.
  static double spread(const LoopTree& loop) {
    isl::union_set values = instances(loop).apply(own(isl_union_map_from_union_pw_aff(loop.value.copy())));
    if (values.is_empty()) return std::numeric_limits<double>::infinity();
    isl::set all = own(isl_set_from_union_set(values.release()));
    isl::val high = own(isl_set_dim_max_val(all.copy(), 0)), low = own(isl_set_dim_min_val(all.copy(), 0));
    isl::val difference = high.sub(low);
    return difference.is_int() ? static_cast<double>(isl_val_get_num_si(difference.get()))
                               : std::numeric_limits<double>::infinity();
  }

  /// True when `loop` is known to have too few iterations for a warp.
  bool isShort(const LoopTree& loop) const {
    std::optional<int> source = sourceLoop(region, loop);
    if (!source) return true;
    Effort effort;
    std::optional<long> trips = tripCount(region, *source, effort);
    return trips && *trips < 16;
  }

  /// Maps a nest of one parallel loop around a loop that combines values into elements the parallel loop
  /// chooses, or distributes it so that a part is one; false when it is no such nest.
  bool byColumns(const LoopTree& root, const LoopTree& body, double along) {
    const std::vector<const LoopTree*> parts = partsOf(body);
    const LoopTree* reducing = nullptr;
    for (const LoopTree* part : parts) {
      if (part->kind == LoopTree::Kind::Loop && !isShort(*part) && along > coalescing(region, facts, *part)) {
        std::vector<Reduction> found = reductionsOf(*part);
        bool arrays = !found.empty() && hasOnePart(state, *part, found) &&
                      part->children.front().kind == LoopTree::Kind::Leaf;
        for (const Reduction& reduction : found) {
          arrays = arrays && !region.arrays[reduction.array].isScalar();
          for (int s : reduction.statements)
            arrays =
                arrays && updateOf(region.statements[s]).has_value() && !isPrivate(state, reduction.array);
        }
        if (arrays) reducing = part;
      }
    }
    if (!reducing) return false;
    if (body.kind == LoopTree::Kind::Sequence) {
      Distribute cut{root.name, {firstIn(*reducing)}};
      auto after = std::next(std::find(parts.begin(), parts.end(), reducing));
      if (after != parts.end()) cut.before.push_back(firstIn(**after));
      return !state.take(cut);
    }
    std::vector<Step> steps;
    reduce(*reducing, reductionsOf(*reducing), steps);
    steps.push_back(MapToGrid{{root.name, reducing->name}});
    return takeAll(steps);
  }

  /// Maps a nest whose outermost loops reduce.
  bool shapeReduction(const LoopTree& root) {
    std::vector<Reduction> reductions = reductionsOf(root);
    if (reductions.empty()) return false;
    for (const Reduction& reduction : reductions)
      for (int s : reduction.statements)
        if (!region.arrays[reduction.array].isScalar() && !updateOf(region.statements[s])) return false;
    std::vector<std::string> mapped;
    std::vector<Step> steps;
    for (const LoopTree* loop : nestFrom(root)) {
      if (mapped.size() == mostMapped) break;
      if (!isParallel(loop->name)) {
        std::vector<Reduction> further = reductionsOf(*loop);
        bool same = further.size() == reductions.size();
        for (std::size_t r = 0; same && r < further.size(); ++r)
          same = further[r].array == reductions[r].array && further[r].op == reductions[r].op;
        if (!same) break;
        reduce(*loop, further, steps);
      }
      mapped.push_back(loop->name);
    }
    steps.push_back(toGrid(mapped));
    return takeAll(steps);
  }

  ScheduleState& state;
  const Region& region;
  const Facts& facts;
  const bool mayTile;
  const int tileCopies;
  std::set<std::string> settled;   ///< loops that stay on the host
  std::set<std::string> reordered; ///< loops that were given their place among parallel ones
};

} // namespace

void mapNests(ScheduleState& state, const MappingOptions& options) {
  Shaper(state, options).shape();
}

} // namespace warploom
