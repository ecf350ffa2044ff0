// The functions of a BLAS that generated programs call, by columns as it knows matrices, for float and
// double: cuBLAS under CUDA, any CBLAS in the CPU execution. Each returns true once its stream has the work,
// and false where the library has no such function. The library is looked for when it is first asked for.
#pragma once

#include "warploom.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <map>
#include <mutex>
#include <type_traits>

#if defined(__CUDACC__) && __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define WARPLOOM_CUBLAS
#endif

namespace warploom {

/// The first of `names` that can be loaded; null where none can.
inline void* loadLibrary(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

/// `function`, as `library` has it: null where it has none.
template <typename Function> void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

#ifdef __CUDACC__
/// The library called `name` in version `major`, by the loader or where CUDA is installed; null where it is
/// not.
inline void* loadCudaLibrary(const char* name, int major) {
  char file[64], path[4096];
  std::snprintf(file, sizeof file, "%s.%d", name, major);
  void* library = loadLibrary({file});
  const char* const folders[] = {std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH"), "/usr/local/cuda"};
  for (const char* folder : folders)
    if (!library && folder &&
        std::snprintf(path, sizeof path, "%s/lib64/%s", folder, file) < static_cast<int>(sizeof path))
      library = loadLibrary({path});
  return library;
}
#endif

#ifdef __CUDACC__
/// A library's handle for each device.
template <typename Handle> class Handles {
public:
  /// That of the current device on `stream`, which `create` makes and says whether it could; null where it
  /// could not. `move` brings it there from another stream: libraries then begin anew with their memory.
  template <typename Create, typename Move> Handle on(Stream stream, Create&& create, Move&& move) {
    auto [found, isNew] = handles.try_emplace(currentDevice());
    One& one = found->second;
    if (isNew && !create(&one.handle)) one.handle = nullptr;
    if (one.handle && (isNew || one.stream != stream)) move(one.handle);
    one.stream = stream;
    return one.handle;
  }

private:
  struct One {
    Handle handle = nullptr;
    Stream stream{};
  };
  std::map<int, One> handles;
};
#endif

/// A triangular matrix as BLAS sees it: `isTransposed` is about the one of which it has that half.
struct BlasTriangle {
  bool isUpper, isTransposed, isUnit;
};

#ifdef WARPLOOM_CUBLAS

/// The one of two functions that is for T.
#define WARPLOOM_BY_TYPE(function)                                                                           \
  [this] {                                                                                                   \
    if constexpr (std::is_same_v<T, float>)                                                                  \
      return S##function;                                                                                    \
    else                                                                                                     \
      return D##function;                                                                                    \
  }()

class Blas {
public:
  /// The library; null where there is none, or none of the CUDA that the program was compiled with.
  static Blas* loaded() {
    static Blas blas;
    asked() = true;
    return blas.complete ? &blas : nullptr;
  }
  static bool isLoaded() { return asked(); }

  template <typename T>
  bool gemm(Stream stream, bool transA, bool transB, int m, int n, int k, T alpha, const T* A, int lda,
            long apartA, const T* B, int ldb, long apartB, T beta, T* C, int ldc, long apartC, int count) {
    return with(stream, [&](cublasHandle_t handle) {
      if (count == 1)
        return check("cublasGemm", WARPLOOM_BY_TYPE(gemm)(handle, op(transA), op(transB), m, n, k, &alpha, A,
                                                          lda, B, ldb, &beta, C, ldc));
      return check("cublasGemmStridedBatched",
                   WARPLOOM_BY_TYPE(gemmBatched)(handle, op(transA), op(transB), m, n, k, &alpha, A, lda,
                                                 apartA, B, ldb, apartB, &beta, C, ldc, apartC, count));
    });
  }

  template <typename T>
  bool gemv(Stream stream, bool trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx,
            T beta, T* y, int incy) {
    return with(stream, [&](cublasHandle_t handle) {
      return check("cublasGemv",
                   WARPLOOM_BY_TYPE(gemv)(handle, op(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy));
    });
  }

  template <typename T> bool axpy(Stream stream, int n, T alpha, const T* x, int incx, T* y, int incy) {
    return with(stream, [&](cublasHandle_t handle) {
      return check("cublasAxpy", WARPLOOM_BY_TYPE(axpy)(handle, n, &alpha, x, incx, y, incy));
    });
  }

  /// *result = alpha * (x . y) + beta * *result
  template <typename T>
  bool dot(Stream stream, int n, T alpha, const T* x, int incx, const T* y, int incy, T beta, T* result) {
    return with(stream, [&](cublasHandle_t handle) {
      T* sum = result;
      if (beta != T(0)) sum = static_cast<T*>(allocate(sizeof(T), stream));
      check("cublasSetPointerMode", setPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
      check("cublasDot", WARPLOOM_BY_TYPE(dot)(handle, n, x, incx, y, incy, sum));
      check("cublasSetPointerMode", setPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
      const T factor = beta == T(0) ? alpha : beta;
      if (factor != T(1)) check("cublasScal", WARPLOOM_BY_TYPE(scal)(handle, 1, &factor, result, 1));
      if (sum == result) return true;
      check("cublasAxpy", WARPLOOM_BY_TYPE(axpy)(handle, 1, &alpha, sum, 1, result, 1));
      release(sum, stream);
      return true;
    });
  }

  /// x = A^-1 x
  template <typename T>
  bool trsv(Stream stream, BlasTriangle triangle, int n, const T* A, int lda, T* x, int incx) {
    return with(stream, [&](cublasHandle_t handle) {
      return check("cublasTrsv", WARPLOOM_BY_TYPE(trsv)(handle, half(triangle), op(triangle.isTransposed),
                                                        diagonal(triangle), n, A, lda, x, incx));
    });
  }

  /// X = A^-1 X for X with `columns` columns; where it lies by rows, BLAS sees its transpose: X^T =
  /// X^T A^-T.
  template <typename T>
  bool trsm(Stream stream, BlasTriangle triangle, bool byColumns, int rows, int columns, const T* A, int lda,
            T* X, int ldx) {
    return with(stream, [&](cublasHandle_t handle) {
      const T one = 1;
      return check("cublasTrsm",
                   WARPLOOM_BY_TYPE(trsm)(handle, byColumns ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                                          half(triangle), op(triangle.isTransposed != !byColumns),
                                          diagonal(triangle), byColumns ? rows : columns,
                                          byColumns ? columns : rows, &one, A, lda, X, ldx));
    });
  }

private:
  Blas() {
    void* library = loadCudaLibrary("libcublas.so", CUDART_VERSION / 1000);
    if (!library) return;
    find(library, "cublasCreate_v2", create);
    find(library, "cublasSetStream_v2", setStream);
    find(library, "cublasSetPointerMode_v2", setPointerMode);
    find(library, "cublasGetStatusString", statusString);
    find(library, "cublasSgemm_v2", Sgemm);
    find(library, "cublasDgemm_v2", Dgemm);
    find(library, "cublasSgemmStridedBatched", SgemmBatched);
    find(library, "cublasDgemmStridedBatched", DgemmBatched);
    find(library, "cublasSgemv_v2", Sgemv);
    find(library, "cublasDgemv_v2", Dgemv);
    find(library, "cublasSaxpy_v2", Saxpy);
    find(library, "cublasDaxpy_v2", Daxpy);
    find(library, "cublasSdot_v2", Sdot);
    find(library, "cublasDdot_v2", Ddot);
    find(library, "cublasSscal_v2", Sscal);
    find(library, "cublasDscal_v2", Dscal);
    find(library, "cublasStrsv_v2", Strsv);
    find(library, "cublasDtrsv_v2", Dtrsv);
    find(library, "cublasStrsm_v2", Strsm);
    find(library, "cublasDtrsm_v2", Dtrsm);
    complete = create && setStream && setPointerMode && statusString && Sgemm && Dgemm && SgemmBatched &&
               DgemmBatched && Sgemv && Dgemv && Saxpy && Daxpy && Sdot && Ddot && Sscal && Dscal && Strsv &&
               Dtrsv && Strsm && Dtrsm;
  }

  static bool& asked() {
    static bool is = false;
    return is;
  }
  static cublasOperation_t op(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
  static cublasFillMode_t half(const BlasTriangle& triangle) {
    return triangle.isUpper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  }
  static cublasDiagType_t diagonal(const BlasTriangle& triangle) {
    return triangle.isUnit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  }

  /// Ends the program when a call did not succeed.
  bool check(const char* call, cublasStatus_t status, Place place = Place::here()) const {
    if (status != CUBLAS_STATUS_SUCCESS) fail(place, call, statusString(status));
    return true;
  }

  /// What `work` returns, with the current device's handle on `stream`; false where it has none.
  template <typename Work> bool with(Stream stream, Work&& work) {
    const std::lock_guard<std::mutex> lock(mutex);
    const cublasHandle_t handle = handles.on(
        stream, [&](cublasHandle_t* made) { return create(made) == CUBLAS_STATUS_SUCCESS; },
        [&](cublasHandle_t made) { check("cublasSetStream", setStream(made, stream)); });
    return handle && work(handle);
  }

  bool complete = false;
  std::mutex mutex;
  Handles<cublasHandle_t> handles;
  decltype(cublasCreate_v2)* create = nullptr;
  decltype(cublasSetStream_v2)* setStream = nullptr;
  decltype(cublasSetPointerMode_v2)* setPointerMode = nullptr;
  decltype(cublasGetStatusString)* statusString = nullptr;
  decltype(cublasSgemm_v2)* Sgemm = nullptr;
  decltype(cublasDgemm_v2)* Dgemm = nullptr;
  decltype(cublasSgemmStridedBatched)* SgemmBatched = nullptr;
  decltype(cublasDgemmStridedBatched)* DgemmBatched = nullptr;
  decltype(cublasSgemv_v2)* Sgemv = nullptr;
  decltype(cublasDgemv_v2)* Dgemv = nullptr;
  decltype(cublasSaxpy_v2)* Saxpy = nullptr;
  decltype(cublasDaxpy_v2)* Daxpy = nullptr;
  decltype(cublasSdot_v2)* Sdot = nullptr;
  decltype(cublasDdot_v2)* Ddot = nullptr;
  decltype(cublasSscal_v2)* Sscal = nullptr;
  decltype(cublasDscal_v2)* Dscal = nullptr;
  decltype(cublasStrsv_v2)* Strsv = nullptr;
  decltype(cublasDtrsv_v2)* Dtrsv = nullptr;
  decltype(cublasStrsm_v2)* Strsm = nullptr;
  decltype(cublasDtrsm_v2)* Dtrsm = nullptr;
};

#undef WARPLOOM_BY_TYPE

#elif defined(__CUDACC__)

/// CUDA without cuBLAS: there is no library.
class Blas {
public:
  static Blas* loaded() { return nullptr; }
  static bool isLoaded() { return true; }
  template <typename... Arguments> bool gemm(Arguments...) { return false; }
  template <typename... Arguments> bool gemv(Arguments...) { return false; }
  template <typename... Arguments> bool axpy(Arguments...) { return false; }
  template <typename... Arguments> bool dot(Arguments...) { return false; }
  template <typename... Arguments> bool trsv(Arguments...) { return false; }
  template <typename... Arguments> bool trsm(Arguments...) { return false; }
};

#else

class Blas {
public:
  /// The library; null where there is none.
  static Blas* loaded() {
    static Blas blas;
    asked() = true;
    return blas.complete ? &blas : nullptr;
  }
  static bool isLoaded() { return asked(); }

  template <typename T>
  bool gemm(Stream, bool transA, bool transB, int m, int n, int k, T alpha, const T* A, int lda, long apartA,
            const T* B, int ldb, long apartB, T beta, T* C, int ldc, long apartC, int count) {
    for (int i = 0; i < count; ++i)
      of<T>().gemm(byColumns, op(transA), op(transB), m, n, k, alpha, A + i * apartA, lda, B + i * apartB,
                   ldb, beta, C + i * apartC, ldc);
    return true;
  }

  template <typename T>
  bool gemv(Stream, bool trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta,
            T* y, int incy) {
    of<T>().gemv(byColumns, op(trans), m, n, alpha, A, lda, x, incx, beta, y, incy);
    return true;
  }

  template <typename T> bool axpy(Stream, int n, T alpha, const T* x, int incx, T* y, int incy) {
    of<T>().axpy(n, alpha, x, incx, y, incy);
    return true;
  }

  /// *result = alpha * (x . y) + beta * *result
  template <typename T>
  bool dot(Stream, int n, T alpha, const T* x, int incx, const T* y, int incy, T beta, T* result) {
    const T sum = alpha * of<T>().dot(n, x, incx, y, incy);
    *result = beta == T(0) ? sum : sum + beta * *result;
    return true;
  }

  template <typename T> bool trsv(Stream, BlasTriangle triangle, int n, const T* A, int lda, T* x, int incx) {
    of<T>().trsv(byColumns, half(triangle), op(triangle.isTransposed), diagonal(triangle), n, A, lda, x,
                 incx);
    return true;
  }

  /// As under CUDA.
  template <typename T>
  bool trsm(Stream, BlasTriangle triangle, bool liesByColumns, int rows, int columns, const T* A, int lda,
            T* X, int ldx) {
    of<T>().trsm(byColumns, liesByColumns ? fromLeft : fromRight, half(triangle),
                 op(triangle.isTransposed != !liesByColumns), diagonal(triangle),
                 liesByColumns ? rows : columns, liesByColumns ? columns : rows, T(1), A, lda, X, ldx);
    return true;
  }

private:
  /// What cblas.h calls CblasColMajor, CblasLeft, CblasRight, CblasNoTrans and so on.
  static constexpr int byColumns = 102, fromLeft = 141, fromRight = 142;
  static constexpr int op(bool transposed) { return transposed ? 112 : 111; }
  static constexpr int half(const BlasTriangle& triangle) { return triangle.isUpper ? 121 : 122; }
  static constexpr int diagonal(const BlasTriangle& triangle) { return triangle.isUnit ? 132 : 131; }

  template <typename T> struct Functions {
    void (*gemm)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int) = nullptr;
    void (*gemv)(int, int, int, int, T, const T*, int, const T*, int, T, T*, int) = nullptr;
    void (*axpy)(int, T, const T*, int, T*, int) = nullptr;
    T (*dot)(int, const T*, int, const T*, int) = nullptr;

    void (*trsv)(int, int, int, int, int, const T*, int, T*, int) = nullptr;
    void (*trsm)(int, int, int, int, int, int, int, T, const T*, int, T*, int) = nullptr;

    bool isComplete() const { return gemm && gemv && axpy && dot && trsv && trsm; }
  };

  Blas() {
    void* library = loadLibrary({"libopenblas.so.0", "libblis.so.4", "libcblas.so.3", "libblas.so.3"});
    if (!library) return;
    find(library, "cblas_sgemm", floats.gemm);
    find(library, "cblas_dgemm", doubles.gemm);
    find(library, "cblas_sgemv", floats.gemv);
    find(library, "cblas_dgemv", doubles.gemv);
    find(library, "cblas_saxpy", floats.axpy);
    find(library, "cblas_daxpy", doubles.axpy);
    find(library, "cblas_sdot", floats.dot);
    find(library, "cblas_ddot", doubles.dot);
    find(library, "cblas_strsv", floats.trsv);
    find(library, "cblas_dtrsv", doubles.trsv);
    find(library, "cblas_strsm", floats.trsm);
    find(library, "cblas_dtrsm", doubles.trsm);
    complete = floats.isComplete() && doubles.isComplete();
  }
  static bool& asked() {
    static bool is = false;
    return is;
  }
  template <typename T> const Functions<T>& of() const {
    if constexpr (std::is_same_v<T, float>)
      return floats;
    else
      return doubles;
  }

  bool complete = false;
  Functions<float> floats;
  Functions<double> doubles;
};

#endif

} // namespace warploom
