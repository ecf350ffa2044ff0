// The index arithmetic of generated code, and the widths of tiles in shared memory.
#include "warploom.h"

#include <gtest/gtest.h>
#include <set>

namespace {

// SHOWS: CH-29 RT-53
TEST(TileWidth, ColumnsAreOnDifferentBanks) {
  static_assert(warploom::coprime(16, 16) == 17 && warploom::coprime(64, 16) == 65);
  static_assert(warploom::coprime(15, 16) == 15 && warploom::coprime(32, 16) == 33);
  // 32 threads that read a column of 4-byte elements, and 16 that read one of 8-byte elements, meet no bank
  // twice.
  for (int extent = 1; extent <= 130; ++extent)
    for (int banks : {16, 32}) {
      int width = warploom::coprime(extent, banks);
      EXPECT_LE(extent, width);
      EXPECT_LE(width, extent + 1);
      std::set<int> met;
      for (int row = 0; row < banks; ++row)
        met.insert(row * width % banks);
      EXPECT_EQ(met.size(), static_cast<std::size_t>(banks)) << extent;
    }
}

TEST(TileWidth, MultiplesAreRoundedUp) {
  EXPECT_EQ(warploom::multiple(1, 4), 4);
  EXPECT_EQ(warploom::multiple(4, 4), 4);
  EXPECT_EQ(warploom::multiple(33, 32), 64);
}

TEST(Index, DivisionRoundsDown) {
  EXPECT_EQ(warploom::floorDivide(7, 2), 3);
  EXPECT_EQ(warploom::floorDivide(-7, 2), -4);
  EXPECT_EQ(warploom::floorDivide(-8L, 2), -4);
}

TEST(Blocks, CoverEverythingWithinWhatAGridMayHave) {
  EXPECT_EQ(warploom::blocks(0, 0, 32), 0u);
  EXPECT_EQ(warploom::blocks(5, 3, 32), 0u);
  EXPECT_EQ(warploom::blocks(1, 34, 32), 2u);
  EXPECT_EQ(warploom::blocks(0, 1L << 40, 32), 65535u);
}

} // namespace
