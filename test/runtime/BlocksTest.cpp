// Blocks of one launch that wait for each other: barriers of every kind, for many rounds, and relaxed
// synchronisation.
#include "warploom_blocks.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

constexpr int mostBlocks = 16;

/// Every block tells its round; after the barrier it sees that of all others, and nobody goes on before that.
template <typename Barrier> __global__ void rounds(Barrier barrier, int count, int* told, int* wrong) {
  for (int round = 1; round <= count; ++round) {
    if (threadIdx.x == blockDim.x - 1) told[blockIdx.x] = round;
    barrier.wait(2 * static_cast<unsigned>(round) - 1);
    for (unsigned other = threadIdx.x; other < gridDim.x; other += blockDim.x)
      if (told[other] != round) atomicAdd(wrong, 1);
    barrier.wait(2 * static_cast<unsigned>(round));
  }
}

/// How often a block saw another one at the wrong round; -1 where they cannot all be resident.
template <typename Barrier> int wrongRounds(unsigned blocks, unsigned threads) {
  warploom::Region region("blocks:1");
  auto told = region.array<int>("told", {blocks}), wrong = region.array<int>("wrong", {1});
  const std::vector<int> zeros(blocks);
  int result = 0;
  region.copyIn(told, zeros.data());
  region.copyIn(wrong, &result);
  warploom::BarrierMemory<Barrier> memory(blocks, region.stream());
  if (!warploom::launchResident(region, {dim3(blocks), dim3(threads)}, rounds<Barrier>, memory.barrier(), 40,
                                told, wrong))
    return -1;
  region.copyOut(&result, wrong);
  region.finish();
  return result;
}

// SHOWS: RT-75
TEST(Blocks, BarrierByTwoArrays) {
  for (unsigned threads : {1, 4, 32, 64})
    EXPECT_EQ(wrongRounds<warploom::TwoArrayBarrier>(7, threads), 0) << threads;
  EXPECT_EQ(wrongRounds<warploom::TwoArrayBarrier>(1, 32), 0);
  EXPECT_EQ(wrongRounds<warploom::TwoArrayBarrier>(mostBlocks, 32), 0);
}

// What is no barrier is seen to be none.
struct NoBarrier {
  static constexpr unsigned words(unsigned) { return 1; }
  unsigned* memory;
  __device__ void wait(unsigned) const {
    __syncthreads();
    if (blockIdx.x == 0) std::this_thread::yield();
  }
};
TEST(Blocks, WithoutABarrierRoundsDiffer) {
  EXPECT_GT(wrongRounds<NoBarrier>(7, 32), 0);
}

/// The last block adds up what all have found.
__global__ void sumOfBlocks(unsigned* count, long* parts, long* sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) parts[blockIdx.x] = 1L << blockIdx.x;
  if (!warploom::comesLast(count, last) || threadIdx.x > 0) return;
  for (unsigned k = 0; k < gridDim.x; ++k)
    *sum += parts[k];
}

// SHOWS: RT-79
TEST(Blocks, BarriersByLocks) {
  EXPECT_EQ(wrongRounds<warploom::LockBarrier>(7, 32), 0);
  EXPECT_EQ(wrongRounds<warploom::LockBarrier>(mostBlocks, 5), 0);
  EXPECT_EQ(wrongRounds<warploom::FlagBarrier>(7, 32), 0);
  warploom::Region region("blocks:2");
  auto count = region.array<unsigned>("count", {1});
  auto parts = region.array<long>("parts", {40}), sum = region.array<long>("sum", {1});
  const unsigned none = 0;
  long result = 0;
  region.copyIn(count, &none);
  region.copyIn(sum, &result);
  // Nobody waits: more blocks than are resident, twice, since the count is 0 again.
  for (int k = 0; k < 2; ++k)
    region.launch({dim3(40), dim3(8)}, sumOfBlocks, count, parts, sum);
  region.copyOut(&result, sum);
  region.finish();
  EXPECT_EQ(result, 2 * ((1L << 40) - 1));
}

/// Each block adds to its value those of all blocks in the round before, each exactly once, in any order.
__global__ void relaxedRounds(warploom::Presence presence, int count, long* even, long* odd, int* wrong) {
  __shared__ warploom::Presence::Work<mostBlocks> work;
  for (int round = 1; round <= count; ++round) {
    const long* from = round % 2 ? even : odd;
    long sum = 0;
    unsigned all = 0;
    presence.begin(work);
    while (const unsigned found = presence.take(work, static_cast<unsigned>(round))) {
      for (unsigned k = 0; k < found; ++k)
        sum += from[work.list[k]];
      all += found;
    }
    if (all != gridDim.x) atomicAdd(wrong, 1);
    // The first block is slow: others have what they need of the rest by then.
    if (blockIdx.x == 0 && threadIdx.x == 0) std::this_thread::yield();
    if (threadIdx.x == 0) (round % 2 ? odd : even)[blockIdx.x] = sum % 1000003 + blockIdx.x;
    presence.finish(static_cast<unsigned>(round));
  }
}

// SHOWS: RT-76
TEST(Blocks, RelaxedSynchronisation) {
  constexpr unsigned blocks = 9;
  constexpr int count = 60;
  warploom::Region region("blocks:3");
  auto even = region.array<long>("even", {blocks}), odd = region.array<long>("odd", {blocks});
  auto wrong = region.array<int>("wrong", {1});
  std::vector<long> values(blocks);
  for (unsigned k = 0; k < blocks; ++k)
    values[k] = k + 1;
  int none = 0;
  region.copyIn(even, values.data());
  region.copyIn(wrong, &none);
  warploom::BarrierMemory<warploom::Presence> memory(blocks, region.stream());
  ASSERT_TRUE(warploom::launchResident(region, {dim3(blocks), dim3(16)}, relaxedRounds, memory.barrier(),
                                       count, even, odd, wrong));
  std::vector<long> found(blocks);
  region.copyOut(found.data(), count % 2 ? odd : even);
  region.copyOut(&none, wrong);
  region.finish();
  for (int round = 0; round < count; ++round) {
    long sum = 0;
    for (long value : values)
      sum += value;
    for (unsigned k = 0; k < blocks; ++k)
      values[k] = sum % 1000003 + k;
  }
  EXPECT_EQ(none, 0);
  EXPECT_EQ(found, values);
}

// More blocks than can be resident would wait for ever: they are not launched.
TEST(Blocks, OnlyWhereAllAreResident) {
  EXPECT_EQ(wrongRounds<warploom::LockBarrier>(mostBlocks + 1, 32), -1);
  EXPECT_EQ(wrongRounds<warploom::LockBarrier>(2, 2048), -1);
}

} // namespace
