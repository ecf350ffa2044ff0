// Products of sparse matrices that generated programs may leave to a library: cuSPARSE under CUDA, looked for
// when it is first asked for, as warploom_blas.h does; loops in the CPU execution. And a kernel for them, in
// both, which asks nothing before it begins.
#pragma once

#include "warploom.h"
#include "warploom_blas.h"

#include <climits>

#if defined(__CUDACC__) && __has_include(<cusparse.h>)
#include <cusparse.h>
#define WARPLOOM_CUSPARSE
#endif

namespace warploom {

/// What is added to the sums of rows: by * first[i * step], or `by` alone where there is no `first`.
template <typename T> struct RowStart {
  T by = 0;
  const T* first = nullptr;
  long step = 0;
};

/// y[i] = alpha * (the sum over k from starts[i] to before starts[i + 1] of values[k] * x[places[k]]) + what
/// `start` has for it. A block has a row for each of its threads. Its entries lie side by side: all threads
/// together make their products, as many as shared memory holds, and each thread adds up its own row of
/// them, in order.
template <typename T, int threads, int each>
__global__ void __launch_bounds__(threads)
    multiplyRows(int rows, T alpha, const int* __restrict__ starts, const int* __restrict__ places,
                 const T* __restrict__ values, const T* __restrict__ x, RowStart<T> start, T* y) {
  constexpr int most = threads * each;
  __shared__ T products[most];
  for (long first = blockIdx.x * long(threads); first < rows; first += gridDim.x * long(threads)) {
    const long row = first + threadIdx.x, behind = first + threads < rows ? first + threads : rows;
    const bool isRow = row < rows;
    const long begin = isRow ? starts[row] : 0, end = isRow ? starts[row + 1] : 0;
    T sum = 0;
    if (__syncthreads_or(end < begin)) { // rows that overlap, or with nothing between them that may be read
      for (long k = begin; k < end; ++k)
        sum += values[k] * x[places[k]];
    } else {
      const long all = starts[behind];
      for (long from = starts[first]; from < all; from += most) {
        int place[each];
        T value[each];
#pragma unroll
        for (int u = 0; u < each; ++u)
          if (const long k = from + u * threads + threadIdx.x; k < all) {
            place[u] = places[k];
            value[u] = values[k];
          }
#pragma unroll
        for (int u = 0; u < each; ++u)
          if (from + u * threads + threadIdx.x < all)
            products[u * threads + threadIdx.x] = value[u] * x[place[u]];
        __syncthreads();
        const long least = begin > from ? begin : from, last = end < from + most ? end : from + most;
        for (long k = least; k < last; ++k)
          sum += products[k - from];
        __syncthreads();
      }
    }
    if (isRow) y[row] = alpha * sum + (start.first ? start.by * start.first[row * start.step] : start.by);
  }
}

/// Gives `stream` that work.
template <typename T>
void launchRows(Stream stream, int rows, T alpha, const int* starts, const int* places, const T* values,
                const T* x, RowStart<T> start, T* y) {
  constexpr int threads = 256, each = 8;
  launch(Launch(dim3((static_cast<unsigned>(rows) + threads - 1) / threads), dim3(threads), 0, stream),
         multiplyRows<T, threads, each>, rows, alpha, starts, places, values, x, start, y);
}

#ifdef WARPLOOM_CUSPARSE

/// Where the rows of a matrix begin and end, for the host.
template <typename Index> __global__ void tellEnds(long rows, const Index* starts, Index* ends) {
  ends[threadIdx.x] = starts[threadIdx.x == 0 ? 0 : rows];
}

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
    const std::lock_guard<std::mutex> lock(mutex);
    const cusparseHandle_t handle = handles.on(
        stream, [&](cusparseHandle_t* made) { return create(made) == CUSPARSE_STATUS_SUCCESS; },
        [&](cusparseHandle_t made) { check("cusparseSetStream", setStream(made, stream)); });
    if (!handle) return false;
    // The library wants to know how many entries there are, which only the device does.
    launch(Launch(dim3(1), dim3(2), 0, stream), tellEnds<int>, rows, starts, ends);
    synchronize(stream);
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
