#include "strategy/Shrinking.h"

#include "strategy/Peaks.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace warploom {

namespace {

/// Iterations of a single loop that pay for a launch: a group of them; or, where threads run on through all
/// groups, chains of iterations. Where others of the region are on the device anyway, a few chains are better
/// than one thread.
constexpr long enoughInGroup = 32768, enoughChains = 2048, enoughBesideOthers = 32;

/// How many iterations a loop may have in groups of different sizes, where it is not known how many it has:
/// the launcher asks.
constexpr long mostIterations = 1L << 30;

/// What one nest may cost, in isl operations.
constexpr unsigned long nestOperations = 400'000;

/// How many groups run one after the other: so many for each iteration of `open` loops whose extents are not
/// known.
struct Groups {
  int open = 0;
  double known = 1;
  auto operator<=>(const Groups&) const = default;

  void times(const std::optional<long>& extent, long by = 1) {
    if (extent)
      known *= std::ceil(static_cast<double>(*extent) / static_cast<double>(by));
    else {
      ++open;
      known /= static_cast<double>(by);
    }
  }
  std::string text() const {
    std::string count = open == 0 ? fmt::format("{}", known) : fmt::format("1 in {} iterations", 1 / known);
    return count + " groups";
  }
};

using Distances = std::vector<isl::set>; ///< { [d, ...] }, one for each loop of a nest

/// Those of `all` that have a member, each where it is 0 for the first `k` loops.
Distances zeroBefore(const Distances& all, std::size_t k) {
  Distances result;
  for (const isl::set& set : all) {
    isl_set* part = set.copy();
    for (std::size_t d = 0; d < k; ++d)
      part = isl_set_fix_si(part, isl_dim_set, static_cast<unsigned>(d), 0);
    if (isl::set kept = own(part); !kept.is_empty()) result.push_back(kept);
  }
  return result;
}

/// The smallest number at `k` in `all`; nothing where there is no such one.
std::optional<long> lowest(const Distances& all, std::size_t k) {
  std::optional<long> result;
  for (const isl::set& set : all) {
    const isl::val low = set.dim_min_val(static_cast<int>(k));
    if (!low.is_int()) return std::nullopt;
    result = std::min(result.value_or(low.num_si()), low.num_si());
  }
  return result;
}

/// `all`, pointing the other way.
Distances reversed(const Distances& all) {
  Distances result;
  for (const isl::set& set : all)
    result.push_back(own(isl_set_neg(set.copy())));
  return result;
}

/// The smallest absolute value at `k` of what is not 0 there; nothing where all is.
std::optional<long> smallest(const Distances& all, std::size_t k) {
  Distances above;
  for (const Distances& one : {all, reversed(all)})
    for (const isl::set& set : one)
      if (isl::set part = own(isl_set_lower_bound_si(set.copy(), isl_dim_set, static_cast<unsigned>(k), 1));
          !part.is_empty())
        above.push_back(part);
  return lowest(above, k);
}

/// A perfect nest and the distances between its iterations that depend on each other.
struct Nest {
  std::vector<std::string> loops;           ///< outermost first
  std::vector<std::optional<long>> extents; ///< how many iterations each has at most, where that is known
  Distances distances;                      ///< without 0
  bool handsOn = false;                     ///< values go from iteration to iteration

