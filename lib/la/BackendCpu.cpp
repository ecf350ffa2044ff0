// The machine without a GPU: OpenBLAS for dense operations, loops of our own for sparse ones.
#include "Backend.h"
#include "Error.h"

#include <algorithm>
#include <cblas.h>
#include <cstdlib>
#include <cstring>
#include <new>

namespace warploom::la::backend {

void open() {}
void close() {}
bool oneAtATime() {
  return false;
}

void* allocate(std::size_t bytes) {
  checkMemory(static_cast<double>(bytes));
  void* memory = std::malloc(std::max<std::size_t>(bytes, 1));
  if (!memory) throw std::bad_alloc();
  return memory;
}
void release(void* memory) {
  std::free(memory);
}
bool isVisible(const void*) {
  return true;
}
void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memmove(to, from, bytes);
}
void copyIn(void* to, const void* fromHost, std::size_t bytes) {
  copy(to, fromHost, bytes);
}
void copyOut(void* toHost, const void* from, std::size_t bytes) {
  copy(toHost, from, bytes);
}
void zero(void* memory, std::size_t bytes) {
  if (bytes) std::memset(memory, 0, bytes);
}

namespace {

std::size_t area(int m, int n) {
  return static_cast<std::size_t>(m) * static_cast<std::size_t>(n);
}

/// The functions of BLAS by the type of their operands.
template <class T> struct Blas;
template <> struct Blas<float> {
  static constexpr auto gemm = cblas_sgemm;
  static constexpr auto gemv = cblas_sgemv;
  static constexpr auto dot = cblas_sdot;
  static constexpr auto norm = cblas_snrm2;
  static constexpr auto axpy = cblas_saxpy;
  static constexpr auto scale = cblas_sscal;
  static constexpr auto trsm = cblas_strsm;
};
template <> struct Blas<double> {
  static constexpr auto gemm = cblas_dgemm;
  static constexpr auto gemv = cblas_dgemv;
  static constexpr auto dot = cblas_ddot;
  static constexpr auto norm = cblas_dnrm2;
  static constexpr auto axpy = cblas_daxpy;
  static constexpr auto scale = cblas_dscal;
  static constexpr auto trsm = cblas_dtrsm;
};

} // namespace

template <class T> void gemm(T* C, const T* A, const T* B, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) return zero(C, area(m, n) * sizeof(T));
  Blas<T>::gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, T(1), A, k, B, n, T(0), C, n);
}

template <class T>
void gemmStrided(T* C, long long strideC, const T* A, long long strideA, const T* B, long long strideB, int m,
                 int n, int k, int count) {
  for (long long p = 0; p < count; ++p)
    gemm(C + p * strideC, A + p * strideA, B + p * strideB, m, n, k);
}

template <class T>
void gemmBatched(const std::vector<T*>& C, const std::vector<const T*>& A, const std::vector<const T*>& B,
                 int m, int n, int k) {
  for (std::size_t p = 0; p < C.size(); ++p)
    gemm(C[p], A[p], B[p], m, n, k);
}

template <class T> void gemv(T* y, const T* A, const T* x, int m, int n) {
  if (m == 0) return;
  if (n == 0) return zero(y, static_cast<std::size_t>(m) * sizeof(T));
  Blas<T>::gemv(CblasRowMajor, CblasNoTrans, m, n, T(1), A, n, x, 1, T(0), y, 1);
}

template <class T> void transpose(T* C, const T* A, int m, int n) {
  constexpr int side = 32; // of a tile, so that both matrices' lines stay in the cache
  for (int i0 = 0; i0 < m; i0 += side)
    for (int j0 = 0; j0 < n; j0 += side)
      for (int i = i0; i < std::min(m, i0 + side); ++i)
        for (int j = j0; j < std::min(n, j0 + side); ++j)
          C[area(i, n) + static_cast<std::size_t>(j)] = A[area(j, m) + static_cast<std::size_t>(i)];
}

