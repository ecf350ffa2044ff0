// The machine with a GPU: cuBLAS for dense operations, cuSPARSE's generic API for sparse ones. All work is on
// one stream, the default one, so that results are there when the user's own kernels run.
#include "Backend.h"
#include "Error.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <string>

namespace warploom::la::backend {

namespace {

cublasHandle_t blas = nullptr;
cusparseHandle_t sparse = nullptr;

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  cudaGetLastError(); // so that the next call does not report it again
  throw Error(error == cudaErrorMemoryAllocation ? RT_ALLOCATION_FAILED : RT_EXECUTION_FAILED,
              std::string(call) + ": " + cudaGetErrorString(error));
}
void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(status == CUBLAS_STATUS_ALLOC_FAILED    ? RT_ALLOCATION_FAILED
              : status == CUBLAS_STATUS_INVALID_VALUE ? RT_INVALID_VALUE
              : status == CUBLAS_STATUS_NOT_SUPPORTED ? RT_NOT_SUPPORTED
                                                      : RT_EXECUTION_FAILED,
              std::string(call) + ": " + cublasGetStatusString(status));
}
void check(cusparseStatus_t status, const char* call) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw Error(status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
                  ? RT_ALLOCATION_FAILED
              : status == CUSPARSE_STATUS_INVALID_VALUE ? RT_INVALID_VALUE
              : status == CUSPARSE_STATUS_NOT_SUPPORTED ? RT_NOT_SUPPORTED
                                                        : RT_EXECUTION_FAILED,
              std::string(call) + ": " + cusparseGetErrorString(status));
}
#define WARPLOOM_LA_CHECKED(call) check(call, #call)

std::size_t area(int m, int n) {
  return static_cast<std::size_t>(m) * static_cast<std::size_t>(n);
}

} // namespace

void open() {
  WARPLOOM_LA_CHECKED(cublasCreate(&blas));
  try {
    WARPLOOM_LA_CHECKED(cusparseCreate(&sparse));
  } catch (const Error&) {
    cublasDestroy(blas);
    blas = nullptr;
    throw;
  }
}

void close() {
  cudaDeviceSynchronize();
  cusparseDestroy(sparse);
  cublasDestroy(blas);
  sparse = nullptr;
  blas = nullptr;
}

bool oneAtATime() {
  return true;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes ? bytes : 1), "cudaMalloc");
  return memory;
}
void release(void* memory) {
  cudaFree(memory);
}
bool isVisible(const void* memory) {
  cudaPointerAttributes about{};
  if (cudaPointerGetAttributes(&about, memory) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return about.type == cudaMemoryTypeDevice || about.type == cudaMemoryTypeManaged;
}
void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes && to != from) check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
}
void copyIn(void* to, const void* fromHost, std::size_t bytes) {
  copy(to, fromHost, bytes);
}
void copyOut(void* toHost, const void* from, std::size_t bytes) {
  copy(toHost, from, bytes);
}
void zero(void* memory, std::size_t bytes) {
  if (bytes) check(cudaMemset(memory, 0, bytes), "cudaMemset");
}

