#include "strategy/generator/Generator.h"

#include "mapping/Nests.h"
#include "mapping/Unrolled.h"
#include "strategy/DefaultSchedule.h"
#include "strategy/MapNests.h"
#include "strategy/ParallelNest.h"
#include "strategy/generator/Mapped.h"
#include "strategy/generator/Waves.h"
#include "transform/Levels.h"
#include "transform/TileOrder.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace warploom::strategies {

std::size_t Strategies::count(Rule rule) const {
  return static_cast<std::size_t>(
      std::count_if(dropped.begin(), dropped.end(), [&](const Dropped& one) { return one.rule == rule; }));
}

std::vector<Step> Strategies::steps(const Candidate& candidate) const {
  std::vector<Step> steps = before;
  for (const Step& step : boundSteps(partitions[candidate.partition], candidate.choice))
    steps.push_back(step);
  return steps;
}

namespace {

/// Of nests with many arrays: each kind of memory for all arrays that can be there, or for none.
std::vector<Choice> choicesByKind(const Partition& partition) {
  std::vector<Choice> all;
  for (bool registers : {false, true})
    for (bool constant : {false, true})
      for (Keep shared : {Keep::Global, Keep::Shared, Keep::SharedReadOnly}) {
        Choice choice;
        for (const Placement& placement : partition.placements) {
          auto canBe = [&](Keep keep) {
            return std::count(placement.ways.begin(), placement.ways.end(), keep) > 0;
          };
          choice.kept.push_back(constant && canBe(Keep::Constant)     ? Keep::Constant
                                : registers && canBe(Keep::Registers) ? Keep::Registers
                                : canBe(shared)                       ? shared
                                                                      : placement.ways.front());
        }
        if (std::count(all.begin(), all.end(), choice) == 0) all.push_back(choice);
      }
  return all;
}

} // namespace

std::vector<Choice> choicesOf(const Partition& partition) {
  std::vector<Choice> all = {{}};
  if (partition.shape == Partition::Shape::Own) {
    for (const Placement& placement : partition.placements)
      all.front().kept.push_back(placement.ways.front());
    all.front().copies = partition.copies;
    return all;
  }
  constexpr std::size_t most = 256;
  for (const Placement& placement : partition.placements) {
    if (all.size() > most) break;
    std::vector<Choice> further;
    for (const Choice& choice : all)
      for (Keep keep : placement.ways) {
        further.push_back(choice);
        further.back().kept.push_back(keep);
      }
    all = std::move(further);
  }
  if (all.size() > most) all = choicesByKind(partition);
  // A second copy of tiles hides how long they take to arrive: of all tiles, or of none.
  auto isWhole = [&](const Choice& choice) {
    for (std::size_t p = 0; p < choice.kept.size(); ++p) {
      const std::vector<Keep>& ways = partition.placements[p].ways;
      const bool canBe = std::count(ways.begin(), ways.end(), Keep::Shared) > 0;
      if (canBe && choice.kept[p] != Keep::Shared) return false;
    }
    return choice.isStaged();
  };
  std::vector<Choice> result;
  for (const Choice& choice : all)
    for (int copies : {1, 2}) {
      if (copies == 2 && !(partition.slab && isWhole(choice))) continue;
      for (int unroll : {0, 1, 2}) {
        result.push_back(choice);
        result.back().copies = copies;
        result.back().unroll = unroll;
      }
    }
  return result;
}

std::optional<Dropped> refusedCapacity(const KernelUse& use, const DeviceLimits& device) {
  auto over = [](Rule rule, double has, double most) {
    return Dropped{rule, "", fmt::format("{:.0f}, and the device has {:.0f}", has, most)};
  };
  if (use.threads > device.maxBlockSize) return over(Rule::Threads, use.threads, device.maxBlockSize);
  if (use.sharedBytes > sharedPerBlock(device))
    return over(Rule::Shared, use.sharedBytes, sharedPerBlock(device));
  if (use.constantBytes > 65536) return over(Rule::Constant, use.constantBytes, 65536);
  if (use.registers > device.maxRegistersPerThread)
    return over(Rule::Registers, use.registers, device.maxRegistersPerThread);
  if (activeBlocks(use.threads, {use.registers, 0}, device).all() == 0)
    return over(Rule::Registers, double(use.registers) * use.threads, device.registersPerSm);
  return std::nullopt;
}

