// Lets libraries stand in for kernels that are products of matrices and vectors.
#pragma once

#include "transform/Schedule.h"

namespace warploom {

/// Takes the step for every kernel of `state` that a library has a function for.
void callLibraries(ScheduleState& state, LibraryUse use);

} // namespace warploom
