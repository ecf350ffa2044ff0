// The numbers that stand in isl's sets and maps: how far what is computed with them can be from the sizes.
#pragma once

#include "support/Isl.h"

namespace warploom {

/// The largest absolute values in the constraints of sets and maps; what is larger than `most` counts as
/// that.
struct Numbers {
  static constexpr long most = 1L << 60;

  long factor = 1;   ///< of parameters and dimensions, where they are compared with nothing but each other
  long constant = 0; ///< added to them
  long divisor = 1;  ///< of either, where something is divided or a remainder is taken

  void add(const isl::set& values);
  void add(const isl::map& relation);
  /// Those of its constraints that divide.
  void addDivisions(const isl::map& relation);
  /// Of the value alone, not of the instances that it is defined for.
  void add(const isl::union_pw_aff& value);
};

} // namespace warploom
