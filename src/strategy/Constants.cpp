#include "strategy/Constants.h"

#include "mapping/Movement.h"
#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/val.h>
#include <optional>
#include <vector>

namespace warploom {

namespace {

/// True when every access to `array` below `tree` reaches one element for all threads of a warp; nothing
/// when there is no access. `parallel` are the loops around that threads share.
std::optional<bool> isUniform(const ScheduleState& state, int array, const LoopTree& tree,
                              std::vector<const LoopTree*> parallel) {
  const Region& region = state.region();
  if (tree.kind == LoopTree::Kind::Loop && tree.place) parallel.push_back(&tree);
  std::optional<bool> uniform;
  if (tree.kind == LoopTree::Kind::Leaf)
    for (int s : statementsOf(region, tree))
      for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
        const Access& access = region.statements[s].accesses[a];
        if (access.array != array || access.kind == Access::Kind::Kill) continue;
        uniform = uniform.value_or(true) && !parallel.empty() && access.exact;
        for (const LoopTree* loop : parallel)
          uniform = *uniform && movement(region, state.facts(), *loop, {s, a}) == Movement::None;
      }
  for (const LoopTree& child : tree.children)
    if (std::optional<bool> below = isUniform(state, array, child, parallel))
      uniform = uniform.value_or(true) && *below;
  return uniform;
}

/// The bytes of `array` from its dimension `first` on; none where that is no number.
long bytesOf(const Array& array, std::size_t first) {
  long bytes = array.element.bits / 8;
  for (std::size_t d = first; d < array.extents.size(); ++d) {
    const auto& extent = array.extents[d];
    if (!extent || !own(isl_pw_aff_is_cst(extent->get())) || !extent->isa_aff()) return 0;
    bytes *= own(isl_aff_get_constant_val(extent->as_aff().get())).num_si();
  }
  return bytes;
}

/// Each read whose address is no number takes its time there: so many arrays of more than `fewBytes`, which
/// the smallest of its caches holds, are read as fast through the others, and more of them faster.
constexpr std::size_t mostLarge = 2;
constexpr long fewBytes = 2048;

} // namespace

void chooseConstants(ScheduleState& state, long room) {
  const auto& arrays = state.region().arrays;
  std::vector<int> uniform;
  for (int array = 0; array < static_cast<int>(arrays.size()); ++array)
    if (isUniform(state, array, state.tree(), {}).value_or(false)) uniform.push_back(array);
  auto isLarge = [&](int array) { return bytesOf(arrays[array], 0) > fewBytes; };
  if (std::count_if(uniform.begin(), uniform.end(), isLarge) > static_cast<long>(mostLarge))
    std::erase_if(uniform, isLarge);
  for (int array : uniform)
    if (const long bytes = bytesOf(arrays[array], 0);
        bytes <= room && !state.take(StageConstant{arrays[array].name}))
      room -= bytes;
}

long constantBytes(const Region& region, const RegionPlan& plan) {
  long bytes = 0;
  for (const auto& [array, name] : plan.constants) {
    const auto slice = plan.slices.find(array);
    bytes += slice == plan.slices.end() ? bytesOf(region.arrays[array], 0)
                                        : slice->second.second.rows * bytesOf(region.arrays[array], 1);
  }
  return bytes;
}

} // namespace warploom