namespace {

/// The functions of cuBLAS by the type of their operands.
template <class T> struct Blas;
template <> struct Blas<float> {
  static constexpr cudaDataType type = CUDA_R_32F;
  static constexpr auto gemm = cublasSgemm;
  static constexpr auto gemmStrided = cublasSgemmStridedBatched;
  static constexpr auto gemmBatched = cublasSgemmBatched;
  static constexpr auto gemv = cublasSgemv;
  static constexpr auto geam = cublasSgeam;
  static constexpr auto dot = cublasSdot;
  static constexpr auto norm = cublasSnrm2;
  static constexpr auto axpy = cublasSaxpy;
  static constexpr auto scale = cublasSscal;
  static constexpr auto dgmm = cublasSdgmm;
  static constexpr auto trsm = cublasStrsm;
};
template <> struct Blas<double> {
  static constexpr cudaDataType type = CUDA_R_64F;
  static constexpr auto gemm = cublasDgemm;
  static constexpr auto gemmStrided = cublasDgemmStridedBatched;
  static constexpr auto gemmBatched = cublasDgemmBatched;
  static constexpr auto gemv = cublasDgemv;
  static constexpr auto geam = cublasDgeam;
  static constexpr auto dot = cublasDdot;
  static constexpr auto norm = cublasDnrm2;
  static constexpr auto axpy = cublasDaxpy;
  static constexpr auto scale = cublasDscal;
  static constexpr auto dgmm = cublasDdgmm;
  static constexpr auto trsm = cublasDtrsm;
};
template <class T> constexpr T one = 1;
template <class T> constexpr T nothing = 0;

} // namespace

// cuBLAS is column-major: a row-major matrix is the transpose of what it sees.

template <class T> void gemm(T* C, const T* A, const T* B, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) return zero(C, area(m, n) * sizeof(T));
  check(Blas<T>::gemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one<T>, B, n, A, k, &nothing<T>, C, n),
        "gemm");
}

template <class T>
void gemmStrided(T* C, long long strideC, const T* A, long long strideA, const T* B, long long strideB, int m,
                 int n, int k, int count) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (long long p = 0; p < count; ++p)
      zero(C + p * strideC, area(m, n) * sizeof(T));
    return;
  }
  check(Blas<T>::gemmStrided(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one<T>, B, n, strideB, A, k, strideA,
                             &nothing<T>, C, n, strideC, count),
        "gemmStridedBatched");
}

template <class T>
void gemmBatched(const std::vector<T*>& C, const std::vector<const T*>& A, const std::vector<const T*>& B,
                 int m, int n, int k) {
  if (m == 0 || n == 0 || C.empty()) return;
  if (k == 0) {
    for (T* result : C)
      zero(result, area(m, n) * sizeof(T));
    return;
  }
  Buffer<T*> c(C);
  Buffer<const T*> a(A), b(B);
  check(Blas<T>::gemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one<T>, b.data(), n, a.data(), k,
                             &nothing<T>, c.data(), n, static_cast<int>(C.size())),
        "gemmBatched");
}

template <class T> void gemv(T* y, const T* A, const T* x, int m, int n) {
  if (m == 0) return;
  if (n == 0) return zero(y, area(m, 1) * sizeof(T));
  check(Blas<T>::gemv(blas, CUBLAS_OP_T, n, m, &one<T>, A, n, x, 1, &nothing<T>, y, 1), "gemv");
}

template <class T> void transpose(T* C, const T* A, int m, int n) {
  if (m == 0 || n == 0) return;
  check(Blas<T>::geam(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one<T>, A, m, &nothing<T>, C, n, C, n), "geam");
}

template <class T> void add(T* C, T alpha, const T* A, T beta, const T* B, int m, int n) {
  if (m == 0 || n == 0) return;
  check(Blas<T>::geam(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, &alpha, A, n, &beta, B, n, C, n), "geam");
}

template <class T> T dot(const T* x, const T* y, int n) {
  T result = 0;
  check(Blas<T>::dot(blas, n, x, 1, y, 1, &result), "dot");
  return result;
}
template <class T> T norm(const T* x, int n) {
  T result = 0;
  check(Blas<T>::norm(blas, n, x, 1, &result), "nrm2");
  return result;
}
template <class T> void axpy(T* y, T alpha, const T* x, int n) {
  check(Blas<T>::axpy(blas, n, &alpha, x, 1, y, 1), "axpy");
}
template <class T> void scale(T* x, T alpha, int n) {
  check(Blas<T>::scale(blas, n, &alpha, x, 1), "scal");
}
template <class T> void multiplyElements(T* z, const T* x, const T* y, int n) {
  if (n == 0) return;
  check(Blas<T>::dgmm(blas, CUBLAS_SIDE_LEFT, n, 1, y, n, x, 1, z, n), "dgmm");
}

