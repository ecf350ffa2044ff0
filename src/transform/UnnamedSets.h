// Sets in spaces without names, of so many dimensions, and values on them.
#pragma once

#include "support/IslC.h"

#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

inline isl::pw_aff times(const isl::pw_aff& value, long factor) {
  return own(isl_pw_aff_scale_val(value.copy(), isl_val_int_from_si(islContext().get(), factor)));
}

inline isl::set nonNegative(const isl::pw_aff& value) {
  return own(isl_pw_aff_nonneg_set(value.copy()));
}

/// The value of dimension `k` of `space`, of sets.
inline isl::pw_aff variable(const isl::space& space, std::size_t k) {
  isl_local_space* local = isl_local_space_from_space(space.copy());
  return own(isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, static_cast<unsigned>(k))));
}

/// `value`, of parameters, on `space`.
inline isl::pw_aff onSpace(const isl::pw_aff& value, const isl::space& space) {
  isl_space* aligned = isl_space_align_params(space.copy(), isl_pw_aff_get_domain_space(value.get()));
  return own(isl_pw_aff_insert_domain(value.copy(), aligned));
}

/// The unnamed space of so many dimensions.
inline isl::space spaceOf(std::size_t dimensions) {
  return own(isl_space_set_alloc(islContext().get(), 0, static_cast<unsigned>(dimensions)));
}

inline isl::set unnamed(const isl::set& set) {
  return own(isl_set_reset_tuple_id(set.copy()));
}

inline isl::map unnamed(const isl::map& map) {
  return own(isl_map_reset_tuple_id(isl_map_reset_tuple_id(map.copy(), isl_dim_in), isl_dim_out));
}

inline isl::set projectedOut(const isl::set& set, std::size_t first, std::size_t count) {
  return own(isl_set_project_out(set.copy(), isl_dim_set, static_cast<unsigned>(first),
                                 static_cast<unsigned>(count)));
}

/// `set` with `count` dimensions more in front, of any values.
inline isl::set lifted(const isl::set& set, std::size_t count) {
  return own(isl_set_insert_dims(unnamed(set).release(), isl_dim_set, 0, static_cast<unsigned>(count)));
}

inline isl::set hullOf(const isl::set& set) {
  return own(isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(set.copy()))));
}

} // namespace warploom
