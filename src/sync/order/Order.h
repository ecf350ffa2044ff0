// An order of the immediate actions in which every value is written before it is read, or the reason why
// there is none.
#pragma once

#include "sync/order/Exclusion.h"

namespace warploom::sync {

/// levels[a] is the length of the longest chain of true dependences that ends in immediate action a, 0 for
/// none; -1 for other actions. Where the guards along a cycle exclude each other, dependences between actions
/// that are never enabled together do not count.
struct ImmediateOrder {
  std::vector<int> levels;
  std::vector<std::string> remarks; ///< which cycles were found harmless, for the report
  int questions = 0;                ///< put to the solver
};

/// Orders the immediate actions of `system`. Actions on a cycle that can never be enabled as a whole, but has
/// no fixed order, are split into cases by each other's guards; this is the only change to `system`. Throws
/// Error, naming the actions, when a cycle can be enabled or when that could not be decided within the
/// limits, or would take more than a million pairs of actions.
ImmediateOrder orderImmediate(CellSystem& system, SolverLimits limits = {});

/// Sets of immediate actions connected by true dependences, each ascending, ordered by their first action.
/// Two writers of a cell nobody reads are not connected.
std::vector<std::vector<int>> immediateComponents(const CellSystem& system);

/// The delayed actions in an order in which they can be executed in place: every reader of a cell comes
/// before its writers. Cycles are broken by copies: for a cell x a new local x' with the unconditional
/// immediate action `true => x' = x`, and x' instead of x in every other delayed action. This is the only
/// change to `system`.
struct DelayedOrder {
  std::vector<int> levels;                  ///< as above, along anti dependences; -1 for other actions
  std::vector<std::vector<int>> components; ///< connected by anti dependences
  int copies = 0;
  std::size_t edges = 0; ///< anti dependences left
};
DelayedOrder breakAntiDependences(CellSystem& system);

} // namespace warploom::sync
