#include "strategy/DefaultSchedule.h"

#include "analysis/Order.h"
#include "mapping/Plan.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// The parallel loops of the perfect nest that begins with `loop`: those that can be spread over a grid.
int parallelInNest(const ScheduleState& state, const LoopTree& loop) {
  int parallel = 0;
  for (const LoopTree* at = &loop; at->kind == LoopTree::Kind::Loop; at = &at->children.front())
    parallel += state.isParallel(at->name).value_or(false);
  return parallel;
}

int statementsIn(const LoopTree& tree) {
  int statements = 0;
  instances(tree).foreach_set([&](const isl::set&) { ++statements; });
  return statements;
}

/// How many loops in `tree` have statements put to one of their ends which are in no such loop of the source:
/// what the others add up there is hidden by them, and a nest of their own would be better.
int mixedLoops(const Region& region, const LoopTree& tree) {
  int mixed = 0;
  if (tree.kind == LoopTree::Kind::Loop) {
    const std::vector<int> all = statementsOf(region, tree);
    const auto own = std::count_if(all.begin(), all.end(),
                                   [&](int s) { return sourceLevel(region, tree, s).has_value(); });
    mixed = own > 0 && own < static_cast<long>(all.size());
  }
  for (const LoopTree& child : tree.children)
    mixed += mixedLoops(region, child);
  return mixed;
}

/// Adds up how parallel the statements below `tree` are, which has `outside` sequential loops around it and
/// no parallel one.
void count(const ScheduleState& state, const LoopTree& tree, int outside, Parallelism& sum) {
  if (tree.kind == LoopTree::Kind::Loop) {
    if (state.isParallel(tree.name).value_or(false)) {
      int statements = statementsIn(tree);
      sum.statements += statements;
      sum.launches -= outside * statements;
      sum.loops += std::min(parallelInNest(state, tree), 3) * statements;
      sum.nests -= 1 + mixedLoops(state.region(), tree);
      return;
    }
    ++outside;
  }
  if (tree.kind == LoopTree::Kind::Leaf) sum.launches -= outside * statementsIn(tree);
  for (const LoopTree& child : tree.children)
    count(state, child, outside, sum);
}

std::string described(const Parallelism& of) {
  return fmt::format(
      "{} statements in parallel loops, {} sequential loops around them, {} parallel loops in all, {} "
      "nests",
      of.statements, -of.launches, of.loops, -of.nests);
}

} // namespace

Parallelism parallelism(const ScheduleState& state) {
  Parallelism sum;
  count(state, state.tree(), 0, sum);
  return sum;
}

namespace {

bool isExpanded(const ScheduleState& state, int array) {
  const auto& all = state.relaxations();
  return std::any_of(all.begin(), all.end(), [&](const Relaxation& one) {
    return one.array == array && one.kind == Relaxation::Kind::Expanded;
  });
}

/// Skews every outermost nest of `state` in which no loop is parallel so that those inside a new outermost
/// loop are: the wavefront, legal where the nest is permutable. True when that worked for some nest.
bool takeWavefronts(ScheduleState& state) {
  bool any = false;
  for (const std::string& root : loopNames(state.tree())) {
    const LoopTree* loop = findLoop(state.tree(), root);
    std::vector<const LoopTree*> path = pathTo(state.tree(), root);
    if (path.size() != 1) continue;
    std::vector<std::string> nest;
    for (const LoopTree* at = loop; at->kind == LoopTree::Kind::Loop; at = &at->children.front())
      nest.push_back(at->name);
    bool parallel = std::any_of(nest.begin(), nest.end(), [&](const std::string& name) {
      return state.isParallel(name).value_or(false);
    });
    if (nest.size() < 2 || parallel) continue;
    ScheduleState trial = state;
    bool taken = true;
    for (std::size_t k = 0; taken && k + 1 < nest.size(); ++k)
      taken = !trial.take(Skew{nest.back(), nest[k], 1});
    std::vector<std::string> order = {nest.back()};
    order.insert(order.end(), nest.begin(), nest.end() - 1);
    if (!taken || trial.take(Permute{order}) || !trial.isParallel(nest.front()).value_or(false)) continue;
    // A wavefront of one instance at a time is the order of the program.
    auto extent = limited([&] { return greatestExtent(pathTo(trial.tree(), nest.front())); });
    if (!extent || *extent == 1) continue;
    state = std::move(trial);
    any = true;
  }
  return any;
}

/// How many sequential loops there are at most around an outermost parallel loop or, where there is none, a
/// statement.
int sequentialDepth(const ScheduleState& state, const LoopTree& tree) {
  if (tree.kind == LoopTree::Kind::Leaf) return 0;
  if (tree.kind == LoopTree::Kind::Loop) {
    if (state.isParallel(tree.name).value_or(false)) return 0;
    return 1 + sequentialDepth(state, tree.children.front());
  }
  int deepest = 0;
  for (const LoopTree& child : tree.children)
    deepest = std::max(deepest, sequentialDepth(state, child));
  return deepest;
}

/// Cuts the iterations of loops at the value of a loop around them, into those below, at and above it,
/// wherever those below and above then are parallel: what one iteration, such as that of the pivot row, does
/// to all others was what kept them in order. True when that worked for some loop.
bool takeSplits(ScheduleState& state) {
  constexpr int most = 12;
  auto splitOne = [&] {
    for (const std::string& name : loopNames(state.tree())) {
      if (state.isParallel(name).value_or(false)) continue;
      std::vector<const LoopTree*> path = pathTo(state.tree(), name);
      auto taken = [&](const std::string& wanted) { return state.isTaken(wanted); };
      for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const std::string outer = path[k]->name;
        if (!state.isParallelApart(name, outer).value_or(false)) continue;
        const std::string at = uniqueName(name + "_at", taken), above = uniqueName(name + "_above", taken);
        ScheduleState trial = state;
        if (trial.take(Split{name, outer, at}) || trial.take(Split{at, outer + " + 1", above})) continue;
        if (!trial.isParallel(name).value_or(false) || !trial.isParallel(above).value_or(false)) continue;
        state = std::move(trial);
        return true;
      }
    }
    return false;
  };
  int taken = 0;
  while (taken < most && splitOne())
    ++taken;
  return taken > 0;
}

