// Products of sparse matrices that generated programs may leave to a library: cuSPARSE under CUDA, looked for
// when it is first asked for, as warploom_blas.h does; loops in the CPU execution.
#pragma once

#include "warploom.h"
#include "warploom_blas.h"

#include <climits>

#if defined(__CUDACC__) && __has_include(<cusparse.h>)
#include <cusparse.h>
#define WARPLOOM_CUSPARSE
#endif

namespace warploom {

#ifdef WARPLOOM_CUSPARSE

class Sparse {
public:
  /// The library; null where there is none, or none of the CUDA that the program was compiled with.
  static Sparse* loaded() {
    static Sparse sparse;
    asked() = true;
    return sparse.complete ? &sparse : nullptr;
  }
  static bool isLoaded() { return asked(); }

  /// y = alpha * A x + beta * y, where row i of A has the values from starts[i] to before starts[i + 1].
  /// False, and nothing done, where the rows do not begin with the first of the `most` entries, or there are
  /// none.
  template <typename T>
  bool multiply(Stream stream, int rows, int columns, int most, T alpha, const int* starts, const int* places,
                const T* values, const T* x, T beta, T* y) {
    if (rows > INT_MAX / static_cast<int>(sizeof(int))) return false; // the longest pitch of a copy
    const std::lock_guard<std::mutex> lock(mutex);
    cusparseHandle_t handle =
        handles.here([&](cusparseHandle_t* made) { return create(made) == CUSPARSE_STATUS_SUCCESS; });
    if (!handle) return false;
    check("cusparseSetStream", setStream(handle, stream));
    // The library wants to know how many entries there are, which only the device does: one copy of two rows.
    const std::size_t apart = static_cast<std::size_t>(rows) * sizeof(int);
    WARPLOOM_CHECK(
        cudaMemcpy2DAsync(ends, sizeof(int), starts, apart, sizeof(int), 2, cudaMemcpyDefault, stream));
    WARPLOOM_CHECK(cudaStreamSynchronize(stream));
    if (ends[0] != 0 || ends[1] < 1 || ends[1] > most) return false;
    const cudaDataType_t type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
    cusparseConstSpMatDescr_t matrix = nullptr;
    cusparseConstDnVecDescr_t factor = nullptr;
    cusparseDnVecDescr_t result = nullptr;
    check("cusparseCreateConstCsr",
          createCsr(&matrix, rows, columns, ends[1], starts, places, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    check("cusparseCreateConstDnVec", createConstVector(&factor, columns, x, type));
    check("cusparseCreateDnVec", createVector(&result, rows, y, type));
    std::size_t bytes = 0;
    check("cusparseSpMV_bufferSize",
          bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, factor, &beta, result, type,
                     CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    void* buffer = bytes ? allocate(bytes, stream) : nullptr;
    check("cusparseSpMV", product(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, factor, &beta,
                                  result, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    if (buffer) release(buffer, stream);
    check("cusparseDestroyDnVec", destroyVector(result));
    check("cusparseDestroyDnVec", destroyVector(factor));
    check("cusparseDestroySpMat", destroyMatrix(matrix));
    return true;
  }

private:
  Sparse() {
    // Its number is not CUDA's: 12 is that of CUDA 12 and 13.
    void* library = loadCudaLibrary("libcusparse.so", CUSPARSE_VER_MAJOR);
    if (!library) return;
    find(library, "cusparseCreate", create);
    find(library, "cusparseSetStream", setStream);
    find(library, "cusparseGetErrorString", errorString);
    find(library, "cusparseCreateConstCsr", createCsr);
    find(library, "cusparseCreateConstDnVec", createConstVector);
    find(library, "cusparseCreateDnVec", createVector);
    find(library, "cusparseSpMV_bufferSize", bufferSize);
    find(library, "cusparseSpMV", product);
    find(library, "cusparseDestroyDnVec", destroyVector);
    find(library, "cusparseDestroySpMat", destroyMatrix);
    complete = create && setStream && errorString && createCsr && createConstVector && createVector &&
               bufferSize && product && destroyVector && destroyMatrix &&
               (ends = static_cast<int*>(allocatePageLocked(2 * sizeof(int)))) != nullptr;
  }

  static bool& asked() {
    static bool is = false;
    return is;
  }
  /// Ends the program when a call did not succeed.
  void check(const char* call, cusparseStatus_t status, Place place = Place::here()) const {
    if (status != CUSPARSE_STATUS_SUCCESS) fail(place, call, errorString(status));
  }

  bool complete = false;
  int* ends = nullptr; ///< where the last matrix begins and ends
  std::mutex mutex;
  Handles<cusparseHandle_t> handles;
  decltype(cusparseCreate)* create = nullptr;
  decltype(cusparseSetStream)* setStream = nullptr;
  decltype(cusparseGetErrorString)* errorString = nullptr;
  decltype(cusparseCreateConstCsr)* createCsr = nullptr;
  decltype(cusparseCreateConstDnVec)* createConstVector = nullptr;
  decltype(cusparseCreateDnVec)* createVector = nullptr;
  decltype(cusparseSpMV_bufferSize)* bufferSize = nullptr;
  decltype(cusparseSpMV)* product = nullptr;
  decltype(cusparseDestroyDnVec)* destroyVector = nullptr;
  decltype(cusparseDestroySpMat)* destroyMatrix = nullptr;
};

#elif defined(__CUDACC__)

/// CUDA without cuSPARSE: there is no library.
class Sparse {
public:
  static Sparse* loaded() { return nullptr; }
  static bool isLoaded() { return true; }
  template <typename... Arguments> bool multiply(Arguments...) { return false; }
};

#else

class Sparse {
public:
  static Sparse* loaded() {
    static Sparse sparse;
    return &sparse;
  }
  static bool isLoaded() { return true; }

  template <typename T>
  bool multiply(Stream, int rows, int, int most, T alpha, const int* starts, const int* places,
                const T* values, const T* x, T beta, T* y) {
    if (starts[0] != 0 || starts[rows] < 1 || starts[rows] > most) return false;
    for (int i = 0; i < rows; ++i) {
      T sum = 0;
      for (int k = starts[i]; k < starts[i + 1]; ++k)
        sum += values[k] * x[places[k]];
      y[i] = beta == T(0) ? alpha * sum : alpha * sum + beta * y[i];
    }
    return true;
  }
};

#endif

} // namespace warploom
