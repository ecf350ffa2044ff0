// The loops on a block, read off a schedule: the loops whose tiles are blocks, what a block keeps in shared
// memory, and what a thread keeps in registers.
#pragma once

#include "mapping/MappedTree.h"
#include "transform/Schedule.h"

#include <set>
#include <string>
#include <variant>

namespace warploom {

/// A tree, yet without nodes, of the nest of `state` that begins with `root`, a loop on the grid: the loops
/// on the block in it that run in tiles of themselves on the grid along the same axis are its `tiles`, where
/// these are all; else it has none, and threads walk all of them in strides. Or why there is none.
std::variant<MappedTree, Refusal> tilesOf(const ScheduleState& state, const LoopTree& root);

/// The axes along which loops of `tree` are on the block.
std::set<int> blockAxes(const LoopTree& tree);

} // namespace warploom
