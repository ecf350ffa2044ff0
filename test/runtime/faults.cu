// Kernels with one seeded fault each, and their right versions. `faults NAME` runs one; sanitizer_test.py knows what
// must be found where, by the comments `fault:` and `other:` on the lines that reports name.
#include "warploom.h"

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

constexpr int T = 256;

template <bool right> __global__ void sharedRace(double* __restrict__ a) {
  __shared__ double tile[16][17];
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = 0;
  __syncthreads();
  tile[y][x] = a[threadIdx.x];         // other: shared-race
  if (right) __syncthreads();
  a[threadIdx.x] = tile[x][y];         // fault: shared-race
}

template <bool right> __global__ void globalRace(double* __restrict__ a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[right ? i : i / 2] = i; // fault: global-race other: global-race
}

template <bool right> __global__ void blockRace(double* __restrict__ a, const double* __restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const double* from = right ? b : a;
  double value = from[(i + blockDim.x) % n]; // fault: block-race
  a[i] = value + 1;                          // other: block-race
}

template <bool right> __global__ void atomicRace(int* __restrict__ count) {
  atomicAdd(count, 1);                       // other: atomic-race
  if (threadIdx.x == 7) {
    if (right)
      atomicAdd(count, 5);
    else
      *count += 5;                           // fault: atomic-race
  }
}

template <bool right> __global__ void warpRace(double* __restrict__ a) {
  __shared__ double s[T];
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];           // other: warp-race
  if (right) __syncwarp();
  a[threadIdx.x] = s[threadIdx.x ^ 1];       // fault: warp-race
}

// Lanes of another warp are not ordered by a warp barrier.
template <bool right> __global__ void warpTooFar(double* __restrict__ a) {
  __shared__ double s[T];
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];           // other: warp-too-far
  __syncwarp();
  a[threadIdx.x] = s[threadIdx.x ^ (right ? 16 : 32)]; // fault: warp-too-far
}

// Different bytes of one word are different elements.
template <bool right> __global__ void byteRace(unsigned char* __restrict__ bytes) {
  bytes[right ? threadIdx.x : threadIdx.x / 2] = 1; // fault: byte-race other: byte-race
}

template <bool right> __global__ void gridRace(double* __restrict__ a, double* __restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  b[i] = a[i];                               // other: grid-race
  if (right)
    cooperative_groups::this_grid().sync();
  else
    __syncthreads();
  a[i] = b[n - 1 - i];                       // fault: grid-race
}

// The block that finishes last adds up what the others left; a fence must come before the ticket.
template <bool right>
__global__ void lastBlock(const double* __restrict__ a, double* __restrict__ partial, unsigned* __restrict__ ticket,
                          double* __restrict__ sum) {
  __shared__ bool isLast;
  double s = warploom::blockReduce(a[blockIdx.x * blockDim.x + threadIdx.x], warploom::Sum());
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s;                 // other: last-block
    if (right) __threadfence();
    isLast = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast) return;
  if (threadIdx.x == 0) {
    double total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i]; // fault: last-block
    *sum = total;
  }
}

template <bool right> __global__ void divergence(double* __restrict__ a) {
  if (right || threadIdx.x < 7)
    __syncthreads();                         // other: divergence
  else
    __syncthreads();                         // fault: divergence
  a[threadIdx.x] = 1;
}

template <bool right> __global__ void earlyExit(double* __restrict__ a) {
  if (!right && threadIdx.x == 5) return;
  __syncthreads();                           // fault: early-exit
  a[threadIdx.x] = 1;
}

template <bool right> __global__ void uninitialised(double* __restrict__ a) {
  __shared__ float sums[T];                  // other: uninitialised
  if (right || threadIdx.x > 3) sums[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) a[0] = sums[2];      // fault: uninitialised
}

// What the block before left in shared memory is no value of this block.
template <bool right> __global__ void stale(double* __restrict__ a) {
  __shared__ float kept[T];                  // other: stale
  if (right || blockIdx.x == 0) kept[threadIdx.x] = 1;
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] = kept[threadIdx.x]; // fault: stale
}

