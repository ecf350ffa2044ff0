// The kernel that multiplies sparse rows: rows of all lengths, more than a block has threads and more entries
// than it keeps, and rows that do not follow one another.
#include "warploom_sparse.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

/// y = 2 A x + what `start` says, by the kernel and by loops; columns of entries that are in no row lie
/// outside.
void compare(const std::vector<int>& starts, const std::vector<int>& places, bool old) {
  const int rows = static_cast<int>(starts.size()) - 1;
  std::vector<double> values(places.size()), x(97), y(rows), wanted(rows), right(2 * rows);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<double>(k % 13) - 6;
  std::iota(x.begin(), x.end(), -40);
  std::iota(y.begin(), y.end(), 5);
  std::iota(right.begin(), right.end(), 1);
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      sum += values[k] * x[places[k]];
    wanted[i] = 2 * sum + (old ? 3 * y[i] : -right[2 * i]);
  }
  warploom::RowStart<double> start{-1, right.data(), 2};
  if (old) start = {3, y.data(), 1};
  warploom::launchRows<double>(warploom::Stream(), rows, 2, starts.data(), places.data(), values.data(),
                               x.data(), start, y.data());
  EXPECT_EQ(y, wanted);
}

/// Rows of these lengths behind `before` entries that belong to none, and as many at the end.
void compareLengths(const std::vector<int>& lengths, int before) {
  std::vector<int> starts = {before}, places(before, 1 << 30);
  for (int length : lengths) {
    for (int k = 0; k < length; ++k)
      places.push_back(static_cast<int>((places.size() * 31) % 97));
    starts.push_back(static_cast<int>(places.size()));
  }
  places.insert(places.end(), before, 1 << 30);
  for (bool old : {false, true})
    compare(starts, places, old);
}

TEST(Sparse, ShortRowsOfManyBlocks) {
  std::vector<int> lengths(1000);
  for (std::size_t i = 0; i < lengths.size(); ++i)
    lengths[i] = static_cast<int>(i % 7);
  compareLengths(lengths, 0);
  compareLengths(lengths, 3);
  compareLengths({1}, 0);
  compareLengths({0}, 2);
}

TEST(Sparse, RowsLongerThanABlockKeeps) {
  compareLengths({5, 10000, 0, 2048, 1, 4096, 3}, 0);
  std::vector<int> lengths(513, 30); // each block has several rounds, and rows that are in two of them
  lengths[255] = 5000;
  compareLengths(lengths, 1);
}

TEST(Sparse, RowsThatDoNotFollow) {
  // Rows 0 and 2 have entries; those from 5 to 7 are in no row, and their columns are nowhere.
  std::vector<int> places = {1, 2, 3, 4, 5, 1 << 30, 1 << 30, 1 << 30, 8, 9, 10};
  compare({8, 11, 0, 5}, places, true);
  compare({8, 11, 0, 5}, places, false);
}

} // namespace
