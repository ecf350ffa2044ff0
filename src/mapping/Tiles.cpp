#include "mapping/Tiles.h"

#include "mapping/Movement.h"
#include "mapping/Tiling.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/union_map.h>
#include <map>

namespace warploom {

namespace {

bool hasSameValue(const LoopTree& inner, const LoopTree& outer) {
  return own(isl_union_map_from_union_pw_aff(inner.value.copy()))
      .is_subset(own(isl_union_map_from_union_pw_aff(outer.value.copy())));
}

bool isOn(const LoopTree& loop, Place::Kind kind) {
  return loop.kind == LoopTree::Kind::Loop && loop.place && loop.place->kind == kind;
}

class Reader {
public:
  explicit Reader(const ScheduleState& state) : state(state) {}

  std::variant<TilePlan, Refusal> read(const LoopTree& root) {
    for (const LoopTree* loop : nestFrom(root)) {
      if (!isOn(*loop, Place::Kind::Grid)) break;
      if (loop->tile) {
        TileShare share = shareOf(loop->tile->size);
        plan.loops.push_back({loop->name, "", loop->tile->origin, loop->tile->size, share.threads,
                              share.items, loop->place->dimension, share.adjacent});
        controls.push_back(loop);
      }
    }
    std::vector<bool> threads(plan.loops.size());
    if (auto refused = look(root, threads)) return *refused;
    for (const Staging& staging : state.staging()) {
      if (!findLoop(root, staging.loop)) continue;
      if (staging.kind == Staging::Kind::Shared)
        for (const Box& box : sharedBoxes(state, staging.loop, staging.array))
          plan.shared.push_back({staging.array, staging.loop, box, staging.padding, staging.copies});
      if (staging.kind == Staging::Kind::Registers) addRegisters(staging, root);
    }
    return plan;
  }

private:
  void addRegisters(const Staging& staging, const LoopTree& root) {
    RegisterTile tile{staging.array, staging.loop,
                      std::get<RegisterSet>(registerSet(state, staging.loop, staging.array))};
    if (const TiledLoop* x = plan.onAxis(0); x && x->adjacent)
      tile.contiguous = movement(state.region(), state.facts(), *findLoop(root, x->loop),
                                 tile.elements.access) == Movement::Unit;
    plan.registers.push_back(tile);
  }

  /// Finds the loops on the block below `tree`; `threads` says which of the tiled loops they are around it.
  std::optional<Refusal> look(const LoopTree& tree, std::vector<bool> threads) {
    if (tree.kind == LoopTree::Kind::Leaf) {
      if (std::count(threads.begin(), threads.end(), false) > 0) {
        int first = statementsOf(state.region(), tree).front();
        return Refusal{fmt::format("all threads of a block would run line {}",
                                   state.region().statements[first].range.line)};
      }
      return std::nullopt;
    }
    if (isOn(tree, Place::Kind::Block)) {
      auto tiles = std::find_if(controls.begin(), controls.end(), [&](const LoopTree* control) {
        return control->place->dimension == tree.place->dimension && hasSameValue(tree, *control);
      });
      if (tiles == controls.end())
        return Refusal{fmt::format("`{}` runs in a block, but not inside tiles of itself on the grid, along "
                                   "the same axis",
                                   tree.name)};
      std::size_t k = static_cast<std::size_t>(tiles - controls.begin());
      threads[k] = true;
      if (plan.loops[k].loop.empty()) plan.loops[k].loop = tree.name;
    }
    for (const LoopTree& child : tree.children)
      if (auto refused = look(child, threads)) return refused;
    return std::nullopt;
  }

  const ScheduleState& state;
  TilePlan plan;
  std::vector<const LoopTree*> controls; ///< per entry of plan.loops
};

} // namespace

const TiledLoop* TilePlan::onAxis(int axis) const {
  for (const TiledLoop& loop : loops)
    if (loop.axis == axis) return &loop;
  return nullptr;
}

std::variant<TilePlan, Refusal> tilesOf(const ScheduleState& state, const LoopTree& root) {
  return Reader(state).read(root);
}

} // namespace warploom
