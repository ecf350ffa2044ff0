// Times cuBLAS on the product of the lessons, c += a * b in float: cublas N. Prints its time and the digest of its result as JSON.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

int main(int, char** words) {
  const int n = std::atoi(words[1]);
  std::vector<float> a(std::size_t(n) * n), b(a.size()), c(a.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const std::size_t at = std::size_t(i) * n + j;
      a[at] = i % 7 - j % 5;
      b[at] = i % 3 + j % 4;
      c[at] = i % 2;
    }
  float *A, *B, *C;
  for (auto [device, host] : {std::pair{&A, &a}, {&B, &b}, {&C, &c}}) {
    cudaMalloc(device, host->size() * sizeof(float));
    cudaMemcpy(*device, host->data(), host->size() * sizeof(float), cudaMemcpyHostToDevice);
  }
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1;
  auto multiply = [&] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, n, A, n, &one, C, n); };
  multiply();
  cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double digest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      digest += c[std::size_t(i) * n + j] * ((3 * i + 5 * j) % 31 + 1);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int k = 0; k < 21; ++k) {
    float ms = 0;
    cudaEventRecord(begin);
    multiply();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"ms\": %.4f, \"digest\": %.9g}\n", times[times.size() / 2], digest);
  return cudaGetLastError() != cudaSuccess;
}
