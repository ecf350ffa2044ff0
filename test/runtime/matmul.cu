// The matrix product as generated kernels write it, with and without register tiles, beside the plain loop:
// checks the result and prints the times. `matmul N`.
#include "warploom.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// C = A B with tiles of TI x TJ, TK deep; every thread of a BX x BY block makes TI/BY x TJ/BX elements.
template <int TI, int TJ, int TK, int BX, int BY>
__global__ void __launch_bounds__(BX* BY)
    matmul(const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C, int n) {
  __shared__ double tileA[TI][TK + 1];
  __shared__ double tileB[TK][TJ];
  const int oi = blockIdx.y * TI, oj = blockIdx.x * TJ;
  const int ti = threadIdx.y, tj = threadIdx.x;
  double sum[TI / BY][TJ / BX] = {};
  for (int ok = 0; ok < n; ok += TK) {
    for (int i = ti; i < TI; i += BY)
      for (int k = tj; k < TK; k += BX)
        tileA[i][k] = oi + i < n && ok + k < n ? A[(oi + i) * n + ok + k] : 0.0;
    for (int k = ti; k < TK; k += BY)
      for (int j = tj; j < TJ; j += BX)
        tileB[k][j] = ok + k < n && oj + j < n ? B[(ok + k) * n + oj + j] : 0.0;
    __syncthreads();
    for (int k = 0; k < TK; ++k)
#pragma unroll
      for (int i = 0; i < TI / BY; ++i)
#pragma unroll
        for (int j = 0; j < TJ / BX; ++j)
          sum[i][j] += tileA[ti + i * BY][k] * tileB[k][tj + j * BX];
    __syncthreads();
  }
  for (int i = 0; i < TI / BY; ++i)
    for (int j = 0; j < TJ / BX; ++j)
      if (oi + ti + i * BY < n && oj + tj + j * BX < n)
        C[(oi + ti + i * BY) * n + oj + tj + j * BX] = sum[i][j];
}

static void plain(const double* A, const double* B, double* C, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

/// The least of three measurements, in seconds.
template <typename Work> double seconds(Work work) {
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

template <int TI, int TJ, int TK, int BX, int BY>
bool measure(const std::vector<double>& A, const std::vector<double>& B, const std::vector<double>& expected,
             int n, double reference) {
  warploom::Region region("matmul:1");
  if (!region.useDevice()) return false;
  std::vector<double> C(expected.size());
  auto size = static_cast<std::size_t>(n);
  auto dA = region.array<double>("A", {size, size}), dB = region.array<double>("B", {size, size}),
       dC = region.array<double>("C", {size, size});
  region.copyIn(dA, A.data());
  region.copyIn(dB, B.data());
  region.finish();
  double time = seconds([&] {
    region.launch({dim3((n + TJ - 1) / TJ, (n + TI - 1) / TI), dim3(BX, BY)}, matmul<TI, TJ, TK, BX, BY>, dA,
                  dB, dC, n);
    region.finish();
  });
  region.copyOut(C.data(), dC);
  region.finish();
  std::printf("tile %dx%dx%d block %dx%d: %.3f s, plain loop %.3f s, ratio %.2f, %s\n", TI, TJ, TK, BX, BY,
              time, reference, time / reference, C == expected ? "same" : "DIFFERENT");
  return C == expected;
}

int main(int count, char** arguments) {
  int n = count > 1 ? std::atoi(arguments[1]) : 64;
  std::vector<double> A(n * n), B(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i)
    A[i] = i * 7 % 11, B[i] = i * 5 % 13; // sums of products of small integers are exact
  double reference = seconds([&] { plain(A.data(), B.data(), expected.data(), n); });
  bool same = measure<16, 16, 16, 16, 16>(A, B, expected, n, reference);
  same = measure<32, 32, 16, 16, 16>(A, B, expected, n, reference) && same;
  same = measure<64, 64, 16, 16, 16>(A, B, expected, n, reference) && same;
  same = measure<32, 32, 32, 32, 32>(A, B, expected, n, reference) && same;
  return same ? 0 : 1;
}
