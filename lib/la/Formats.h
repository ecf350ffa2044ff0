// Sparse matrices in the host's memory: coordinates, and the formats that operations work on.
#pragma once

#include "warploom_la.h"

#include <cstddef>
#include <vector>

namespace warploom::la {

/// Entry p is values[p] at (rows[p], columns[p]).
/// Invariant: sorted by row and then column, no place twice, all inside m x n.
template <class T> struct Coordinates {
  int m = 0, n = 0;
  std::vector<int> rows, columns;
  std::vector<T> values;

  std::size_t count() const { return values.size(); }
};

/// Row i has the entries offsets[i] to offsets[i + 1], columns ascending.
template <class T> struct Csr {
  int m = 0, n = 0;
  std::vector<int> offsets, columns;
  std::vector<T> values;

  std::size_t count() const { return values.size(); }
};

/// Rows and columns in square blocks of `side`, a block row like a row of Csr, the elements of a block
/// row-major. Rows and columns beyond m and n are zeros.
template <class T> struct Bsr {
  int m = 0, n = 0, side = 0, blockRows = 0, blockColumns = 0;
  std::vector<int> offsets, columns;
  std::vector<T> values;
};

/// Sliced ELL: slice s holds the rows from s * slice on, all padded to one width; its elements are at
/// offsets[s] to offsets[s + 1], those of the slice's rows side by side. A padded element has column -1 and
/// value 0.
template <class T> struct Sell {
  static constexpr int slice = 32;
  int m = 0, n = 0;
  std::size_t entries = 0;
  std::vector<int> offsets, columns;
  std::vector<T> values;
};

/// The first entries of every row, as many as pay, as ELL (slices of one width), and the others.
template <class T> struct Hybrid {
  int width = 0;
  Sell<T> regular;
  Coordinates<T> rest;
};

/// The sides of blocks of Bsr.
inline constexpr int blockSide = 4;

/// Throws Error(RT_ALLOCATION_FAILED) when this machine has no such memory.
void checkMemory(double bytes);

/// Sorts the entries. Throws Error when a place is outside or is given twice.
template <class T> void sortCoordinates(Coordinates<T>& matrix);

template <class T> Csr<T> toCsr(const Coordinates<T>& matrix);
template <class T> Coordinates<T> toCoordinates(const Csr<T>& matrix);
template <class T> Bsr<T> toBsr(const Csr<T>& matrix, int side);
/// Slices as wide as their longest row, at most `width` of each row where that is not negative.
template <class T> Sell<T> toSell(const Csr<T>& matrix, int width = -1);
template <class T> Hybrid<T> toHybrid(const Csr<T>& matrix);

template <class T> RTrowStatistics rowStatistics(const Csr<T>& matrix);
/// The format that the statistics speak for: blocks where most elements of them are entries, slices where
/// padding is little, ELL and coordinates where a few rows are much longer than the others, else CSR.
RTformat chooseFormat(const RTrowStatistics& statistics);

/// The width up to which ELL takes rows: the largest that at least a third of the rows reach.
template <class T> int hybridWidth(const Csr<T>& matrix);

} // namespace warploom::la
