#include "support/Piecewise.h"

#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>

namespace warploom {

namespace {

/// The expressions of `value`, each as a function of all parameters.
std::vector<isl::pw_aff> piecesOf(const isl::pw_aff& value) {
  std::vector<isl::pw_aff> pieces;
  auto note = [](isl_set* domain, isl_aff* piece, void* user) {
    isl_set_free(domain);
    static_cast<std::vector<isl::pw_aff>*>(user)->push_back(own(isl_pw_aff_from_aff(piece)));
    return isl_stat_ok;
  };
  if (isl_pw_aff_foreach_piece(value.get(), note, &pieces) < 0) throwIslError();
  return pieces;
}

bool divides(const isl::pw_aff& expression) {
  isl::aff only = expression.as_aff();
  return isl_aff_dim(only.get(), isl_dim_div) > 0;
}

/// True for an expression that has whole values for all parameters: isl does not tell (n + 1) / 2 from n / 2
/// by comparing them.
bool isWhole(const isl::pw_aff& expression) {
  return own(isl_aff_get_denominator_val(expression.as_aff().get())).is_one();
}

} // namespace

std::optional<Extreme> extremeOf(const isl::pw_aff& value) {
  std::vector<isl::pw_aff> pieces = piecesOf(value);
  if (pieces.size() != 2 || !std::all_of(pieces.begin(), pieces.end(), isWhole)) return std::nullopt;
  auto isValue = [&](const isl::pw_aff& extreme) {
    return own(isl_pw_aff_ne_set(extreme.intersect_domain(value.domain()).release(), value.copy()))
        .is_empty();
  };
  isl::pw_aff least = pieces[0].min(pieces[1]), greatest = pieces[0].max(pieces[1]);
  if (isValue(least)) return Extreme{true, pieces, least};
  if (isValue(greatest)) return Extreme{false, pieces, greatest};
  return std::nullopt;
}

std::optional<isl::pw_aff> meaningOf(const isl::pw_aff& value) {
  std::vector<isl::pw_aff> pieces = piecesOf(value);
  // How a division of what is negative is written depends on where the value is defined.
  if (std::any_of(pieces.begin(), pieces.end(), divides)) return std::nullopt;
  if (pieces.size() == 1) return pieces.front();
  std::optional<Extreme> extreme = extremeOf(value);
  return extreme ? std::optional(extreme->value) : std::nullopt;
}

isl::pw_aff simplified(const isl::pw_aff& value, const isl::set& context) {
  isl::pw_aff result = value.gist_params(context).coalesce();
  if (isl_pw_aff_n_piece(result.get()) == 1) result = result.gist(result.domain());
  // What is needless where the pieces meet may have told that they are those of an extreme.
  if (isl_pw_aff_n_piece(result.get()) == 2 && !extremeOf(result))
    if (const std::optional<Extreme> extreme = extremeOf(value)) result = extreme->value;
  return result;
}

} // namespace warploom
