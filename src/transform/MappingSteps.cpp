// The steps that say how a loop is run: unroll, map to grid, block, lanes and groups.
#include "support/IslC.h"
#include "transform/Levels.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/map.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <set>

namespace warploom {

namespace {

/// More than this many copies of a body make a kernel larger than its instruction cache.
constexpr long mostUnrolled = 1024;

/// True when the last loop of `path` runs inside a tile of symbolic size of its own value: its trip count is
/// known when the kernel is instantiated.
bool isInsideTile(const std::vector<const LoopTree*>& path) {
  isl::union_map value = own(isl_union_map_from_union_pw_aff(path.back()->value.copy()));
  for (std::size_t k = 0; k + 1 < path.size(); ++k)
    if (path[k]->tile && value.is_subset(own(isl_union_map_from_union_pw_aff(path[k]->value.copy()))))
      return true;
  return false;
}

/// Why not all iterations of the last loop of `path` can be written out; nothing when they can.
std::optional<Refusal> refusedFull(const std::vector<const LoopTree*>& path) {
  const std::string& name = path.back()->name;
  if (path.back()->tile) return Refusal{fmt::format("how many tiles `{}` runs over is not known", name)};
  if (isInsideTile(path)) return std::nullopt;
  std::optional<long> greatest = greatestExtent(path);
  if (!greatest)
    return Refusal{
        fmt::format("how many iterations `{}` has is not known when the kernel is compiled", name)};
  if (*greatest > mostUnrolled) return Refusal{fmt::format("`{}` has {} iterations", name, *greatest)};
  return std::nullopt;
}

/// The lowest loops of `tree`: those with no other loop inside.
void innermost(const LoopTree& tree, std::vector<std::string>& names) {
  bool hasLoop = false;
  for (const LoopTree& child : tree.children) {
    hasLoop |= !loopNames(child).empty();
    innermost(child, names);
  }
  // In an imperfect nest a statement may stand beside a loop: its own innermost loop is unrolled for it, too.
  bool hasLeaf = false;
  if (tree.kind == LoopTree::Kind::Loop) {
    const LoopTree& body = tree.children.front();
    hasLeaf = body.kind == LoopTree::Kind::Leaf;
    for (const LoopTree& part : body.children)
      hasLeaf |= body.kind == LoopTree::Kind::Sequence && part.kind == LoopTree::Kind::Leaf;
  }
  if (tree.kind == LoopTree::Kind::Loop && (!hasLoop || hasLeaf)) names.push_back(tree.name);
}

} // namespace

std::optional<Refusal> apply(const Unroll& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (!loop) return noSuchLoop(step.loop);
  if (auto refused = refusedMapped(*loop)) return refused;
  if (loop->onTensor) return Refusal{fmt::format("tensor cores run `{}`", step.loop)};
  if (step.factor < 0 || step.factor > mostUnrolled)
    return Refusal{fmt::format("a loop is unrolled by 0 (wholly) to {}, not {}", mostUnrolled, step.factor)};
  if (step.factor == 0)
    if (auto refused = refusedFull(pathTo(tree, step.loop))) return refused;
  loop->unroll = step.factor;
  return state.adopt(std::move(tree), ScheduleState::Change::Marks);
}

std::optional<Refusal> apply(const UnrollToDepth& step, ScheduleState& state) {
  if (step.depth < 0) return Refusal{fmt::format("a depth of {}", step.depth)};
  LoopTree tree = state.tree();
  std::vector<std::string> starts;
  innermost(tree, starts);
  for (const std::string& start : starts) {
    std::vector<const LoopTree*> path = pathTo(tree, start);
    for (int level = 0; level < step.depth && !path.empty(); ++level, path.pop_back()) {
      if (path.back()->place || path.back()->onTensor || refusedFull(path)) break;
      findLoop(tree, path.back()->name)->unroll = 0;
    }
  }
  return state.adopt(std::move(tree), ScheduleState::Change::Marks);
}

namespace {

/// Why a loop cannot be given `place`, as far as the loops around and in it say.
std::optional<Refusal> refusedPlace(const LoopTree& tree, const std::string& name, const Place& place) {
  auto conflicts = [&](const LoopTree& other, bool isOutside) -> std::optional<Refusal> {
    if (!other.place || other.name == name) return std::nullopt;
    if (*other.place == place)
      return Refusal{fmt::format("`{}` and `{}` would both run along the same dimension", other.name, name)};
    const Place::Kind outer = (isOutside ? *other.place : place).kind,
                      inner = (isOutside ? place : *other.place).kind;
    if (inner == Place::Kind::Grid && outer != Place::Kind::Grid)
      return Refusal{fmt::format("a grid cannot be inside a block: `{}` and `{}`", other.name, name)};
    if ((outer == Place::Kind::Block) != (inner == Place::Kind::Block) && outer != Place::Kind::Grid)
      return Refusal{fmt::format("lanes of warps and threads of a block cannot be in one nest: `{}` and `{}`",
                                 other.name, name)};
    return std::nullopt;
  };
  for (const LoopTree* loop : pathTo(tree, name))
    if (auto refused = conflicts(*loop, true)) return refused;
  const LoopTree& own = *findLoop(tree, name);
  for (const std::string& inner : loopNames(own))
    if (auto refused = conflicts(*findLoop(own, inner), false)) return refused;
  return std::nullopt;
}

/// Gives the loop called `name` a place in `tree`, or says why it cannot have it; whether it is parallel is
/// not asked.
std::optional<Refusal> givePlace(const ScheduleState& state, LoopTree& tree, const std::string& name,
                                 const Place& place) {
  LoopTree* loop = findLoop(tree, name);
  if (!loop) return noSuchLoop(name);
  if (auto refused = refusedMapped(*loop)) return refused;
  if (loop->unroll != 1) return Refusal{fmt::format("`{}` is unrolled", name)};
  isl::union_set below = instances(*loop);
  for (const Statement& statement : state.region().statements)
    if (!statement.hostOnly.empty() && !below.is_disjoint(statement.domain))
      return Refusal{fmt::format("line {} in `{}` must run on the host: {}", statement.range.line, name,
                                 statement.hostOnly)};
  loop->place = place;
  return std::nullopt;
}

/// Takes `tree`, in which `names` got places.
std::optional<Refusal> adoptPlaces(ScheduleState& state, LoopTree tree,
                                   const std::vector<std::string>& names) {
  // Where one is not parallel, a check of the whole order says why.
  bool parallel = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return state.isParallel(name).value_or(false);
  });
  return state.adopt(std::move(tree), parallel ? ScheduleState::Change::Marks : ScheduleState::Change::Order);
}

