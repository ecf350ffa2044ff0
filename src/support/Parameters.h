// Parameters of isl's sets and maps, by their names.
#pragma once

#include "support/IslC.h"

#include <string>
#include <vector>

namespace warploom {

/// `set`, or map, for any value of the parameter called `name`. Names are taken as they are: isl's own
/// interface parses a name, and takes of `loop i` the first word.
inline isl::set withoutParameter(const isl::set& set, const std::string& name) {
  return set.project_out_param(own(isl_id_alloc(islContext().get(), name.c_str(), nullptr)));
}
inline isl::map withoutParameter(const isl::map& map, const std::string& name) {
  const int at = isl_map_find_dim_by_name(map.get(), isl_dim_param, name.c_str());
  return at < 0 ? map : own(isl_map_project_out(map.copy(), isl_dim_param, static_cast<unsigned>(at), 1));
}

/// `set`, or map, for any values of the parameters with names for which `isOne` holds.
template <typename Set, typename Is> Set withoutParameters(Set set, const Is& isOne) {
  std::vector<std::string> names;
  const isl::space space = set.space();
  for (int k = 0; k < static_cast<int>(isl_space_dim(space.get(), isl_dim_param)); ++k)
    names.emplace_back(isl_space_get_dim_name(space.get(), isl_dim_param, static_cast<unsigned>(k)));
  for (const std::string& name : names)
    if (isOne(name)) set = withoutParameter(set, name);
  return set;
}

} // namespace warploom
