// The index arithmetic of generated code, and the widths of tiles in shared memory.
#include "warploom.h"

#include <gtest/gtest.h>
#include <set>

namespace {

// SHOWS: RT-53 CH-29
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

template <int columns, int rows, char letter> struct TilesOf {
  static constexpr int x = columns, y = rows;
  static constexpr char name = letter;
};

// What is launched for results of so many rows and columns: tiles of 64 rows and 128 columns, the other way
// round, or small ones.
char tilesFor(long rows, long columns) {
  char chosen = 0;
  auto shape = [&](auto tiles) {
    using Tiles = decltype(tiles);
    return warploom::Launch{dim3(warploom::blocks(0, columns, Tiles::x), warploom::blocks(0, rows, Tiles::y)),
                            dim3(1)};
  };
  warploom::launchTiles<TilesOf<128, 64, 'm'>, TilesOf<64, 128, 't'>, TilesOf<32, 32, 'f'>>(
      shape, [&](auto tiles, const warploom::Launch&) { chosen = decltype(tiles)::name; });
  return chosen;
}

TEST(Tiles, TheSetIsChosenByHowManyThereAre) {
  EXPECT_EQ(tilesFor(1000000, 1000), 'm');
  EXPECT_EQ(tilesFor(1000000, 64), 't'); // else half of a tile were empty
  EXPECT_EQ(tilesFor(1000000, 128), 'm');
  EXPECT_EQ(tilesFor(1000000, 130), 't'); // three halves instead of two
  EXPECT_EQ(tilesFor(64, 1000000), 'm');
  EXPECT_EQ(tilesFor(10, 10), warploom::fills(dim3(1)) ? 'm' : 'f');
}

TEST(Blocks, CoverEverythingWithinWhatAGridMayHave) {
  EXPECT_EQ(warploom::blocks(0, 0, 32), 0u);
  EXPECT_EQ(warploom::blocks(5, 3, 32), 0u);
  EXPECT_EQ(warploom::blocks(1, 34, 32), 2u);
  EXPECT_EQ(warploom::blocks(0, 1L << 40, 32), 65535u);
}

} // namespace
