// The elements that accesses reach where loops have tiles of numbers, as boxes; and what of an array a thread
// keeps when threads take iterations of loops on the block in turn.
#pragma once

#include "transform/Staging.h"

namespace warploom {

/// True when some of `around` runs over something else than an index around `statement` or symbolic tiles.
bool hasNumericTiles(const Region& region, const std::vector<const LoopTree*>& around, int statement);

/// Those of the instances below the last loop of `path`, from the root on, that run in one iteration of all
/// of its loops, whose values and origins are parameters.
isl::union_set inOneIteration(const std::vector<const LoopTree*>& path);

/// The box around what `accesses`, each with what it reaches, reach for `runs`; nothing when its sides are no
/// numbers.
std::optional<Box> numericBox(const std::vector<std::pair<AccessRef, isl::map>>& accesses,
                              const isl::union_set& runs);

/// What a thread keeps of `array` in an iteration of `loop`, inside of which are loops on the block, where no
/// loop has symbolic tiles; or why it cannot.
std::variant<RegisterSet, Refusal> threadBox(const ScheduleState& state, const std::string& loop, int array);

} // namespace warploom