namespace {

std::string nameFor(const Nest& nest, const Partition& partition, const Choice& choice) {
  std::string name = partition.name;
  if (partition.shape == Partition::Shape::Own) return name;
  for (std::size_t p = 0; p < choice.kept.size(); ++p)
    if (choice.kept[p] != Keep::Global)
      name += fmt::format("_{}-{}", nest.arrays[partition.placements[p].arrays].names.front(),
                          nameOf(choice.kept[p]));
  if (choice.copies > 1) name += "_twice";
  return name + fmt::format("_unroll{}", choice.unroll);
}

/// How far the text of kernels has loops unrolled: choices that differ in depth only may have the same text.
class UnrolledText {
public:
  /// `name:times` of each loop of `state`.
  std::string of(const ScheduleState& state) {
    std::string text;
    std::vector<const LoopTree*> path;
    add(state, state.tree(), nullptr, path, text);
    return text;
  }

private:
  /// `kernel` is the outermost loop with a place around `tree`.
  void add(const ScheduleState& state, const LoopTree& tree, const LoopTree* kernel,
           std::vector<const LoopTree*>& path, std::string& text) {
    if (tree.kind == LoopTree::Kind::Loop) {
      path.push_back(&tree);
      if (tree.place && !kernel) kernel = &tree;
      text += fmt::format("{}:{} ", tree.name, timesOf(state, tree, kernel, path));
    }
    for (const LoopTree& child : tree.children)
      add(state, child, kernel, path, text);
    if (tree.kind == LoopTree::Kind::Loop) path.pop_back();
  }

  int timesOf(const ScheduleState& state, const LoopTree& loop, const LoopTree* kernel,
              const std::vector<const LoopTree*>& path) {
    // Of loops over tiles, and those whose tiles arrive ahead, and of nests that no kernel is made of yet,
    // the text has what steps say.
    const bool arrivesAhead =
        std::any_of(state.staging().begin(), state.staging().end(),
                    [&](const Staging& one) { return one.copies > 1 && one.loop == loop.name; });
    if (loop.unroll != 1 || loop.tile || arrivesAhead || !kernel) return loop.unroll;
    return writtenUnroll(loop, hasBlock(*kernel), !symbolicTiles(*kernel).empty(), extentOf(path));
  }

  static bool hasBlock(const LoopTree& tree) {
    return (tree.place && tree.place->kind == Place::Kind::Block) ||
           std::any_of(tree.children.begin(), tree.children.end(), hasBlock);
  }

  /// The greatest extent of the last loop of `path`, which no mark of a loop changes.
  std::optional<long> extentOf(const std::vector<const LoopTree*>& path) {
    std::string names;
    for (const LoopTree* loop : path)
      names += loop->name + " ";
    const auto known = extents.find(names);
    if (known != extents.end()) return known->second;
    return extents.emplace(names, greatestExtent(path)).first->second;
  }

  std::map<std::string, std::optional<long>> extents; ///< by the loops from the root on
};

/// Takes the steps of choices, those that many have in common once.
class Checker {
public:
  explicit Checker(const ScheduleState& begun) : begun(begun) {}

  /// Why a step of `steps` is refused; else `state` is what they make.
  std::optional<Dropped> take(const std::vector<Step>& steps, std::optional<ScheduleState>& state) {
    std::size_t same = 0;
    while (same < path.size() && same < steps.size() && path[same].line == print(steps[same]))
      ++same;
    path.erase(path.begin() + static_cast<long>(same), path.end());
    for (std::size_t k = same; k < steps.size(); ++k) {
      ScheduleState next = k ? path[k - 1].state : begun;
      const std::string line = print(steps[k]);
      auto known = refused.find(prefix(k) + line);
      if (known == refused.end())
        if (auto refusal = takeAsRecipe(next, steps[k]))
          known = refused.emplace(prefix(k) + line, refusal->reason).first;
      if (known != refused.end()) return Dropped{Rule::Step, line, known->second};
      path.push_back({line, std::move(next)});
    }
    state = path.empty() ? begun : path.back().state;
    return std::nullopt;
  }

private:
  /// Takes what a recipe makes of the line of `step`.
  static std::optional<Refusal> takeAsRecipe(ScheduleState& state, const Step& step) {
    const Tile* tile = std::get_if<Tile>(&step);
    if (!tile) return state.take(step);
    for (const Step& one : tiledInOrder(state, *tile))
      if (auto refused = state.take(one)) return refused;
    return std::nullopt;
  }

