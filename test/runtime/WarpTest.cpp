// Shuffles, ballots and warp barriers, also of parts of a warp.
#include "warploom.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

constexpr unsigned all = 0xffffffffu;

__global__ void shuffles(int* __restrict__ out) {
  int lane = threadIdx.x % 32, base = threadIdx.x * 8;
  out[base + 0] = __shfl_sync(all, lane, 5);
  out[base + 1] = __shfl_up_sync(all, lane, 3);
  out[base + 2] = __shfl_down_sync(all, lane, 3);
  out[base + 3] = __shfl_xor_sync(all, lane, 1);
  out[base + 4] = __shfl_sync(all, lane, 9, 8);
  out[base + 5] = __shfl_up_sync(all, lane, 2, 8);
  out[base + 6] = __shfl_down_sync(all, lane, 2, 8);
  out[base + 7] = static_cast<int>(__shfl_xor_sync(all, lane * 1.5, 4) * 2);
}

TEST(Warp, ShufflesAsCudaDefinesThem) {
  std::vector<int> out(64 * 8);
  warploom::launch({dim3(1), dim3(64)}, shuffles, out.data());
  for (int thread = 0; thread < 64; ++thread) {
    int lane = thread % 32, segment = lane / 8 * 8;
    const int* got = &out[thread * 8];
    EXPECT_EQ(got[0], 5);
    EXPECT_EQ(got[1], lane < 3 ? lane : lane - 3);
    EXPECT_EQ(got[2], lane > 28 ? lane : lane + 3);
    EXPECT_EQ(got[3], lane ^ 1);
    EXPECT_EQ(got[4], segment + 1);
    EXPECT_EQ(got[5], lane - segment < 2 ? lane : lane - 2);
    EXPECT_EQ(got[6], lane - segment > 5 ? lane : lane + 2);
    EXPECT_EQ(got[7], (lane ^ 4) * 3);
  }
}

__global__ void ballots(unsigned* __restrict__ out) {
  unsigned odd = __ballot_sync(all, threadIdx.x % 2);
  int any = __any_sync(all, threadIdx.x == 7), every = __all_sync(all, threadIdx.x < 7);
  if (threadIdx.x % 32 == 0) {
    out[threadIdx.x / 32 * 3 + 0] = odd;
    out[threadIdx.x / 32 * 3 + 1] = static_cast<unsigned>(any);
    out[threadIdx.x / 32 * 3 + 2] = static_cast<unsigned>(every);
  }
}

TEST(Warp, BallotsAlsoInAWarpThatIsNotFull) {
  std::vector<unsigned> out(6);
  warploom::launch({dim3(1), dim3(40)}, ballots, out.data());
  EXPECT_EQ(out, (std::vector<unsigned>{0xaaaaaaaau, 1, 0, 0xaau, 0, 0}));
}

// The two halves of a warp go different ways and exchange among themselves, a different number of times.
__global__ void halves(int* __restrict__ out) {
  int lane = threadIdx.x, value = lane;
  if (lane < 16) {
    for (int i = 0; i < 5; ++i)
      value = __shfl_sync(0x0000ffffu, value, (lane + 1) % 16);
  } else {
    value = __shfl_xor_sync(0xffff0000u, value, 1);
    __syncwarp(0xffff0000u);
  }
  out[lane] = value;
}

TEST(Warp, PartsOfAWarpExchangeIndependently) {
  std::vector<int> out(32);
  warploom::launch({dim3(1), dim3(32)}, halves, out.data());
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane < 16 ? (lane + 5) % 16 : lane ^ 1) << lane;
}

__global__ void neighbours(int* __restrict__ out) {
  __shared__ int s[128];
  for (int i = 0; i < 10; ++i) {
    s[threadIdx.x] = threadIdx.x + i;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 31];
    __syncwarp();
  }
}

TEST(Warp, WarpBarrierOrdersSharedMemory) {
  std::vector<int> out(128);
  warploom::launch({dim3(1), dim3(128)}, neighbours, out.data());
  for (int t = 0; t < 128; ++t)
    EXPECT_EQ(out[t], (t ^ 31) + 9);
}

__global__ void lanesEnd(int* __restrict__ out) {
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = static_cast<int>(__ballot_sync(all, 1));
}

TEST(Warp, OperationsDoNotWaitForEndedLanes) {
  std::vector<int> out(20);
  warploom::launch({dim3(1), dim3(32)}, lanesEnd, out.data());
  EXPECT_EQ(out, std::vector<int>(20, (1 << 20) - 1));
}

} // namespace
