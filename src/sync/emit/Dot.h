// The dependences of a system as a picture, in the language of graphviz.
#pragma once

#include "sync/group/StepPlan.h"

namespace warploom::sync {

/// Up to this many actions each is a node of the graph; beyond, each group is, and more groups than
/// `mostNodes` are refused.
inline constexpr std::size_t mostDrawnActions = 400, mostNodes = 2000;

/// The graph of `plan`: actions in boxes for their components and phases, those of one group in one colour. A
/// plain arrow goes from a write to a read of the same step, a grey one to a read by an action at its end; a
/// dashed one from a delayed action to one that writes what it reads. Throws Error where it is too large.
std::string dependenceGraph(const StepPlan& plan);

} // namespace warploom::sync
