// The functions of <ctype.h>: what they tell depends on the locale, and is a matter of few operations in the
// locale "C". Where the tables of a program say the same, kernels compute it.
#pragma once

#include <string_view>

namespace warploom {

/// What the runtime calls the function `name` of <ctype.h>, `isAlpha` for `isalpha`; empty for any other one.
std::string_view characterFunction(std::string_view name);

} // namespace warploom