template <bool right> __global__ void accumulate(double* __restrict__ a) {
  __shared__ float sums[T];                  // other: accumulate
  if (right) sums[threadIdx.x] = 0;
  sums[threadIdx.x] += 1;                    // fault: accumulate
  a[threadIdx.x] = sums[threadIdx.x];
}

template <bool right> __global__ void beyondGlobal(double* __restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n || !right) a[i] = 1;             // fault: beyond-global
}

template <bool right> __global__ void beforeGlobal(double* __restrict__ a) {
  double left = threadIdx.x > 0 || !right ? a[static_cast<int>(threadIdx.x) - 1] : 0; // fault: before-global
  __syncthreads();
  a[threadIdx.x] = left;
}

template <bool right> __global__ void beyondRow(double* __restrict__ a) {
  __shared__ double tile[16][17];            // other: beyond-row
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][right ? x : x + 2] = y;            // fault: beyond-row
  a[threadIdx.x] = tile[y][right ? x : x + 2];
}

template <bool right> __global__ void beyondPointer(double* __restrict__ a) {
  __shared__ double tile[T];                 // other: beyond-pointer
  __shared__ double neighbour[T];
  neighbour[threadIdx.x] = 1;
  double* p = right ? tile : tile + 1;
  p[threadIdx.x] = neighbour[threadIdx.x];   // fault: beyond-pointer
  a[threadIdx.x] = p[threadIdx.x];
}

template <bool right> __global__ void beyondDynamic(double* __restrict__ a) {
  double* buffer = warploom::dynamicShared<double>();
  int i = right ? threadIdx.x : threadIdx.x + 1;
  buffer[i] = 1;                             // fault: beyond-dynamic
  a[threadIdx.x] = buffer[i];
}

// Several arrays in one piece of shared memory: each goes by its own name.
struct Tiles {
  double left[T];
  float rows[4][17];                         // other: beyond-member
  double right[T];                           // other: member-uninitialised
};

template <bool right> __global__ void memberRace(double* __restrict__ a) {
  auto& left = warploom::shared<&Tiles::left>();
  auto& rows = warploom::shared<&Tiles::rows>();
  auto& other = warploom::shared<&Tiles::right>();
  if (threadIdx.x < 4) rows[threadIdx.x][0] = 0;
  left[threadIdx.x] = other[threadIdx.x] = 1;                   // other: member-race
  if (right) __syncthreads();
  a[threadIdx.x] = left[T - 1 - threadIdx.x];                   // fault: member-race
}

template <bool right> __global__ void memberUninitialised(double* __restrict__ a) {
  auto& left = warploom::shared<&Tiles::left>();
  auto& rows = warploom::shared<&Tiles::rows>();
  auto& other = warploom::shared<&Tiles::right>();
  left[threadIdx.x] = 1;
  if (right || threadIdx.x != 2) other[threadIdx.x] = 1;
  if (threadIdx.x < 4) rows[threadIdx.x][0] = 0;
  a[threadIdx.x] = other[threadIdx.x];       // fault: member-uninitialised
}

template <bool right> __global__ void beyondMember(double* __restrict__ a) {
  auto& left = warploom::shared<&Tiles::left>();
  auto& rows = warploom::shared<&Tiles::rows>();
  auto& other = warploom::shared<&Tiles::right>();
  if (threadIdx.x < (right ? 17 : 18)) rows[1][threadIdx.x] = 1; // fault: beyond-member
  other[threadIdx.x] = left[threadIdx.x] = 1;
  a[threadIdx.x] = other[threadIdx.x];
}

template <bool right> __global__ void hostMemory(double* __restrict__ a, const double* __restrict__ host) {
  a[threadIdx.x] = host[threadIdx.x];        // fault: host-memory
}

template <bool right> __global__ void mask(int* __restrict__ count) {
  if (!right && threadIdx.x % 32 == 3) return;
  int votes = __popc(__ballot_sync(0xffffffffu, 1)); // fault: mask
  if (threadIdx.x == 0) *count = votes;
}

