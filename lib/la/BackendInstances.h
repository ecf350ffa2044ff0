// The functions of Backend.h for both types; included at the end of each machine's file.
#pragma once

namespace warploom::la::backend {

#define WARPLOOM_LA_BACKEND(T)                                                                               \
  template void gemm(T*, const T*, const T*, int, int, int);                                                 \
  template void gemmStrided(T*, long long, const T*, long long, const T*, long long, int, int, int, int);    \
  template void gemmBatched(const std::vector<T*>&, const std::vector<const T*>&,                            \
                            const std::vector<const T*>&, int, int, int);                                    \
  template void gemv(T*, const T*, const T*, int, int);                                                      \
  template void transpose(T*, const T*, int, int);                                                           \
  template void add(T*, T, const T*, T, const T*, int, int);                                                 \
  template T dot(const T*, const T*, int);                                                                   \
  template T norm(const T*, int);                                                                            \
  template void axpy(T*, T, const T*, int);                                                                  \
  template void scale(T*, T, int);                                                                           \
  template void multiplyElements(T*, const T*, const T*, int);                                               \
  template void solveTriangle(T*, const T*, int, int, RTtriangle);                                           \
  template std::unique_ptr<Operator<T>> keep(const Csr<T>&);                                                 \
  template std::unique_ptr<Operator<T>> keep(const Bsr<T>&);                                                 \
  template std::unique_ptr<Operator<T>> keep(const Sell<T>&);                                                \
  template std::unique_ptr<Operator<T>> keep(const Hybrid<T>&);                                              \
  template std::unique_ptr<TriangularSolver<T>> keepTriangle(const Csr<T>&, RTtriangle);                     \
  template Csr<T> product(const Csr<T>&, const Csr<T>&);
WARPLOOM_LA_BACKEND(float)
WARPLOOM_LA_BACKEND(double)

} // namespace warploom::la::backend
