// Small arrays: what is copied, what need not be, and that results are right in every order of uses.
#include "warploom.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

using warploom::SmallArrays;

__global__ void addTo(const int* __restrict__ x, int* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}

/// The CPU execution has small arrays while one of these lives.
struct OnCpu {
  OnCpu() { SmallArrays::onCpu = true; }
  ~OnCpu() { SmallArrays::onCpu = false; }
};

/// y += x on the device; only y[first, end) comes back, or nothing.
void add(std::vector<int>& x, std::vector<int>& y, std::size_t first, std::size_t end) {
  warploom::Region region("test:1");
  ASSERT_TRUE(region.useDevice());
  auto xThere = region.array<int>("x", {x.size()}, x.data());
  auto yThere = region.array<int>("y", {y.size()}, y.data());
  region.copyIn(xThere, x.data());
  region.copyIn(yThere, y.data());
  region.launch(warploom::line(0, static_cast<long>(x.size()), 64), addTo, xThere, yThere,
                static_cast<int>(x.size()));
  if (first == 0 && end == y.size())
    region.copyOut(y.data(), yThere);
  else if (first < end)
    region.copyOut(y.data() + first, yThere + first, (end - first) * sizeof(int));
  region.finish();
}

// What is in the arrays decides, whatever the host, regions and other arrays at the same place did before.
TEST(SmallArrays, ResultsAreRightInEveryOrder) {
  OnCpu small;
  std::vector<int> x(100), y(100, 1);
  std::iota(x.begin(), x.end(), 0);
  for (int k = 0; k < 400; ++k) {
    if (k % 5 == 0) x[k % 100] += 3;
    if (k % 7 == 0) y[k % 100] -= 5;
    std::vector<int> expected = y;
    const std::size_t first = k % 3 == 1 ? 10 : 0, end = k % 3 == 2 ? 0 : 100;
    for (std::size_t i = first; i < end; ++i)
      expected[i] += x[i];
    add(x, y, first, end);
    ASSERT_EQ(y, expected) << k;
  }
}

TEST(SmallArrays, ManyOfThemTakeTurns) {
  OnCpu small;
  std::vector<std::vector<int>> arrays(300, std::vector<int>(10000, 1)); // 12 MB: more than there is room for
  for (int turn = 0; turn < 3; ++turn)
    for (std::size_t k = 0; k + 1 < arrays.size(); ++k) {
      const int before = arrays[k + 1][7] + arrays[k][7];
      add(arrays[k], arrays[k + 1], 0, arrays[k + 1].size());
      ASSERT_EQ(arrays[k + 1][7], before) << k;
    }
}

TEST(SmallArrays, WhatIsThereIsNotCopied) {
  OnCpu onCpu;
  SmallArrays small;
  std::vector<char> host(1000, 'a');
  while (!small.of(host.data(), host.size())) {
  }
  SmallArrays::Copy* copy = small.of(host.data(), host.size());
  ASSERT_EQ(copy, small.around(copy->device + 999));
  EXPECT_NE(copy, small.of(host.data(), 10)) << "another array may begin there";
  int copies = 0;
  auto start = [&](void* to, const void* from) { std::memcpy(to, from, 1000), ++copies; };
  EXPECT_TRUE(small.copyIn(*copy, copy->device, host.data(), 1000, start));
  EXPECT_FALSE(small.copyIn(*copy, copy->device, host.data(), 1000, start));
  host[3] = 'b';
  EXPECT_TRUE(small.copyIn(*copy, copy->device, host.data(), 1000, start));
  copy->device[5] = 'c', copy->same = false;
  small.copyOut(*copy, host.data(), copy->device, 1000, start);
  EXPECT_EQ(host[5], 'a') << "not before it has arrived";
  small.arrive();
  EXPECT_EQ(host[5], 'c');
  EXPECT_FALSE(small.copyIn(*copy, copy->device, host.data(), 1000, start));
  EXPECT_EQ(copies, 3);
  EXPECT_EQ(small.of(host.data(), 1 << 20), nullptr) << "that is not small";
}

} // namespace
