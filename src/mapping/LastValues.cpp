#include "mapping/LastValues.h"

#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

namespace warploom {

isl::set lastInstances(const Region& region, const Facts& facts, AccessRef write,
                       const std::function<bool(int)>& runsElsewhere) {
  isl::set last = isl::set::empty(write.statementIn(region).domain.space());
  if (region.arrays[write.in(region).array].liveAfter)
    for (const Instances& final : facts.dependences.final)
      if (final.access == write) last = last.unite(final.set);
  for (const Dependence& dependence : facts.dependences.all) {
    bool leaves = dependence.kind == Dependence::Kind::Flow && dependence.source == write &&
                  runsElsewhere(dependence.sink.statement);
    if (leaves) last = last.unite(dependence.relation.domain());
  }
  return last;
}

const Access* uncertainLast(const Region& region, const Facts& facts, const KernelPlan& kernel, int array) {
  if (kernel.isSingle() || region.arrays[array].storage == Array::Storage::Predicate) return nullptr;
  isl::union_set last = isl::union_set::empty(islContext());
  const Access* uncertain = nullptr;
  for (int s : kernel.statements)
    for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
      const AccessRef write{s, a};
      const Access& access = write.in(region);
      if (access.array != array || !access.writes()) continue;
      isl::set used = lastInstances(region, facts, write, [&](int sink) {
        return region.statements[sink].kind != Statement::Kind::Kill &&
               std::count(kernel.statements.begin(), kernel.statements.end(), sink) == 0;
      });
      if (used.is_empty()) continue;
      last = last.unite(isl::union_set(used));
      if (!region.statements[s].guards.empty() || access.kind == Access::Kind::MayWrite) uncertain = &access;
    }
  if (!uncertain) return nullptr;
  // What one thread does it does in order: all may happen in one iteration of the loops that are shared out.
  last = fixed(last.intersect(instances(kernel.tree)), kernel.hostLoops);
  if (last.is_empty()) return nullptr;
  std::vector<std::string> shared(kernel.lanes.begin(), kernel.lanes.end());
  shared.insert(shared.end(), kernel.mapped.begin(), kernel.mapped.end());
  bool isOne = !shared.empty() && std::all_of(shared.begin(), shared.end(), [&](const std::string& name) {
    isl::union_map values = own(isl_union_map_from_union_pw_aff(findLoop(kernel.tree, name)->value.copy()));
    isl::union_set range = values.intersect_domain(last).range();
    if (range.is_empty()) return true;
    isl::map chosen = own(isl_map_from_range(isl_set_from_union_set(range.release())));
    return own(isl_map_is_single_valued(chosen.get()));
  });
  return isOne ? nullptr : uncertain;
}

} // namespace warploom
