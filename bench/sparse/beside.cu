// Times calls.c as Warploom builds it with `--libraries auto`, whole calls of its functions on heap blocks that have come to the device, beside
// cuSPARSE called by hand on copies in device memory, its descriptors and workspace made once, and compares the results. Both are waited for.
// The matrices: the five-point Laplacian of a square of 1500 x 1500 points, and rows of 2 to 60 entries at random places. Prints JSON.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <type_traits>
#include <vector>

extern "C" {
void sspmv(int n, const int* start, const int* column, const float* value, const float* x, float* y);
void dspmv(int n, const int* start, const int* column, const double* value, const double* x, double* y);
void drest(int n, const int* start, const int* column, const double* value, const double* x, const double* right, double* y);
}

static cusparseHandle_t handle;
static bool first = true;

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The median of the times of `work`, in µs, once it has had 0.5 s and 16 calls to choose.
template <typename Work> double median(Work work) {
  const double began = now();
  for (int k = 0; k < 16 || now() - began < 0.5; ++k)
    work();
  std::vector<double> times;
  for (int k = 0; k < 41; ++k) {
    const double start = now();
    work();
    times.push_back(now() - start);
  }
  std::nth_element(times.begin(), times.begin() + 20, times.end());
  return 1e6 * times[20];
}

template <typename T> T* heap(std::size_t count) { return static_cast<T*>(std::malloc(count * sizeof(T))); }

template <typename T> T* onDevice(const T* host, std::size_t count) {
  T* memory = nullptr;
  if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess) std::exit(1);
  cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

struct Matrix {
  int n;
  int *start, *column;
};

static Matrix laplacian(int side) {
  Matrix a{side * side, heap<int>(std::size_t(side) * side + 1), nullptr};
  std::vector<int> columns;
  a.start[0] = 0;
  for (int i = 0; i < a.n; ++i) {
    const int y = i / side, x = i % side;
    if (y > 0) columns.push_back(i - side);
    if (x > 0) columns.push_back(i - 1);
    columns.push_back(i);
    if (x + 1 < side) columns.push_back(i + 1);
    if (y + 1 < side) columns.push_back(i + side);
    a.start[i + 1] = int(columns.size());
  }
  a.column = heap<int>(columns.size());
  std::copy(columns.begin(), columns.end(), a.column);
  return a;
}

static Matrix scattered(int n) {
  Matrix a{n, heap<int>(std::size_t(n) + 1), nullptr};
  unsigned seed = 1;
  auto next = [&](unsigned below) { return (seed = seed * 1664525u + 1013904223u, (seed >> 8) % below); };
  a.start[0] = 0;
  for (int i = 0; i < n; ++i)
    a.start[i + 1] = a.start[i] + 2 + int(next(59));
  a.column = heap<int>(a.start[n]);
  for (int k = 0; k < a.start[n]; ++k)
    a.column[k] = int(next(unsigned(n)));
  return a;
}

template <typename T, typename Ours> void compare(const char* name, const Matrix& a, bool rest, Ours ours) {
  const int n = a.n, entries = a.start[n];
  T *value = heap<T>(entries), *x = heap<T>(n), *y = heap<T>(n), *right = heap<T>(n);
  for (int k = 0; k < entries; ++k)
    value[k] = T(k % 7 - 3) / 4;
  for (int i = 0; i < n; ++i)
    x[i] = T(i % 11 - 5) / 8, right[i] = T(i % 5) / 2, y[i] = 0;
  int *dStart = onDevice(a.start, n + 1), *dColumn = onDevice(a.column, entries);
  T *dValue = onDevice(value, entries), *dX = onDevice(x, n), *dY = onDevice(y, n), *dRight = onDevice(right, n);
  const T alpha = rest ? -1 : 1, beta = rest ? 1 : 0;
  const cudaDataType_t type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  cusparseCreateCsr(&matrix, n, n, entries, dStart, dColumn, dValue, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
  cusparseCreateDnVec(&in, n, dX, type);
  cusparseCreateDnVec(&out, n, dY, type);
  std::size_t bytes = 0;
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, in, &beta, out, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  void* buffer = nullptr;
  cudaMalloc(&buffer, bytes + 1);
  bool good = true;
  auto byHand = [&] {
    if (rest) cudaMemcpyAsync(dY, dRight, n * sizeof(T), cudaMemcpyDeviceToDevice, nullptr);
    good &= cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, in, &beta, out, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer) ==
            CUSPARSE_STATUS_SUCCESS;
    cudaStreamSynchronize(nullptr);
  };
  auto byLoops = [&] { ours(n, a.start, a.column, value, x, right, y); };
  const double theirs = median(byHand), own = median(byLoops);
  std::vector<T> wanted(n);
  cudaMemcpy(wanted.data(), dY, n * sizeof(T), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = std::max(worst, double(std::fabs(wanted[i] - y[i])));
  std::printf("%s {\"operation\": \"%s\", \"rows\": %d, \"entries\": %d, \"cusparse_us\": %.1f, \"us\": %.1f, \"percent\": %.0f, \"right\": %s}",
              first ? "" : ",\n", name, n, entries, theirs, own, 100 * theirs / own,
              good && worst <= (sizeof(T) == 4 ? 1e-5 : 1e-13) && cudaGetLastError() == cudaSuccess ? "true" : "false");
  std::fflush(stdout);
  first = false;
  cusparseDestroySpMat(matrix), cusparseDestroyDnVec(in), cusparseDestroyDnVec(out);
  cudaFree(buffer), cudaFree(dStart), cudaFree(dColumn), cudaFree(dValue), cudaFree(dX), cudaFree(dY), cudaFree(dRight);
  std::free(value), std::free(x), std::free(y), std::free(right);
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return std::fprintf(stderr, "no cuSPARSE\n"), 1;
  std::printf("[\n");
  auto single = [](int n, const int* s, const int* c, const float* v, const float* x, const float*, float* y) { sspmv(n, s, c, v, x, y); };
  auto twice = [](int n, const int* s, const int* c, const double* v, const double* x, const double*, double* y) { dspmv(n, s, c, v, x, y); };
  for (const Matrix& a : {laplacian(1500), scattered(1000000)}) {
    compare<float>("sspmv", a, false, single);
    compare<double>("dspmv", a, false, twice);
    compare<double>("drest", a, true, drest);
  }
  std::printf("\n]\n");
}
