#include "strategy/MapNests.h"

#include "strategy/Common.h"
#include "strategy/Stacks.h"
#include "strategy/Strategies.h"
#include "strategy/generator/Generator.h"
#include "strategy/generator/Mapped.h"
#include "strategy/generator/RecipeText.h"
#include "support/Budget.h"
#include "support/Isl.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace warploom {

namespace {

struct NestStrategy {
  const char* name; ///< for messages
  bool (*map)(ScheduleState&, const ParallelNest&);
  bool usesShared = false; ///< not asked where shared memory is not wanted
  /// 0, or others that have such a number may be better for the same nest: what is expected of each is
  /// multiplied by it, since the model is not that exact.
  double weight = 0;
};

/// What is expected of a strategy counts so much where another would do; and of one that reads rows for
/// columns through shared memory, which the model underrates: on the H200 it was 1.16 to 2.1 times as fast
/// where 0.99 to 1.4 were expected.
constexpr double usual = 1.05, transposed = 0.95;

/// A strategy of the generator is taken where it is expected to take less than this part of the time.
constexpr double doubtful = 0.6;

/// Asked in this order, until one maps the nest. Of those that have a weight the first that does is kept
/// unless the model expects one after it to be clearly faster. `flat` takes every nest.
const std::vector<NestStrategy> known = {{"owned", mapOwned, true},
                                         {"product", mapProduct, true},
                                         {"separated", mapSeparated, true},
                                         {"sweep", mapSweep, true, usual},
                                         {"deep", mapDeep},
                                         {"rows", mapRows},
                                         {"scanned rows", mapScannedRows},
                                         {"columns", mapColumns},
                                         {"groups", mapGroups},
                                         {"strips", mapStrips, false, usual},
                                         {"flat", mapFlat, false, usual},
                                         {"stacks", mapStacks, false, usual},
                                         {"turned", mapTurned, true, transposed},
                                         {"common", mapCommon, true, usual}};

/// How many times as long as a launch a kernel takes that is worth the thought.
constexpr double heavy = 2;

/// The device that strategies are ranked for.
const DeviceLimits& rankedFor() {
  static const DeviceLimits device = deviceLimits("9.0").value();
  return device;
}

class Shaper {
public:
  Shaper(ScheduleState& state, const PlanOptions& options)
      : state(state), options(options), region(state.region()), facts(state.facts()) {}

  void shape() {
    // A step may change the tree anywhere: begin anew until every nest has its places.
    while (shapeNext(state.tree())) {
    }
  }

  /// The ways to map the nest that begins with `root`.
  std::vector<Way> ways(std::string root) {
    std::vector<Way> found;
    collected = &found;
    // Each change for the better may give the nest another outermost loop; one that stays on the host ends
    // it.
    while (found.empty() && findLoop(state.tree(), root)) {
      const std::vector<const LoopTree*> path = pathTo(state.tree(), root);
      root = path.front()->name;
      if (settled.count(root) || hasPlaces(*path.front()) || !shapeNest(root)) break;
    }
    return found;
  }

  MappedNests result;

private:
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

  /// Maps the nest that begins with `root`, or changes it for the better; false when its outermost
  /// loop can neither be mapped nor be made one that can.
  bool shapeNest(const std::string& root) {
    if (hoistParallel(root)) return true;
    const LoopTree& loop = *findLoop(state.tree(), root);
    if (isParallel(state, root)) return shapeParallel(loop);
    return mapReduction(state, root) || mapScan(state, root) || (options.levels && mapLevels(state, root));
  }

  /// Moves the parallel loops of the perfect nest at `root` outside the others; true when that changed
  /// anything.
  bool hoistParallel(const std::string& root) {
    std::vector<std::string> names = namesOf(nestFrom(*findLoop(state.tree(), root))), order, rest;
    for (const std::string& name : names)
      (isParallel(state, name) ? order : rest).push_back(name);
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
      if (!isParallel(state, loop->name)) break;
      parallel.push_back(loop);
    }
    if (options.outermostOnly && parallel.size() > 1)
      return mapFlat(state, {{root.name}, {}, options.tileCopies});
    if (reorder(parallel)) return true;
    if (parallel.size() == 1 && keepOutside(nest)) return true;
    ParallelNest asked{namesOf(parallel), {}, options.tileCopies};
    const auto first = asked.parallel.begin() + static_cast<long>(std::min(parallel.size(), mostMapped));
    asked.further.assign(first, asked.parallel.end());
    asked.parallel.erase(first, asked.parallel.end());
    for (auto strategy = known.begin(); strategy != known.end(); ++strategy) {
      if ((strategy->usesShared && !options.sharedMemory) || (collected && strategy->weight == 0)) continue;
      ScheduleState mapped = state;
      if (!strategy->map(mapped, asked)) continue;
      if (collected) {
        collected->push_back({strategy->name, std::move(mapped)});
        continue;
      }
      if (strategy->weight > 0) rank(strategy, asked, mapped);
      state = std::move(mapped);
      return true;
    }
    return false;
  }

