#include "transform/Levels.h"

#include "support/IslC.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <set>

namespace warploom {

std::optional<std::size_t> sourceLevel(const Region& region, const LoopTree& loop, int statement) {
  const Statement& s = region.statements[statement];
  // The loop's own index first: on some domains another index is always equal to it.
  isl_space* space = isl_space_add_dims(isl_space_from_domain(s.domain.space().release()), isl_dim_out, 1);
  isl::pw_aff exact = own(isl_union_pw_aff_extract_pw_aff(loop.value.get(), isl_space_copy(space)));
  isl_space_free(space);
  if (isl_pw_aff_n_piece(exact.get()) == 0) return std::nullopt;
  exact = exact.gist(exact.domain());
  if (exact.isa_aff())
    for (std::size_t level = 0; level < s.loops.size(); ++level) {
      isl::aff index = s.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(level));
      if (own(isl_aff_plain_is_equal(exact.as_aff().get(), index.get()))) return level;
    }
  isl::union_map value = own(isl_union_map_from_union_pw_aff(loop.value.copy())).intersect_domain(s.domain);
  if (value.is_empty()) return std::nullopt;
  for (std::size_t level = 0; level < s.loops.size(); ++level) {
    isl::aff index = s.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(level));
    if (value.is_subset(isl::union_map(own(isl_map_from_aff(index.release()))))) return level;
  }
  return std::nullopt;
}

std::optional<int> sourceLoop(const Region& region, const LoopTree& loop) {
  std::optional<int> common;
  for (int s : statementsOf(region, loop)) {
    std::optional<std::size_t> level = sourceLevel(region, loop, s);
    if (!level) return std::nullopt;
    int source = region.statements[s].loops[*level];
    if (common && *common != source) return std::nullopt;
    common = source;
  }
  return common;
}

std::optional<int> sourceLoopInOrder(const Region& region, const LoopTree& loop) {
  if (std::optional<int> source = sourceLoop(region, loop))
    return region.loops[*source].step > 0 ? source : std::nullopt;
  LoopTree opposite = loop;
  opposite.value = own(isl_union_pw_aff_neg(loop.value.copy()));
  std::optional<int> source = sourceLoop(region, opposite);
  return source && region.loops[*source].step < 0 ? source : std::nullopt;
}

std::optional<long> greatestExtent(const std::vector<const LoopTree*>& path) {
  std::vector<const LoopTree*> loops;
  for (const LoopTree* loop : path)
    if (!loop->tile || loop == path.back()) loops.push_back(loop);
  const isl::union_set values = valuesOf(loops).intersect_domain(instances(*path.back())).range();
  if (values.is_empty()) return 1;
  const isl::set all = own(isl_set_from_union_set(values.copy()));
  isl_map* together = isl_map_from_domain_and_range(all.copy(), all.copy());
  const auto last = static_cast<unsigned>(loops.size()) - 1;
  for (unsigned k = 0; k < last; ++k)
    together = isl_map_equate(together, isl_dim_in, static_cast<int>(k), isl_dim_out, static_cast<int>(k));
  const isl::set differences = own(isl_set_project_out(isl_map_deltas(together), isl_dim_set, 0, last));
  if (differences.is_empty()) return 1;
  isl::val greatest = differences.dim_max_val(0);
  if (!greatest.is_int()) return std::nullopt;
  return greatest.num_si() + 1;
}

std::vector<int> statementsOf(const Region& region, const LoopTree& tree) {
  std::set<std::string> below;
  instances(tree).foreach_set([&](const isl::set& set) {
    if (!set.is_empty()) below.insert(isl_set_get_tuple_name(set.get()));
  });
  std::vector<int> result;
  for (std::size_t s = 0; s < region.statements.size(); ++s)
    if (const Statement& one = region.statements[s];
        one.kind != Statement::Kind::Kill && below.count(isl_set_get_tuple_name(one.domain.get())))
      result.push_back(static_cast<int>(s));
  return result;
}

} // namespace warploom
