// The cells of a system: every element of every array, numbered.
#pragma once

#include "sync/model/System.h"

namespace warploom::sync {

/// A cell is (variable, offset), offset in row-major order; all cells of a system are numbered in that order.
class CellNumbering {
public:
  /// `wholeMemories`: a memory counts as one cell.
  explicit CellNumbering(const System& system, bool wholeMemories = false);
  int count() const { return int(owners.size()); }
  int first(int variable) const { return firsts[variable]; }
  /// The cell of a read or target that is known beforehand.
  int cell(const Expr& read) const { return firsts[read.variable] + int(read.value.integer); }
  int cell(const Target& target) const { return firsts[target.variable] + int(target.offset); }
  int variableOf(int cell) const { return owners[cell]; }
  /// `x`, or `x[1][0]`.
  std::string name(int cell) const;

private:
  const System* system;
  bool wholeMemories;
  std::vector<int> firsts; ///< per variable: its first cell
  std::vector<int> owners; ///< per cell: its variable
};

/// Row-major offset of `subscripts`, or nothing when one is outside its extent.
std::optional<std::int64_t> offsetOf(const Type& type, const std::vector<std::int64_t>& subscripts);

/// The subscripts of row-major `offset`.
std::vector<std::int64_t> subscriptsOf(const Type& type, std::int64_t offset);
/// The subscripts of `target` as expressions, also of a cell known beforehand.
std::vector<ExprPtr> subscriptsOf(const Type& type, const Target& target);

/// Cells of the inputs, and of the outputs (inouts included), in the order of declaration.
std::vector<int> inputCells(const System& system);
std::vector<int> outputCells(const System& system);

} // namespace warploom::sync