  std::string prefix(std::size_t steps) const {
    std::string text;
    for (std::size_t k = 0; k < steps; ++k)
      text += path[k].line + "\n";
    return text;
  }

  struct Taken {
    std::string line;
    ScheduleState state;
  };
  const ScheduleState& begun;
  std::vector<Taken> path;
  std::map<std::string, std::string> refused; ///< by the steps before it and the step
};

/// Why a nest below `tree` cannot become a kernel as its loops are placed: steps are taken one by one, and
/// some things only all of them together say.
std::optional<Refusal> refusedNest(const ScheduleState& state, const LoopTree& tree) {
  if (tree.place) {
    auto nest = mappedNest(state, tree);
    if (const Refusal* refused = std::get_if<Refusal>(&nest)) return *refused;
    return std::nullopt;
  }
  for (const LoopTree& child : tree.children)
    if (auto refused = refusedNest(state, child)) return refused;
  return std::nullopt;
}

/// Phase III: the candidates of one partition.
void addCandidates(const ScheduleState& begun, std::size_t at, const GeneratorOptions& options,
                   Strategies& result) {
  const Partition& partition = result.partitions[at];
  Checker checker(begun);
  UnrolledText unrolled;
  std::map<std::string, std::string> kernels; ///< the first strategy with a text
  for (const Choice& choice : choicesOf(partition)) {
    ++result.combinations;
    Candidate candidate{at,
                        choice,
                        useOf(result.nest, partition, choice, options.device),
                        {},
                        nameFor(result.nest, partition, choice)};
    auto drop = [&](Dropped dropped) {
      dropped.what = candidate.name + (dropped.what.empty() ? "" : ": " + dropped.what);
      result.dropped.push_back(std::move(dropped));
    };
    if (auto refused = refusedCapacity(candidate.use, options.device)) {
      drop(*refused);
      continue;
    }
    std::optional<ScheduleState> state;
    if (auto refused = checker.take(boundSteps(partition, choice), state)) {
      drop(*refused);
      continue;
    }
    if (auto refused = refusedNest(*state, state->tree())) {
      drop({Rule::Step, "all steps", refused->reason});
      continue;
    }
    std::string kernel = candidate.name.substr(0, candidate.name.rfind("_unroll"));
    kernel += " " + unrolled.of(*state);
    if (const auto [first, isNew] = kernels.emplace(kernel, candidate.name); !isNew) {
      drop({Rule::Same, "", fmt::format("its kernel has the text of {}", first->second)});
      continue;
    }
    candidate.cost = costOf(candidate.use, options.device);
    result.candidates.push_back(std::move(candidate));
  }
}

/// The values that a size may have: multiples of a warp for tiles that are lines of threads, whose last wave
/// is then mostly full, and powers of two for others.
std::vector<long> valuesFor(const Partition& partition, const std::string& size, const Nest& nest,
                            const DeviceLimits& device) {
  if (partition.shape == Partition::Shape::Line && size == "T1") {
    std::vector<long> values;
    for (int tile : blockTiles(nest.loops[partition.axes.front().loop].extent, device.rates.multiprocessors,
                               1, device.maxBlockSize))
      values.push_back(tile);
    return values;
  }
  if (size == "TH") return {partition.size(size)};
  if (size == "TK") return {8, 16, 32};
  if (size == "N1") return {8, 16, 32};
  if (size == "N2") return {4, 8, 16};
  return partition.shape == Partition::Shape::Points ? std::vector<long>{4, 8, 16, 32, 64}
                                                     : std::vector<long>{16, 32, 64, 128};
}

/// Phase IV: the sizes of the best candidate.
void tune(const ScheduleState& begun, const GeneratorOptions& options, Strategies& result) {
  const Candidate& best = result.candidates.front();
  result.tuned = result.partitions[best.partition];
  result.tunedCost = best.cost;
  // These stay names: `-DWARPLOOM_TILE_X=64` chooses them, and `tune` finds them.
  if (result.tuned.hasOwnSizes()) return;
  const bool isStaged = best.choice.isStaged();
  std::vector<std::map<std::string, long>> tuples = {{}};
  for (const auto& [name, value] : result.tuned.sizes) {
    std::vector<std::map<std::string, long>> further;
    // Without a copy in shared memory there is no tile of the loop that fills it.
    for (long each : name == "TK" && !isStaged ? std::vector{value}
                                               : valuesFor(result.tuned, name, result.nest, options.device))
      for (std::map<std::string, long> tuple : tuples) {
        tuple[name] = each;
        further.push_back(tuple);
      }
    tuples = std::move(further);
  }
  std::vector<std::pair<Cost, Partition>> ranked;
  for (const auto& tuple : tuples) {
    Partition other = result.tuned;
    other.sizes = tuple;
    const bool divides = std::all_of(other.axes.begin(), other.axes.end(), [&](const Axis& axis) {
      return other.size(axis.tile) % other.size(axis.threads) == 0;
    });
    if (!divides || (other.shape == Partition::Shape::Columns && other.size("T1") % other.size("N1")))
      continue;
    const KernelUse use = useOf(result.nest, other, best.choice, options.device);
    if (other.threads() < 32 || refusedCapacity(use, options.device)) continue;
    ++result.tuples;
    ranked.emplace_back(costOf(use, options.device), other);
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& one, const auto& other) {
    return std::tie(one.first.seconds, one.second.sizes) < std::tie(other.first.seconds, other.second.sizes);
  });
  for (const auto& [cost, partition] : ranked) {
    if (cost.seconds >= result.tunedCost.seconds) return;
    Checker checker(begun);
    std::optional<ScheduleState> state;
    if (checker.take(boundSteps(partition, best.choice), state)) continue;
    result.tuned = partition;
    result.tunedCost = cost;
    return;
  }
}

