#include "analysis/DistanceVectors.h"

#include "analysis/Order.h"

#include <algorithm>
#include <cstdlib>

namespace warploom {

namespace {

std::optional<DistanceVector> constantVector(const Dependence& dependence) {
  DistanceVector vector{dependence.source, dependence.sink, {}};
  for (const Distance& distance : dependence.distance) {
    if (!distance.isConstant()) return std::nullopt;
    vector.components.push_back(*distance.least);
  }
  return vector;
}

std::optional<VariableDistance> variableDistance(const Region& region, const Dependence& dependence) {
  if (!dependence.relation.is_single_valued()) return std::nullopt;
  isl::pw_multi_aff sinks = dependence.relation.as_pw_multi_aff().coalesce();
  if (sinks.n_piece() != 1) return std::nullopt;
  std::optional<isl::multi_aff> sinkOf;
  sinks.foreach_piece([&](const isl::set&, const isl::multi_aff& value) { sinkOf = value; });
  const Statement &source = dependence.source.statementIn(region),
                  &sink = dependence.sink.statementIn(region);
  unsigned common = commonLoops(source, sink);
  isl::multi_aff own = source.domain.space().identity_multi_aff_on_domain();
  isl::multi_aff distance = isl::multi_aff::zero(source.domain.space().add_unnamed_tuple(common));
  for (unsigned level = 0; level < common; ++level)
    distance = distance.set_at(static_cast<int>(level), sinkOf->at(level).sub(own.at(level)));
  return VariableDistance{dependence.source, dependence.sink, *sinkOf, distance};
}

} // namespace

DistanceVectors distanceVectors(const Region& region, const Dependences& dependences, Effort& effort) {
  DistanceVectors result;
  for (int k = 0; k < static_cast<int>(dependences.all.size()); ++k) {
    const Dependence& dependence = dependences.all[k];
    if (dependence.carrier < 0) continue;
    if (auto vector = constantVector(dependence)) {
      result.constant.push_back(*vector);
      continue;
    }
    auto variable = effort.ask(Effort::Kind::Loops, [&] { return variableDistance(region, dependence); });
    if (variable && *variable)
      result.variable.push_back(**variable);
    else
      result.other.push_back(k);
  }
  return result;
}

std::vector<std::optional<long>> reductionFactors(const std::vector<DistanceVector>& vectors,
                                                  std::size_t depth) {
  std::vector<std::optional<long>> factors(depth);
  for (const DistanceVector& vector : vectors)
    for (std::size_t level = 0; level < std::min(depth, vector.components.size()); ++level) {
      long size = std::labs(vector.components[level]);
      if (size > 0) factors[level] = factors[level] ? std::min(*factors[level], size) : size;
    }
  return factors;
}

std::optional<long> trueDistance(const std::vector<DistanceVector>& vectors,
                                 const std::vector<long>& tripCounts) {
  std::optional<long> least;
  for (const DistanceVector& vector : vectors) {
    long linear = 0;
    for (std::size_t level = 0; level < tripCounts.size(); ++level)
      linear = linear * tripCounts[level] + (level < vector.components.size() ? vector.components[level] : 0);
    least = least ? std::min(*least, linear) : linear;
  }
  return least;
}

std::optional<long> tripCount(const Region& region, int loop, Effort& effort) {
  auto count = effort.ask(Effort::Kind::Loops, [&]() -> std::optional<long> {
    isl::set all = iterations(region, loop);
    int level = region.loops[loop].depth - 1;
    isl::pw_aff least = own(isl_set_dim_min(all.copy(), level)),
                greatest = own(isl_set_dim_max(all.copy(), level));
    isl::val low = least.min_val(), high = greatest.max_val();
    bool fixed = low.is_int() && high.is_int() && low.eq(least.max_val()) && high.eq(greatest.min_val());
    if (!fixed) return std::nullopt;
    return (high.num_si() - low.num_si()) / std::labs(region.loops[loop].step) + 1;
  });
  return count.value_or(std::nullopt);
}

} // namespace warploom
