// Matrix Market files, https://math.nist.gov/MatrixMarket/formats.html: real, integer and pattern matrices,
// as coordinates or arrays, general, symmetric and skew-symmetric.
#pragma once

#include "Formats.h"

#include <string>

namespace warploom::la {

/// The matrix of `file`, symmetric ones with both halves. Throws Error(RT_BAD_FILE) with the line where the
/// file is wrong. No more memory is taken than the length of the file justifies, whatever its header says.
template <class T> Coordinates<T> readMatrixMarket(const std::string& file);

/// Writes `matrix` as general coordinates with values that read back equal. Throws Error, and then `file` is
/// as it was.
template <class T> void writeMatrixMarket(const std::string& file, const Coordinates<T>& matrix);

} // namespace warploom::la