template <class T> void add(T* C, T alpha, const T* A, T beta, const T* B, int m, int n) {
  for (std::size_t p = 0; p < area(m, n); ++p)
    C[p] = alpha * A[p] + beta * B[p];
}

template <class T> T dot(const T* x, const T* y, int n) {
  return Blas<T>::dot(n, x, 1, y, 1);
}
template <class T> T norm(const T* x, int n) {
  return Blas<T>::norm(n, x, 1);
}
template <class T> void axpy(T* y, T alpha, const T* x, int n) {
  Blas<T>::axpy(n, alpha, x, 1, y, 1);
}
template <class T> void scale(T* x, T alpha, int n) {
  Blas<T>::scale(n, alpha, x, 1);
}
template <class T> void multiplyElements(T* z, const T* x, const T* y, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * y[i];
}

template <class T> void solveTriangle(T* X, const T* A, int n, int k, RTtriangle triangle) {
  if (n == 0 || k == 0) return;
  Blas<T>::trsm(CblasRowMajor, CblasLeft,
                triangle == RTLOWER || triangle == RTLOWER_UNIT ? CblasLower : CblasUpper, CblasNoTrans,
                triangle == RTLOWER || triangle == RTUPPER ? CblasNonUnit : CblasUnit, n, k, T(1), A, n, X,
                k);
}

namespace {

template <class T> struct CsrOperator final : Operator<T> {
  explicit CsrOperator(const Csr<T>& m) : matrix(m) {}
  void multiply(T* y, const T* x) override {
    for (int i = 0; i < matrix.m; ++i) {
      T sum = 0;
      for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p)
        sum += matrix.values[p] * x[matrix.columns[p]];
      y[i] = sum;
    }
  }
  void multiplyDense(T* C, const T* B, int n) override {
    zero(C, area(matrix.m, n) * sizeof(T));
    for (int i = 0; i < matrix.m; ++i)
      for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p) {
        const T value = matrix.values[p];
        const T* row = B + area(matrix.columns[p], n);
        for (int j = 0; j < n; ++j)
          C[area(i, n) + static_cast<std::size_t>(j)] += value * row[j];
      }
  }
  const Csr<T> matrix;
};

template <class T> struct BsrOperator final : Operator<T> {
  explicit BsrOperator(const Bsr<T>& m) : matrix(m) {}
  void multiply(T* y, const T* x) override { multiplyDense(y, x, 1); }
  void multiplyDense(T* C, const T* B, int n) override {
    const int side = matrix.side;
    zero(C, area(matrix.m, n) * sizeof(T));
    for (int blockRow = 0; blockRow < matrix.blockRows; ++blockRow)
      for (int p = matrix.offsets[blockRow]; p < matrix.offsets[blockRow + 1]; ++p) {
        const T* block = matrix.values.data() + area(p, side * side);
        const int i0 = blockRow * side, k0 = matrix.columns[p] * side;
        for (int i = 0; i < std::min(side, matrix.m - i0); ++i)
          for (int k = 0; k < std::min(side, matrix.n - k0); ++k)
            for (int j = 0; j < n; ++j)
              C[area(i0 + i, n) + static_cast<std::size_t>(j)] +=
                  block[i * side + k] * B[area(k0 + k, n) + static_cast<std::size_t>(j)];
      }
  }
  const Bsr<T> matrix;
};

template <class T> struct SellOperator final : Operator<T> {
  explicit SellOperator(const Sell<T>& m) : matrix(m) {}
  void multiply(T* y, const T* x) override {
    constexpr int slice = Sell<T>::slice;
    for (int i = 0; i < matrix.m; ++i) {
      T sum = 0;
      for (int p = matrix.offsets[i / slice] + i % slice; p < matrix.offsets[i / slice + 1]; p += slice)
        if (matrix.columns[p] >= 0) sum += matrix.values[p] * x[matrix.columns[p]];
      y[i] = sum;
    }
  }
  void multiplyDense(T*, const T*, int) override {
    throw Error(RT_NOT_SUPPORTED, "products with a dense matrix take RTCSR, RTBSR or RTAUTO");
  }
  const Sell<T> matrix;
};

