#include "strategy/Constants.h"

#include "mapping/Movement.h"

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

} // namespace

void chooseConstants(ScheduleState& state) {
  const auto& arrays = state.region().arrays;
  for (int array = 0; array < static_cast<int>(arrays.size()); ++array)
    if (isUniform(state, array, state.tree(), {}).value_or(false))
      state.take(StageConstant{arrays[array].name});
}

} // namespace warploom
