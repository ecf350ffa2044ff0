// What accesses reach in memory once scalars and arrays may have a copy for each iteration of some loops.
#pragma once

#include "analysis/AccessRef.h"
#include "support/Isl.h"

#include <vector>

namespace warploom {

class ScheduleState;

/// The source loops for each iteration of which a step gave `array` a copy, outermost first; none where no
/// step did.
std::vector<int> expandedAlong(const ScheduleState& state, int array);

/// The elements that `ref` reaches; of a scalar with copies the copy, by the values of the loops that have
/// one each; of an array with copies these values, and then the subscripts. Uses outside these loops, which
/// are of the last copy of an array, have the subscripts alone.
isl::map elementsOf(const ScheduleState& state, AccessRef ref);

} // namespace warploom
