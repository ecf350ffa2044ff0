#include "strategy/Common.h"

#include "transform/Levels.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <map>
#include <set>

namespace warploom {

namespace {

/// The arrays that nothing in `x` writes, and of which all its threads read the same elements, others in each
/// iteration of `k`.
std::vector<int> commonIn(const ScheduleState& state, const LoopTree& x, const LoopTree& k) {
  const Region& region = state.region();
  std::map<int, bool> common;
  for (int s : statementsOf(region, x)) {
    const Statement& statement = region.statements[s];
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const Access& access = statement.accesses[a];
      if (access.kind == Access::Kind::Kill || region.arrays[access.array].isScalar()) continue;
      const bool is = !access.writes() && movement(region, state.facts(), x, {s, a}) == Movement::None &&
                      movement(region, state.facts(), k, {s, a}) != Movement::None;
      common.emplace(access.array, true).first->second &= is;
    }
  }
  std::vector<int> result;
  for (const auto& [array, is] : common)
    if (is) result.push_back(array);
  return result;
}

} // namespace

bool mapCommon(ScheduleState& state, const ParallelNest& nest) {
  // A loop of the host's may run all its kernels in one launch, in which none is tiled.
  if (nest.parallel.size() != 1 || pathTo(state.tree(), nest.outermost()).size() != 1) return false;
  const Region& region = state.region();
  const std::string& x = nest.outermost();
  const LoopTree& inner = nest.body(state);
  if (inner.kind != LoopTree::Kind::Loop || isShort(region, inner)) return false;
  const std::vector<const LoopTree*> parts = partsOf(inner.children.front());
  if (std::any_of(parts.begin(), parts.end(),
                  [](const LoopTree* part) { return part->kind == LoopTree::Kind::Loop; }))
    return false;
  const std::string k = inner.name;
  for (int s : statementsOf(region, inner)) {
    const Statement& statement = region.statements[s];
    if (statement.kind != Statement::Kind::Assign || !statement.guards.empty()) return false;
  }
  const std::vector<int> common = commonIn(state, *findLoop(state.tree(), x), inner);
  ScheduleState trial = state;
  auto take = [&](const Step& step) { return !trial.take(step); };
  const std::string xTiles = x + "_tiles", kTiles = k + "_tiles";
  if (common.empty() || !take(Tile{{x}, {std::string("LINE")}, {{xTiles}}, {}}) ||
      !take(Tile{{k}, {std::string(tileK)}, {{kTiles}}, {kTiles, x, k}}) || !take(MapToGrid{{xTiles}}) ||
      !take(MapToBlock{{x}}))
    return false;
  for (int array : common)
    if (!take(StageShared{kTiles, region.arrays[array].name, 1, nest.tileCopies})) return false;
  // What a thread has for itself, and can keep.
  std::set<int> own;
  for (int s : statementsOf(region, inner))
    for (const Access& access : region.statements[s].accesses)
      if (access.kind != Access::Kind::Kill && !region.arrays[access.array].isScalar() &&
          std::count(common.begin(), common.end(), access.array) == 0)
        own.insert(access.array);
  for (int array : own)
    take(StageRegisters{xTiles, region.arrays[array].name});
  if (!take(Unroll{k, 4})) return false;
  state = std::move(trial);
  return true;
}

} // namespace warploom
