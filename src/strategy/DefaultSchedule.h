// The schedule that a region gets when nobody says otherwise.
#pragma once

#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom {

/// How parallel a schedule is, by what a GPU asks for. Larger is better, compared from the first member on.
struct Parallelism {
  int statements = 0; ///< those inside some parallel loop
  int launches =
      0; ///< minus the number of sequential loops around the outermost parallel one, over all statements
  /// Parallel loops in the perfect nests that begin with the outermost one, at most three per statement.
  int loops = 0;
  int nests =
      0; ///< minus the number of outermost parallel loops: fewer kernels, more reuse between statements

  auto operator<=>(const Parallelism&) const = default;
};

/// How parallel the schedule of `state` is; loops that isl gives up on count as sequential.
Parallelism parallelism(const ScheduleState& state);

/// What was chosen, and why.
struct DefaultChoice {
  enum class Kind { Original, Fused, Separated, Wavefront, Split };
  Kind kind = Kind::Original;
  std::string reason; ///< one or more sentences, for the user
};

/// Privatises arrays that are private to a loop, and fit a thread, and leaves the order as it is.
DefaultChoice keepOrder(ScheduleState& state);

/// Takes the steps of the default: arrays that are private to a loop, and fit a thread, are privatised; then
/// the order is the most parallel of the program's own, isl's with most fusion and isl's with least, in this
/// order of preference. `state` is that of the original order.
DefaultChoice scheduleByDefault(ScheduleState& state);

} // namespace warploom