  /// Puts into `mapped`, what `first` made of the nest, what a strategy after it makes that is expected to be
  /// clearly faster.
  void rank(std::vector<NestStrategy>::const_iterator first, const ParallelNest& asked,
            ScheduleState& mapped) {
    const auto secondsOf = [&](const ScheduleState& after) -> std::optional<double> {
      const auto cost =
          limited([&] { return strategies::costOfMapped(state, asked.outermost(), after, rankedFor()); });
      return cost && *cost ? std::optional((*cost)->seconds) : std::nullopt;
    };
    const std::optional<double> own = secondsOf(mapped);
    if (!own || *own < heavy * rankedFor().rates.launch) return;
    std::vector<std::string> all = {fmt::format("{} {}", first->name, strategies::timeText(*own))};
    const char* taken = first->name;
    double least = *own, expected = *own;
    for (auto other = first + 1; other != known.end(); ++other) {
      if (other->weight == 0 || (other->usesShared && !options.sharedMemory) || !Budget::reason().empty())
        continue;
      ScheduleState trial = state;
      if (!other->map(trial, asked)) continue;
      const std::optional<double> seconds = secondsOf(trial);
      if (!seconds) continue;
      all.push_back(fmt::format("{} {}", other->name, strategies::timeText(*seconds)));
      if (*seconds * other->weight >= least) continue;
      least = *seconds * other->weight;
      expected = *seconds;
      taken = other->name;
      mapped = std::move(trial);
    }
    std::string name = taken;
    if (auto generated = fromGenerator(asked, expected)) {
      name = generated->name;
      all.push_back(fmt::format("{} {}", name, strategies::timeText(generated->cost.seconds)));
      mapped = std::move(generated->mapped);
      result.generated = true;
    }
    if (all.size() > 1)
      result.choices.push_back(fmt::format("nest '{}' as {}, of what is expected to take {}",
                                           asked.outermost(), name, fmt::join(all, ", ")));
  }

  /// A strategy of the generator for the nest, if it promises much more than one that takes `expected`
  /// seconds.
  std::optional<strategies::Sized> fromGenerator(const ParallelNest& asked, double expected) const {
    // A loop of the host's may run all its kernels in one launch, in which none is tiled.
    const bool isAlone = pathTo(state.tree(), asked.outermost()).size() == 1;
    if (!isAlone || !options.generated || !options.sharedMemory || options.tileCopies < 2 ||
        !Budget::reason().empty())
      return std::nullopt;
    auto found = limited(
        [&] { return strategies::fasterThan(expected * doubtful, state, asked.outermost(), rankedFor()); });
    return found && Budget::reason().empty() ? std::move(*found) : std::nullopt;
  }

  /// One parallel loop around two or more sequential ones gives few threads long work. When the innermost one
  /// combines values, which threads can share, the others go outside, to the host; true when that was done.
  bool keepOutside(const std::vector<const LoopTree*>& nest) {
    if (nest.size() < 3 || reductionsOf(state, *nest.back()).empty()) return false;
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

  ScheduleState& state;
  const PlanOptions& options;
  const Region& region;
  const Facts& facts;
  std::vector<Way>* collected = nullptr; ///< every way is put there, and none is taken
  std::set<std::string> settled;         ///< loops that stay on the host
  std::set<std::string> reordered;       ///< loops that were given their place among parallel ones
};

} // namespace

MappedNests mapNests(ScheduleState& state, const PlanOptions& options) {
  Shaper shaper(state, options);
  shaper.shape();
  return shaper.result;
}

std::vector<Way> waysOf(const ScheduleState& state, const std::string& root, const PlanOptions& options) {
  ScheduleState begun = state;
  return Shaper(begun, options).ways(root);
}

} // namespace warploom
