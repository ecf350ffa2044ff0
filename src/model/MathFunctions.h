// The functions of <math.h> and <complex.h> that compute a value from values: known to the front end as pure,
// and to CUDA by the same name.
#pragma once

#include <optional>
#include <string_view>

namespace warploom {

/// True for such a function, in its double, float or long double form, or as a compiler builtin of that name.
bool isMathFunction(std::string_view name);

/// What a function of <complex.h> is called in its double form, whatever its form is: `cexp` for `cexpf`.
/// Empty where it is none, or takes something else than complex numbers.
std::string_view complexFunction(std::string_view name);

/// What makes a complex number of its parts, as CMPLX is defined.
constexpr std::string_view makesComplex = "__builtin_complex";

/// What gives the bits of a value as a value of another type.
constexpr std::string_view copiesBits = "__builtin_bit_cast";
/// What gives the number that some bits of another one are, by the first and how many: of a sign, or of none;
/// and what gives a number in which a value has taken their place.
constexpr std::string_view bitsOf = "__builtin_bits", signedBitsOf = "__builtin_signed_bits",
                           withBits = "__builtin_with_bits";

/// True for those among them that take tens of operations: sines, powers, logarithms and the like.
bool isCostly(std::string_view name);

/// What the constant is called that a call of this builtin, by which compilers' headers define it, stands
/// for: INFINITY, HUGE_VAL or NAN; else nothing.
std::optional<std::string_view> mathConstant(std::string_view builtin);

} // namespace warploom
