// What runs when, and what runs alike: units (threads) of actions, grouped by shape, in phases with a barrier
// between them. Still no text and no memory.
#pragma once

#include "sync/group/Shape.h"
#include "sync/order/Order.h"

namespace warploom::sync {

struct PlanOptions {
  ShapeOptions shapes;
  /// Units of different length may share code, with the missing actions switched off, when one's sequence of
  /// shapes is part of the other's.
  bool padding = true;
  /// Delayed actions read the state of this step and write that of the next. Otherwise they run in place,
  /// ordered by their anti dependences, with cycles broken by copies.
  bool twoPhase = true;
  /// A component with more actions than this runs level by level, with its levels' actions in parallel, where
  /// the levels are at least `levelWidth` actions wide on average.
  int largeComponent = 256;
  int levelWidth = 16;
  SolverLimits solver;

  /// Grouping as the thesis has it: constants and operand order count, nothing is padded.
  static PlanOptions baseline() {
    PlanOptions options;
    options.shapes = {false, false};
    options.padding = false;
    return options;
  }
};

/// Actions one thread runs in order.
struct Unit {
  std::vector<int> actions; ///< -1 where an action of the group's sequence is missing (padding)
  /// Two-phase delayed update: the cell whose next value this unit makes. It starts as the current value.
  int cell = -1;
};

/// Units of one sequence of shapes.
struct Group {
  std::vector<Unit> units; ///< the first one has all actions
  /// Access positions as the thesis counts them: variables in guards, targets and values.
  int positions = 0;
  std::vector<bool> padded; ///< per action: some unit does not have it
};

struct Phase {
  std::vector<Group> groups;
};

/// The schedule of a step: the immediate phases one after the other, then the delayed phase, in which
/// assertions are checked too, then the stores into memories.
struct StepPlan {
  CellSystem system; ///< with the expressions in canonical form
  PlanOptions options;
  /// Per action: the number of its shape, in the order of the shapes as text, so that sorting by it is
  /// canonical.
  std::vector<int> shapes;
  std::vector<Phase> immediate;
  Phase delayed;
  Phase stores;
  int components = 0;        ///< of the immediate actions
  int levels = 0;            ///< of the immediate actions
  int copies = 0;            ///< made to break anti-dependence cycles; 0 in two-phase mode
  std::size_t antiEdges = 0; ///< that the schedule has to respect; 0 in two-phase mode
  std::vector<std::string> remarks;
  /// Per variable: it is written by delayed actions, so two-phase update keeps two copies of it.
  std::vector<bool> registered;
};

/// The plan for a normalised system. Throws Error as orderImmediate does.
StepPlan planStep(System normalised, PlanOptions options = {});

/// Leaves of a unit, in order, for each action of its group; padded ones take those of `complete`, a unit of
/// the group without padding. A switched-off action is marked by a leading constant 0, a present one by 1, in
/// groups that have any.
std::vector<Leaf> leavesOf(const StepPlan& plan, const Group& group, const Unit& unit);

} // namespace warploom::sync
