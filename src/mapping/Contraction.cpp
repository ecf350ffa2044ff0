#include "mapping/Contraction.h"

#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <isl/union_map.h>

namespace warploom {

namespace {

class Contraction {
public:
  Contraction(const Region& region, const Facts& facts, const KernelPlan& kernel)
      : region(region), facts(facts), kernel(kernel) {
    std::vector<const LoopTree*> around;
    collectPaths(kernel.tree, around);
  }

  bool contracts(int array) const {
    const Array& object = region.arrays[array];
    const ArrayFacts& about = facts.arrays[array];
    bool isTemporary = !object.isScalar() && object.storage == Array::Storage::Local &&
                       object.field.empty() && object.element.kind != Type::Kind::Struct && about.read &&
                       about.written && !about.liveIn && !about.liveOut;
    if (!isTemporary) return false;
    const std::vector<const LoopTree*>* path = nullptr;
    isl::union_map elements = isl::union_map::empty(islContext());
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      for (const Access& access : region.statements[s].accesses) {
        if (access.array != array || access.kind == Access::Kind::Kill) continue;
        auto found = paths.find(s);
        // Somewhere else, in several places, or in other loops than the rest.
        if (found == paths.end() || found->second.size() != 1 || !access.exact) return false;
        if (path && *path != found->second.front()) return false;
        path = &found->second.front();
        elements = elements.unite(access.map);
      }
    if (!path) return false;
    isl::union_map times = timesOf(*path);
    if (!times.reverse().apply_range(elements).is_single_valued()) return false;
    isl::union_map sameTime = times.apply_range(times.reverse());
    return std::all_of(facts.dependences.all.begin(), facts.dependences.all.end(),
                       [&](const Dependence& dependence) {
                         if (dependence.array != array || dependence.kind != Dependence::Kind::Flow)
                           return true;
                         return dependence.exact() && isl::union_map(dependence.relation).is_subset(sameTime);
                       });
  }

private:
  void collectPaths(const LoopTree& tree, std::vector<const LoopTree*>& around) {
    if (tree.kind == LoopTree::Kind::Leaf)
      for (int s : statementsOf(region, tree))
        paths[s].push_back(around);
    if (tree.kind == LoopTree::Kind::Loop) around.push_back(&tree);
    for (const LoopTree& child : tree.children)
      collectPaths(child, around);
    if (tree.kind == LoopTree::Kind::Loop) around.pop_back();
  }

  /// { S[i] -> [v, ...] }: the values of the loops of `path` and of the host's, for what runs in them.
  isl::union_map timesOf(const std::vector<const LoopTree*>& path) const {
    isl::union_map times = valuesOf(path).intersect_domain(instances(*path.back()));
    for (const ScheduledLoop& loop : kernel.hostLoops)
      times = own(isl_union_map_flat_range_product(times.release(),
                                                   isl_union_map_from_union_pw_aff(loop.value.copy())));
    return times;
  }

  const Region& region;
  const Facts& facts;
  const KernelPlan& kernel;
  std::map<int, std::vector<std::vector<const LoopTree*>>> paths; ///< the loops around each statement
};

} // namespace

std::set<int> contractible(const Region& region, const Facts& facts, const KernelPlan& kernel) {
  std::set<int> found;
  Contraction contraction(region, facts, kernel);
  for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
    if (limited([&] { return contraction.contracts(array); }).value_or(false)) found.insert(array);
  return found;
}

} // namespace warploom
