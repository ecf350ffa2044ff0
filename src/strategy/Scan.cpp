#include "strategy/Strategies.h"
#include "transform/Levels.h"

#include <algorithm>
#include <variant>

namespace warploom {

namespace {

/// True when `loop` hands on a value that every iteration sets anew: an array of such values will do.
bool handsOnWhatItSets(const ScheduleState& state, int loop) {
  const Region& region = state.region();
  const std::optional<Scan> scan =
      scanOf(region, state.facts().dependences, loop, state.facts().loops[loop].privateArrays);
  return scan && std::any_of(scan->states.begin(), scan->states.end(), [&](const Recurrence& one) {
           return one.kind == Recurrence::Kind::Last &&
                  std::any_of(one.statements.begin(), one.statements.end(), [&](int s) {
                    const auto& all = region.statements[s].accesses;
                    return std::any_of(all.begin(), all.end(), [&](const Access& access) {
                      return access.array == one.array && access.kind == Access::Kind::Write;
                    });
                  });
         });
}

/// Adds the step that makes a scan of `loop`; false when it hands on nothing, or something else than a scan
/// finds, or is too short.
bool addScan(const ScheduleState& state, const LoopTree& loop, std::vector<Step>& steps) {
  const std::optional<int> source = loop.tile ? std::nullopt : sourceLoopInOrder(state.region(), loop);
  if (!source || isShort(state.region(), *source) || handsOnWhatItSets(state, *source)) return false;
  const ScanLoop step{state.sourceName(*source)};
  ScheduleState trial = state;
  if (trial.take(step) || !trial.isParallel(loop.name).value_or(false)) return false;
  steps.push_back(step);
  return true;
}

/// Takes `steps`, if a kernel does what they say of the nest at `root`; false when not.
bool takeMapped(ScheduleState& state, const std::vector<Step>& steps, const std::string& root) {
  ScheduleState trial = state;
  if (!takeAll(trial, steps) ||
      std::holds_alternative<Refusal>(mappedNest(trial, *findLoop(trial.tree(), root))))
    return false;
  state = std::move(trial);
  return true;
}

} // namespace

bool mapScan(ScheduleState& state, const std::string& root) {
  const std::vector<std::string> nest = namesOf(nestFrom(*findLoop(state.tree(), root)));
  std::vector<Step> steps;
  if (nest.size() == 1) {
    if (!addScan(state, *findLoop(state.tree(), root), steps)) return false;
    steps.push_back(toGrid({root}));
    return takeMapped(state, steps, root);
  }
  // Iterations of all loops are counted together; else the host runs the outer ones.
  ScheduleState trial = state;
  for (const std::string& name : nest)
    if (!addScan(trial, *findLoop(trial.tree(), name), steps) || trial.take(steps.back())) return false;
  steps.push_back(CollapseToGrid{nest});
  return takeMapped(state, steps, root);
}

bool mapScannedRows(ScheduleState& state, const ParallelNest& nest) {
  if (nest.parallel.size() > 2) return false;
  const Region& region = state.region();
  const double along = coalescing(region, state.facts(), *findLoop(state.tree(), nest.fastest()));
  std::vector<Step> steps;
  std::vector<std::string> lanes;
  double inside = 0;
  for (const LoopTree* part : partsOf(nest.body(state))) {
    if (part->kind != LoopTree::Kind::Loop || isShort(region, *part)) continue;
    const double score = coalescing(region, state.facts(), *part);
    if (score <= std::min(along, 0.0) || !addScan(state, *part, steps)) continue;
    lanes.push_back(part->name);
    inside += score;
  }
  if (lanes.empty() || inside <= along) return false;
  steps.push_back(toGrid(nest.parallel));
  steps.push_back(MapToLanes{lanes});
  return takeMapped(state, steps, nest.outermost());
}

} // namespace warploom
