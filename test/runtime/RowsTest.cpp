// Rows behind pointers: which matrix stands for them, and what comes back to them.
#include "warploom.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

/// What the heap of a program with the tool's own knows of its blocks.
static std::map<const void*, long> heapBlocks;
extern "C" long warploom_heapBytes(const void* begin) {
  const auto found = heapBlocks.find(begin);
  return found == heapBlocks.end() ? -1 : found->second;
}

namespace {

using warploom::RowPart;

/// `count` rows of 5 numbers each, a row apart in memory of their own.
struct Separate {
  explicit Separate(int count) {
    for (int i = 0; i < count; ++i)
      memory.emplace_back(5, i);
    for (auto& row : memory)
      table.push_back(row.data());
  }
  std::vector<std::vector<int>> memory;
  std::vector<int*> table;
};

/// That of the rows.
warploom::Region& anyRegion() {
  static warploom::Region region("test:1");
  return region;
}

auto wholeRows = [](long) { return RowPart{0, 5}; };

TEST(Rows, SeparateOnesAreGatheredAndScattered) {
  Separate rows(4);
  std::swap(rows.table[1], rows.table[2]);
  warploom::Rows<int> matrix(rows.table.data(), {4}, wholeRows);
  ASSERT_EQ(matrix.problem(), nullptr);
  ASSERT_EQ(matrix.extent(1), 5);
  EXPECT_FALSE(matrix.overlap());
  matrix.gather();
  EXPECT_EQ(matrix.first()[5 + 3], 2);
  matrix.first()[5 + 3] = 70;
  EXPECT_EQ(rows.memory[2][3], 2);
  matrix.scatter(anyRegion());
  EXPECT_EQ(rows.memory[2], (std::vector<int>{2, 2, 2, 70, 2}));
}

TEST(Rows, OnlyThePartsThatAreUsedAreTouched) {
  // A triangle: rows have no more than that, the first is not there at all.
  std::vector<std::vector<double>> memory;
  std::vector<double*> table = {nullptr};
  for (int i = 1; i < 6; ++i)
    memory.emplace_back(i, 1.0);
  for (auto& row : memory)
    table.push_back(row.data());
  warploom::Rows<double> matrix(table.data(), {6}, [](long i) { return RowPart{0, i}; });
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_EQ(matrix.extent(1), 5);
  EXPECT_EQ(matrix.end() - matrix.begin(), 5);
  matrix.gather();
  EXPECT_EQ(matrix.first()[3 * 5 + 2], 1.0);
  for (int k = 0; k < 30; ++k)
    matrix.first()[k] = 2;
  matrix.scatter(anyRegion());
  for (const auto& row : memory)
    EXPECT_EQ(row, std::vector<double>(row.size(), 2.0));
}

TEST(Rows, TablesOfTablesAreCounted) {
  Separate one(3), two(3);
  std::vector<int**> tables = {one.table.data(), two.table.data()};
  warploom::Rows<int> matrix(tables.data(), {2, 3}, [](long, long) { return RowPart{1, 4}; });
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_EQ(matrix.extent(1), 3);
  EXPECT_EQ(matrix.extent(2), 4);
  two.memory[2][3] = 9;
  matrix.gather();
  EXPECT_EQ(matrix.first()[(1 * 3 + 2) * 4 + 3], 9);
}

TEST(Rows, ThereMayBeAnyNumberOfTables) {
  Separate rows(3);
  int** third = rows.table.data();
  int*** second = &third;
  int**** first = &second;
  warploom::Rows<int> matrix(&first, {1, 1, 1, 3}, [](long, long, long, long i) { return RowPart{i, 5}; });
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_EQ(matrix.extent(3), 3);
  EXPECT_EQ(matrix.extent(4), 5);
  matrix.gather();
  EXPECT_EQ(matrix.first()[2 * 5 + 2], 2);
}

TEST(Rows, WhatLiesBeforeARowIsLeftAlone) {
  std::vector<int> row(5, 3);
  int* table = row.data() - 1;
  warploom::Rows<int> matrix(&table, {1}, [](long) { return RowPart{1, 6}; });
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_NE(matrix.first(), table);
  matrix.gather();
  EXPECT_EQ(matrix.first()[5], 3);
}

TEST(Rows, TheHeapTellsWhatLoopsDoNot) {
  Separate rows(4);
  rows.table[0] = nullptr;                    // not set
  rows.table[2] = reinterpret_cast<int*>(16); // neither
  rows.memory[3].resize(7, 3);
  rows.table[3] = rows.memory[3].data();
  heapBlocks = {{rows.table.data(), 4 * sizeof(int*)},
                {rows.table[1], 5 * sizeof(int)},
                {rows.table[3], 7 * sizeof(int)}};
  auto all = [](long) { return RowPart{0, warploom::allThere}; };
  warploom::Rows<int> matrix(rows.table.data(), {warploom::allThere}, all);
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_EQ(matrix.extent(1), 7);
  EXPECT_EQ(matrix.elements(), 28);
  EXPECT_EQ(matrix.end() - matrix.begin(), 2);
  matrix.gather();
  EXPECT_EQ(matrix.first()[3 * 7 + 6], 3);
  matrix.first()[7 + 4] = 8;
  matrix.scatter(anyRegion());
  EXPECT_EQ(rows.memory[1], (std::vector<int>{1, 1, 1, 1, 8}));
  heapBlocks.erase(rows.table[3]);
  EXPECT_STREQ(warploom::Rows<int>(rows.table.data(), {warploom::allThere}, all).problem(),
               "how much is used of rows is not known");
  heapBlocks.clear();
}

TEST(Rows, OneBlockIsItself) {
  std::vector<int> block(20);
  std::vector<int*> table;
  for (int i = 0; i < 4; ++i)
    table.push_back(&block[i * 5]);
  heapBlocks = {{block.data(), 20 * sizeof(int)}};
  warploom::Rows<int> matrix(table.data(), {4}, [](long) { return RowPart{1, 4}; });
  EXPECT_EQ(matrix.first(), block.data());
  EXPECT_EQ(matrix.extent(1), 5);
  heapBlocks.clear();
}

TEST(Rows, OneRowIsItself) {
  std::vector<int> row(5);
  int* table = row.data();
  warploom::Rows<int> matrix(&table, {1}, wholeRows);
  EXPECT_EQ(matrix.first(), row.data());
}

TEST(Rows, WhatNoMatrixCanStandFor) {
  Separate rows(3);
  rows.table[1] = nullptr;
  EXPECT_STREQ(warploom::Rows<int>(rows.table.data(), {3}, wholeRows).problem(), "a row is a null pointer");
  auto below = [](long) { return RowPart{-1, 5}; };
  EXPECT_STREQ(warploom::Rows<int>(rows.table.data(), {1}, below).problem(), "a row is used below its start");
  std::vector<int> large(3'000'000);
  std::vector<int*> table(100, large.data());
  auto ragged = [&](long i) { return RowPart{0, i == 7 ? long(large.size()) : 1}; };
  EXPECT_STREQ(warploom::Rows<int>(table.data(), {100}, ragged).problem(), "rows differ too much in length");
  EXPECT_STREQ(warploom::Rows<int>(nullptr, {0}, wholeRows).problem(), "there are no rows");
  // Nobody knows how long these are.
  EXPECT_STREQ(warploom::Rows<int>(rows.table.data(), {warploom::allThere}, wholeRows).problem(),
               "how much is used of rows is not known");
}

TEST(Rows, OverlapIsAskedRowByRow) {
  std::vector<int> memory(60);
  std::vector<int*> even, odd, shifted;
  for (int i = 0; i < 6; i += 2) {
    even.push_back(&memory[i * 10]);
    odd.push_back(&memory[i * 10 + 10]);
    shifted.push_back(&memory[i * 10 + 4]);
  }
  std::reverse(even.begin(), even.end());
  warploom::Rows<int> a(even.data(), {3}, wholeRows), b(odd.data(), {3}, wholeRows),
      c(shifted.data(), {3}, wholeRows);
  EXPECT_FALSE(a.overlap(b));
  EXPECT_TRUE(a.overlap(c));
  EXPECT_TRUE(c.overlap(a));
  EXPECT_FALSE(a.overlap(&memory[5], 5 * sizeof(int)));
  EXPECT_TRUE(a.overlap(&memory[5], 16 * sizeof(int)));
  EXPECT_FALSE(a.overlap());
  even[1] = even[0] + 4;
  EXPECT_TRUE(warploom::Rows<int>(even.data(), {3}, wholeRows).overlap());
}

TEST(Rows, WhatMayBeShorterComesBackWhereItHasChanged) {
  Separate rows(2);
  warploom::Rows<int> matrix(rows.table.data(), {2}, wholeRows, true);
  ASSERT_EQ(matrix.problem(), nullptr);
  matrix.gather();
  matrix.first()[2] = 8;
  matrix.scatter(anyRegion());
  EXPECT_EQ(rows.memory[0], (std::vector<int>{0, 0, 8, 0, 0}));
  rows.table[1] = reinterpret_cast<int*>(16);
  EXPECT_STREQ(warploom::Rows<int>(rows.table.data(), {2}, wholeRows, true).problem(),
               "a row may be shorter than its loop");
}

TEST(Rows, BehindPointersInStructsAreFollowed) {
  struct Layer {
    int size;
    int* weights;
  };
  Separate rows(3);
  std::vector<Layer> layers;
  for (int* row : rows.table)
    layers.push_back({5, row});
  warploom::Rows<int> matrix(layers.data(), {{3, sizeof(Layer), offsetof(Layer, weights)}}, wholeRows);
  ASSERT_EQ(matrix.problem(), nullptr);
  matrix.gather();
  EXPECT_EQ(matrix.first()[2 * 5 + 4], 2);
  matrix.first()[2 * 5 + 4] = 9;
  matrix.scatter(anyRegion());
  EXPECT_EQ(rows.memory[2][4], 9);
  EXPECT_EQ(layers[2].size, 5);
  EXPECT_TRUE(matrix.tablesOverlap(&layers[1].weights, sizeof(int*)));
  layers[1].weights = nullptr;
  EXPECT_STREQ(
      warploom::Rows<int>(layers.data(), {{3, sizeof(Layer), offsetof(Layer, weights)}}, wholeRows).problem(),
      "a row is a null pointer");
  layers[1].weights = rows.table[0];
  EXPECT_TRUE(warploom::Rows<int>(layers.data(), {{3, sizeof(Layer), offsetof(Layer, weights)}}, wholeRows)
                  .overlap());
}

TEST(Rows, BehindTablesInStructsAreFollowed) {
  struct Image {
    long width;
    int* plane[2];
  };
  Separate rows(4);
  std::vector<Image> images = {{5, {rows.table[0], rows.table[1]}}, {5, {rows.table[2], rows.table[3]}}};
  warploom::Rows<int> matrix(images.data(), {warploom::apart(2, sizeof(Image), offsetof(Image, plane)), 2},
                             [](long, long) { return RowPart{0, 5}; });
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_EQ(matrix.extent(1), 2);
  matrix.gather();
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(matrix.first()[5 * k], k);
}

TEST(Rows, ThatAreMatricesHaveWholeRowsOfTheirOwn) {
  Separate rows(3);
  // Five elements as rows of two: room for six.
  warploom::Rows<int> matrix(rows.table.data(), {3}, wholeRows, false, 2);
  ASSERT_EQ(matrix.problem(), nullptr);
  EXPECT_EQ(matrix.extent(1), 3);
  matrix.gather();
  EXPECT_EQ(matrix.first()[6 + 4], 1);
  EXPECT_STREQ(warploom::Rows<int>(rows.table.data(), {3}, wholeRows, false, 0).problem(),
               "there are no rows");
  // One row alone, which does not end with a row of its own, is not taken as it lies.
  std::vector<int> one = {1, 2, 3, 4, 5};
  int* table = one.data();
  warploom::Rows<int> copied(&table, {1}, wholeRows, false, 2);
  ASSERT_EQ(copied.problem(), nullptr);
  EXPECT_NE(copied.first(), one.data());
}

} // namespace
