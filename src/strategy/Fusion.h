// Neighbouring parallel nests over the same iterations as one: one launch, and data that both read is read
// once.
#pragma once

#include "transform/Schedule.h"

namespace warploom {

/// Takes steps that fuse neighbouring nests which run over equal spaces, are parallel in all their loops,
/// stay so, and want the same order of loops.
void fuseEqualNests(ScheduleState& state);

} // namespace warploom
