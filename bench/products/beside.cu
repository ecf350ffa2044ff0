// Times products.c as Warploom builds it with `--libraries auto`, whole calls of its functions on heap blocks that have come to the device,
// beside cuBLAS called by hand on copies in device memory, and compares the results. Both are waited for. Heap blocks of less than 64 KiB do
// not come to the device: where there are any, calls are timed once with roomier blocks, and once as they are. Then their results are copied
// to the host each time, `copied` bytes, and `cublas_copied_us` is cuBLAS with such a copy by hand. Prints JSON.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <string>
#include <vector>

extern "C" {
void sgemm(int n, int m, int p, const float* A, const float* B, float* C);
void dgemm(int n, int m, int p, const double* A, const double* B, double* C);
void sgemv(int n, int m, const float* A, const float* x, float* y);
void dgemv(int n, int m, const double* A, const double* x, double* y);
void sgemvt(int n, int m, const float* A, const float* x, float* y);
void dgemvt(int n, int m, const double* A, const double* x, double* y);
void daxpy(int n, double alpha, const double* x, double* y);
double ddot(int n, const double* x, const double* y);
void dtrsv(int n, const double* A, const double* b, double* x);
void dtrsm(int n, int m, const double* A, const double* B, double* X);
}

static cublasHandle_t handle;
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

/// Blocks of so many bytes come to the device.
constexpr std::size_t leastShared = 65536;

/// Numbers in a block of the heap, which comes to the device if it is to be roomy.
template <typename T> T* made(std::size_t count, bool isRoomy) {
  T* memory = static_cast<T*>(std::malloc(std::max(count * sizeof(T), isRoomy ? leastShared : 0)));
  for (std::size_t i = 0; i < count; ++i)
    memory[i] = T((i * 7919) % 1000) / T(1000) - T(0.5);
  return memory;
}

/// The same in device memory, for cuBLAS.
template <typename T> T* onDevice(const T* host, std::size_t count) {
  T* memory = nullptr;
  if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess) std::exit(1);
  cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

/// Times both; `result`, and cuBLAS's `theirResult` on the device, has `count` elements of sums with `terms` terms. `isCopied`: to the host,
/// where it is small.
template <typename T, typename Hand, typename Ours>
void compare(const char* operation, int n, int m, int p, T* result, T* theirResult, std::size_t count, double terms, bool isCopied, Hand hand,
             Ours ours) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const std::vector<T> before(result, result + count);
  auto byHand = [&] {
    const cublasStatus_t now = hand();
    if (now != CUBLAS_STATUS_SUCCESS) status = now;
    cudaStreamSynchronize(nullptr);
  };
  auto byLoops = [&] { ours(); };
  const double theirs = median(byHand), own = median(byLoops);
  std::vector<T> there(count);
  const std::size_t copied = isCopied && count * sizeof(T) < leastShared ? count * sizeof(T) : 0;
  const double theirsCopied = copied == 0 ? theirs : median([&] {
    hand();
    cudaMemcpy(there.data(), theirResult, copied, cudaMemcpyDeviceToHost);
  });
  std::copy(before.begin(), before.end(), result);
  cudaMemcpy(theirResult, before.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  byHand();
  byLoops();
  std::vector<T> wanted(count);
  cudaMemcpy(wanted.data(), theirResult, count * sizeof(T), cudaMemcpyDeviceToHost);
  const std::vector<T> found(result, result + count);
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, double(std::fabs(wanted[i] - found[i])));
  const bool right = status == CUBLAS_STATUS_SUCCESS && worst <= (sizeof(T) == 4 ? 1e-6 : 1e-13) * terms &&
                     cudaGetLastError() == cudaSuccess;
  std::printf("%s {\"operation\": \"%s\", \"n\": %d, \"m\": %d, \"p\": %d, \"copied\": %zu, \"cublas_us\": %.1f, "
              "\"cublas_copied_us\": %.1f, \"us\": %.1f, \"percent\": %.0f, \"right\": %s}",
              first ? "" : ",\n", operation, n, m, p, copied, theirs, theirsCopied, own, 100 * theirsCopied / own, right ? "true" : "false");
  std::fflush(stdout);
  first = false;
}

template <typename T, typename Gemm, typename Ours>
void products(const char* name, int n, int m, int p, bool isRoomy, Gemm gemm, Ours ours) {
  const std::size_t size = std::size_t(n) * m;
  if (!isRoomy && std::min({size, std::size_t(n) * p, std::size_t(p) * m}) * sizeof(T) >= leastShared) return;
  T *A = made<T>(std::size_t(n) * p, isRoomy), *B = made<T>(std::size_t(p) * m, isRoomy), *C = made<T>(size, isRoomy);
  T *dA = onDevice(A, std::size_t(n) * p), *dB = onDevice(B, std::size_t(p) * m), *dC = onDevice(C, size);
  const T one = 1, zero = 0;
  compare(name, n, m, p, C, dC, size, p, !isRoomy,
          [&] { return gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, p, &one, dB, m, dA, p, &zero, dC, m); },
          [&] { ours(n, m, p, A, B, C); });
  std::free(A), std::free(B), std::free(C), cudaFree(dA), cudaFree(dB), cudaFree(dC);
}