template <class T> struct HybridOperator final : Operator<T> {
  explicit HybridOperator(const Hybrid<T>& m) : regular(m.regular), rest(m.rest) {}
  void multiply(T* y, const T* x) override {
    regular.multiply(y, x);
    for (std::size_t p = 0; p < rest.count(); ++p)
      y[rest.rows[p]] += rest.values[p] * x[rest.columns[p]];
  }
  void multiplyDense(T* C, const T* B, int n) override { regular.multiplyDense(C, B, n); }
  SellOperator<T> regular;
  const Coordinates<T> rest;
};

template <class T> struct LoopSolver final : TriangularSolver<T> {
  LoopSolver(const Csr<T>& m, RTtriangle t) : matrix(m), triangle(t) {}
  void solve(T* x, const T* b) override {
    const bool lower = triangle == RTLOWER || triangle == RTLOWER_UNIT,
               unit = triangle == RTLOWER_UNIT || triangle == RTUPPER_UNIT;
    for (int step = 0; step < matrix.m; ++step) {
      const int i = lower ? step : matrix.m - 1 - step;
      T sum = b[i], diagonal = 1;
      for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p) {
        if (matrix.columns[p] == i)
          diagonal = matrix.values[p];
        else
          sum -= matrix.values[p] * x[matrix.columns[p]];
      }
      x[i] = unit ? sum : sum / diagonal;
    }
  }
  const Csr<T> matrix;
  const RTtriangle triangle;
};

} // namespace

template <class T> std::unique_ptr<Operator<T>> keep(const Csr<T>& matrix) {
  return std::make_unique<CsrOperator<T>>(matrix);
}
template <class T> std::unique_ptr<Operator<T>> keep(const Bsr<T>& matrix) {
  return std::make_unique<BsrOperator<T>>(matrix);
}
template <class T> std::unique_ptr<Operator<T>> keep(const Sell<T>& matrix) {
  return std::make_unique<SellOperator<T>>(matrix);
}
template <class T> std::unique_ptr<Operator<T>> keep(const Hybrid<T>& matrix) {
  return std::make_unique<HybridOperator<T>>(matrix);
}
template <class T>
std::unique_ptr<TriangularSolver<T>> keepTriangle(const Csr<T>& matrix, RTtriangle triangle) {
  return std::make_unique<LoopSolver<T>>(matrix, triangle);
}

template <class T> Csr<T> product(const Csr<T>& A, const Csr<T>& B) {
  checkMemory((sizeof(T) + 8.0) * B.n + 4.0 * A.m);
  Csr<T> C;
  C.m = A.m;
  C.n = B.n;
  C.offsets.push_back(0);
  std::vector<T> sums(static_cast<std::size_t>(B.n));
  std::vector<int> seenIn(static_cast<std::size_t>(B.n), -1), columns;
  for (int i = 0; i < A.m; ++i) { // row by row (Gustavson)
    columns.clear();
    for (int p = A.offsets[i]; p < A.offsets[i + 1]; ++p)
      for (int q = B.offsets[A.columns[p]]; q < B.offsets[A.columns[p] + 1]; ++q) {
        const int j = B.columns[q];
        if (seenIn[j] != i) {
          seenIn[j] = i;
          sums[j] = 0;
          columns.push_back(j);
        }
        sums[j] += A.values[p] * B.values[q];
      }
    std::sort(columns.begin(), columns.end());
    if (C.columns.size() + columns.size() > 0x7fffffffu)
      throw Error(RT_NOT_SUPPORTED, "the product has 2^31 entries or more");
    for (int j : columns) {
      C.columns.push_back(j);
      C.values.push_back(sums[j]);
    }
    C.offsets.push_back(static_cast<int>(C.columns.size()));
  }
  return C;
}

} // namespace warploom::la::backend

#include "BackendInstances.h"