/// What `compile` chooses among, beside what partitions describe: ways of Warploom's own to map the nest.
std::vector<Partition> ownWays(const ScheduleState& begun, const std::string& outermost, const Nest& nest) {
  std::vector<Partition> result;
  if (!nest.isPerfect) return result;
  for (const Way& way : waysOf(begun, outermost, {})) {
    const std::vector<Step>& all = way.mapped.history();
    const std::vector<Step> steps(all.begin() + static_cast<long>(begun.history().size()), all.end());
    const std::vector<const LoopTree*> path = pathTo(way.mapped.tree(), nest.loops.front().name);
    std::optional<NestPartition> read = mappedBy(steps, nest);
    if (!read || path.empty() || !path.front()->place) continue; // the host has none of its loops
    Partition& made = read->partition;
    made.shape = Partition::Shape::Own;
    made.name = way.name;
    made.copies = read->choice.copies;
    for (const Step& step : steps)
      made.lines.push_back({step});
    result.push_back(std::move(made));
  }
  return result;
}

/// The first outermost loop of `tree` with the deepest nest.
const LoopTree* deepestNest(const LoopTree& tree) {
  if (tree.kind == LoopTree::Kind::Loop) return &tree;
  const LoopTree* best = nullptr;
  for (const LoopTree& child : tree.children)
    if (child.kind == LoopTree::Kind::Loop && (!best || nestFrom(child).size() > nestFrom(*best).size()))
      best = &child;
  return best;
}

/// True when there is a loop in `tree`, beside those of the nest that it begins with.
bool hasInnerLoop(const LoopTree& tree) {
  return tree.kind == LoopTree::Kind::Loop ||
         std::any_of(tree.children.begin(), tree.children.end(), hasInnerLoop);
}

/// Gives each part of an imperfect nest, such as `sum = 0`, the loop that adds to it, and what is done with
/// it then, a nest of its own, scalars having a copy for each iteration. Where a step refuses, `state` is as
/// it was.
void distribute(ScheduleState& state) {
  const LoopTree* root = deepestNest(state.tree());
  if (!root || root != &state.tree()) return;
  const std::vector<const LoopTree*> nest = nestFrom(*root);
  if (!hasInnerLoop(nest.back()->children.front())) return;
  const Region& region = state.region();
  ScheduleState trial = state;
  std::set<int> scalars;
  for (int s : statementsOf(region, *root))
    for (const Access& access : region.statements[s].accesses)
      if (access.writes() && region.arrays[access.array].isScalar()) scalars.insert(access.array);
  for (int scalar : scalars)
    if (!expandScalar(trial, scalar)) return;
  for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop)
    if (trial.take(Distribute{(*loop)->name})) return;
  state = std::move(trial);
}

} // namespace

