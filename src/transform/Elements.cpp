#include "transform/Elements.h"

#include "support/IslC.h"
#include "transform/Schedule.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>

namespace warploom {

std::vector<int> expandedAlong(const ScheduleState& state, int array) {
  const Region& region = state.region();
  std::vector<int> loops;
  for (const Relaxation& one : state.relaxations()) {
    if (one.kind != Relaxation::Kind::Expanded || one.array != array) continue;
    // One copy per iteration of the loop and, for what is declared in it, of the loops around it.
    const int outermost = region.arrays[array].declaredIn == one.loop ? -1 : region.loops[one.loop].parent;
    for (int loop = one.loop; loop != outermost && loop >= 0; loop = region.loops[loop].parent)
      if (std::count(loops.begin(), loops.end(), loop) == 0) loops.push_back(loop);
  }
  std::sort(loops.begin(), loops.end());
  return loops;
}

isl::map elementsOf(const ScheduleState& state, AccessRef ref) {
  const Region& region = state.region();
  const Access& access = ref.in(region);
  const std::vector<int> loops = expandedAlong(state, access.array);
  const Statement& statement = ref.statementIn(region);
  auto isAround = [&](int loop) {
    return std::count(statement.loops.begin(), statement.loops.end(), loop) > 0;
  };
  const bool isScalar = region.arrays[access.array].isScalar();
  if (loops.empty() || (!isScalar && !std::all_of(loops.begin(), loops.end(), isAround))) return access.map;
  // All indices of the statement, of which those of other loops go.
  isl_map* indices = isl_set_identity(statement.domain.copy());
  for (std::size_t level = statement.loops.size(); level-- > 0;)
    if (std::count(loops.begin(), loops.end(), statement.loops[level]) == 0)
      indices = isl_map_project_out(indices, isl_dim_out, static_cast<unsigned>(level), 1);
  if (!isScalar) indices = isl_map_flat_range_product(indices, access.map.copy());
  return own(isl_map_set_tuple_name(indices, isl_dim_out, region.arrays[access.array].name.c_str()));
}

} // namespace warploom