  /// True when no distance depends on the iteration.
  bool hasConstantDistances() const {
    bool constant = true;
    for (const isl::set& set : distances)
      set.foreach_basic_set([&](const isl::basic_set& piece) {
        for (std::size_t k = 0; constant && k < loops.size(); ++k) {
          const isl::set one = piece.to_set();
          constant = one.dim_min_val(static_cast<int>(k)).eq(one.dim_max_val(static_cast<int>(k)));
        }
      });
    return constant;
  }
};

Nest nestOf(const ScheduleState& state, const std::string& root) {
  Nest nest;
  const std::vector<const LoopTree*> loops = nestFrom(*findLoop(state.tree(), root));
  for (const LoopTree* loop : loops) {
    nest.loops.push_back(loop->name);
    nest.extents.push_back(greatestExtent(pathTo(state.tree(), loop->name)));
  }
  const isl::union_map values = valuesOf(loops);
  const isl::union_set below = instances(*loops.front());
  for (const Constraint& one : state.constraints()) {
    isl::union_map pairs = isl::union_map(one.relation).intersect_domain(below).intersect_range(below);
    pairs = pairs.apply_domain(values).apply_range(values);
    pairs = pairs.intersect_params(state.region().context);
    if (pairs.is_empty()) continue;
    isl_set* deltas = isl_set_from_union_set(pairs.deltas().release());
    isl_set* zero = isl_set_universe(isl_set_get_space(deltas));
    for (unsigned d = 0; d < loops.size(); ++d)
      zero = isl_set_fix_si(zero, isl_dim_set, d, 0);
    isl::set apart = own(isl_set_subtract(deltas, zero));
    if (apart.is_empty()) continue;
    nest.handsOn |= one.kind == Constraint::Kind::Flow;
    nest.distances.push_back(apart);
  }
  return nest;
}

/// A nest in groups, or why not.
struct Shrunk {
  std::optional<ScheduleState> state;
  Groups groups;
  long inGroup = 0;      ///< iterations of the shrunk loop that run together
  bool isSpread = false; ///< with them those of other loops
  std::string how;       ///< or why not
  bool grows = false;    ///< groups are of different sizes
};

class Shrinker {
public:
  Shrinker(const ScheduleState& state, const std::string& root) : start(state), nest(nestOf(state, root)) {}

  const Nest& what() const { return nest; }

  Shrunk simple() const {
    ScheduleState state = start;
    Groups groups;
    std::vector<std::string> tiled, controls, rest;
    std::vector<Size> sizes;
    std::vector<Tile::Names> names;
    bool shrinks = false;
    long inGroup = 1;
    for (std::size_t k = 0; k < nest.loops.size(); ++k) {
      const auto by = smallest(nest.distances, k);
      rest.push_back(nest.loops[k]);
      if (!by) continue;
      if (state.take(Normalise{nest.loops[k]})) return refused("a loop has no first iteration to count from");
      shrinks |= *by > 1;
      inGroup *= *by;
      groups.times(nest.extents[k], *by);
      tiled.push_back(nest.loops[k]);
      sizes.push_back(*by);
      controls.push_back(groupsName(state, nest.loops[k]));
      names.push_back({controls.back()});
    }
    if (!shrinks) return refused("all distances are 1");
    for (std::size_t k = 0; k < tiled.size(); ++k)
      if (auto why = state.take(Strip{tiled[k], sizes[k], controls[k]})) return refused(why->reason);
    std::vector<std::string> order = controls;
    order.insert(order.end(), rest.begin(), rest.end());
    if (auto why = state.take(Permute{order})) return refused(why->reason);
    Shrunk shrunk = checked(std::move(state), rest, groups, inGroup, "boxes");
    // Boxes beside each other could run together, and would if the loops over them were not kept apart.
    std::vector<std::string> places(rest.rbegin(), rest.rend());
    places.resize(std::min<std::size_t>(places.size(), 3));
    if (shrunk.state)
      if (auto why = shrunk.state->take(MapToGrid{places})) return refused(why->reason);
    return shrunk;
  }

  Shrunk selective() const {
    Groups groups;
    for (std::size_t k = 0; k < nest.loops.size(); ++k) {
      const Distances left = zeroBefore(nest.distances, k);
      if (left.empty()) return refused("the loops inside are parallel as they are");
      const auto by = lowest(left, k);
      if (!by || *by <= 1) {
        groups.times(nest.extents[k]);
        continue;
      }
      groups.times(nest.extents[k], *by);
      return strip(start, nest.loops[k], *by, {nest.loops.begin() + static_cast<long>(k), nest.loops.end()},
                   groups);
    }
    return refused("no loop has only distances above 1");
  }

