// Loops that anti and output dependences, or values handed from iteration to iteration, keep in order: run
// with what they overwrite in places of its own.
#pragma once

#include "mapping/Plan.h"

#include <functional>

namespace warploom {

/// `plan`, which `planOf` made of `original`; where it leaves loops to one thread or to the host, or there is
/// none, the plan with renamings of one loop that leaves least in sequence, if that is less. Copies alone are
/// no gain: where nothing was parallel, no loop may be left to one thread.
RegionPlan planWithRenaming(const ScheduleState& original, RegionPlan plan,
                            const std::function<RegionPlan(ScheduleState)>& planOf);

/// `plan`, which `planOf` made of `original`; where a loop of it hands on elements of an array from iteration
/// to iteration, the plan with these in a scalar, if that leaves less in sequence, or has a warp run rows as
/// scans that threads would run by themselves.
RegionPlan planWithCarrying(const ScheduleState& original, RegionPlan plan,
                            const std::function<RegionPlan(ScheduleState)>& planOf);

/// `plan`, or that of `planOf`, in which loops may run by levels, where that leaves less to one thread.
RegionPlan planWithLevels(const ScheduleState& original, RegionPlan plan,
                          const std::function<RegionPlan(ScheduleState)>& planOf);

/// A plan with scalars that iterations of loops of the host work on in the elements that they end in, where
/// that leaves fewer loops of the host around kernels than in `plan`; else that.
RegionPlan planInPlace(const ScheduleState& original, RegionPlan plan,
                       const std::function<RegionPlan(ScheduleState)>& planOf);

} // namespace warploom
