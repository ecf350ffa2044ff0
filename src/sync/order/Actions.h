// A normalised system as actions on numbered cells: the form on which dependences, schedules and groups are
// computed.
#pragma once

#include "sync/model/Cells.h"
#include "sync/model/System.h"

#include <memory>

namespace warploom::sync {

/// One action of a normalised system. Every Read is of a cell known beforehand, or a load: it has one
/// operand, the row-major offset in a memory. A load counts as a read of the whole memory.
struct CellAction {
  enum class Kind {
    Immediate,
    Delayed,
    Store, ///< of a memory, at the end of the step: reads nothing but what the step computed for it
    Report ///< an assertion turned round: where the guard holds, assertion number `report` is violated.
           ///< Writes no cell
  };
  Kind kind = Kind::Immediate;
  ExprPtr guard = nullptr;
  int target = -1;           ///< cell, or a memory as a whole; -1 for a report
  ExprPtr address = nullptr; ///< where in a memory, row-major; null for other targets
  ExprPtr value = nullptr;   ///< null for a report
  int report = -1;
  std::vector<int> reads; ///< cells of guard and value, ascending, each once
  Place place;
};

/// A normalised system, its cells and its actions: in the order of the system's data flow, then reports and
/// stores. A delayed assignment to a memory is a store: what it needs is computed within the step, as values
/// of new variables, and the memory changes when nothing reads it any more.
struct CellSystem {
  std::shared_ptr<const System> system;
  CellNumbering cells;
  std::vector<CellAction> actions;
  std::vector<std::string> reports; ///< names of the assertions
  int ports = 0;                    ///< variables from here on hold what stores need

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

/// True: of immediate actions, {(A, B) : A writes what B reads}. Later: {(A, B) : A immediate, B not, A
/// writes what B reads}. Anti: of delayed actions, {(A, B) : A != B, B writes what A reads}.
enum class Dependence { True, Later, Anti };

/// The dependences of a kind, ascending. Where `nodes` are given, action a is part of node nodes[a]: then
/// they are between nodes, each once, and none from a node to itself.
std::vector<Edge> dependences(const CellSystem& system, Dependence kind, const std::vector<int>& nodes = {});

} // namespace warploom::sync