  Shrunk trueDistance() const {
    const std::size_t last = nest.loops.size() - 1;
    if (last == 0) return refused("it is for nests of several loops");
    ScheduleState state = start;
    std::vector<long> weights(last + 1, 1);
    for (std::size_t k = last; k-- > 0;) {
      if (!nest.extents[k + 1]) return refused("it needs to know how many iterations inner loops have");
      weights[k] = weights[k + 1] * *nest.extents[k + 1];
    }
    if (!nest.extents[0]) return refused("it needs to know how many iterations the loops have");
    for (const std::string& loop : nest.loops)
      if (state.take(Normalise{loop})) return refused("a loop has no first iteration to count from");
    Distances linear;
    for (const isl::set& set : nest.distances) {
      isl_aff* sum = isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(set.get())));
      for (std::size_t k = 0; k <= last; ++k)
        sum = isl_aff_set_coefficient_si(sum, isl_dim_in, static_cast<int>(k), static_cast<int>(weights[k]));
      linear.push_back(own(isl_set_apply(set.copy(), isl_map_from_aff(sum))));
    }
    const auto by = lowest(linear, 0);
    if (!by || *by <= 1) return refused("the smallest true distance is not above 1");
    for (std::size_t k = 0; k < last; ++k)
      if (auto why = state.take(Skew{nest.loops[last], nest.loops[k], weights[k]}))
        return refused(why->reason);
    std::vector<std::string> order = {nest.loops[last]};
    order.insert(order.end(), nest.loops.begin(), nest.loops.end() - 1);
    if (auto why = state.take(Permute{order})) return refused(why->reason);
    Groups groups;
    groups.times(weights[0] * *nest.extents[0], *by);
    return strip(state, nest.loops[last], *by, order, groups);
  }

  /// The loop, of those along which all distances point the same way, with the fewest groups.
  Shrunk slabs() const {
    Shrunk best = refused("along no loop do all distances point the same way");
    for (std::size_t k = 0; k < nest.loops.size(); ++k) {
      const auto [by, backward] = wayAlong(k);
      if (by == 0) continue;
      ScheduleState state = start;
      std::vector<std::string> order = {nest.loops[k]};
      for (std::size_t d = 0; d < nest.loops.size(); ++d)
        if (d != k) order.push_back(nest.loops[d]);
      // Both keep the order of the program only together with the groups: steps are taken that end with it.
      if (backward && state.take(Reverse{nest.loops[k]})) continue;
      if (k > 0 && state.take(Permute{order})) continue;
      Groups groups;
      groups.times(nest.extents[k], by);
      Shrunk one =
          limited([&] { return growing(state, k, order, by > 1 ? std::optional(groups) : std::nullopt); },
                  nestOperations / 4)
              .value_or(refused("groups of different sizes are too many to be worked out"));
      if (!one.state && by > 1) one = strip(state, nest.loops[k], by, order, groups);
      if (!best.state || (one.state && one.groups < best.groups)) best = std::move(one);
    }
    return best;
  }

  /// The published groups of all loops along which distances point the same way: an iteration is in the least
  /// of the groups that each of these loops has, in a shell. With `by` the smallest distances, else peaks.
  /// Where that cannot be done, slabs, and what was in the way.
  Shrunk shells() const {
    const bool constant = nest.hasConstantDistances();
    ScheduleState state = start;
    std::vector<std::string> controls, cuts;
    std::string inTheWay;
    std::optional<Groups> fewest;
    for (std::size_t k = 0; k < nest.loops.size(); ++k) {
      const std::string& loop = nest.loops[k];
      const auto [by, backward] = wayAlong(k);
      if (by == 0) continue;
      ScheduleState next = state;
      if (backward && next.take(Reverse{loop})) continue;
      if (next.take(Normalise{loop})) continue;
      const std::string control = groupsName(next, loop);
      Groups groups;
      if (constant) {
        if (next.take(Strip{loop, by, control})) continue;
        groups.times(nest.extents[k], by);
        cuts.push_back(fmt::format("of {} along `{}`", by, loop));
      } else {
        const long extent = boundedExtent(next, k);
        const Peaks peaks = peaksOf(next, loop, extent, PeakRule::Sigma);
        if (!peaks.why.empty()) {
          inTheWay += (inTheWay.empty() ? "" : "; ") + peaks.why;
          continue;
        }
        if (peaks.at.empty() || next.take(Strip{loop, {}, control, peaks.at})) continue;
        groups.known = static_cast<double>(peaks.at.size() + 1);
        cuts.push_back(fmt::format("along `{}` that begin at 0, {}", loop, fmt::join(peaks.at, ", ")));
      }
      if (!fewest || groups < *fewest) fewest = groups;
      controls.push_back(control);
      state = std::move(next);
    }
    if (constant && fewest && isOneByOne()) return refused("all distances are 1");
    Shrunk shrunk = controls.empty() ? refused("along no loop do all distances point the same way")
                                     : inShells(std::move(state), controls, *fewest, cuts);
    if (inTheWay.empty())
      inTheWay = shrunk.how;
    else if (shrunk.state)
      shrunk.how += fmt::format(" ({})", inTheWay);
    if (shrunk.state) return shrunk;
    shrunk = slabs();
    if (shrunk.state) shrunk.how += fmt::format(", since {}", inTheWay);
    return shrunk;
  }

  /// A single loop all of whose distances are multiples of one: each of so many chains of iterations runs on
  /// by itself.
  Shrunk chains() const {
    if (nest.loops.size() != 1) return refused("it is for single loops");
    const auto by = smallest(nest.distances, 0);
    if (!by || *by <= 1) return refused("the smallest distance is not above 1");
    for (const isl::set& set : nest.distances) {
      isl_aff* rest =
          isl_aff_var_on_domain(isl_local_space_from_space(isl_set_get_space(set.get())), isl_dim_set, 0);
      rest = isl_aff_mod_val(rest, isl_val_int_from_si(islContext().get(), *by));
      if (!set.is_subset(own(isl_aff_zero_basic_set(rest)).to_set()))
        return refused("distances are no multiples of the smallest");
    }
    const std::string& loop = nest.loops[0];
    ScheduleState state = start;
    const std::string groupsOf = groupsName(state, loop);
    if (state.take(Normalise{loop}) || state.take(Strip{loop, *by, groupsOf}) ||
        state.take(Normalise{loop}) || state.take(Permute{{loop, groupsOf}}))
      return refused("its iterations cannot be counted");
    return checked(std::move(state), {loop}, Groups{}, *by, fmt::format("{} chains", *by));
  }

