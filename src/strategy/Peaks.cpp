#include "strategy/Peaks.h"

#include "support/IslC.h"
#include "transform/LoopTree.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <optional>

namespace warploom {

namespace {

/// The most groups of different sizes.
constexpr std::size_t mostPeaks = 64;

/// { [source, sink, size, ...] }: the values of `loop`, a loop of `state`, for instances of different
/// iterations that depend on each other.
std::vector<isl::set> pairsAlong(const ScheduleState& state, const LoopTree& loop) {
  const isl::union_map values = valuesOf({&loop});
  const isl::union_set below = instances(loop);
  std::vector<isl::set> pairs;
  for (const Constraint& one : state.constraints()) {
    isl::union_map ends = isl::union_map(one.relation).intersect_domain(below).intersect_range(below);
    ends = ends.apply_domain(values).apply_range(values);
    ends = ends.intersect_params(state.region().context).intersect_params(state.assumed());
    if (ends.is_empty()) continue;
    isl_map* map = isl_map_from_union_map(ends.release());
    isl_set* set = isl_set_flatten(isl_map_wrap(map));
    const auto sizes = static_cast<unsigned>(isl_set_dim(set, isl_dim_param));
    set = isl_set_move_dims(isl_set_reset_tuple_id(set), isl_dim_set, 2, isl_dim_param, 0, sizes);
    // Statements of one iteration that depend on each other are in its group.
    isl_set* same = isl_set_equate(isl_set_copy(set), isl_dim_set, 0, isl_dim_set, 1);
    if (isl::set apart = own(isl_set_subtract(set, same)); !apart.is_empty()) pairs.push_back(apart);
  }
  return pairs;
}

/// Where in one piece of the pairs the sink is, as published: by an equation b * sink = a * source + c.
struct Sigma {
  isl::set pairs;
  bool isKnown = false;
  long a = 0, b = 1, c = 0; ///< b > 0

  /// The least whole number that is not below the sink of `source`.
  long at(long source) const {
    const long sum = a * source + c;
    return sum >= 0 ? (sum + b - 1) / b : -(-sum / b);
  }
};

/// The equation between source and sink that all of `pairs` satisfy, if there is one.
Sigma sigmaOf(const isl::basic_set& pairs) {
  Sigma sigma{pairs.to_set()};
  const isl::basic_set hull = own(isl_basic_set_remove_divs(pairs.affine_hull().release()));
  isl_constraint_list* all = isl_basic_set_get_constraint_list(hull.get());
  const int rank = isl_basic_set_dim(hull.get(), isl_dim_set), count = isl_constraint_list_n_constraint(all);
  for (int k = 0; k < count && !sigma.isKnown; ++k) {
    isl_constraint* one = isl_constraint_list_get_constraint(all, k);
    auto coefficient = [&](int at) {
      return own(isl_constraint_get_coefficient_val(one, isl_dim_set, at)).num_si();
    };
    const long b = coefficient(1);
    const bool isEquation = own(isl_constraint_is_equality(one)) && b != 0;
    if (isEquation && (rank <= 2 || !own(isl_constraint_involves_dims(one, isl_dim_set, 2, rank - 2)))) {
      const long sign = b > 0 ? -1 : 1, c = own(isl_constraint_get_constant_val(one)).num_si();
      sigma = {sigma.pairs, true, sign * coefficient(0), -sign * b, sign * c};
    }
    isl_constraint_free(one);
  }
  isl_constraint_list_free(all);
  return sigma;
}

/// Those of `pairs` whose source is not before `first`.
isl::set from(const isl::set& pairs, long first) {
  return own(
      isl_set_lower_bound_val(pairs.copy(), isl_dim_set, 0, isl_val_int_from_si(islContext().get(), first)));
}

} // namespace

Peaks peaksOf(const ScheduleState& state, const std::string& name, long extent, PeakRule rule) {
  std::vector<Sigma> sigmas;
  for (const isl::set& one : pairsAlong(state, *findLoop(state.tree(), name))) {
    if (rule == PeakRule::Exact) {
      sigmas.push_back({one});
      continue;
    }
    one.foreach_basic_set([&](const isl::basic_set& piece) { sigmas.push_back(sigmaOf(piece)); });
    if (sigmas.back().isKnown && sigmas.back().a <= 0)
      return {{},
              fmt::format("what depends on iterations of `{}` comes the sooner the later they are", name)};
  }
  Peaks peaks;
  for (long first = 0;;) {
    std::optional<long> next;
    for (Sigma& one : sigmas) {
      one.pairs = from(one.pairs, first);
      if (one.pairs.is_empty()) continue;
      long sink = one.at(first);
      if (!one.isKnown) {
        const isl::val least = one.pairs.dim_min_val(1);
        if (!least.is_int())
          return {{}, fmt::format("there is no first iteration of `{}` that depends on others", name)};
        sink = least.num_si();
      }
      next = std::min(next.value_or(sink), sink);
    }
    if (!next || *next >= extent) return peaks;
    if (*next <= first) return {{}, fmt::format("groups along `{}` make no progress at {}", name, first)};
    if (peaks.at.size() == mostPeaks)
      return {{}, fmt::format("there are more than {} groups along `{}`", mostPeaks + 1, name)};
    peaks.at.push_back(first = *next);
  }
}

} // namespace warploom
