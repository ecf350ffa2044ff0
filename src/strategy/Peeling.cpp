#include "strategy/Peeling.h"

#include <string>
#include <vector>

namespace warploom {

namespace {

/// True when a loop of `tree` is parallel, or its iterations combine values.
bool hasParallel(const ScheduleState& state, const LoopTree& tree) {
  for (const std::string& name : loopNames(tree))
    if (state.isParallel(name).value_or(true)) return true;
  return false;
}

} // namespace

void peelForParallel(ScheduleState& state) {
  std::vector<std::string> roots;
  for (const LoopTree* part : partsOf(state.tree()))
    if (part->kind == LoopTree::Kind::Loop && !hasParallel(state, *part)) roots.push_back(part->name);
  for (const std::string& root : roots)
    for (long count : {1, -1}) {
      ScheduleState trial = state;
      const std::string peeled = uniqueName(root + (count > 0 ? "_first" : "_last"),
                                            [&](const std::string& name) { return trial.isTaken(name); });
      if (trial.take(Peel{root, count, peeled}) || !trial.isParallel(root).value_or(false)) continue;
      state = std::move(trial);
      break;
    }
}

} // namespace warploom
