#include "analysis/Order.h"

#include "analysis/Effort.h"

#include <algorithm>

namespace warploom {

std::size_t commonLoops(const Statement& a, const Statement& b) {
  std::size_t common = 0, most = std::min(a.loops.size(), b.loops.size());
  while (common < most && a.loops[common] == b.loops[common])
    ++common;
  return common;
}

bool inside(const Statement& statement, int loop) {
  return std::find(statement.loops.begin(), statement.loops.end(), loop) != statement.loops.end();
}

bool encloses(const Region& region, int outer, int inner) {
  while (inner > outer)
    inner = region.loops[inner].parent;
  return inner == outer;
}

bool textuallyBefore(const Statement& first, const Statement& second) {
  std::size_t common = commonLoops(first, second);
  return first.position[common] < second.position[common];
}

bool mayComeBefore(const Statement& first, const Statement& second) {
  return commonLoops(first, second) > 0 || textuallyBefore(first, second);
}

isl::map equalFrom(const isl::map& pairs, std::size_t from, std::size_t to) {
  isl::map equal = pairs;
  for (int level = static_cast<int>(from); level < static_cast<int>(to); ++level)
    equal = own(isl_map_equate(equal.release(), isl_dim_in, level, isl_dim_out, level));
  return equal;
}

isl::map earlierAt(const Region& region, const Statement& source, const isl::map& pairs, std::size_t level) {
  int at = static_cast<int>(level);
  if (region.loops[source.loops[level]].step > 0)
    return own(isl_map_order_lt(pairs.copy(), isl_dim_in, at, isl_dim_out, at));
  return own(isl_map_order_gt(pairs.copy(), isl_dim_in, at, isl_dim_out, at));
}

isl::map executionOrder(const Region& region, const Statement& statement) {
  isl::multi_aff value = statement.domain.space().identity_multi_aff_on_domain();
  for (std::size_t level = 0; level < statement.loops.size(); ++level)
    if (region.loops[statement.loops[level]].step < 0)
      value = value.set_at(static_cast<int>(level), value.at(static_cast<int>(level)).neg());
  return value.as_map();
}

isl::set outermost(const isl::set& instances, std::size_t levels) {
  unsigned all = unsigned(instances.tuple_dim());
  isl::set kept = own(isl_set_project_out(instances.copy(), isl_dim_set, levels, all - levels));
  return own(isl_set_reset_tuple_id(kept.release()));
}

isl::set iterations(const Region& region, int loop) {
  unsigned depth = region.loops[loop].depth;
  isl::set all = own(isl_set_empty(isl_space_set_alloc(islContext().get(), 0, depth)));
  for (const Statement& statement : region.statements)
    if (inside(statement, loop)) all = all.unite(outermost(statement.domain, depth));
  return all.intersect_params(region.context).coalesce();
}

isl::map laterIterations(const Region& region, int loop) {
  isl::set all = iterations(region, loop);
  isl::map pairs = own(isl_map_from_domain_and_range(all.copy(), all.copy()));
  int level = region.loops[loop].depth - 1;
  pairs = equalUpTo(pairs, level);
  if (region.loops[loop].step > 0)
    return own(isl_map_order_lt(pairs.release(), isl_dim_in, level, isl_dim_out, level));
  return own(isl_map_order_gt(pairs.release(), isl_dim_in, level, isl_dim_out, level));
}

} // namespace warploom
