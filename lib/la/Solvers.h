// Iterative solvers on the machine's operations.
#pragma once

#include "Context.h"

namespace warploom::la {

enum class Method { Jacobi, CG, PCG, BiCGSTAB, GMRES };

/// Solves A x = b from the guess in x, both of which the machine sees. Throws Error(RT_NOT_CONVERGED) when it
/// stops before the tolerance is reached, with the last iterate in x; `report` is filled in any case.
template <class T>
void solve(Method method, T* x, Matrix<T>& A, const T* b, int n, const RTsolverOptions& options,
           RTsolverReport& report);

} // namespace warploom::la
