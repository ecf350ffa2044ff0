// Loop recovery: groups of units become loop nests in which every cell and constant is an affine function of
// the indices, wrapped around an array's edge where need be. What has no such form is looked up in a table of
// indices.
#pragma once

#include "sync/group/StepPlan.h"

#include <array>

namespace warploom::sync {

/// Where a variable lives. Inputs are given anew in every step; Registers exist twice, for this step and for
/// the next (two-phase update); State holds the rest.
enum class Memory { Inputs, State, Registers };
/// What a cell is stored as: a byte, an integer of the system's word width, a double.
enum class Element { Bool, Word, Real };
Element elementOf(const ScalarType& type);

/// The place of one variable: a member of its own, or a range of a pool shared with other variables, which
/// code can reach by one index because some position of a group uses different variables in different units.
struct Placement {
  Memory memory = Memory::State;
  Element element = Element::Bool;
  bool pooled = false;
  std::int64_t offset = 0; ///< in the pool
};

struct Layout {
  std::vector<Placement> variables;                   ///< per variable of the system
  std::array<std::array<std::int64_t, 3>, 3> pools{}; ///< sizes by memory and element
};

/// base + strides[0] * index[0] + ...; indices outermost first.
struct Affine {
  std::int64_t base = 0;
  std::vector<std::int64_t> strides;

  bool isConstant() const;
};

/// plain + sum of weight * (inner mod modulus), inner being non-negative throughout.
struct Index {
  struct Wrapped {
    Affine inner;
    std::int64_t modulus = 0, weight = 0;
  };
  Affine plain;
  std::vector<Wrapped> wrapped;
};

/// What stands at one leaf of a piece's code.
struct Column {
  bool isCell = true;
  // A cell: element `index` of the variable, or of the pool when the variable differs between units.
  Memory memory = Memory::State;
  Element element = Element::Bool;
  int variable = -1; ///< -1: the pool
  // A constant: of this type; integers are given by index, reals by `real` or the table.
  ScalarType type;
  double real = 0;

  Index index;
  /// Where there is no closed form: the index (or integer, or real) per unit.
  std::vector<std::int64_t> table;
  std::vector<double> realTable;

  bool hasTable() const { return !table.empty() || !realTable.empty(); }
};

/// Units of one group that one loop nest runs: unit number (..(i0 * extents[1] + i1) * extents[2] + ..) has
/// indices i0, i1,
/// ... All iterations are independent.
struct Piece {
  const Group* group = nullptr;
  std::vector<int> units;            ///< indices into group->units, in the order of the nest
  std::vector<std::int64_t> extents; ///< outermost first; empty for a single unit
  std::vector<Column> columns;       ///< as the leaves of leavesOf()
  /// A single unit of many actions, cut into loops that run one after the other, each in the order of its
  /// index: every part is a nest of one dimension over a few actions. Empty where nothing repeats.
  std::vector<Piece> serial;
  std::shared_ptr<const Group> ownGroup; ///< what `group` points to in a part

  std::int64_t size() const { return std::int64_t(units.size()); }
};

/// A plan with its memory and its loops.
struct Folding {
  std::shared_ptr<const StepPlan> plan;
  Layout layout;
  std::vector<std::vector<Piece>> immediate; ///< per phase
  std::vector<Piece> delayed;
  std::vector<Piece> stores;

  int tables() const; ///< number of columns without a closed form
};

Folding fold(StepPlan plan);

} // namespace warploom::sync
