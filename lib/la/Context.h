// What lives between RTAPIInit and RTAPIFinalize: whether the library is open, its sparse matrices, and how
// errors reach the user.
#pragma once

#include "Backend.h"
#include "Error.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace warploom::la {

/// A sparse matrix of the user's: coordinates, and what operations have made of them. Safe for several
/// threads.
template <class T> class Matrix {
public:
  explicit Matrix(Coordinates<T> c) : coordinates(std::move(c)) {}

  const Csr<T>& csr();
  /// The matrix as the machine keeps it in `format`; RTAUTO is one of the others.
  backend::Operator<T>& in(RTformat format);
  backend::TriangularSolver<T>& solver(RTtriangle triangle);

  const Coordinates<T> coordinates;

private:
  std::recursive_mutex making;
  std::unique_ptr<Csr<T>> rows;
  std::optional<RTformat> best; ///< what RTAUTO is
  std::map<RTformat, std::unique_ptr<backend::Operator<T>>> kept;
  std::map<RTtriangle, std::unique_ptr<backend::TriangularSolver<T>>> solvers;
};

/// Opens and closes the library; calls may be nested.
void openLibrary();
void closeLibrary();

/// Runs `body` with the library open, and reports what it throws. The status of both.
RTstatus guarded(const char* function, void (*body)(void*), void* argument);
template <class Body> RTstatus guarded(const char* function, Body body) {
  return guarded(function, [](void* argument) { (*static_cast<Body*>(argument))(); }, &body);
}
/// The same where the library need not be open.
RTstatus reported(const char* function, void (*body)());

/// A new id for `matrix`, never 0 and never used again.
template <class T> unsigned long long enrol(std::shared_ptr<Matrix<T>> matrix);
/// The matrix of an id. Throws Error where it was never made or has been destroyed.
template <class T> std::shared_ptr<Matrix<T>> matrixOf(unsigned long long id);
template <class T> void strike(unsigned long long id);

} // namespace warploom::la
