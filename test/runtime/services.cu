// Every service that generated programs use, in one program for both worlds: constants, dynamic shared
// memory, block reductions, atomics, cooperative launches, repeated launches. Prints `ok`.
#include "warploom.h"
#include "warploom_blocks.h"
#include "warploom_library.h"
__constant__ double weights[9];
__global__ void __launch_bounds__(256)
    sum(const double* __restrict__ a, double* __restrict__ result, long n) {
  double s = warploom::Sum::identity<double>();
  for (long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long>(gridDim.x) * blockDim.x)
    s += a[i] * weights[0];
  s = warploom::blockReduce(s, warploom::Sum());
  if (threadIdx.x == 0) atomicAdd(result, s);
}
__global__ void minimum(const float* __restrict__ a, float* __restrict__ result, int n) {
  float* buffer = warploom::dynamicShared<float>();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < n ? a[i] : warploom::Minimum::identity<float>();
  __syncthreads();
  float m = warploom::blockReduce(buffer[blockDim.x - 1 - threadIdx.x], warploom::Minimum());
  if (threadIdx.x == 0) warploom::atomicUpdate(result, m, warploom::Minimum());
}
__global__ void steps(double* __restrict__ a, double* __restrict__ b, int n, int t) {
  for (int s = 0; s < t; ++s) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      b[i] = (a[(i + n - 1) % n] + a[(i + 1) % n]) / 2;
    cooperative_groups::this_grid().sync();
    double* h = a;
    a = b;
    b = h;
  }
}
extern "C" int sum_3(const double* a, double* result, long n) {
  warploom::Region region("main:3");
  if (!region.useDevice()) return 0;
  double one = 1;
  auto dA = region.array<double>("a", {static_cast<std::size_t>(n)});
  auto dR = region.array<double>("result", {1});
  warploom::copyToSymbol(weights, &one, sizeof one, region.stream());
  region.copyIn(dA, a);
  region.copyIn(dR, result);
  region.launch({dim3(7), dim3(250)}, sum, dA, dR, n);
  region.copyOut(result, dR);
  return region.finish();
}
extern "C" int min_3(const float* a, float* result, int n) {
  warploom::Region region("main:4");
  if (!region.useDevice()) return 0;
  auto dA = region.array<float>("a", {static_cast<std::size_t>(n)});
  auto dR = region.array<float>("result", {1});
  region.copyIn(dA, a);
  region.copyIn(dR, result);
  region.launch({dim3((n + 95) / 96), dim3(96), 96 * sizeof(float)}, minimum, dA, dR, n);
  region.copyOut(result, dR);
  return region.finish();
}
extern "C" int steps_3(double* a, int n, int t) {
  warploom::Region region("main:5");
  if (!region.useDevice()) return 0;
  auto dA = region.array<double>("a", {static_cast<std::size_t>(n)});
  auto dB = region.array<double>("b", {static_cast<std::size_t>(n)});
  region.copyIn(dA, a);
  int blocks = warploom::maxCooperativeBlocks(steps, 64, 0);
  region.launchCooperative({dim3(blocks), dim3(64)}, steps, dA, dB, n, t);
  region.copyOut(a, t % 2 ? dB : dA);
  return region.finish();
}
// Products that a library may compute, and blocks that wait for each other: for compilers alone.
static warploom::LibraryChoice choice("scale", warploom::LibraryUse::Auto);
template <typename T> void product(warploom::Region& region, T* a, int n) {
  choice.run(region, warploom::LibraryProduct<T>{true, n, n, n, 1, 1, 0, {a, n, 1, 0}, {a, 1, n, 0}, {a, n, 1, 0}}, [] {});
}
template void product(warploom::Region& region, float* a, int n);
template void product(warploom::Region& region, double* a, int n);
__global__ void meet(warploom::TwoArrayBarrier barrier, warploom::LockBarrier other) {
  barrier.wait(1);
  other.wait(1);
}
extern "C" bool meet_3(warploom::Region& region, warploom::TwoArrayBarrier barrier, warploom::LockBarrier other) {
  return warploom::launchResident(region, {dim3(2), dim3(32)}, meet, barrier, other);
}
#include <cstdio>
#include <vector>
int main() {
  int n = 12345;
  std::vector<double> a(n);
  std::vector<float> f(n);
  double s = 0, want = 0;
  float m = 1e9f;
  for (int i = 0; i < n; ++i)
    a[i] = i % 17, f[i] = float((i * 7) % 1001) - 3, want += i % 17;
  std::vector<double> b = a, c(n);
  int ok = sum_3(a.data(), &s, n) & min_3(f.data(), &m, n) & steps_3(a.data(), n, 5);
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < n; ++i)
      c[i] = (b[(i + n - 1) % n] + b[(i + 1) % n]) / 2;
    b.swap(c);
  }
  bool right = ok && s == want && m == -3 && a == b;
  puts(right ? "ok" : "WRONG");
  return right ? 0 : 1;
}