Strategies generate(const ScheduleState& state, const GeneratorOptions& options) {
  Strategies result;
  ScheduleState begun = state;
  keepOrder(begun);
  distribute(begun);
  const LoopTree* root = deepestNest(begun.tree());
  if (!root) {
    result.dropped.push_back({Rule::Step, "", "there is no loop"});
    return result;
  }
  const std::string outermost = root->name;
  result.orders = loopOrders(begun, outermost, options.assumed);
  for (const Step& step : result.orders.before)
    begun.take(step);
  result.before = begun.history();
  result.nest = nestOf(begun, outermost, options.assumed);
  for (const LoopOrder& order : result.orders.left)
    for (Partition& partition : partitions(begun, result.nest, order)) {
      if (result.orders.left.size() > 1)
        partition.name += std::to_string(&order - result.orders.left.data() + 1);
      result.partitions.push_back(std::move(partition));
    }
  for (Partition& own : ownWays(begun, outermost, result.nest))
    result.partitions.push_back(std::move(own));
  for (std::size_t at = 0; at < result.partitions.size(); ++at)
    addCandidates(begun, at, options, result);
  std::sort(result.candidates.begin(), result.candidates.end(),
            [](const Candidate& one, const Candidate& other) {
              return std::tie(one.cost.seconds, one.name) < std::tie(other.cost.seconds, other.name);
            });
  if (!result.candidates.empty()) tune(begun, options, result);
  return result;
}

std::optional<Sized> fasterThan(double seconds, const ScheduleState& state, const std::string& outermost,
                                const DeviceLimits& device) {
  constexpr std::size_t most = 4; // of those that promise the most, so many are tried
  Strategies all;
  all.nest = nestOf(state, outermost, 1);
  const std::vector<NestLoop>& loops = all.nest.loops;
  if (!all.nest.isPerfect ||
      !std::all_of(loops.begin(), loops.end(), [](const NestLoop& loop) { return loop.isNumber; }))
    return std::nullopt;
  LoopOrder order;
  for (const NestLoop& loop : loops) {
    const bool isOutside = order.parallel == order.loops.size();
    order.loops.push_back(loop.name);
    order.parallel += isOutside && isParallel(state, loop.name) ? 1 : 0;
  }
  for (Partition& partition : partitions(state, all.nest, order)) {
    if (partition.hasOwnSizes()) continue;
    for (const Choice& choice : choicesOf(partition)) {
      if (std::count(choice.kept.begin(), choice.kept.end(), Keep::Constant) > 0) continue;
      const KernelUse use = useOf(all.nest, partition, choice, device);
      const Cost cost = costOf(use, device);
      if (cost.seconds < seconds && !refusedCapacity(use, device))
        all.candidates.push_back(
            {all.partitions.size(), choice, use, cost, nameFor(all.nest, partition, choice)});
    }
    all.partitions.push_back(std::move(partition));
  }
  std::stable_sort(
      all.candidates.begin(), all.candidates.end(),
      [](const Candidate& one, const Candidate& other) { return one.cost.seconds < other.cost.seconds; });
  const std::vector<Candidate> best(all.candidates.begin(),
                                    all.candidates.begin() +
                                        static_cast<long>(std::min(most, all.candidates.size())));
  for (const Candidate& candidate : best) {
    Checker checker(state);
    std::optional<ScheduleState> made;
    if (checker.take(boundSteps(all.partitions[candidate.partition], candidate.choice), made) ||
        refusedNest(*made, made->tree()))
      continue;
    all.candidates = {candidate};
    tune(state, {device}, all);
    if (checker.take(boundSteps(all.tuned, candidate.choice), made) || refusedNest(*made, made->tree()))
      continue;
    return Sized{candidate.name, std::move(*made), all.tunedCost};
  }
  return std::nullopt;
}

} // namespace warploom::strategies
