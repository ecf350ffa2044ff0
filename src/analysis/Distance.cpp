#include "analysis/Distance.h"

#include "analysis/Effort.h"

#include <cstdlib>
#include <fmt/format.h>

namespace warploom {

namespace {

std::optional<long> finite(const isl::val& value) {
  // A distance beyond this means nothing to anyone.
  isl::val largest(islContext(), 1L << 62);
  if (!value.is_int() || value.abs().gt(largest)) return std::nullopt;
  return value.num_si();
}

} // namespace

std::string Distance::text() const {
  if (isConstant()) return std::to_string(*least);
  if (symbol) return valueText(*symbol);
  auto bound = [](std::optional<long> value) { return value ? std::to_string(*value) : "*"; };
  return bound(least) + ".." + bound(greatest);
}

std::string Distance::phrase() const {
  if (isConstant()) return *least == 1 ? "1 iteration" : fmt::format("{} iterations", *least);
  if (symbol) return fmt::format("{} iterations", valueText(*symbol));
  if (least && greatest) return fmt::format("{} to {} iterations", *least, *greatest);
  if (least) return fmt::format("{} or more iterations", *least);
  return "some iterations";
}

std::string valueText(const isl::pw_aff& value) {
  return isl::ast_build(value.ctx()).expr_from(value).to_C_str();
}

isl::aff indexDifference(const isl::map& relation, int level) {
  isl_local_space* pairs = isl_local_space_from_space(relation.wrap().space().release());
  int sinks = static_cast<int>(unsigned(relation.domain_tuple_dim()));
  isl_aff* source = isl_aff_var_on_domain(isl_local_space_copy(pairs), isl_dim_set, level);
  isl_aff* sink = isl_aff_var_on_domain(pairs, isl_dim_set, sinks + level);
  return own(isl_aff_sub(sink, source));
}

namespace {

/// The difference along `level` as a function of the parameters alone, where the equations that all pairs
/// fulfil make it one. Nothing is projected out but variables of equations, which is cheap.
std::optional<isl::pw_aff> functionOfParameters(const isl::map& relation, int level) {
  isl::basic_map hull = relation.affine_hull();
  isl::map difference = indexDifference(relation, level).as_map();
  isl::set values = isl::map(hull).wrap().apply(difference);
  if (!values.is_singleton()) return std::nullopt;
  isl::pw_aff value = values.as_pw_multi_aff().at(0).coalesce();
  bool whole = value.n_piece() == 1;
  value.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    whole &= own(isl_aff_get_denominator_val(piece.at(0).get())).is_one();
  });
  if (!whole) return std::nullopt;
  return value.intersect_params(relation.domain().params());
}

} // namespace

Distance distanceAlong(const isl::map& relation, int level, long step) {
  isl::set pairs = relation.wrap();
  isl::aff difference = indexDifference(relation, level);
  if (step < 0) difference = difference.neg();
  isl::val by(islContext(), std::labs(step));
  Distance distance;
  distance.least = finite(pairs.min_val(difference).div(by).floor());
  distance.greatest = finite(pairs.max_val(difference).div(by).ceil());
  if ((distance.least && distance.greatest) || std::labs(step) != 1) return distance;
  if (auto value = functionOfParameters(relation, level)) distance.symbol = step < 0 ? value->neg() : *value;
  return distance;
}

} // namespace warploom
