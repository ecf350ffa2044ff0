// The models on the numbers that the thesis works out.
#include "project/Resources.h"

#include <gmock/gmock.h>

namespace warploom {
namespace {

constexpr Sm c2070{14, 32, 48, 8, 49152}, fx7000{16, 32, 48, 8, 49152};

// SHOWS: RT-83
TEST(Resources, TheWorkedNumbers) {
  // 256 threads, tiles of 256 floats, two operands, on 32 warps and 16 KB.
  const BlockUse use = blockUse({256, 256}, {30, 8, 32, 8, 16384}, 4, 2, 256.0 * 256);
  EXPECT_EQ(use.warpsPerBlock, 8);
  EXPECT_EQ(use.sharedPerBlock, 2048);
  EXPECT_EQ(use.activeBlocks, 4);

  // Table 4.2, its first two rows: active blocks too.
  const double space = 2048.0 * 2048;
  const BlockUse ours = blockUse({512, 2048}, c2070, 4, 2, space),
                 sdk = blockUse({256, 256}, c2070, 4, 2, space);
  EXPECT_EQ(ours.activeBlocks, 3);
  EXPECT_EQ(ours.kernelBlocks, 2048);
  EXPECT_EQ(ours.cycles, 48);
  EXPECT_NEAR(ours.blocksPerSm, 146.29, 0.005);
  EXPECT_EQ(sdk.activeBlocks, 6);
  EXPECT_EQ(sdk.cycles, 48);
  EXPECT_NEAR(sdk.blocksPerSm, 1170.29, 0.005);

  // Every row of tables 4.2 to 4.8, given active blocks and kernel blocks.
  struct Row {
    int threads, active, kernelBlocks;
    double cycles, perSm;
    const Sm& sm;
  };
  const Row rows[] = {{512, 3, 2048, 48, 146.29, c2070},   {256, 6, 16384, 48, 1170.29, c2070},
                      {32, 1, 4096, 1, 292.57, c2070},     {256, 4, 4096, 32, 256, fx7000},
                      {64, 8, 16384, 16, 1024, fx7000},    {256, 3, 4096, 24, 292.57, c2070},
                      {256, 3, 16384, 24, 1170.29, c2070}, {512, 3, 1024, 48, 73.14, c2070},
                      {32, 1, 4096, 1, 292.57, c2070},     {512, 3, 4096, 48, 256, fx7000},
                      {256, 5, 4096, 40, 256, fx7000},     {64, 8, 65536, 16, 4096, fx7000},
                      {16, 8, 65536, 4, 4096, fx7000}};
  for (const Row& row : rows) {
    EXPECT_EQ(cyclesOf(row.active, row.threads, row.sm.coresPerSm), row.cycles);
    EXPECT_NEAR(blocksPerSmOf(row.kernelBlocks, row.sm.multiprocessors), row.perSm, 0.005);
  }
  // Of the two, the one with fewer blocks.
  const auto best = bestChoice({256, 512}, {256, 2048}, c2070, 4, 2, space);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->threadsPerBlock, 512);
  EXPECT_EQ(best->tileSize, 2048);
  EXPECT_FALSE(bestChoice({64}, {32}, c2070, 4, 2, space)); // fewer elements than threads
}

TEST(Resources, ActiveBlocksByEveryLimit) {
  const DeviceLimits k20 = *deviceLimits("3.5"), h100 = *deviceLimits("9.0"), first = *deviceLimits("1.0");
  // 64 warps, 8 a block; 32 registers a thread are 1024 a warp, exactly four units: 64 warps, and no unit too
  // many.
  ActiveBlocks use = activeBlocks(256, {32, 0}, k20);
  EXPECT_EQ(use.byWarps, 8);
  EXPECT_EQ(use.byRegisters, 8);
  EXPECT_EQ(use.byShared, 16); // none is used
  EXPECT_EQ(use.all(), 8);
  // 33 registers are five units: 51 warps, of which 48 in units of four.
  EXPECT_EQ(activeBlocks(256, {33, 0}, k20).byRegisters, 6);
  EXPECT_EQ(activeBlocks(256, {33, 16385}, k20).byShared, 2);
  EXPECT_EQ(activeBlocks(32, {16, 0}, k20).all(), 16);  // the blocks of a multiprocessor
  EXPECT_EQ(activeBlocks(256, {256, 0}, k20).all(), 0); // more registers than a thread may have
  EXPECT_EQ(activeBlocks(2048, {16, 0}, k20).all(), 0);
  EXPECT_EQ(activeBlocks(1024, {16, 49152}, k20).all(), 1);
  EXPECT_EQ(activeBlocks(1024, {16, 49153}, k20).all(), 0);
  EXPECT_EQ(activeBlocks(256, {32, 116 * 1024}, h100).byShared, 1);
  EXPECT_EQ(activeBlocks(128, {16, 0}, first).byRegisters, 4); // by blocks: 2048 registers of 8192
  EXPECT_FALSE(deviceLimits("99.0"));
  for (const char* today : {"8.0", "8.6", "8.9", "9.0", "10.0", "12.0"})
    EXPECT_TRUE(deviceLimits(today)) << today;
  for (const DeviceLimits& device : deviceTable()) {
    EXPECT_EQ(device.threadsPerSm, 32 * device.warpsPerSm) << device.name;
    EXPECT_GE(device.sharedPerSm, 16384) << device.name;
  }
}

// What cudaOccupancyMaxActiveBlocksPerMultiprocessor says on an H200.
// SHOWS: MF-114
TEST(Resources, BlocksAreThoseThatCudaCounts) {
  const DeviceLimits h200 = *deviceLimits("9.0");
  struct Row {
    int block, registers, bytes, blocks;
  };
  const Row rows[] = {{32, 32, 0, 32},    {96, 32, 0, 21},   {160, 32, 0, 12},    {1024, 32, 0, 2},
                      {32, 40, 0, 32},    {64, 40, 0, 24},   {96, 40, 0, 16},     {160, 40, 0, 9},
                      {1024, 40, 0, 1},   {32, 64, 0, 32},   {96, 64, 0, 10},     {32, 72, 0, 28},
                      {96, 72, 0, 9},     {160, 72, 0, 5},   {512, 72, 0, 1},     {1024, 72, 0, 0},
                      {32, 32, 8576, 24}, {32, 32, 520, 32}, {32, 32, 16384, 13}, {32, 32, 100000, 2},
                      {32, 32, 232448, 1}};
  for (const Row& row : rows)
    EXPECT_EQ(activeBlocks(row.block, {row.registers, row.bytes}, h200).all(), row.blocks)
        << row.block << " threads, " << row.registers << " registers, " << row.bytes << " bytes";
}

TEST(Resources, TheCandidatesOfAlgorithmOne) {
  const DeviceLimits device = *deviceLimits("3.5");
  SearchBounds bounds;
  bounds.maxBlock = 64;
  bounds.maxMerge = 2;
  bounds.maxSkew = 2;
  auto names = [](const std::vector<Candidate>& all) {
    std::vector<std::string> result;
    for (const Candidate& c : all)
      result.push_back(std::to_string(c.block) + "," + std::to_string(c.merge) + "," +
                       std::to_string(c.skew));
    return result;
  };
  EXPECT_THAT(
      names(candidates(1 << 20, device, bounds)),
      testing::ElementsAre("32,1,1", "32,1,2", "32,2,1", "32,2,2", "64,1,1", "64,1,2", "64,2,1", "64,2,2"));
  // What leaves no block any work is not tried; sizes that do not divide are.
  EXPECT_THAT(names(candidates(100, device, bounds)),
              testing::ElementsAre("32,1,1", "32,1,2", "32,2,1", "64,1,1"));
  // Sizes that a kernel does not have are not varied: the failure of the original's one-dimensional kernels
  // (D3).
  bounds.skews = false;
  EXPECT_THAT(names(candidates(1 << 20, device, bounds)),
              testing::ElementsAre("32,1,1", "32,2,1", "64,1,1", "64,2,1"));
  // A maximum of 0: the device's for blocks, the block for the others.
  bounds = {};
  bounds.skews = false;
  const auto all = candidates(1 << 20, device, bounds);
  EXPECT_EQ(all.back().block, 1024);
  EXPECT_EQ(all.back().merge, 1024);
}

TEST(Resources, TheGranule) {
  EXPECT_EQ(granule(1, 1, 0.5), 1);
  EXPECT_EQ(granule(1, 2, 0.5), 1);
  EXPECT_EQ(granule(1, 4, 0.5), 4);
  EXPECT_EQ(granule(1, 3.5, 0.5), 4);
  EXPECT_EQ(granule(1, 0, 0.5), 1);
}

TEST(Resources, TheEightMappingsOfAResult) {
  const auto& all = resultMappings();
  ASSERT_EQ(all.size(), 8u);
  int coalesced = 0;
  for (const ResultMapping& mapping : all) {
    EXPECT_EQ(mapping.coalesced, isCoalesced(mapping.column)) << mapping.row << " ; " << mapping.column;
    coalesced += mapping.coalesced;
  }
  EXPECT_EQ(coalesced, 4);
  // The one that the thesis calls coalesced in its text and not in its table.
  EXPECT_FALSE(isCoalesced("(b,t')"));
  // Coalesced ones come first.
  EXPECT_TRUE(all[0].coalesced && all[1].coalesced && all[4].coalesced && all[5].coalesced);
}

} // namespace
} // namespace warploom