private:
  static Shrunk refused(const std::string& why) { return {std::nullopt, {}, 0, false, why, false}; }

  static std::string groupsName(const ScheduleState& state, const std::string& loop) {
    return uniqueName(loop + "_groups", [&](const std::string& name) { return state.isTaken(name); });
  }

  /// How many iterations loop `k` has at most; where sizes tell, these are taken not to be above
  /// mostIterations.
  long boundedExtent(ScheduleState& state, std::size_t k) const {
    if (nest.extents[k]) return *nest.extents[k];
    std::set<std::string> sizes;
    instances(*findLoop(state.tree(), nest.loops[k])).foreach_set([&](const isl::set& set) {
      const auto count = static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_param));
      for (unsigned at = 0; at < count; ++at)
        if (own(isl_set_involves_dims(set.get(), isl_dim_param, at, 1)))
          sizes.insert(isl_set_get_dim_name(set.get(), isl_dim_param, at));
    });
    for (const std::string& size : sizes)
      static_cast<void>(state.take(Assume{fmt::format("{} <= {}", size, mostIterations)}));
    return mostIterations;
  }

  /// The smallest distance along loop `k`, and whether distances point backward there; 0 where they do not
  /// all point the same way.
  std::pair<long, bool> wayAlong(std::size_t k) const {
    if (auto low = lowest(nest.distances, k); low && *low > 0) return {*low, false};
    if (auto back = lowest(reversed(nest.distances), k); back && *back > 0) return {*back, true};
    return {0, false};
  }

  /// True when groups of the smallest distance along any loop have one iteration of it.
  bool isOneByOne() const {
    for (std::size_t k = 0; k < nest.loops.size(); ++k)
      if (wayAlong(k).first > 1) return false;
    return true;
  }

  /// `state`, in which `controls` run over groups, cut like `cuts`, in shells.
  Shrunk inShells(ScheduleState state, const std::vector<std::string>& controls, const Groups& groups,
                  const std::vector<std::string>& cuts) const {
    std::vector<std::string> order = controls;
    const bool several = controls.size() > 1;
    if (several) {
      order = {uniqueName("shell", [&](const std::string& name) { return state.isTaken(name); })};
      if (auto why = state.take(Shells{controls, order.front()})) return refused(why->reason);
    }
    order.insert(order.end(), nest.loops.begin(), nest.loops.end());
    const bool isOutermost = pathTo(state.tree(), order.front()).size() == 1;
    if (!isOutermost)
      if (auto why = state.take(Permute{order})) return refused(why->reason);
    return checked(std::move(state), nest.loops, groups, 1,
                   fmt::format("{} {}", several ? "shells" : "groups", fmt::join(cuts, ", ")));
  }

  /// `state` with `loop` in groups of `by` iterations, in which `inside` run at the same time.
  static Shrunk strip(ScheduleState state, const std::string& loop, long by,
                      const std::vector<std::string>& inside, const Groups& groups) {
    // Groups begin with the first iteration.
    if (state.take(Normalise{loop})) return refused("the loop has no first iteration to count from");
    if (auto why = state.take(Strip{loop, by, groupsName(state, loop)})) return refused(why->reason);
    return checked(std::move(state), inside, groups, by, fmt::format("groups of {} along `{}`", by, loop));
  }

  /// `state` with its loop `k` in groups that begin where iterations depend on those before, which run
  /// together with `inside`; where these are fewer than `others`.
  Shrunk growing(ScheduleState state, std::size_t k, const std::vector<std::string>& inside,
                 const std::optional<Groups>& others) const {
    const std::string& loop = nest.loops[k];
    if (state.take(Normalise{loop})) return refused("the loop has no first iteration to count from");
    const long extent = boundedExtent(state, k);
    const Peaks peaks = peaksOf(state, loop, extent, PeakRule::Exact);
    if (!peaks.why.empty()) return refused(peaks.why);
    const Groups groups{0, static_cast<double>(peaks.at.size() + 1)};
    if (peaks.at.empty() || (others && *others <= groups)) return refused("groups of one size are as few");
    if (auto why = state.take(Strip{loop, {}, groupsName(state, loop), peaks.at}))
      return refused(why->reason);
    Shrunk shrunk =
        checked(std::move(state), inside, groups, peaks.at.front(),
                fmt::format("groups along `{}` that begin at 0, {}", loop, fmt::join(peaks.at, ", ")));
    shrunk.grows = shrunk.state.has_value();
    return shrunk;
  }

  static Shrunk checked(ScheduleState state, const std::vector<std::string>& parallel, const Groups& groups,
                        long inGroup, const std::string& how) {
    for (const std::string& loop : parallel)
      if (!state.isParallel(loop).value_or(false))
        return refused(fmt::format("iterations of `{}` in one group depend on each other", loop));
    return {std::move(state), groups, inGroup, parallel.size() > 1, how, false};
  }

  const ScheduleState& start;
  const Nest nest;
};

