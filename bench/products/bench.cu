// Times the kernels that Warploom makes of products.c beside cuBLAS in the same run, at several sizes, with the choice of tiles that
// the launcher makes, and compares every result with cuBLAS's. Prints JSON.
#include "products.cu"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

/// The median of the times of `work` on the device, in ms.
template <typename Work> double median(Work work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int k = 0; k < 23; ++k) {
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float time = 0;
    cudaEventElapsedTime(&time, begin, end);
    if (k >= 2) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

cublasStatus_t library(cublasHandle_t handle, int n, int m, int p, const float* A, const float* B, float* C) {
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, p, &one, B, m, A, p, &zero, C, m);
}
cublasStatus_t library(cublasHandle_t handle, int n, int m, int p, const double* A, const double* B, double* C) {
  const double one = 1, zero = 0;
  return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, p, &one, B, m, A, p, &zero, C, m);
}

template <typename Tiles, typename Kernel, typename T>
void launchFloat(Kernel kernel, int n, int m, int p, const T* A, const T* B, T* C) {
  const std::size_t bytes = warploom::dynamicBytes<sgemm_3_shared<Tiles>>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  kernel<<<dim3(warploom::blocks(0, m, Tiles::TILE_X), warploom::blocks(0, n, Tiles::TILE_Y)),
           dim3(Tiles::THREADS_X, Tiles::THREADS_Y), bytes>>>(n, m, p, A, B, C);
}
bool ours(int n, int m, int p, const float* A, const float* B, float* C) {
  const bool many = warploom::fills(dim3(warploom::blocks(0, m, ManyTiles::TILE_X), warploom::blocks(0, n, ManyTiles::TILE_Y)));
  if (many) launchFloat<ManyTiles>(sgemm_3<int, ManyTiles>, n, m, p, A, B, C);
  else launchFloat<FewTiles>(sgemm_3<int, FewTiles>, n, m, p, A, B, C);
  return many;
}
template <typename Tiles, typename Kernel, typename T>
void launchDouble(Kernel kernel, int n, int m, int p, const T* A, const T* B, T* C) {
  const std::size_t bytes = warploom::dynamicBytes<dgemm_13_shared<Tiles>>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  kernel<<<dim3(warploom::blocks(0, m, Tiles::TENSOR_X), warploom::blocks(0, n, Tiles::TENSOR_Y)),
           dim3(LANES * Tiles::WARPS_X, Tiles::WARPS_Y), bytes>>>(n, m, p, A, B, C);
}
bool ours(int n, int m, int p, const double* A, const double* B, double* C) {
  const bool many =
      warploom::fills(dim3(warploom::blocks(0, m, ManyTiles::TENSOR_X), warploom::blocks(0, n, ManyTiles::TENSOR_Y)));
  if (many) launchDouble<ManyTiles>(dgemm_13<int, ManyTiles>, n, m, p, A, B, C);
  else launchDouble<FewTiles>(dgemm_13<int, FewTiles>, n, m, p, A, B, C);
  return many;
}

template <typename T> void row(cublasHandle_t handle, int n, int m, int p, bool last) {
  std::vector<T> a(std::size_t(n) * p), b(std::size_t(p) * m), c(std::size_t(n) * m), d(c.size());
  for (T& x : a) x = T(rand()) / RAND_MAX - T(.5);
  for (T& x : b) x = T(rand()) / RAND_MAX - T(.5);
  T *A, *B, *C;
  cudaMalloc(&A, a.size() * sizeof(T));
  cudaMalloc(&B, b.size() * sizeof(T));
  cudaMalloc(&C, c.size() * sizeof(T));
  cudaMemcpy(A, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(B, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
  const double theirs = median([&] { library(handle, n, m, p, A, B, C); });
  cudaMemcpy(c.data(), C, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemset(C, 0, c.size() * sizeof(T));
  bool many = false;
  const double own = median([&] { many = ours(n, m, p, A, B, C); });
  cudaMemcpy(d.data(), C, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (std::size_t k = 0; k < c.size(); ++k) worst = std::max(worst, double(std::fabs(c[k] - d[k])));
  const double work = 2e-9 * n * m * p;
  const bool right = worst <= (sizeof(T) == 4 ? 1e-6 : 1e-15) * p && cudaGetLastError() == cudaSuccess;
  std::printf(" {\"type\": \"%s\", \"n\": %d, \"m\": %d, \"p\": %d, \"tiles\": \"%s\", \"cublas_tflops\": %.1f, \"tflops\": %.1f, "
              "\"percent\": %.0f, \"right\": %s}%s\n",
              sizeof(T) == 4 ? "float" : "double", n, m, p, many ? "many" : "few", work / theirs, work / own, 100 * theirs / own,
              right ? "true" : "false", last ? "" : ",");
  std::fflush(stdout);
  cudaFree(A), cudaFree(B), cudaFree(C);
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const int sizes[][3] = {{512, 512, 512}, {1024, 1024, 1024}, {1000, 1100, 1200}, {1001, 1103, 1207}, {2048, 2048, 2048},
                          {4096, 4096, 4096}, {8192, 8192, 8192}, {256, 768, 768}, {256, 3072, 768}, {256, 768, 3072}, {64, 64, 8192}};
  std::printf("[\n");
  for (const auto& [n, m, p] : sizes) row<float>(handle, n, m, p, false);
  for (const auto& [n, m, p] : sizes) row<double>(handle, n, m, p, n == 64);
  std::printf("]\n");
}
