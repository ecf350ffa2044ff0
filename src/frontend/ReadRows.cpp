// Subscripts of pointers into matrices: they stay in their row, or go on into the rows after it.
#include "frontend/RegionReader.h"

#include <algorithm>
#include <isl/aff.h>

namespace warploom {

/// `value` as a multiple of `divisor`, one product of a number and of sizes, and what is left.
static std::pair<Polynomial, Polynomial> divided(const Polynomial& value, const Polynomial& divisor) {
  const auto& [sizes, factor] = *divisor.monomials().begin();
  Polynomial quotient, rest;
  for (const auto& [monomial, coefficient] : value.monomials()) {
    const bool isMultiple = coefficient % factor == 0 &&
                            std::includes(monomial.begin(), monomial.end(), sizes.begin(), sizes.end());
    Polynomial::Monomial others;
    if (isMultiple)
      std::set_difference(monomial.begin(), monomial.end(), sizes.begin(), sizes.end(),
                          std::back_inserter(others));
    Polynomial term = Polynomial::constant(isMultiple ? coefficient / factor : coefficient);
    for (const std::string& key : isMultiple ? others : monomial)
      term = term * Polynomial::of(value.atom(key));
    (isMultiple ? quotient : rest) = (isMultiple ? quotient : rest) + term;
  }
  return {quotient, rest};
}

std::optional<isl::set> RegionReader::leavesRow(const Reach& reach, std::size_t dimension) const {
  const auto &subscript = reach.subscripts[dimension], &extent = reach.extents[dimension];
  if (!subscript || !extent) return std::nullopt;
  auto outside = outsideRow(*subscript, *extent);
  return outside ? std::optional(outside->intersect(domain)) : std::nullopt;
}

bool RegionReader::spreadOverRows(Reach& reach, std::size_t dimension, const clang::Expr* at) {
  if (reach.rowsArePointers) return false;
  const std::size_t first = reach.steps.empty() ? 0 : reach.subscripts.size() - reach.steps.back().rank;
  for (; dimension > first; --dimension) {
    auto &subscript = reach.subscripts[dimension], &outer = reach.subscripts[dimension - 1];
    const auto& extent = reach.extents[dimension];
    if (!subscript || !outer || !extent || subscript->isLost() || extent->isLost() ||
        extent->monomials().size() != 1)
      return false;
    auto [carry, rest] = divided(*subscript, *extent);
    subscript = rest;
    auto outside = leavesRow(reach, dimension);
    if (!outside) return false;
    if (!outside->is_empty()) {
      if (const auto length = extent->asConstant(); length && *length > 0) {
        const isl::pw_aff value = *rest.asAffine();
        carry = carry + Polynomial::of(value.div(constant(*length)).floor());
        subscript = Polynomial::of(value.mod(isl::val(islContext(), *length)));
      } else if (!assume(Condition::Kind::InBounds, *outside, rangeOf(at))) {
        return false;
      }
    }
    outer = *outer + carry;
    reach.indices[dimension] = reach.indices[dimension - 1] = {};
  }
  return true;
}

void RegionReader::keepInRows(Reach& reach, const clang::Expr* at) {
  for (std::size_t dimension : reach.loose) {
    const auto& extent = reach.extents[dimension];
    if (!extent && reach.extentTexts[dimension].empty()) continue; // what a pointer in memory leads to
    const auto outside = leavesRow(reach, dimension);
    if (outside && outside->is_empty()) continue;
    // What begins at the first element of all goes over all rows; what begins at a row is meant to stay in
    // it.
    const bool fromFirst = std::all_of(reach.subscripts.begin(), reach.subscripts.begin() + dimension,
                                       [](const auto& one) { return one && one->asConstant() == 0; });
    Reach spread = reach;
    if (fromFirst && spreadOverRows(spread, dimension, at)) {
      reach = std::move(spread);
      return;
    }
    if (outside && assume(Condition::Kind::InBounds, *outside, rangeOf(at))) continue;
    if (!fromFirst && spreadOverRows(spread, dimension, at)) {
      reach = std::move(spread);
      return;
    }
    reach.unknown = std::max(reach.unknown, dimension + 1);
    if (reach.why.empty()) reach.why = "`" + textOf(at) + "` may leave its row";
  }
}

} // namespace warploom