template <bool right> __global__ void hostThreads(double* __restrict__ own) {
  unsigned i = blockIdx.x * T + threadIdx.x;
  own[right ? i : i / 2] = i; // fault: host-threads other: host-threads
}

/// Threads of the host allocate and free while kernels of others run.
template <bool right> void runHostThreads() {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([] {
      for (int i = 0; i < 300; ++i) {
        warploom::Region region("faults:2");
        if (!region.useDevice()) return;
        auto own = region.array<double>("own", {4 * T});
        region.launch({dim3(4), dim3(T)}, hostThreads<right>, own);
        region.finish();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

template <bool right> int run(const char* name) {
  warploom::Region region("faults:1");
  if (!region.useDevice()) return 2;
  std::vector<double> host(4 * T, 1);
  auto a = region.array<double>("a", {4, T}), b = region.array<double>("b", {4, T}), sum = region.array<double>("sum", {1});
  auto row = region.array<double>("row", {T - 6}); // other: beyond-global
  auto small = region.array<double>("small", {T}); // other: before-global
  auto count = region.array<int>("count", {1});
  auto ticket = region.array<unsigned>("ticket", {1});
  auto bytes = region.array<unsigned char>("bytes", {T});
  region.copyIn(a, host.data());
  region.copyIn(b, host.data());
  warploom::fill(count.data(), 0, count.bytes(), region.stream());
  warploom::fill(ticket.data(), 0, ticket.bytes(), region.stream());
  warploom::fill(small.data(), 0, small.bytes(), region.stream());
  warploom::Launch one(dim3(1), dim3(T)), four(dim3(4), dim3(T)), tiles(dim3(1), dim3(T), warploom::dynamicBytes<Tiles>);
  auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("shared-race")) region.launch(one, sharedRace<right>, a);
  else if (is("global-race")) region.launch(four, globalRace<right>, a);
  else if (is("block-race")) region.launch(four, blockRace<right>, a, b);
  else if (is("atomic-race")) region.launch(one, atomicRace<right>, count);
  else if (is("warp-race")) region.launch(one, warpRace<right>, a);
  else if (is("warp-too-far")) region.launch(one, warpTooFar<right>, a);
  else if (is("byte-race")) region.launch(one, byteRace<right>, bytes);
  else if (is("grid-race")) region.launchCooperative(four, gridRace<right>, a, b);
  else if (is("last-block")) region.launch(four, lastBlock<right>, a, b, ticket, sum);
  else if (is("divergence")) region.launch(one, divergence<right>, a);
  else if (is("early-exit")) region.launch(one, earlyExit<right>, a);
  else if (is("uninitialised")) region.launch(one, uninitialised<right>, a);
  else if (is("stale")) region.launch(four, stale<right>, a);
  else if (is("accumulate")) region.launch(one, accumulate<right>, a);
  else if (is("beyond-global")) region.launch(one, beyondGlobal<right>, row, T - 6);
  else if (is("before-global")) region.launch(one, beforeGlobal<right>, small);
  else if (is("beyond-row")) region.launch(one, beyondRow<right>, a);
  else if (is("beyond-pointer")) region.launch(one, beyondPointer<right>, a);
  else if (is("beyond-dynamic")) region.launch({dim3(1), dim3(T), T * sizeof(double)}, beyondDynamic<right>, a); // other: beyond-dynamic
  else if (is("member-race")) region.launch(tiles, memberRace<right>, a);
  else if (is("member-uninitialised")) region.launch(tiles, memberUninitialised<right>, a);
  else if (is("beyond-member")) region.launch(tiles, beyondMember<right>, a);
  else if (is("host-memory")) region.launch(one, hostMemory<right>, a, right ? b.data() : host.data());
  else if (is("mask")) region.launch(one, mask<right>, count);
  else if (is("host-threads")) runHostThreads<right>();
  else return 2;
  region.copyOut(host.data(), a);
  region.finish();
  std::puts("ran");
  return 0;
}

int main(int, char** arguments) {
  return std::strcmp(arguments[1], "right") == 0 ? run<true>(arguments[2]) : run<false>(arguments[2]);
}