template <class T> void solveTriangle(T* X, const T* A, int n, int k, RTtriangle triangle) {
  if (n == 0 || k == 0) return;
  // X^T A^T = B^T: in columns, X^T is k x n and A's lower half is the upper one of A^T.
  check(Blas<T>::trsm(
            blas, CUBLAS_SIDE_RIGHT,
            triangle == RTLOWER || triangle == RTLOWER_UNIT ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
            CUBLAS_OP_N, triangle == RTLOWER || triangle == RTUPPER ? CUBLAS_DIAG_NON_UNIT : CUBLAS_DIAG_UNIT,
            k, n, &one<T>, A, n, X, k),
        "trsm");
}

namespace {

/// A descriptor of cuSPARSE's, destroyed with the object.
struct SparseDescriptor {
  ~SparseDescriptor() {
    if (handle) cusparseDestroySpMat(handle);
  }
  cusparseSpMatDescr_t handle = nullptr;
};
template <class T> struct Vector {
  Vector(T* data, int n) { WARPLOOM_LA_CHECKED(cusparseCreateDnVec(&handle, n, data, Blas<T>::type)); }
  ~Vector() { cusparseDestroyDnVec(handle); }
  cusparseDnVecDescr_t handle = nullptr;
};
template <class T> struct Dense {
  Dense(T* data, int m, int n) {
    WARPLOOM_LA_CHECKED(cusparseCreateDnMat(&handle, m, n, n, data, Blas<T>::type, CUSPARSE_ORDER_ROW));
  }
  ~Dense() { cusparseDestroyDnMat(handle); }
  cusparseDnMatDescr_t handle = nullptr;
};
constexpr auto index32 = CUSPARSE_INDEX_32I;
constexpr auto asIs = CUSPARSE_OPERATION_NON_TRANSPOSE;
/// `Buffer` for words of memory that cuSPARSE asks for.
using Workspace = Buffer<char>;

/// y = A x + beta y through cusparseSpMV, with the workspace kept from one call to the next.
template <class T> class SpmvPlan {
public:
  void run(cusparseSpMatDescr_t A, T* y, int m, const T* x, int n, T beta) {
    Vector<T> in(const_cast<T*>(x), n), out(y, m);
    std::size_t bytes = 0;
    WARPLOOM_LA_CHECKED(cusparseSpMV_bufferSize(sparse, asIs, &one<T>, A, in.handle, &beta, out.handle,
                                                Blas<T>::type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    if (!workspace || workspace->bytes() < bytes) workspace = std::make_unique<Workspace>(bytes);
    WARPLOOM_LA_CHECKED(cusparseSpMV(sparse, asIs, &one<T>, A, in.handle, &beta, out.handle, Blas<T>::type,
                                     CUSPARSE_SPMV_ALG_DEFAULT, workspace->data()));
  }

private:
  std::unique_ptr<Workspace> workspace;
};

/// C = A B through cusparseSpMM.
template <class T> void spmm(cusparseSpMatDescr_t A, T* C, int m, const T* B, int k, int n) {
  Dense<T> in(const_cast<T*>(B), k, n), out(C, m, n);
  std::size_t bytes = 0;
  WARPLOOM_LA_CHECKED(cusparseSpMM_bufferSize(sparse, asIs, asIs, &one<T>, A, in.handle, &nothing<T>,
                                              out.handle, Blas<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  Workspace workspace(bytes);
  WARPLOOM_LA_CHECKED(cusparseSpMM(sparse, asIs, asIs, &one<T>, A, in.handle, &nothing<T>, out.handle,
                                   Blas<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, workspace.data()));
}

template <class T> class CsrOperator final : public Operator<T> {
public:
  explicit CsrOperator(const Csr<T>& a)
      : m(a.m), n(a.n), offsets(a.offsets), columns(a.columns), values(a.values) {
    WARPLOOM_LA_CHECKED(cusparseCreateCsr(&matrix.handle, m, n, static_cast<int64_t>(a.count()),
                                          offsets.data(), columns.data(), values.data(), index32, index32,
                                          CUSPARSE_INDEX_BASE_ZERO, Blas<T>::type));
  }
  void multiply(T* y, const T* x) override { plan.run(matrix.handle, y, m, x, n, 0); }
  void multiplyDense(T* C, const T* B, int count) override { spmm(matrix.handle, C, m, B, n, count); }

  const int m, n;
  const Buffer<int> offsets, columns;
  const Buffer<T> values;
  SparseDescriptor matrix;
  SpmvPlan<T> plan;
};

/// Rows and columns beyond the matrix, up to a whole block, are worked on in copies.
template <class T> class BsrOperator final : public Operator<T> {
public:
  explicit BsrOperator(const Bsr<T>& a)
      : m(a.m), n(a.n), paddedRows(a.blockRows * a.side), paddedColumns(a.blockColumns * a.side),
        offsets(a.offsets), columns(a.columns), values(a.values) {
    WARPLOOM_LA_CHECKED(cusparseCreateBsr(&matrix.handle, a.blockRows, a.blockColumns,
                                          static_cast<int64_t>(a.columns.size()), a.side, a.side,
                                          offsets.data(), columns.data(), values.data(), index32, index32,
                                          CUSPARSE_INDEX_BASE_ZERO, Blas<T>::type, CUSPARSE_ORDER_ROW));
  }
  void multiply(T* y, const T* x) override {
    padded(y, x, 1,
           [&](T* out, const T* in) { plan.run(matrix.handle, out, paddedRows, in, paddedColumns, 0); });
  }
  void multiplyDense(T* C, const T* B, int count) override {
    padded(C, B, count,
           [&](T* out, const T* in) { spmm(matrix.handle, out, paddedRows, in, paddedColumns, count); });
  }

private:
  /// Calls `multiplyBlocks` with operands of whole blocks.
  template <class Multiply> void padded(T* C, const T* B, int count, Multiply multiplyBlocks) {
    if (paddedRows == m && paddedColumns == n) return multiplyBlocks(C, B);
    Buffer<T> in(area(paddedColumns, count)), out(area(paddedRows, count));
    zero(in.data(), in.bytes());
    copy(in.data(), B, area(n, count) * sizeof(T));
    multiplyBlocks(out.data(), in.data());
    copy(C, out.data(), area(m, count) * sizeof(T));
  }

  const int m, n, paddedRows, paddedColumns;
  const Buffer<int> offsets, columns;
  const Buffer<T> values;
  SparseDescriptor matrix;
  SpmvPlan<T> plan;
};

template <class T> class SellOperator final : public Operator<T> {
public:
  explicit SellOperator(const Sell<T>& a)
      : m(a.m), n(a.n), isEmpty(a.entries == 0), offsets(a.offsets), columns(a.columns), values(a.values) {
    if (isEmpty) return;
    WARPLOOM_LA_CHECKED(cusparseCreateSlicedEll(&matrix.handle, m, n, static_cast<int64_t>(a.entries),
                                                static_cast<int64_t>(a.values.size()), Sell<T>::slice,
                                                offsets.data(), columns.data(), values.data(), index32,
                                                index32, CUSPARSE_INDEX_BASE_ZERO, Blas<T>::type));
  }
  void multiply(T* y, const T* x) override {
    if (isEmpty) return zero(y, area(m, 1) * sizeof(T));
    plan.run(matrix.handle, y, m, x, n, 0);
  }
  void multiplyDense(T*, const T*, int) override {
    throw Error(RT_NOT_SUPPORTED, "products with a dense matrix take RTCSR, RTBSR or RTAUTO");
  }

private:
  const int m, n;
  const bool isEmpty;
  const Buffer<int> offsets, columns;
  const Buffer<T> values;
  SparseDescriptor matrix;
  SpmvPlan<T> plan;
};

template <class T> class HybridOperator final : public Operator<T> {
public:
  explicit HybridOperator(const Hybrid<T>& a)
      : m(a.rest.m), n(a.rest.n), hasRest(a.rest.count() > 0), regular(a.regular), rows(a.rest.rows),
        columns(a.rest.columns), values(a.rest.values) {
    if (!hasRest) return;
    WARPLOOM_LA_CHECKED(cusparseCreateCoo(&rest.handle, m, n, static_cast<int64_t>(a.rest.count()),
                                          rows.data(), columns.data(), values.data(), index32,
                                          CUSPARSE_INDEX_BASE_ZERO, Blas<T>::type));
  }
  void multiply(T* y, const T* x) override {
    regular.multiply(y, x);
    if (hasRest) plan.run(rest.handle, y, m, x, n, 1);
  }
  void multiplyDense(T* C, const T* B, int count) override { regular.multiplyDense(C, B, count); }

private:
  const int m, n;
  const bool hasRest;
  SellOperator<T> regular;
  const Buffer<int> rows, columns;
  const Buffer<T> values;
  SparseDescriptor rest;
  SpmvPlan<T> plan;
};

template <class T> class SpsvSolver final : public TriangularSolver<T> {
public:
  SpsvSolver(const Csr<T>& a, RTtriangle triangle) : matrix(a), in(area(a.m, 1)), out(area(a.m, 1)) {
    auto fill =
        triangle == RTLOWER || triangle == RTLOWER_UNIT ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
    auto diagonal =
        triangle == RTLOWER || triangle == RTUPPER ? CUSPARSE_DIAG_TYPE_NON_UNIT : CUSPARSE_DIAG_TYPE_UNIT;
    WARPLOOM_LA_CHECKED(
        cusparseSpMatSetAttribute(matrix.matrix.handle, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    WARPLOOM_LA_CHECKED(cusparseSpMatSetAttribute(matrix.matrix.handle, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                                  sizeof diagonal));
    Vector<T> x(out.data(), a.m), b(in.data(), a.m);
    WARPLOOM_LA_CHECKED(cusparseSpSV_createDescr(&plan.handle));
    std::size_t bytes = 0;
    WARPLOOM_LA_CHECKED(cusparseSpSV_bufferSize(sparse, asIs, &one<T>, matrix.matrix.handle, b.handle,
                                                x.handle, Blas<T>::type, CUSPARSE_SPSV_ALG_DEFAULT,
                                                plan.handle, &bytes));
    workspace = std::make_unique<Workspace>(bytes);
    WARPLOOM_LA_CHECKED(cusparseSpSV_analysis(sparse, asIs, &one<T>, matrix.matrix.handle, b.handle, x.handle,
                                              Blas<T>::type, CUSPARSE_SPSV_ALG_DEFAULT, plan.handle,
                                              workspace->data()));
  }
  void solve(T* x, const T* b) override {
    copy(in.data(), b, in.bytes());
    Vector<T> result(out.data(), matrix.m), side(in.data(), matrix.m);
    WARPLOOM_LA_CHECKED(cusparseSpSV_solve(sparse, asIs, &one<T>, matrix.matrix.handle, side.handle,
                                           result.handle, Blas<T>::type, CUSPARSE_SPSV_ALG_DEFAULT,
                                           plan.handle));
    copy(x, out.data(), out.bytes());
  }

private:
  struct Plan {
    ~Plan() {
      if (handle) cusparseSpSV_destroyDescr(handle);
    }
    cusparseSpSVDescr_t handle = nullptr;
  };
  CsrOperator<T> matrix;
  Buffer<T> in, out;
  std::unique_ptr<Workspace> workspace;
  Plan plan;
};

/// The plan of a product of two sparse matrices, destroyed with the object.
struct ProductPlan {
  ProductPlan() { WARPLOOM_LA_CHECKED(cusparseSpGEMM_createDescr(&handle)); }
  ~ProductPlan() { cusparseSpGEMM_destroyDescr(handle); }
  cusparseSpGEMMDescr_t handle = nullptr;
};

template <class T> Csr<T> multiplySparse(const Csr<T>& A, const Csr<T>& B) {
  Csr<T> result{A.m, B.n, std::vector<int>(static_cast<std::size_t>(A.m) + 1), {}, {}};
  if (A.count() == 0 || B.count() == 0) return result;
  CsrOperator<T> a(A), b(B);
  Buffer<int> offsets(result.offsets);
  SparseDescriptor c;
  WARPLOOM_LA_CHECKED(cusparseCreateCsr(&c.handle, A.m, B.n, 0, offsets.data(), nullptr, nullptr, index32,
                                        index32, CUSPARSE_INDEX_BASE_ZERO, Blas<T>::type));
  ProductPlan plan;
  constexpr auto algorithm = CUSPARSE_SPGEMM_DEFAULT;
  std::size_t bytes = 0;
  auto estimate = [&](void* workspace) {
    WARPLOOM_LA_CHECKED(cusparseSpGEMM_workEstimation(sparse, asIs, asIs, &one<T>, a.matrix.handle,
                                                      b.matrix.handle, &nothing<T>, c.handle, Blas<T>::type,
                                                      algorithm, plan.handle, &bytes, workspace));
  };
  auto compute = [&](void* workspace) {
    WARPLOOM_LA_CHECKED(cusparseSpGEMM_compute(sparse, asIs, asIs, &one<T>, a.matrix.handle, b.matrix.handle,
                                               &nothing<T>, c.handle, Blas<T>::type, algorithm, plan.handle,
                                               &bytes, workspace));
  };
  estimate(nullptr);
  Workspace first(bytes);
  estimate(first.data());
  compute(nullptr);
  Workspace second(bytes);
  compute(second.data());
  int64_t rows = 0, columns = 0, entries = 0;
  WARPLOOM_LA_CHECKED(cusparseSpMatGetSize(c.handle, &rows, &columns, &entries));
  if (entries > 0x7fffffff) throw Error(RT_NOT_SUPPORTED, "the product has 2^31 entries or more");
  Buffer<int> resultColumns(static_cast<std::size_t>(entries));
  Buffer<T> resultValues(static_cast<std::size_t>(entries));
  WARPLOOM_LA_CHECKED(
      cusparseCsrSetPointers(c.handle, offsets.data(), resultColumns.data(), resultValues.data()));
  WARPLOOM_LA_CHECKED(cusparseSpGEMM_copy(sparse, asIs, asIs, &one<T>, a.matrix.handle, b.matrix.handle,
                                          &nothing<T>, c.handle, Blas<T>::type, algorithm, plan.handle));
  result.columns.resize(static_cast<std::size_t>(entries));
  result.values.resize(static_cast<std::size_t>(entries));
  copyOut(result.offsets.data(), offsets.data(), offsets.bytes());
  copyOut(result.columns.data(), resultColumns.data(), resultColumns.bytes());
  copyOut(result.values.data(), resultValues.data(), resultValues.bytes());
  // cuSPARSE promises no order of columns; we do.
  Coordinates<T> sorted = toCoordinates(result);
  sortCoordinates(sorted);
  return toCsr(sorted);
}

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
  return std::make_unique<SpsvSolver<T>>(matrix, triangle);
}

template <class T> Csr<T> product(const Csr<T>& A, const Csr<T>& B) {
  return multiplySparse(A, B);
}

} // namespace warploom::la::backend

#include "BackendInstances.h"
