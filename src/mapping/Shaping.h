// Maps the parallel nests of a schedule: takes the steps that bring their loops into the right order, tile
// them and give them places.
#pragma once

#include "mapping/Plan.h"
#include "transform/Schedule.h"

namespace warploom {

/// Takes steps on `state` until every nest that can run in parallel has places. Nests in which a loop has a
/// place already are left alone. Loops outside mapped nests stay on the host, or in one thread where nothing
/// in them is parallel.
void mapNests(ScheduleState& state, const MappingOptions& options);

} // namespace warploom
