// Refusals that several steps share, and what they share in changing trees.
#pragma once

#include "transform/Schedule.h"

#include <optional>
#include <string>

namespace warploom {

Refusal noSuchLoop(const std::string& name);

/// Refuses to change a loop that runs on a grid or block already.
std::optional<Refusal> refusedMapped(const LoopTree& loop);

/// Refuses a name for something new that is no identifier or means something already.
std::optional<Refusal> refusedName(const ScheduleState& state, const std::string& name);

/// `tree` with no sequence directly in another.
LoopTree flattened(LoopTree tree);

/// Calls the loops of `copy`, a second copy of a part of the state's tree, by names of their own; `root`, if
/// it is not empty, is the name of the outermost one.
void renameLoops(const ScheduleState& state, LoopTree& copy, const std::string& root);

} // namespace warploom
