// Parameters of isl's sets, by their names.
#pragma once

#include "support/IslC.h"

namespace warploom {

/// `set` for any value of the parameter called `name`. Names are taken as they are: isl's own interface
/// parses a name, and takes of `loop i` the first word.
inline isl::set withoutParameter(const isl::set& set, const std::string& name) {
  return set.project_out_param(own(isl_id_alloc(islContext().get(), name.c_str(), nullptr)));
}

} // namespace warploom
