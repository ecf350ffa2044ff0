// Piecewise affine values as one expression: the smaller or larger of two where that is what they are.
#pragma once

#include "support/Isl.h"

#include <optional>
#include <vector>

namespace warploom {

/// The smaller or the larger of two expressions.
struct Extreme {
  bool isLeast;
  std::vector<isl::pw_aff> pieces; ///< both, each as a function of all parameters
  isl::pw_aff value;               ///< the extreme, for all parameters
};

/// `value` as an extreme of its pieces; nothing when it is none.
std::optional<Extreme> extremeOf(const isl::pw_aff& value);

/// What one expression for `value`, its only piece or an extreme, is for all values of the parameters, those
/// for which `value` is not defined included; nothing when it is not known how that is written.
std::optional<isl::pw_aff> meaningOf(const isl::pw_aff& value);

/// `value` without what `context` makes needless; one expression where there is only one.
isl::pw_aff simplified(const isl::pw_aff& value, const isl::set& context);

} // namespace warploom
