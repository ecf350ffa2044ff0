#include "strategy/Strategies.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warploom {

namespace {

/// A part of the body whose outermost loop the lanes of a warp can share.
struct SharedPart {
  std::string loop;
  double score = 0;         ///< how well the accesses of neighbouring lanes coalesce
  std::vector<Step> before; ///< what brings it there: another order of its nest, and its reductions
};

/// How lanes would share the nest `part` with `loop` outermost; nothing where they cannot.
std::optional<SharedPart> sharedBy(const ScheduleState& state, const LoopTree& part, const LoopTree& loop) {
  const Region& region = state.region();
  SharedPart result{loop.name, coalescing(region, state.facts(), loop), {}};
  if (isShort(region, loop)) return std::nullopt;
  ScheduleState trial = state;
  if (part.name != loop.name) {
    std::vector<std::string> order = namesOf(nestFrom(part));
    const auto place = std::find(order.begin(), order.end(), loop.name);
    std::rotate(order.begin(), place, place + 1);
    result.before.push_back(Permute{order});
    if (trial.take(result.before.back())) return std::nullopt;
  }
  const LoopTree& outermost = *findLoop(trial.tree(), loop.name);
  if (!keepsToItself(trial, outermost)) return std::nullopt;
  if (!isParallel(trial, loop.name)) {
    const std::vector<Reduction> found = reductionsOf(trial, outermost);
    if (found.empty() || !hasOnePart(trial, outermost, found)) return std::nullopt;
    reduce(trial, outermost, found, result.before);
  }
  return result;
}

} // namespace

bool mapRows(ScheduleState& state, const ParallelNest& nest) {
  const double along = coalescing(state.region(), state.facts(), *findLoop(state.tree(), nest.fastest()));
  std::vector<Step> steps;
  std::set<std::string> lanes;
  double inside = 0;
  for (const LoopTree* part : partsOf(nest.body(state))) {
    if (part->kind != LoopTree::Kind::Loop) continue;
    std::optional<SharedPart> best;
    for (const LoopTree* loop : nestFrom(*part)) {
      const double score = coalescing(state.region(), state.facts(), *loop);
      if (score <= (best ? best->score : std::min(along, 0.0))) continue;
      if (auto found = sharedBy(state, *part, *loop)) best = std::move(found);
    }
    if (!best) continue;
    steps.insert(steps.end(), best->before.begin(), best->before.end());
    lanes.insert(best->loop);
    inside += best->score;
  }
  // Lanes better share these loops than they would take iterations of the loop around them.
  if (lanes.empty() || inside <= along) return false;
  steps.push_back(toGrid(nest.parallel));
  steps.push_back(MapToLanes{{lanes.begin(), lanes.end()}});
  return takeAll(state, steps);
}

} // namespace warploom
