// What a schedule looks like, for people who write or read recipes: its code, what it runs, and what orders
// it; and how it came about, step by step.
#pragma once

#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom {

/// The loops of `tree` as C text, one call per statement: `S0(i, j);`. What loops are
/// mapped to, and those over tiles of symbolic size, are comments; inside these the code is that of one tile.
std::string codeText(const LoopTree& tree);

/// One line per statement: its line in the source and the instances that `state` runs.
std::string spacesText(const ScheduleState& state);

/// One line per constraint on the order of instances: where it comes from, and the pairs.
std::string orderText(const ScheduleState& state);

/// The whole story of a schedule: the steps that made `state`, if any, spaces and constraints, then each of
/// `steps` with the code after it. A step that is refused ends it, with the reason.
std::string trace(ScheduleState state, const std::vector<Step>& steps);

} // namespace warploom
