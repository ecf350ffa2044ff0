// Atomic functions under contention from all blocks, against the result of any order.
#include "warploom.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

namespace {

struct Results {
  int add, sub, least, greatest, bits, exchanged;
  unsigned increments, uintAdd;
  unsigned long long longAdd, longXor;
  long long longLeast;
  float floatAdd;
  double doubleAdd, doubleLeast, doubleProduct;
};

__global__ void updates(Results* __restrict__ r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&r->add, i);
  atomicSub(&r->sub, 2);
  atomicMin(&r->least, 1000 - i);
  atomicMax(&r->greatest, i * 5 % 1001);
  atomicOr(&r->bits, 1 << (i % 31));
  atomicExch(&r->exchanged, 5);
  atomicInc(&r->increments, 9);
  atomicAdd(&r->uintAdd, 0x80000001u);
  atomicAdd(&r->longAdd, 1ull << 40);
  atomicXor(&r->longXor, static_cast<unsigned long long>(i));
  atomicMin(&r->longLeast, -(1ll << 40) - i);
  atomicAdd(&r->floatAdd, 0.5f);
  atomicAdd(&r->doubleAdd, 0.25);
  warploom::atomicUpdate(&r->doubleLeast, 100.0 - i, warploom::Minimum());
  if (i < 50) warploom::atomicUpdate(&r->doubleProduct, 2.0, warploom::Product());
}

/// Neighbours that are narrower than a word.
struct Narrow {
  unsigned char bytes[5];
  bool any, all;
  short shorts[3];
};

__global__ void narrowUpdates(Narrow* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  warploom::atomicUpdate(&r->bytes[i % 5], static_cast<unsigned char>(i), warploom::Sum());
  warploom::atomicUpdate(&r->any, i == 7777, warploom::BitOr());
  warploom::atomicUpdate(&r->all, i != 7777, warploom::LogicalAnd());
  warploom::atomicUpdate(&r->shorts[i % 3], static_cast<short>(i - 12'000), warploom::Minimum());
}

TEST(Atomics, UpdatesOfBytesLeaveTheirNeighboursAlone) {
  constexpr int n = 20'000;
  Narrow r{}, expected{};
  r.all = expected.any = true;
  warploom::launch({dim3((n + 127) / 128), dim3(128)}, narrowUpdates, &r, n);
  for (int i = 0; i < n; ++i) {
    expected.bytes[i % 5] = static_cast<unsigned char>(expected.bytes[i % 5] + i);
    expected.shorts[i % 3] = std::min(expected.shorts[i % 3], static_cast<short>(i - 12'000));
  }
  EXPECT_EQ(std::memcmp(&r, &expected, sizeof r), 0);
}

TEST(Atomics, EveryUpdateCounts) {
  constexpr int n = 20'000;
  Results r{};
  r.doubleProduct = 1;
  r.least = 1 << 30;
  warploom::launch({dim3((n + 127) / 128), dim3(128)}, updates, &r, n);
  unsigned long long parity = 0;
  for (int i = 0; i < n; ++i)
    parity ^= static_cast<unsigned long long>(i);
  EXPECT_EQ(r.add, n * (n - 1) / 2);
  EXPECT_EQ(r.sub, -2 * n);
  EXPECT_EQ(r.least, 1000 - (n - 1));
  EXPECT_EQ(r.greatest, 1000);
  EXPECT_EQ(r.bits, 0x7fffffff);
  EXPECT_EQ(r.exchanged, 5);
  EXPECT_EQ(r.increments, n % 10u);
  EXPECT_EQ(r.uintAdd, 0x80000001u * n);
  EXPECT_EQ(r.longAdd, static_cast<unsigned long long>(n) << 40);
  EXPECT_EQ(r.longXor, parity);
  EXPECT_EQ(r.longLeast, -(1ll << 40) - (n - 1));
  EXPECT_EQ(r.floatAdd, 0.5f * n);
  EXPECT_EQ(r.doubleAdd, 0.25 * n);
  EXPECT_EQ(r.doubleLeast, 100.0 - (n - 1));
  EXPECT_EQ(r.doubleProduct, static_cast<double>(1ll << 50));
}

__global__ void locked(int* __restrict__ lock, long* __restrict__ count) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}

TEST(Atomics, CompareAndSwapGuardsASection) {
  int lock = 0;
  long count = 0;
  warploom::launch({dim3(3000), dim3(2)}, locked, &lock, &count);
  EXPECT_EQ(count, 3000);
}

} // namespace
