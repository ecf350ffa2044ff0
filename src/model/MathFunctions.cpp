#include "model/MathFunctions.h"

#include <map>
#include <set>

namespace warploom {

namespace {

/// The one in `known` of which `name` is a form; empty when there is none.
std::string_view among(const std::set<std::string_view>& known, std::string_view name) {
  constexpr std::string_view builtin = "__builtin_";
  if (name.substr(0, builtin.size()) == builtin) name.remove_prefix(builtin.size());
  if (known.count(name)) return name;
  if (name.empty() || (name.back() != 'f' && name.back() != 'l')) return {};
  name.remove_suffix(1);
  return known.count(name) ? name : std::string_view();
}

const std::set<std::string_view> costly = {"sin",  "cos",   "tan",  "asin",  "acos",   "atan",  "atan2",
                                           "sinh", "cosh",  "tanh", "asinh", "acosh",  "atanh", "exp",
                                           "exp2", "expm1", "log",  "log2",  "log10",  "log1p", "pow",
                                           "cbrt", "hypot", "erf",  "erfc",  "tgamma", "lgamma"};
const std::set<std::string_view> cheap = {
    "sqrt",   "fabs",    "abs",        "labs",    "llabs",    "floor",     "ceil",   "round",    "trunc",
    "rint",   "fmod",    "fmin",       "fmax",    "fma",      "fdim",      "ldexp",  "copysign", "nearbyint",
    "isnan",  "isinf",   "isinf_sign", "signbit", "isfinite", "remainder", "lround", "llround",  "logb",
    "scalbn", "scalbln", "ilogb",      "lrint",   "llrint",   "nextafter"};
const std::set<std::string_view> costlyOfComplex = {"cexp", "clog",  "csqrt", "cpow",  "csin", "ccos",
                                                    "ctan", "csinh", "ccosh", "ctanh", "cabs", "carg"};
const std::set<std::string_view> cheapOfComplex = {"creal", "cimag", "conj"};

} // namespace

bool isMathFunction(std::string_view name) {
  return !among(costly, name).empty() || !among(cheap, name).empty() || !complexFunction(name).empty() ||
         name == makesComplex || name == copiesBits || name == bitsOf || name == signedBitsOf ||
         name == withBits;
}

std::string_view complexFunction(std::string_view name) {
  const std::string_view found = among(costlyOfComplex, name);
  return found.empty() ? among(cheapOfComplex, name) : found;
}

bool isCostly(std::string_view name) {
  return !among(costly, name).empty() || !among(costlyOfComplex, name).empty();
}

std::optional<std::string_view> mathConstant(std::string_view builtin) {
  static const std::map<std::string_view, std::string_view> all = {
      {"__builtin_inff", "INFINITY"}, {"__builtin_huge_valf", "INFINITY"},
      {"__builtin_inf", "HUGE_VAL"},  {"__builtin_huge_val", "HUGE_VAL"},
      {"__builtin_nanf", "NAN"},      {"__builtin_nan", "double(NAN)"}};
  const auto found = all.find(builtin);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

} // namespace warploom
