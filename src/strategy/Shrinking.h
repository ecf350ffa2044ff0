// Cycle shrinking: loops whose iterations depend only on others some way back run in groups, one group after
// the other, the iterations of a group at the same time.
#pragma once

#include "mapping/Plan.h"
#include "strategy/DefaultSchedule.h"

namespace warploom {

/// How the iterations of a nest are put into groups.
enum class Shrink {
  Auto,         ///< the way with the fewest groups, where that is better than no groups
  None,         ///< not at all
  Simple,       ///< boxes: each loop by its smallest distance
  Selective,    ///< the outermost loop that can be, by its smallest distance
  TrueDistance, ///< runs of iterations in the order of the program, through all loops of the nest
  Slabs,        ///< the loop, of those along which all distances point the same way, with the fewest groups
  Extended, ///< shells: all those loops, each in groups of its own, from peak to peak where distances vary
  ExtendedConstant, ///< the same for distances that do not vary
  ExtendedVariable  ///< the same for distances that do
};

/// Has outermost nests of `state`, which `choice` made, that are not parallel run in groups; with Auto where
/// values go from iteration to iteration, there are fewer groups than there were sequential iterations, and
/// enough iterations in a group. The choice that made what `state` is then; what could not be done as
/// `shrink` says is in its reason, and what was done instead. With `onlyAsAsked` nothing is: throws NoPlan
/// where the way is not for the loop.
DefaultChoice shrinkNests(ScheduleState& state, Shrink shrink, DefaultChoice choice,
                          bool onlyAsAsked = false);

} // namespace warploom
