#include "mapping/LoopBounds.h"

#include "support/IslC.h"
#include "support/Piecewise.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>

namespace warploom {

isl::union_set fixed(const isl::union_set& instances, const std::vector<ScheduledLoop>& loops) {
  isl::union_set rest = instances;
  for (const ScheduledLoop& loop : loops)
    rest = fixedAt(rest, loop.name, loop.value);
  return rest;
}

isl::set valuesIn(const ScheduledLoop& loop, const isl::union_set& instances) {
  isl::union_map values = own(isl_union_map_from_union_pw_aff(loop.value.copy())).intersect_domain(instances);
  isl::union_set range = values.range();
  if (range.is_empty()) return isl::set(islContext(), "{ [v] : false }");
  return own(isl_set_from_union_set(range.release())).coalesce();
}

isl::set atParameter(const isl::set& values, const std::string& parameter) {
  isl_id* id = isl_id_alloc(islContext().get(), parameter.c_str(), nullptr);
  isl_set* set = isl_set_align_params(
      values.copy(), isl_space_add_param_id(isl_space_params_alloc(islContext().get(), 0), id));
  int position = isl_set_find_dim_by_name(set, isl_dim_param, parameter.c_str());
  return own(isl_set_params(isl_set_equate(set, isl_dim_param, position, isl_dim_set, 0)));
}

isl::set withinTile(const isl::set& context, const std::string& value, const std::string& origin,
                    const std::string& size) {
  isl::pw_aff at = parameter(value), first = parameter(origin);
  return context.intersect(at.ge_set(first)).intersect(at.lt_set(first.add(parameter(size))));
}

LoopBounds boundsOf(const ScheduledLoop& loop, const isl::union_set& instances, const isl::set& context) {
  isl::set values = valuesIn(loop, instances);
  LoopBounds bounds;
  bounds.context = context;
  bounds.step = std::max(1L, own(isl_set_get_stride(values.get(), 0)).num_si());
  if (bounds.step == 1) values = own(isl_set_remove_divs(values.release())).coalesce();
  isl::set exists = values.params();
  bounds.low = simplified(own(isl_set_dim_min(values.copy(), 0)), context);
  bounds.high = simplified(own(isl_set_dim_max(values.copy(), 0)), context);
  if (isl_pw_aff_n_piece(bounds.high.get()) == 0) return bounds; // nothing runs, whatever the sizes are
  isl::pw_aff index = parameter(fixedName(loop.name));
  // Where there is no value, the text of the bounds may still say that there are some.
  isl::pw_aff low = bounds.low, high = bounds.high;
  if (!context.is_subset(exists)) {
    std::optional<isl::pw_aff> first = meaningOf(low), last = meaningOf(high);
    if (first && last) {
      low = *first;
      high = *last;
      if (context.intersect(low.le_set(high)).is_subset(exists)) exists = context;
    } else {
      bounds.onlyFor = exists.gist(context).coalesce();
    }
  }
  isl::set within = context.intersect(index.ge_set(low)).intersect(index.le_set(high));
  bool convex = bounds.step == 1 && isl_set_n_basic_set(values.get()) == 1;
  if (convex && (bounds.onlyFor || context.is_subset(exists)))
    within = context.intersect(atParameter(values, fixedName(loop.name)));
  if (bounds.step > 1) {
    isl::pw_aff offset = own(
        isl_pw_aff_mod_val(index.sub(low).release(), isl_val_int_from_si(islContext().get(), bounds.step)));
    within = within.intersect(own(isl_pw_aff_zero_set(offset.release())));
  }
  bounds.context = within;
  if (loop.early > 0 && bounds.step == 1) {
    // Inside, what runs is asked for where it matters.
    bounds.low = bounds.low.add_constant(-loop.early);
    bounds.context = context.intersect(index.ge_set(bounds.low)).intersect(index.le_set(bounds.high));
  }
  return bounds;
}

} // namespace warploom