/// True when whatever two instances of `statement` run, one may depend on the other.
bool isOrdered(const Dependences& dependences, const Statement& statement, int number) {
  isl::map ordered = statement.domain.identity();
  for (const Dependence& one : dependences.all)
    if (one.source.statement == number && one.sink.statement == number)
      ordered = ordered.unite(one.relation).unite(one.relation.reverse());
  const isl::map pairs = own(isl_map_from_domain_and_range(statement.domain.copy(), statement.domain.copy()));
  return pairs.is_subset(ordered);
}

/// True when no order has anything parallel in it but what variables are set to: all that is written to
/// arrays is, as far as is known, in each instance of a statement where any other one has been.
bool isBound(const ScheduleState& state) {
  const Region& region = state.region();
  bool any = false;
  for (std::size_t s = 0; s < region.statements.size(); ++s) {
    const Statement& statement = region.statements[s];
    const bool writes =
        std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
          return access.writes() && !region.arrays[access.array].isScalar();
        });
    if (statement.loops.empty() || !writes) continue;
    if (!isOrdered(state.facts().dependences, statement, static_cast<int>(s))) return false;
    any = true;
  }
  return any;
}

/// True when `array`, private to iterations of `loop`, is so to those of a loop inside it that has all its
/// uses: then nothing is gained by one for each iteration of `loop`, which would have to stay together.
bool isPrivateInside(const Region& region, const Facts& facts, int array, int loop) {
  auto isIn = [](const Statement& statement, int one) {
    return std::count(statement.loops.begin(), statement.loops.end(), one) > 0;
  };
  for (int inner = 0; inner < static_cast<int>(region.loops.size()); ++inner) {
    const std::vector<int>& own = facts.loops[inner].privateArrays;
    if (inner == loop || !encloses(region, loop, inner) || std::count(own.begin(), own.end(), array) == 0)
      continue;
    bool all = true;
    for (const Statement& statement : region.statements)
      for (const Access& access : statement.accesses)
        all = all && (access.array != array || !isIn(statement, loop) || isIn(statement, inner));
    if (all) return true;
  }
  return false;
}

} // namespace

DefaultChoice keepOrder(ScheduleState& state) {
  const Region& region = state.region();
  for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop)
    for (int array : state.facts().loops[loop].privateArrays)
      if (fitsThread(region.arrays[array]) && !isExpanded(state, array) &&
          !isPrivateInside(region, state.facts(), array, loop))
        state.take(Privatise{region.arrays[array].name, state.sourceName(loop)});
  return {DefaultChoice::Kind::Original, "the order of the program"};
}

DefaultChoice scheduleByDefault(ScheduleState& state) {
  keepOrder(state);
  ScheduleState best = state;
  Parallelism most = parallelism(best);
  DefaultChoice choice{DefaultChoice::Kind::Original, "the order of the program: " + described(most)};
  if (most.statements == 0 && limited([&] { return isBound(state); }).value_or(false)) {
    choice.reason += "; no other has more";
    return choice;
  }
  std::string others;
  std::vector<ScheduleState> starts = {state}; // of wavefronts
  for (auto [fusion, kind, name] :
       {std::tuple(Reschedule::Fusion::Most, DefaultChoice::Kind::Fused, "fused"),
        std::tuple(Reschedule::Fusion::Least, DefaultChoice::Kind::Separated, "separated")}) {
    ScheduleState tried = state;
    if (auto refused = tried.take(Reschedule{fusion})) {
      others += fmt::format("; isl's {} order is not used: {}", name, refused->reason);
      continue;
    }
    if (fusion == Reschedule::Fusion::Most) starts.push_back(tried);
    Parallelism found = parallelism(tried);
    if (found <= most) {
      others += fmt::format("; isl's {} order is no better: {}", name, described(found));
      continue;
    }
    choice = {kind,
              fmt::format("isl's {} order: {}, better than {}", name, described(found), described(most))};
    most = found;
    best = std::move(tried);
  }
  // Where nothing is parallel, a wavefront may be.
  if (most.statements < statementsIn(state.tree()))
    for (ScheduleState& tried : starts) {
      if (!takeWavefronts(tried)) continue;
      Parallelism found = parallelism(tried);
      if (found <= most) continue;
      choice = {DefaultChoice::Kind::Wavefront, fmt::format("wavefronts: {}", described(found))};
      most = found;
      best = std::move(tried);
    }
  if (int depth = sequentialDepth(best, best.tree()); depth > 1) {
    ScheduleState tried = state;
    if (takeSplits(tried) && sequentialDepth(tried, tried.tree()) < depth) {
      choice = {DefaultChoice::Kind::Split, fmt::format("loops cut at the values of loops around them: {}",
                                                        described(parallelism(tried)))};
      best = std::move(tried);
    }
  }
  choice.reason += others;
  state = std::move(best);
  return choice;
}

} // namespace warploom