std::optional<Refusal> map(ScheduleState& state, const std::vector<std::string>& names, Place::Kind kind) {
  if (names.empty() || names.size() > 3)
    return Refusal{fmt::format("one to three loops are mapped, not {}", names.size())};
  LoopTree tree = state.tree();
  for (std::size_t k = 0; k < names.size(); ++k) {
    Place place{kind, static_cast<int>(k)};
    if (auto refused = givePlace(state, tree, names[k], place)) return refused;
    if (auto refused = refusedPlace(tree, names[k], place)) return refused;
  }
  return adoptPlaces(state, std::move(tree), names);
}

/// True when the values of the last `count` loops of `path` are a box of which no side depends on the other
/// loops.
bool isBox(const std::vector<const LoopTree*>& path, std::size_t count) {
  isl::union_set all = instances(*path.back()).apply(valuesOf(path));
  if (all.is_empty()) return false;
  isl::set taken = own(isl_set_from_union_set(all.release()));
  unsigned outer = static_cast<unsigned>(path.size() - count);
  auto project = [&](unsigned first, unsigned number) {
    isl_set* rest = isl_set_project_out(taken.copy(), isl_dim_set, first + number,
                                        static_cast<unsigned>(path.size()) - first - number);
    return own(isl_set_project_out(rest, isl_dim_set, 0, first));
  };
  isl::set box = project(0, outer);
  for (unsigned k = outer; k < path.size(); ++k)
    box = own(isl_set_flat_product(box.release(), project(k, 1).release()));
  return box.is_equal(taken);
}

} // namespace

std::optional<Refusal> apply(const MapToGrid& step, ScheduleState& state) {
  return map(state, step.loops, Place::Kind::Grid);
}

std::optional<Refusal> apply(const MapToBlock& step, ScheduleState& state) {
  return map(state, step.loops, Place::Kind::Block);
}

std::optional<Refusal> apply(const MapToLanes& step, ScheduleState& state) {
  if (step.loops.empty()) return Refusal{"one or more loops are mapped"};
  LoopTree tree = state.tree();
  const Place lanes{Place::Kind::Lane, 0};
  for (const std::string& name : step.loops) {
    if (auto refused = givePlace(state, tree, name, lanes)) return refused;
    if (auto refused = refusedPlace(tree, name, lanes)) return refused;
    std::vector<const LoopTree*> path = pathTo(tree, name);
    if (std::none_of(path.begin(), path.end(), [](const LoopTree* loop) {
          return loop->place && loop->place->kind == Place::Kind::Grid;
        }))
      return Refusal{
          fmt::format("no loop around `{}` is on the grid: warps have nothing to share out", name)};
  }
  return adoptPlaces(state, std::move(tree), step.loops);
}

std::optional<Refusal> apply(const MapToGroups& step, ScheduleState& state) {
  if (step.statements.empty()) return Refusal{"the code of one or more statements is shared"};
  const std::vector<Statement>& all = state.region().statements;
  for (const std::string& name : step.statements) {
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Statement& statement) { return statement.name == name; });
    if (found == all.end()) return Refusal{fmt::format("there is no statement `{}`", name)};
    if (!found->code) return Refusal{fmt::format("`{}` is no loop that only data end", name)};
    state.shareCode(static_cast<int>(found - all.begin()));
  }
  return std::nullopt;
}

std::optional<Refusal> apply(const CollapseToGrid& step, ScheduleState& state) {
  if (step.loops.size() < 2) return Refusal{"two or more loops are collapsed"};
  LoopTree tree = state.tree();
  const LoopTree* outermost = findLoop(tree, step.loops.front());
  if (!outermost) return noSuchLoop(step.loops.front());
  std::vector<const LoopTree*> nest = nestFrom(*outermost);
  for (std::size_t k = 0; k < step.loops.size(); ++k)
    if (k >= nest.size() || nest[k]->name != step.loops[k])
      return Refusal{fmt::format("`{}` is not right inside `{}`", step.loops[k], step.loops[k ? k - 1 : 0])};
  std::vector<const LoopTree*> path = pathTo(tree, step.loops.back());
  if (std::any_of(path.begin(), path.end(), [](const LoopTree* loop) { return loop->tile.has_value(); }))
    return Refusal{"loops over tiles of symbolic size are not collapsed"};
  if (!isBox(path, step.loops.size()))
    return Refusal{fmt::format("how many iterations `{}` has depends on other loops", step.loops.back())};
  const Place along{Place::Kind::Grid, step.axis};
  if (auto refused = refusedPlace(tree, step.loops.front(), along)) return refused;
  for (const std::string& name : step.loops)
    if (auto refused = givePlace(state, tree, name, along)) return refused;
  return adoptPlaces(state, std::move(tree), step.loops);
}

} // namespace warploom
