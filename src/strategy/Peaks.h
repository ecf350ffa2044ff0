// Where groups of iterations begin whose distances are not all the same: the peaks of cycle shrinking.
#pragma once

#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom {

/// How the first iteration is found that depends on one from some iteration on.
enum class PeakRule {
  Exact, ///< the least of all that do
  Sigma  ///< as published: the least place that the equations of subscripts give, as fractions, for the
         ///< iteration itself, rounded up; only where that is no later than for any later iteration
};

/// Peaks, or why there are none.
struct Peaks {
  std::vector<long> at; ///< after the first iteration, which is 0; they ascend
  std::string why;      ///< empty: these are all
};

/// The iterations of the loop of `state` called `name`, which counts from 0, with which groups begin of
/// iterations that do not depend on each other: each is the first that depends on one of the group before or
/// a later one. None from `extent` on is looked for.
Peaks peaksOf(const ScheduleState& state, const std::string& name, long extent, PeakRule rule);

} // namespace warploom
