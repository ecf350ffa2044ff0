// A normalised system as actions on numbered cells: the form on which dependences, schedules and groups are
// computed.
#pragma once

#include "sync/model/Cells.h"
#include "sync/model/System.h"

#include <memory>

namespace warploom::sync {

/// One action of a normalised system. Every Read in guard and value is of a cell known beforehand.
struct CellAction {
  enum class Kind {
    Immediate,
    Delayed,
    Report ///< an assertion turned round: where the guard holds, assertion number `report` is violated.
           ///< Writes no cell
  };
  Kind kind = Kind::Immediate;
  ExprPtr guard = nullptr;
  int target = -1;         ///< cell; -1 for a report
  ExprPtr value = nullptr; ///< null for a report
  int report = -1;
  std::vector<int> reads; ///< cells of guard and value, ascending, each once
  Place place;
};

/// A normalised system, its cells and its actions. Actions are in the order of the system's data flow,
/// reports last.
struct CellSystem {
  std::shared_ptr<const System> system;
  CellNumbering cells;
  std::vector<CellAction> actions;
  std::vector<std::string> reports; ///< names of the assertions

  int cellOf(const Expr& read) const { return cells.cell(read); }
  const Variable& variableOf(int cell) const { return system->variables[cells.variableOf(cell)]; }
  /// `guard => next(x) = value` as text.
  std::string text(const CellAction& action) const;
};

/// The actions of `system`, which must be normalised.
CellSystem cellSystem(System system);

/// What `action` reads, recomputed from its expressions.
std::vector<int> readsOf(const CellSystem& system, const CellAction& action);

/// A must-run-before pair of actions.
struct Edge {
  int from = -1, to = -1;
  auto operator<=>(const Edge&) const = default;
};

/// {(A, B) : A and B immediate, A writes what B reads}, ascending.
std::vector<Edge> trueDependences(const CellSystem& system);
/// {(A, B) : A and B delayed, A != B, B writes what A reads}, ascending.
std::vector<Edge> antiDependences(const CellSystem& system);

} // namespace warploom::sync