template <typename T, typename Gemv, typename Ours>
void vectors(const char* name, bool transposed, int n, int m, bool isRoomy, Gemv gemv, Ours ours) {
  if (!isRoomy && std::min(n, m) * sizeof(T) >= leastShared) return;
  T *A = made<T>(std::size_t(n) * m, isRoomy), *x = made<T>(transposed ? n : m, isRoomy), *y = made<T>(transposed ? m : n, isRoomy);
  T *dA = onDevice(A, std::size_t(n) * m), *dx = onDevice(x, transposed ? n : m), *dy = onDevice(y, transposed ? m : n);
  const T one = 1, zero = 0;
  compare(name, n, m, 1, y, dy, transposed ? m : n, transposed ? n : m, !isRoomy,
          [&] { return gemv(handle, transposed ? CUBLAS_OP_N : CUBLAS_OP_T, m, n, &one, dA, m, dx, 1, &zero, dy, 1); },
          [&] { ours(n, m, A, x, y); });
  std::free(A), std::free(x), std::free(y), cudaFree(dA), cudaFree(dx), cudaFree(dy);
}

/// Solves with a lower matrix by rows and `m` right-hand sides, which by hand are first copied to where the result is to be.
void solves(int n, int m) {
  const std::size_t size = std::size_t(n) * m;
  double *A = made<double>(std::size_t(n) * n, true), *B = made<double>(size, true), *X = made<double>(size, true);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      A[std::size_t(i) * n + j] = i == j ? 2 : A[std::size_t(i) * n + j] / n;
  double *dA = onDevice(A, std::size_t(n) * n), *dB = onDevice(B, size), *dX = onDevice(X, size);
  const double one = 1;
  compare(m == 1 ? "dtrsv" : "dtrsm", n, m, n, X, dX, size, 100, false,
          [&] {
            cudaMemcpyAsync(dX, dB, size * sizeof(double), cudaMemcpyDeviceToDevice, nullptr);
            return m == 1 ? cublasDtrsv(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, dA, n, dX, 1)
                          : cublasDtrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, m, n, &one, dA,
                                        n, dX, m);
          },
          [&] { m == 1 ? dtrsv(n, A, B, X) : dtrsm(n, m, A, B, X); });
  std::free(A), std::free(B), std::free(X), cudaFree(dA), cudaFree(dB), cudaFree(dX);
}

int main() {
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return std::fprintf(stderr, "no cuBLAS\n"), 1;
  std::printf("[\n");
  const int sizes[][3] = {{8192, 8192, 8192}, {4096, 4096, 4096}, {2048, 2048, 2048}, {1001, 1103, 1207}, {1024, 1024, 1024},
                          {512, 512, 512},    {256, 768, 3072},   {64, 64, 8192}}; // the large ones make the heap one that the device sees
  for (bool isRoomy : {true, false})
    for (const auto& [n, m, p] : sizes) {
      products<float>("sgemm", n, m, p, isRoomy, cublasSgemm, sgemm);
      products<double>("dgemm", n, m, p, isRoomy, cublasDgemm, dgemm);
    }
  const int shapes[][2] = {{4096, 4096}, {16384, 16384}, {100000, 1000}, {1000, 100000}};
  for (bool isRoomy : {true, false})
    for (const auto& shape : shapes) {
      const int n = shape[0], m = shape[1];
      vectors<float>("sgemv", false, n, m, isRoomy, cublasSgemv, sgemv);
      vectors<double>("dgemv", false, n, m, isRoomy, cublasDgemv, dgemv);
      vectors<float>("sgemv, transposed", true, n, m, isRoomy, cublasSgemv, sgemvt);
      vectors<double>("dgemv, transposed", true, n, m, isRoomy, cublasDgemv, dgemvt);
    }
  solves(4096, 1), solves(16384, 1), solves(4096, 1024);
  const int many = 1 << 26;
  double *x = made<double>(many, true), *y = made<double>(many, true), *dx = onDevice(x, many), *dy = onDevice(y, many), sum = 0;
  double* dSum = onDevice(&sum, 1);
  const double alpha = 1e-3;
  compare("daxpy", many, 1, 1, y, dy, many, 100, false, [&] { return cublasDaxpy(handle, many, &alpha, dx, 1, dy, 1); },
          [&] { daxpy(many, alpha, x, y); });
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  compare("ddot", many, 1, 1, &sum, dSum, 1, many, true, [&] { return cublasDdot(handle, many, dx, 1, dy, 1, dSum); },
          [&] { sum = ddot(many, x, y); });
  std::printf("\n]\n");
}
