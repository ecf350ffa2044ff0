#include "support/Numbers.h"

#include "support/IslC.h"

#include <algorithm>
#include <cmath>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/val.h>

namespace warploom {

namespace {

/// |value|, cut off.
long absolute(isl_val* value) {
  isl_val* positive = isl_val_abs(value);
  isl_val* limit = isl_val_int_from_si(islContext().get(), Numbers::most);
  const bool fits = isl_val_le(positive, limit) == isl_bool_true;
  const long result = fits ? isl_val_get_num_si(positive) : Numbers::most;
  isl_val_free(positive);
  isl_val_free(limit);
  return result;
}

/// Adds what stands in `what` to `numbers`; the largest factor of a dimension in it, as a fraction.
double lookAt(isl_aff* what, Numbers& numbers) {
  double most = 0;
  auto coefficient = [&](isl_dim_type type, int k) {
    isl_val* value = isl_aff_get_coefficient_val(what, type, k);
    const double result = std::abs(isl_val_get_d(value));
    isl_val_free(value);
    return result;
  };
  for (isl_dim_type type : {isl_dim_param, isl_dim_in})
    for (int k = 0; k < isl_aff_dim(what, type); ++k)
      most = std::max(most, coefficient(type, k));
  for (int k = 0; k < isl_aff_dim(what, isl_dim_div); ++k) {
    const double times = coefficient(isl_dim_div, k);
    if (times == 0) continue;
    isl_aff* divided = isl_aff_get_div(what, k);
    Numbers inside;
    most = std::max(most, times * lookAt(divided, inside));
    numbers.divisor =
        std::max({numbers.divisor, inside.divisor, absolute(isl_aff_get_denominator_val(divided)),
                  static_cast<long>(std::min(std::ceil(times), 0x1p60))});
    isl_aff_free(divided);
  }
  numbers.factor = std::max(numbers.factor, static_cast<long>(std::min(std::ceil(most), 0x1p60)));
  numbers.constant =
      std::max(numbers.constant, absolute(isl_val_ceil(isl_val_abs(isl_aff_get_constant_val(what)))));
  return most;
}

struct Look {
  Numbers* numbers;
  bool divisionsOnly;
};

isl_stat lookAt(isl_constraint* constraint, void* user) {
  const Look& look = *static_cast<const Look*>(user);
  long factor = 0, divisor = 0;
  for (isl_dim_type type : {isl_dim_param, isl_dim_in, isl_dim_out, isl_dim_div}) {
    const int count = isl_constraint_dim(constraint, type);
    for (int k = 0; k < count; ++k) {
      const long value = absolute(isl_constraint_get_coefficient_val(constraint, type, k));
      (type == isl_dim_div ? divisor : factor) = std::max(type == isl_dim_div ? divisor : factor, value);
    }
  }
  const long constant = absolute(isl_constraint_get_constant_val(constraint));
  isl_constraint_free(constraint);
  Numbers& numbers = *look.numbers;
  if (divisor > 0)
    numbers.divisor = std::max({numbers.divisor, divisor, factor});
  else if (!look.divisionsOnly)
    numbers.factor = std::max(numbers.factor, factor);
  if (divisor > 0 || !look.divisionsOnly) numbers.constant = std::max(numbers.constant, constant);
  return isl_stat_ok;
}

void lookAt(const isl::map& relation, Numbers& numbers, bool divisionsOnly) {
  Look look{&numbers, divisionsOnly};
  auto inBasic = [](isl_basic_map* one, void* user) {
    const isl_stat done = isl_basic_map_foreach_constraint(one, lookAt, user);
    isl_basic_map_free(one);
    return done;
  };
  if (isl_map_foreach_basic_map(relation.get(), inBasic, &look) != isl_stat_ok) throwIslError();
}

} // namespace

void Numbers::add(const isl::map& relation) {
  lookAt(relation, *this, false);
}

void Numbers::add(const isl::set& values) {
  add(own(isl_map_from_range(values.copy())));
}

void Numbers::addDivisions(const isl::map& relation) {
  lookAt(relation, *this, true);
}

void Numbers::add(const isl::union_pw_aff& value) {
  auto inPiece = [](isl_set* where, isl_aff* what, void* user) {
    isl_set_free(where);
    lookAt(what, *static_cast<Numbers*>(user));
    isl_aff_free(what);
    return isl_stat_ok;
  };
  auto inOne = [](isl_pw_aff* one, void* user) {
    const auto& [each, numbers] = *static_cast<std::pair<decltype(inPiece), Numbers*>*>(user);
    const isl_stat done = isl_pw_aff_foreach_piece(one, each, numbers);
    isl_pw_aff_free(one);
    return done;
  };
  std::pair<decltype(inPiece), Numbers*> both{inPiece, this};
  if (isl_union_pw_aff_foreach_pw_aff(value.get(), inOne, &both) != isl_stat_ok) throwIslError();
}

} // namespace warploom