/// How many iterations of sequential loops there are around the outermost parallel loops of `tree`; nothing
/// where statements are in no parallel loop.
std::optional<Groups> sequentialRuns(const ScheduleState& state, const LoopTree& tree) {
  if (tree.kind == LoopTree::Kind::Leaf) return std::nullopt;
  if (tree.kind == LoopTree::Kind::Sequence) {
    std::optional<Groups> most = Groups{};
    for (const LoopTree& child : tree.children) {
      auto one = sequentialRuns(state, child);
      if (!one) return std::nullopt;
      most = std::max(*most, *one);
    }
    return most;
  }
  if (state.isParallel(tree.name).value_or(false)) return Groups{};
  auto inside = sequentialRuns(state, tree.children.front());
  if (inside) inside->times(greatestExtent(pathTo(state.tree(), tree.name)));
  return inside;
}

/// A way that fits a nest, and why another does not.
struct Instead {
  Shrink way;
  std::string why;
};

/// What CRINK asks for where `shrink`, a way by hand, does not fit `nest`; nothing where it does.
std::optional<Instead> insteadOf(const Nest& nest, Shrink shrink) {
  if (nest.distances.empty()) return std::nullopt;
  const bool isExtended = shrink == Shrink::Extended || shrink == Shrink::ExtendedVariable;
  if (!nest.hasConstantDistances()) {
    if (isExtended || shrink == Shrink::Slabs) return std::nullopt;
    return Instead{Shrink::Extended, "its distances vary, which is for extended shrinking from peak to peak"};
  }
  if (shrink == Shrink::ExtendedVariable)
    return Instead{Shrink::Extended, "its distances are constant, which is for all ways but this one"};
  const bool isForNests = shrink == Shrink::Selective || shrink == Shrink::TrueDistance;
  if (isForNests && nest.loops.size() == 1)
    return Instead{Shrink::Simple, "it is a single loop, and the way is for nests"};
  return std::nullopt;
}

