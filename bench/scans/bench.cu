// Times the kernels that Warploom made of scans.c (scans.cu, as generated) on arrays in device memory, with the memory that each
// launch takes for its tiles, beside a copy of the same arrays. Checks every result. Prints one JSON object.
#include "scans.cu"

#include <cmath>
#include <cstdio>
#include <vector>

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
template <typename Work> static double best(int times, Work work) {
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  double least = 1e30;
  for (int k = 0; k < times + 2; ++k) {
    cudaEventRecord(a), work(), cudaEventRecord(b);
    check(cudaEventSynchronize(b), "kernel");
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    if (k > 1 && ms < least) least = ms;
  }
  check(cudaGetLastError(), "launch");
  return least * 1e-3;
}
template <typename T> __global__ void fillSteps(T* a, int n) {
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L) a[i] = T((unsigned(i) * 2654435761u >> 9) % 3) - T(1);
}
template <typename T> __global__ void fillFactors(T* a, int n) {
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L) a[i] = i % 3 == 0 ? T(0.5) : i % 3 == 1 ? T(2) : T(-0.75);
}
template <typename T> __global__ void copyAll(const T* __restrict__ a, T* __restrict__ b, int n) {
  for (long i = blockIdx.x * 512L + threadIdx.x; i < n; i += gridDim.x * 512L) b[i] = a[i];
}

static bool first = true;
static void line(const char* name, const char* type, double seconds, double bytes, double copied, bool right) {
  std::printf("%s\n  {\"loop\": \"%s\", \"type\": \"%s\", \"block\": %d, \"items\": %d, \"ms\": %.4f, \"gb_per_s\": %.1f, \"percent_of_copy\": %.1f, \"right\": %s}", first ? "" : ",", name,
              type, SCAN_BLOCK, SCAN_ITEMS, seconds * 1e3, bytes / seconds / 1e9, 100 * bytes / seconds / copied, right ? "true" : "false");
  first = false;
}

template <typename T, typename Prefix, typename Compact, typename Linear>
static void measure(const char* type, int n, Prefix prefix, Compact compact, Linear linear) {
  using S = warploom::Folded<warploom::Sum, T>;
  using C = warploom::Folded<warploom::Sum, int>;
  using L = warploom::Affine<T>;
  T *a, *b, *c, *s;
  int* j;
  const size_t bytes = sizeof(T) * size_t(n);
  check(cudaMalloc(&a, bytes), "memory"), check(cudaMalloc(&b, bytes), "memory"), check(cudaMalloc(&c, bytes), "memory");
  check(cudaMalloc(&s, 8), "memory"), check(cudaMalloc(&j, 8), "memory");
  fillSteps<<<4096, 256>>>(a, n), fillFactors<<<4096, 256>>>(c, n);
  const double byCall = best(10, [&] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice); }),
               byKernel = best(10, [&] { copyAll<<<132 * 16, 512>>>(a, b, n); }), copy = byCall < byKernel ? byCall : byKernel;
  const double copied = 2.0 * bytes / copy;
  line("copy", type, copy, 2.0 * bytes, copied, true);
  const unsigned tiles = warploom::tiles(n, SCAN_BLOCK * SCAN_ITEMS);
  std::vector<T> from(n), to(n);
  cudaMemcpy(from.data(), a, bytes, cudaMemcpyDeviceToHost);

  double t = best(10, [&] {
    cudaMemsetAsync(s, 0, 8);
    prefix<<<tiles, SCAN_BLOCK>>>(n, a, s, b, warploom::TileMemory<S>(tiles, 0));
  });
  cudaMemcpy(to.data(), b, bytes, cudaMemcpyDeviceToHost);
  bool right = true;
  double x = 0; // whole numbers below 2^24: every order gives the same
  for (int i = 0; i < n; ++i) right = right && to[i] == T(x += from[i]);
  line("prefix sum", type, t, 2.0 * bytes, copied, right);

  t = best(10, [&] {
    cudaMemsetAsync(j, 0, 4);
    compact<<<tiles, SCAN_BLOCK>>>(n, a, b, j, warploom::TileMemory<C>(tiles, 0));
  });
  int kept, count = 0;
  cudaMemcpy(&kept, j, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(to.data(), b, bytes, cudaMemcpyDeviceToHost);
  right = true;
  for (int i = 0; i < n; ++i)
    if (from[i] > 0) right = right && to[count++] == from[i];
  line("compaction", type, t, double(bytes) + double(kept) * sizeof(T), copied, right && count == kept);

  t = best(10, [&] {
    cudaMemsetAsync(s, 0, 8);
    linear<<<tiles, SCAN_BLOCK>>>(n, c, s, a, b, warploom::TileMemory<L>(tiles, 0));
  });
  cudaMemcpy(to.data(), b, bytes, cudaMemcpyDeviceToHost);
  right = true;
  x = 0;
  for (int i = 0; i < n; ++i) {
    x = (i % 3 == 0 ? 0.5 : i % 3 == 1 ? 2 : -0.75) * x + from[i];
    right = right && std::fabs(to[i] - x) <= 1e-4 * (1 + std::fabs(x));
  }
  line("linear recurrence (2 reads, 1 write)", type, t, 3.0 * bytes, copied, right);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(s), cudaFree(j);
}

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "device");
  cudaMemPool_t pool; // as the runtime has it: memory that is given back stays at hand
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long all = ~0ull;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
  const int n = 1 << 28;
  std::printf("{\"device\": \"%s\", \"elements\": %d, \"measurements\": [", device.name, n);
  measure<float>("float", n, prefix_float_4<int>, compact_float_20<int>, linear_float_32<int>);
  measure<double>("double", n, prefix_double_12<int>, compact_double_26<int>, linear_double_40<int>);
  std::printf("]}\n");
}
