// Shapes of actions: what is left of them when cells, and on request constants, are taken away. Units of
// equal shape run as one piece of code.
#pragma once

#include "sync/Actions.h"

namespace warploom::sync {

struct ShapeOptions {
  /// Constants are parameters: actions that differ only in numbers have one shape. (Truth values stay.)
  bool constantsAsParameters = true;
  /// Operands of commutative operators are put into a canonical order first, and sums of integers are
  /// flattened.
  bool commutative = true;
};

/// `expr` with operands sorted by shape where the result is exactly the same: integers wrap around, so their
/// sums and products may be reordered at will; of reals only the two operands of one operator.
ExprPtr canonical(const CellSystem& system, const ExprPtr& expr, const ShapeOptions& options);

/// Appends the shape of `expr`: preorder, a cell as I (input) or V with its type, a constant by value or as
/// #.
void appendShape(const CellSystem& system, const Expr& expr, const ShapeOptions& options, std::string& shape);

/// The shape of an action: guard, kind of target, value.
std::string shapeOf(const CellSystem& system, const CellAction& action, const ShapeOptions& options);

/// A leaf that may differ between actions of one shape, in the order in which accesses are numbered: per
/// action the guard's from the left, the target, the value's from the left. For a report its number stands
/// for the target.
struct Leaf {
  int cell = -1; ///< -1: a constant
  bool written = false;
  ScalarType type; ///< of the constant
  Value value;     ///< of the constant
};
void appendLeaves(const CellSystem& system, const CellAction& action, const ShapeOptions& options,
                  std::vector<Leaf>& leaves);

/// The constant takes part in the shape by its value, so it is no leaf.
bool isStructural(const Expr& literal, const ShapeOptions& options);

} // namespace warploom::sync
