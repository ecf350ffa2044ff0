// Grids, blocks, barriers, shared memory and cooperative launches of the CPU execution.
#include "warploom.h"

#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

namespace {

__global__ void countVisits(int* __restrict__ visits, int n) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < n) visits[i] += 1;
}

TEST(Executor, EveryThreadRunsOnceForAnySize) {
  for (int n : {0, 1, 31, 32, 255, 256, 257, 1023, 70'000 * 3}) {
    std::vector<int> visits(static_cast<std::size_t>(n) + 1);
    warploom::launch({dim3((n + 2) / 3), dim3(3)}, countVisits, visits.data(), n);
    visits.back() += 1;
    EXPECT_EQ(visits, std::vector<int>(visits.size(), 1)) << n;
  }
}

__global__ void indices(int* __restrict__ out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = block * threads + thread;
}

TEST(Executor, ThreeDimensionalIndices) {
  std::vector<int> out(2 * 3 * 4 * 5 * 2 * 3, -1), expected(out.size());
  std::iota(expected.begin(), expected.end(), 0);
  warploom::launch({dim3(2, 3, 4), dim3(5, 2, 3)}, indices, out.data());
  EXPECT_EQ(out, expected);
}

constexpr int TI = 16;

__global__ void transpose(const double* __restrict__ a, double* __restrict__ b, int n) {
  __shared__ double tile[TI][TI + 1];
  int x = blockIdx.x * TI + threadIdx.x, y = blockIdx.y * TI + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  x = blockIdx.y * TI + threadIdx.x;
  y = blockIdx.x * TI + threadIdx.y;
  if (x < n && y < n) b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

TEST(Executor, StaticSharedMemoryIsPerBlock) {
  for (int n : {1, 16, 37, 200}) {
    std::vector<double> a(n * n), b(n * n), expected(n * n);
    for (int i = 0; i < n * n; ++i)
      a[i] = i;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        expected[j * n + i] = a[i * n + j];
    unsigned tiles = (n + TI - 1) / TI;
    warploom::launch({dim3(tiles, tiles), dim3(TI, TI)}, transpose, a.data(), b.data(), n);
    EXPECT_EQ(b, expected);
  }
}

__global__ void scan(int* __restrict__ a) {
  int* buffer = warploom::dynamicShared<int>();
  int t = threadIdx.x;
  buffer[t] = a[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    int other = t >= static_cast<int>(distance) ? buffer[t - distance] : 0;
    __syncthreads();
    buffer[t] += other;
    __syncthreads();
  }
  a[blockIdx.x * blockDim.x + t] = buffer[t];
}

TEST(Executor, DynamicSharedMemoryAndManyBarriers) {
  for (int threads : {1, 7, 33, 1024}) {
    std::vector<int> a(threads * 5, 1), expected(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      expected[i] = static_cast<int>(i) % threads + 1;
    warploom::launch({dim3(5), dim3(threads), threads * sizeof(int)}, scan, a.data());
    EXPECT_EQ(a, expected);
  }
}

__global__ void votes(int* __restrict__ out) {
  int count = __syncthreads_count(threadIdx.x % 3 == 0);
  int all = __syncthreads_and(threadIdx.x < 50), some = __syncthreads_or(threadIdx.x == 49);
  if (threadIdx.x == 0) out[0] = count, out[1] = all, out[2] = some;
}

TEST(Executor, BarriersCountVotes) {
  int out[3] = {};
  warploom::launch({dim3(1), dim3(50)}, votes, out);
  EXPECT_EQ(out[0], 17);
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(out[2], 1);
}

// On a GPU a barrier does not wait for threads that have ended.
__global__ void someLeave(int* __restrict__ out) {
  if (threadIdx.x >= 10) return;
  __shared__ int value;
  if (threadIdx.x == 0) value = 42;
  __syncthreads();
  out[threadIdx.x] = value;
}

TEST(Executor, BarrierDoesNotWaitForEndedThreads) {
  std::vector<int> out(10);
  warploom::launch({dim3(1), dim3(64)}, someLeave, out.data());
  EXPECT_EQ(out, std::vector<int>(10, 42));
}

__global__ void heat(double* __restrict__ a, double* __restrict__ b, int n, int steps) {
  auto grid = cooperative_groups::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
      b[i] = (a[(i + n - 1) % n] + a[(i + 1) % n]) / 2;
    grid.sync();
    double* swap = a;
    a = b;
    b = swap;
  }
}

TEST(Executor, GridBarrierInCooperativeLaunch) {
  int n = 1000, steps = 7;
  std::vector<double> a(n), b(n), c(n), d(n);
  for (int i = 0; i < n; ++i)
    a[i] = c[i] = i * i % 101;
  for (int s = 0; s < steps; ++s, c.swap(d))
    for (int i = 0; i < n; ++i)
      d[i] = (c[(i + n - 1) % n] + c[(i + 1) % n]) / 2;
  int blocks = warploom::maxCooperativeBlocks(heat, 64, 0);
  ASSERT_GT(blocks, 1);
  warploom::launchCooperative({dim3(blocks), dim3(64)}, heat, a.data(), b.data(), n, steps);
  EXPECT_EQ(b, c);
}

// A block may end while others still meet at grid barriers.
__global__ void unevenGrid(int* __restrict__ out) {
  if (blockIdx.x == 0) return;
  for (int i = 0; i < 3; ++i)
    cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

TEST(Executor, GridBarrierDoesNotWaitForEndedBlocks) {
  std::vector<int> out(4);
  warploom::launchCooperative({dim3(4), dim3(8)}, unevenGrid, out.data());
  EXPECT_EQ(out, (std::vector<int>{0, 1, 1, 1}));
}

TEST(Executor, EmptyGridLaunchesNothing) {
  warploom::launch({dim3(0), dim3(32)}, countVisits, static_cast<int*>(nullptr), 1);
}

TEST(Executor, LaunchesFromSeveralHostThreads) {
  std::vector<std::vector<int>> visits(4, std::vector<int>(5000));
  std::vector<std::thread> threads;
  for (auto& mine : visits)
    threads.emplace_back([&mine] {
      for (int i = 0; i < 20; ++i)
        warploom::launch({dim3(50), dim3(100)}, countVisits, mine.data(), 5000);
    });
  for (auto& thread : threads)
    thread.join();
  for (auto& mine : visits)
    EXPECT_EQ(mine, std::vector<int>(5000, 20));
}

__global__ void stuck(int* out) {
  if (threadIdx.x == 0)
    __syncwarp();
  else
    __syncthreads();
  *out = 1;
}

using ExecutorDeathTest = ::testing::Test;

TEST(ExecutorDeathTest, ThreadsThatWaitForEachOtherAreReported) {
  int out = 0;
  EXPECT_EXIT(
      warploom::launch({dim3(1), dim3(32)}, stuck, &out), testing::ExitedWithCode(1),
      "ExecutorTest.cpp:[0-9]+: .*wait for each other for ever: 31 at __syncthreads, 1 in a warp operation");
}

// SHOWS: RT-70
TEST(ExecutorDeathTest, ShapesThatNoGpuTakesAreRefused) {
  int out = 0;
  EXPECT_EXIT(warploom::launch({dim3(1), dim3(1025)}, stuck, &out), testing::ExitedWithCode(1),
              "ExecutorTest.cpp:[0-9]+: launch failed: a block has 1 to 1024 threads");
  EXPECT_EXIT(warploom::launch({dim3(1, 65536), dim3(1)}, stuck, &out), testing::ExitedWithCode(1), "65535");
  EXPECT_EXIT(warploom::launch({dim3(1), dim3(1), 1 << 20}, stuck, &out), testing::ExitedWithCode(1),
              "227 KiB");
  EXPECT_EXIT(warploom::launchCooperative({dim3(1000), dim3(1)}, stuck, &out), testing::ExitedWithCode(1),
              "cooperative");
}

} // namespace
