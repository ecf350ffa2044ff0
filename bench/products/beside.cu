// Times what Warploom makes of products.c with `--libraries auto`, whole calls of the loops with data that is on the device, beside cuBLAS
// called by hand, and compares the results. Both are waited for. Prints JSON.
#include "calls.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <string>
#include <vector>

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

/// Memory that host and device see, on the device.
template <typename T> T* made(std::size_t count) {
  T* memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) std::exit(1);
  for (std::size_t i = 0; i < count; ++i)
    memory[i] = T((i * 7919) % 1000) / T(1000) - T(0.5);
  return memory;
}

/// Times both; `result` has `count` elements of sums with `terms` terms.
template <typename T, typename Hand, typename Ours>
void compare(const char* operation, int n, int m, int p, T* result, std::size_t count, double terms, Hand hand, Ours ours) {
  int done = 1;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const std::vector<T> before(result, result + count);
  auto once = [&](auto&& work) {
    std::copy(before.begin(), before.end(), result);
    work();
    cudaDeviceSynchronize();
    return std::vector<T>(result, result + count);
  };
  auto byHand = [&] {
    const cublasStatus_t now = hand();
    if (now != CUBLAS_STATUS_SUCCESS) status = now;
    cudaStreamSynchronize(nullptr);
  };
  auto byLoops = [&] { done &= ours(); };
  const double theirs = median(byHand), own = median(byLoops);
  const std::vector<T> wanted = once(byHand), found = once(byLoops);
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, double(std::fabs(wanted[i] - found[i])));
  const bool right = done && status == CUBLAS_STATUS_SUCCESS && worst <= (sizeof(T) == 4 ? 1e-6 : 1e-15) * terms &&
                     cudaGetLastError() == cudaSuccess;
  std::printf("%s {\"operation\": \"%s\", \"n\": %d, \"m\": %d, \"p\": %d, \"cublas_us\": %.1f, \"us\": %.1f, \"percent\": %.0f, "
              "\"right\": %s}",
              first ? "" : ",\n", operation, n, m, p, theirs, own, 100 * theirs / own, right ? "true" : "false");
  std::fflush(stdout);
  first = false;
}

template <typename T, typename Gemm, typename Ours>
void products(const char* name, int n, int m, int p, Gemm gemm, Ours ours) {
  const std::size_t size = std::size_t(n) * m;
  T *A = made<T>(std::size_t(n) * p), *B = made<T>(std::size_t(p) * m), *C = made<T>(size);
  const T one = 1, zero = 0;
  compare(name, n, m, p, C, size, p,
          [&] { return gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, p, &one, B, m, A, p, &zero, C, m); },
          [&] { return ours(n, m, p, A, B, C); });
  cudaFree(A), cudaFree(B), cudaFree(C);
}

template <typename T, typename Gemv, typename Ours>
void vectors(const char* name, bool transposed, int n, int m, Gemv gemv, Ours ours) {
  T *A = made<T>(std::size_t(n) * m), *x = made<T>(transposed ? n : m), *y = made<T>(transposed ? m : n);
  const T one = 1, zero = 0;
  compare(name, n, m, 1, y, transposed ? m : n, transposed ? n : m,
          [&] { return gemv(handle, transposed ? CUBLAS_OP_N : CUBLAS_OP_T, m, n, &one, A, m, x, 1, &zero, y, 1); },
          [&] { return ours(A, x, y); });
  cudaFree(A), cudaFree(x), cudaFree(y);
}

int main() {
  setenv("WARPLOOM_DEVICE", "gpu", 1);
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return std::fprintf(stderr, "no cuBLAS\n"), 1;
  std::printf("[\n");
  const int sizes[][3] = {{512, 512, 512}, {1024, 1024, 1024}, {1001, 1103, 1207}, {2048, 2048, 2048}, {4096, 4096, 4096},
                          {8192, 8192, 8192}, {256, 768, 3072}, {64, 64, 8192}};
  for (const auto& [n, m, p] : sizes)
    products<float>("sgemm", n, m, p, cublasSgemm, warploom_calls_sgemm_3);
  for (const auto& [n, m, p] : sizes)
    products<double>("dgemm", n, m, p, cublasDgemm, warploom_calls_dgemm_13);
  const int shapes[][2] = {{4096, 4096}, {16384, 16384}, {100000, 1000}, {1000, 100000}};
  for (const auto& shape : shapes) {
    const int n = shape[0], m = shape[1];
    vectors<float>("sgemv", false, n, m, cublasSgemv, [&](float* A, float* x, float* y) { return warploom_calls_sgemv_23(n, m, A, x, y); });
    vectors<double>("dgemv", false, n, m, cublasDgemv, [&](double* A, double* x, double* y) { return warploom_calls_dgemv_32(n, m, A, x, y); });
    vectors<float>("sgemv, transposed", true, n, m, cublasSgemv, [&](float* A, float* x, float* y) { return warploom_calls_sgemvt_41(m, n, A, x, y); });
    vectors<double>("dgemv, transposed", true, n, m, cublasDgemv, [&](double* A, double* x, double* y) { return warploom_calls_dgemvt_50(m, n, A, x, y); });
  }
  const int many = 1 << 26;
  double *x = made<double>(many), *y = made<double>(many), *s = made<double>(1);
  const double alpha = 1e-3;
  compare("daxpy", many, 1, 1, y, 1, 100, [&] { return cublasDaxpy(handle, many, &alpha, x, 1, y, 1); },
          [&] { return warploom_calls_daxpy_59(many, alpha, x, y); });
  *s = 0;
  compare("ddot", many, 1, 1, s, 1, many, [&] { return cublasDdot(handle, many, x, 1, y, 1, s); },
          [&] { *s = 0; return warploom_calls_ddot_65(many, x, y, s); });
  std::printf("\n]\n");
}
