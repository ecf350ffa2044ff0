#include "strategy/Stacks.h"

#include "strategy/Strips.h"
#include "transform/Levels.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <set>

namespace warploom {

namespace {

constexpr const char *stackY = "STACK_Y", *stackX = sizeName::blockX;

/// The loops that points of a tile lie along, and the arrays that are only read at them.
struct Plane {
  std::string y, x;
  std::string outermost; ///< of the nest
  std::set<int> read = {};

  const LoopTree& outer(const ScheduleState& state) const { return *findLoop(state.tree(), outermost); }
};

/// The plane of the last two loops of `nest`, whose points do little each, whatever data are; nothing where
/// there is none.
std::optional<Plane> planeOf(const ScheduleState& state, const ParallelNest& nest) {
  const std::vector<std::string>& parallel = nest.parallel;
  // A loop of the host's may run all its kernels in one launch, in which none is tiled.
  if (parallel.size() < 2 || !nest.further.empty() || pathTo(state.tree(), nest.outermost()).size() != 1)
    return std::nullopt;
  const Region& region = state.region();
  std::vector<const LoopTree*> loops;
  for (const std::string& name : parallel)
    loops.push_back(findLoop(state.tree(), name));
  Plane plane{parallel[parallel.size() - 2], parallel.back(), nest.outermost()};
  std::set<int> written;
  for (int s : statementsOf(region, *loops.front())) {
    const Statement& statement = region.statements[s];
    if (statement.kind != Statement::Kind::Assign || !statement.guards.empty() ||
        !hasLittleWork(region, loops, s))
      return std::nullopt;
    for (const Access& access : statement.accesses) {
      if (access.kind == Access::Kind::Kill || region.arrays[access.array].isScalar()) continue;
      (access.writes() ? written : plane.read).insert(access.array);
    }
  }
  for (int array : written)
    plane.read.erase(array);
  return plane;
}

/// Gives blocks tiles of the plane, and threads points of them that lie below each other.
bool tile(ScheduleState& state, const ParallelNest& nest, const Plane& plane) {
  const std::string yTiles = plane.y + "_tiles", xTiles = plane.x + "_tiles";
  std::vector<std::string> grid = {xTiles, yTiles};
  if (nest.parallel.size() > 2) grid.push_back(nest.outermost());
  return takeAll(
      state, {Tile{{plane.y, plane.x}, {std::string(stackY), std::string(stackX)}, {{yTiles}, {xTiles}}, {}},
              MapToGrid{grid}, MapToBlock{{plane.x, plane.y}}});
}

/// The accesses to `array` below `loop`.
std::vector<AccessRef> accessesTo(const Region& region, const LoopTree& loop, int array) {
  std::vector<AccessRef> all;
  for (int s : statementsOf(region, loop))
    for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a)
      if (const Access& access = region.statements[s].accesses[a];
          access.array == array && access.kind != Access::Kind::Kill)
        all.push_back({s, a});
  return all;
}

/// The arrays that threads along x would read far apart, but those along y side by side, where all that is
/// written lies along x; else none.
std::vector<int> turnedIn(const ScheduleState& state, const Plane& plane) {
  const Region& region = state.region();
  const LoopTree &y = *findLoop(state.tree(), plane.y), &x = *findLoop(state.tree(), plane.x);
  std::vector<int> turned;
  for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array) {
    if (region.arrays[array].isScalar()) continue;
    const bool isRead = plane.read.count(array) > 0;
    bool isTurned = false;
    for (AccessRef ref : accessesTo(region, plane.outer(state), array)) {
      const Movement along = movement(region, state.facts(), x, ref);
      if (!isRead && along != Movement::Unit) return {};
      isTurned |= along == Movement::Far && movement(region, state.facts(), y, ref) == Movement::Unit;
    }
    if (isRead && isTurned) turned.push_back(array);
  }
  return turned;
}

} // namespace

bool mapStacks(ScheduleState& state, const ParallelNest& nest) {
  const std::optional<Plane> plane = planeOf(state, nest);
  if (!plane) return false;
  const LoopTree& x = *findLoop(state.tree(), plane->x);
  // A point has elements in common with those below it only where it reads several of an array; and where
  // neighbouring threads read far apart, other things matter.
  bool any = x.children.front().kind == LoopTree::Kind::Loop;
  for (int array : plane->read) {
    const std::vector<AccessRef> accesses = accessesTo(state.region(), plane->outer(state), array);
    any |= accesses.size() > 1;
    for (AccessRef ref : accesses) {
      const Movement along = movement(state.region(), state.facts(), x, ref);
      if (along == Movement::Far || along == Movement::Unknown) return false;
    }
  }
  return any && tile(state, nest, *plane);
}

bool mapTurned(ScheduleState& state, const ParallelNest& nest) {
  std::optional<Plane> plane = planeOf(state, nest);
  if (!plane) return false;
  ScheduleState trial = state;
  std::vector<int> turned = turnedIn(trial, *plane);
  if (turned.empty()) {
    std::swap(plane->y, plane->x);
    turned = turnedIn(trial, *plane);
    if (turned.empty() || trial.take(Permute{{plane->y, plane->x}})) return false;
  }
  if (!tile(trial, nest, *plane)) return false;
  // Neighbouring threads read elements of different rows, which must not all lie in one bank.
  for (int array : turned)
    if (trial.take(StageShared{plane->x + "_tiles", state.region().arrays[array].name, -32})) return false;
  state = std::move(trial);
  return true;
}

} // namespace warploom
