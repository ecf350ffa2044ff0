// What launchers use around kernels: overlap, device arrays, regions.
#include "warploom.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <vector>

namespace {

TEST(Region, OverlapOfRanges) {
  char bytes[100];
  EXPECT_TRUE(warploom::overlap(bytes, 10, bytes + 9, 10));
  EXPECT_FALSE(warploom::overlap(bytes, 10, bytes + 10, 10));
  EXPECT_TRUE(warploom::overlap(bytes + 20, 5, bytes, 100));
  EXPECT_FALSE(warploom::overlap(bytes, 0, bytes, 100));
}

__constant__ double factor[2];

__global__ void scale(double* __restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * factor[0] + factor[1];
}

// Device memory is memory of its own: what is not copied back stays there.
TEST(Region, OnlyWhatIsCopiedComesBack) {
  int n = 100;
  std::vector<double> a(n, 3), untouched = a;
  warploom::Region region("test:1");
  ASSERT_TRUE(region.useDevice());
  auto device = region.array<double>("a", {static_cast<std::size_t>(n)});
  double constants[2] = {2, 1};
  warploom::copyToSymbol(factor, constants, sizeof constants, region.stream());
  region.copyIn(device, a.data());
  region.launch({dim3(4), dim3(32)}, scale, device, n);
  EXPECT_EQ(a, untouched);
  region.copyOut(a.data(), device);
  EXPECT_EQ(region.finish(), 1);
  EXPECT_EQ(a, std::vector<double>(n, 7));
}

TEST(Region, RepeatedWorkRunsAsOftenAsAsked) {
  std::vector<double> a(10, 1);
  warploom::Region region("test:2");
  ASSERT_TRUE(region.useDevice());
  double constants[2] = {2, 0};
  warploom::copyToSymbol(factor, constants, sizeof constants, region.stream());
  auto device = region.array<double>("a", {10});
  region.copyIn(device, a.data());
  region.repeat(10, [&] { region.launch({dim3(1), dim3(32)}, scale, device, 10); });
  region.repeat(0, [&] { region.launch({dim3(1), dim3(32)}, scale, device, 10); });
  region.copyOut(a.data(), device);
  region.finish();
  EXPECT_EQ(a, std::vector<double>(10, 1024));
}

/// Bytes that the program has from the allocator now.
std::size_t inUse() {
  struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

// A launcher as they are generated: it may find only after its first allocation that the host has to do it.
int launcher(bool leave) {
  warploom::Region region("test:4");
  if (!region.useDevice()) return 0;
  auto large = region.array<double>("large", {std::size_t(1) << 20});
  auto small = region.array<double>("small", {10});
  if (leave) return region.stayOnHost("it changed its mind");
  region.launch({dim3(1), dim3(32)}, scale, small, 10);
  return region.finish();
}

// SHOWS: CR-52
TEST(Region, DeviceMemoryIsGivenBackOnEveryPath) {
  launcher(false); // what the runtime keeps for itself is there now
  std::size_t before = inUse();
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(launcher(true), 0);
    EXPECT_EQ(launcher(false), 1);
  }
  EXPECT_LT(inUse(), before + (std::size_t(1) << 20));
}

TEST(Region, IndicesOf32BitsOnlyWhereEverySubscriptFits) {
  const long most = 1L << 30;
  EXPECT_TRUE(warploom::fitInt({1000, -1000}, {1000000, most - 1}));
  EXPECT_FALSE(warploom::fitInt({1000}, {1000, most}));
  EXPECT_FALSE(warploom::fitInt({1L << 27}, {1000}));
  EXPECT_FALSE(warploom::fitInt({-(1L << 27)}, {1000}));
}

TEST(Region, StayingOnTheHostReturnsZero) {
  warploom::Region region("test:3");
  EXPECT_EQ(region.stayOnHost("overlap"), 0);
}

using RegionDeathTest = ::testing::Test;

// SHOWS: RT-70
TEST(RegionDeathTest, FailingAllocationNamesRegionAndLine) {
  EXPECT_EXIT(
      {
        warploom::Region region("matmul:12");
        region.useDevice();
        auto array = region.array<double>("a", {std::size_t(1) << 59});
      },
      testing::ExitedWithCode(1),
      "region matmul:12: .*RegionTest.cpp:[0-9]+: allocation failed: out of memory");
}

} // namespace
