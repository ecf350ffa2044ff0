#include "strategy/Strategies.h"
#include "support/IslC.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>
#include <limits>

namespace warploom {

namespace {

/// A loop along x with fewer iterations is counted together with those around it: a warp would not be full.
constexpr double fewest = 16;

/// How far the last value of `loop` is from the first at most, whatever sizes and loops around are.
double spread(const LoopTree& loop) {
  isl::union_set values = instances(loop).apply(own(isl_union_map_from_union_pw_aff(loop.value.copy())));
  if (values.is_empty()) return std::numeric_limits<double>::infinity();
  isl::set all = own(isl_set_from_union_set(values.release()));
  isl::val high = own(isl_set_dim_max_val(all.copy(), 0)), low = own(isl_set_dim_min_val(all.copy(), 0));
  isl::val difference = high.sub(low);
  return difference.is_int() ? static_cast<double>(isl_val_get_num_si(difference.get()))
                             : std::numeric_limits<double>::infinity();
}

} // namespace

bool mapFlat(ScheduleState& state, const ParallelNest& nest) {
  if (nest.parallel.size() > 1 && spread(*findLoop(state.tree(), nest.fastest())) < fewest &&
      takeAll(state, {CollapseToGrid{nest.parallel}}))
    return true;
  return takeAll(state, {toGrid(nest.parallel)});
}

} // namespace warploom
