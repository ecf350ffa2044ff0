// What steps have said and no kernel does.
#pragma once

#include "mapping/Plan.h"

namespace warploom {

/// Why `plan`, whose kernels and loops of the host are known, is not what the steps of `state` say; nothing
/// when all of them are heard.
std::optional<NoPlan> dropped(const ScheduleState& state, const RegionPlan& plan);

} // namespace warploom
