// isl's C functions from C++, where its own C++ interface does not wrap them: every result is owned, and a
// failed call throws what isl reported.
#pragma once

#include "support/Isl.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/space.h>
#include <string>

namespace warploom {

/// Throws isl's last error, as the C++ interface does.
[[noreturn]] inline void throwIslError() {
  isl::exception::throw_last_error(islContext());
  throw isl::exception("isl returned nothing and reported no error");
}

/// The C++ object for what a C function returned; unlike `isl::manage`, a failed call throws what isl
/// reported, so that a used-up operation limit is seen as such.
template <typename T> auto own(T* object) {
  if (!object) throwIslError();
  return isl::manage(object);
}

/// The truth value that a C function returned.
inline bool own(isl_bool value) {
  if (value == isl_bool_error) throwIslError();
  return value == isl_bool_true;
}

/// The value of the parameter called `name`.
inline isl::pw_aff parameter(const std::string& name) {
  isl_id* id = isl_id_alloc(islContext().get(), name.c_str(), nullptr);
  isl_space* space = isl_space_add_param_id(isl_space_params_alloc(islContext().get(), 0), isl_id_copy(id));
  return own(isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id)));
}

/// The constant `value`, on parameters.
inline isl::pw_aff constant(long value) {
  isl_space* space = isl_space_params_alloc(islContext().get(), 0);
  isl_val* number = isl_val_int_from_si(islContext().get(), value);
  return own(isl_pw_aff_from_aff(isl_aff_val_on_domain_space(space, number)));
}

/// True when `value` depends on the parameter called `name`.
inline bool involves(const isl::pw_aff& value, const std::string& name) {
  int at = isl_pw_aff_find_dim_by_name(value.get(), isl_dim_param, name.c_str());
  return at >= 0 && own(isl_pw_aff_involves_dims(value.get(), isl_dim_param, static_cast<unsigned>(at), 1));
}

} // namespace warploom
