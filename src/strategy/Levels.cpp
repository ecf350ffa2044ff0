#include "transform/Levels.h"

#include "analysis/Irregular.h"
#include "strategy/Strategies.h"

#include <variant>

namespace warploom {

namespace {

/// Adds the step that has `loop` run by levels; false when its iterations meet elsewhere than in elements
/// that data choose, or all of them do since its index does not choose any.
bool addLevels(const ScheduleState& state, const LoopTree& loop, std::vector<Step>& steps) {
  const Region& region = state.region();
  const std::optional<int> source = loop.tile ? std::nullopt : sourceLoopInOrder(region, loop);
  if (!source) return false;
  const auto found =
      irregularOf(region, state.facts().dependences, *source, state.facts().loops[*source].privateArrays);
  if (!found || !isChosenBy(region, *found, *source)) return false;
  steps.push_back(LevelLoop{state.sourceName(*source)});
  return true;
}

} // namespace

bool mapLevels(ScheduleState& state, const std::string& root) {
  const std::vector<std::string> nest = namesOf(nestFrom(*findLoop(state.tree(), root)));
  // As many loops as can be are counted together: more iterations, fewer of them in a row.
  for (std::size_t count = nest.size(); count > 0; --count) {
    const std::vector<std::string> loops(nest.begin(), nest.begin() + static_cast<long>(count));
    std::vector<Step> steps;
    bool all = true;
    for (const std::string& name : loops)
      all = all && addLevels(state, *findLoop(state.tree(), name), steps);
    if (!all) continue;
    if (count == 1)
      steps.push_back(toGrid(loops));
    else
      steps.push_back(CollapseToGrid{loops});
    ScheduleState trial = state;
    if (!takeAll(trial, steps) ||
        std::holds_alternative<Refusal>(mappedNest(trial, *findLoop(trial.tree(), root))))
      continue;
    state = std::move(trial);
    return true;
  }
  return false;
}

} // namespace warploom