/// The nest of `shrinker` in groups; with Auto where there are at least `enough` chains in them.
Shrunk shrunkAs(const Shrinker& shrinker, Shrink shrink, long enough) {
  const bool single = shrinker.what().loops.size() == 1;
  switch (shrink) {
  case Shrink::Simple:
    return shrinker.simple();
  case Shrink::Selective:
    return shrinker.selective();
  case Shrink::TrueDistance:
    return shrinker.trueDistance();
  case Shrink::Extended:
  case Shrink::ExtendedConstant:
  case Shrink::ExtendedVariable:
    return shrinker.shells();
  case Shrink::Slabs:
    return shrinker.slabs();
  default:
    break;
  }
  // Where neighbours depend on each other, nothing is to be had, unless groups grow.
  const Distances& distances = shrinker.what().distances;
  if (single && lowest(distances, 0).value_or(0) < enough) {
    Shrunk grown = shrinker.slabs();
    const double most = static_cast<double>(shrinker.what().extents[0].value_or(0));
    if (!grown.grows || most < grown.groups.known * static_cast<double>(enoughInGroup))
      return {{}, {}, 0, false, "too few iterations are independent", false};
    return grown;
  }
  Shrunk best = shrinker.chains();
  if (best.state && best.inGroup >= enough) return best;
  best.state.reset();
  for (const Shrunk& one : {shrinker.selective(), shrinker.slabs(), shrinker.trueDistance()})
    if (one.state && (one.isSpread || one.inGroup >= enoughInGroup) &&
        (!best.state || one.groups < best.groups))
      best = one;
  if (!best.state) best.how = "too few iterations are independent";
  return best;
}

/// The nest of `shrinker`, whose outermost loop is `root`, in groups where that is better than as it is.
Shrunk automatically(const ScheduleState& state, const std::string& root, const Shrinker& shrinker) {
  if (!shrinker.what().handsOn) return {};
  const auto before = sequentialRuns(state, *findLoop(state.tree(), root));
  const bool besideOthers = parallelism(state).statements > 0;
  Shrunk shrunk = shrunkAs(shrinker, Shrink::Auto, besideOthers ? enoughBesideOthers : enoughChains);
  if (before && *before <= shrunk.groups) shrunk.state.reset();
  return shrunk;
}

} // namespace

DefaultChoice shrinkNests(ScheduleState& state, Shrink shrink, DefaultChoice choice, bool onlyAsAsked) {
  if (shrink == Shrink::None) return choice;
  std::vector<std::string> roots;
  for (const LoopTree* part : partsOf(state.tree()))
    if (part->kind == LoopTree::Kind::Loop && !state.isParallel(part->name).value_or(true))
      roots.push_back(part->name);
  for (const std::string& root : roots) {
    std::optional<Instead> instead;
    auto tried = limited(
        [&] {
          const Shrinker shrinker(state, root);
          if (shrink == Shrink::Auto) return automatically(state, root, shrinker);
          instead = insteadOf(shrinker.what(), shrink);
          if (instead && onlyAsAsked) return Shrunk{};
          Shrunk shrunk = shrunkAs(shrinker, instead ? instead->way : shrink, enoughChains);
          if (instead && !shrunk.state) {
            instead.reset();
            shrunk = shrunkAs(shrinker, shrink, enoughChains);
          }
          return shrunk;
        },
        shrink == Shrink::Auto ? nestOperations : 8 * nestOperations);
    if (instead && onlyAsAsked) {
      const std::optional<int> loop = sourceLoop(state.region(), *findLoop(state.tree(), root));
      throw NoPlan{loop ? state.region().loops[*loop].header : state.region().range,
                   fmt::format("loop `{}` cannot be shrunk in this way: {}", root, instead->why), true};
    }
    if (!tried) {
      if (shrink != Shrink::Auto)
        choice.reason += fmt::format("; loop `{}` does not run in groups: that takes too long", root);
      continue;
    }
    if (tried->state) {
      state = std::move(*tried->state);
      if (instead)
        choice.reason += fmt::format("; loop `{}` is shrunk in another way: {}", root, instead->why);
      choice.reason += fmt::format("; loop `{}` runs in {}: {}", root, tried->how, tried->groups.text());
    } else if (shrink != Shrink::Auto) {
      choice.reason += fmt::format("; loop `{}` does not run in groups: {}", root, tried->how);
    }
  }
  return choice;
}

} // namespace warploom
