#include "Formats.h"

#include "Error.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <unistd.h>

namespace warploom::la {

void checkMemory(double bytes) {
  const double all =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes > all / 2)
    throw Error(RT_ALLOCATION_FAILED, "this takes more than half of the memory of this machine");
}

template <class T> void sortCoordinates(Coordinates<T>& matrix) {
  const std::size_t count = matrix.count();
  if (count > static_cast<std::size_t>(INT_MAX)) throw Error(RT_NOT_SUPPORTED, "2^31 entries or more");
  auto before = [&](std::size_t a, std::size_t b) {
    return matrix.rows[a] != matrix.rows[b] ? matrix.rows[a] < matrix.rows[b]
                                            : matrix.columns[a] < matrix.columns[b];
  };
  for (std::size_t p = 0; p < count; ++p)
    if (matrix.rows[p] < 0 || matrix.rows[p] >= matrix.m || matrix.columns[p] < 0 ||
        matrix.columns[p] >= matrix.n)
      throw Error(RT_INVALID_VALUE, "entry " + std::to_string(p + 1) + " is outside the matrix");
  bool sorted = true;
  for (std::size_t p = 1; p < count && sorted; ++p)
    sorted = before(p - 1, p);
  if (sorted) return;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), before);
  for (std::size_t p = 1; p < count; ++p)
    if (!before(order[p - 1], order[p]))
      throw Error(RT_INVALID_VALUE, "row " + std::to_string(matrix.rows[order[p]] + 1) + ", column " +
                                        std::to_string(matrix.columns[order[p]] + 1) + " is given twice");
  Coordinates<T> result;
  result.m = matrix.m;
  result.n = matrix.n;
  for (std::size_t p : order) {
    result.rows.push_back(matrix.rows[p]);
    result.columns.push_back(matrix.columns[p]);
    result.values.push_back(matrix.values[p]);
  }
  matrix = std::move(result);
}

template <class T> Csr<T> toCsr(const Coordinates<T>& matrix) {
  checkMemory(4.0 * matrix.m + (4.0 + sizeof(T)) * static_cast<double>(matrix.count()));
  Csr<T> result{matrix.m, matrix.n, std::vector<int>(static_cast<std::size_t>(matrix.m) + 1), matrix.columns,
                matrix.values};
  for (int row : matrix.rows)
    ++result.offsets[static_cast<std::size_t>(row) + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  return result;
}

template <class T> Coordinates<T> toCoordinates(const Csr<T>& matrix) {
  Coordinates<T> result{matrix.m, matrix.n, {}, matrix.columns, matrix.values};
  result.rows.reserve(matrix.count());
  for (int i = 0; i < matrix.m; ++i)
    result.rows.insert(result.rows.end(), static_cast<std::size_t>(matrix.offsets[i + 1] - matrix.offsets[i]),
                       i);
  return result;
}

template <class T> Bsr<T> toBsr(const Csr<T>& matrix, int side) {
  Bsr<T> result;
  result.m = matrix.m;
  result.n = matrix.n;
  result.side = side;
  result.blockRows = matrix.m / side + (matrix.m % side != 0);
  result.blockColumns = matrix.n / side + (matrix.n % side != 0);
  result.offsets.push_back(0);
  const std::size_t area = static_cast<std::size_t>(side) * side;
  std::vector<int> blocks; // the block columns of a block row
  for (int blockRow = 0; blockRow < result.blockRows; ++blockRow) {
    const int begin = blockRow * side, end = matrix.m - begin < side ? matrix.m : begin + side;
    blocks.clear();
    for (int p = matrix.offsets[begin]; p < matrix.offsets[end]; ++p)
      blocks.push_back(matrix.columns[p] / side);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    const std::size_t first = result.columns.size();
    checkMemory(static_cast<double>(first + blocks.size()) * static_cast<double>(area * sizeof(T)));
    result.columns.insert(result.columns.end(), blocks.begin(), blocks.end());
    result.values.resize(result.columns.size() * area);
    for (int i = begin; i < end; ++i)
      for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p) {
        auto at = std::lower_bound(blocks.begin(), blocks.end(), matrix.columns[p] / side) - blocks.begin();
        result.values[(first + static_cast<std::size_t>(at)) * area +
                      static_cast<std::size_t>(i - begin) * side +
                      static_cast<std::size_t>(matrix.columns[p] % side)] = matrix.values[p];
      }
    result.offsets.push_back(static_cast<int>(result.columns.size()));
  }
  return result;
}

template <class T> Sell<T> toSell(const Csr<T>& matrix, int width) {
  constexpr int slice = Sell<T>::slice;
  Sell<T> result;
  result.m = matrix.m;
  result.n = matrix.n;
  auto length = [&](int i) {
    const int all = matrix.offsets[i + 1] - matrix.offsets[i];
    return width < 0 ? all : std::min(all, width);
  };
  long long size = 0;
  result.offsets.push_back(0);
  for (long long begin = 0; begin < matrix.m; begin += slice) {
    int longest = width < 0 ? 0 : width;
    for (long long i = begin; i < std::min<long long>(matrix.m, begin + slice); ++i)
      longest = std::max(longest, length(static_cast<int>(i)));
    size += static_cast<long long>(longest) * slice;
    if (size > INT_MAX) throw Error(RT_NOT_SUPPORTED, "padded to ELL the matrix has 2^31 elements or more");
    result.offsets.push_back(static_cast<int>(size));
  }
  checkMemory(static_cast<double>(size) * (4 + sizeof(T)));
  result.columns.assign(static_cast<std::size_t>(size), -1);
  result.values.assign(static_cast<std::size_t>(size), T{});
  for (int i = 0; i < matrix.m; ++i) {
    const std::size_t base =
        static_cast<std::size_t>(result.offsets[i / slice]) + static_cast<std::size_t>(i % slice);
    for (int k = 0; k < length(i); ++k) {
      result.columns[base + static_cast<std::size_t>(k) * slice] = matrix.columns[matrix.offsets[i] + k];
      result.values[base + static_cast<std::size_t>(k) * slice] = matrix.values[matrix.offsets[i] + k];
    }
    result.entries += static_cast<std::size_t>(length(i));
  }
  return result;
}

template <class T> int hybridWidth(const Csr<T>& matrix) {
  std::vector<int> lengths;
  for (int i = 0; i < matrix.m; ++i)
    lengths.push_back(matrix.offsets[i + 1] - matrix.offsets[i]);
  if (lengths.empty()) return 0;
  auto third = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 3);
  std::nth_element(lengths.begin(), third, lengths.end(), std::greater<int>());
  return *third;
}

template <class T> Hybrid<T> toHybrid(const Csr<T>& matrix) {
  Hybrid<T> result;
  result.width = hybridWidth(matrix);
  result.regular = toSell(matrix, result.width);
  result.rest.m = matrix.m;
  result.rest.n = matrix.n;
  for (int i = 0; i < matrix.m; ++i)
    for (int p = matrix.offsets[i] + result.width; p < matrix.offsets[i + 1]; ++p) {
      result.rest.rows.push_back(i);
      result.rest.columns.push_back(matrix.columns[p]);
      result.rest.values.push_back(matrix.values[p]);
    }
  return result;
}

template <class T> RTrowStatistics rowStatistics(const Csr<T>& matrix) {
  RTrowStatistics result{0, 0, 0, 0, 0, 0};
  if (matrix.m == 0 || matrix.count() == 0) return result;
  const double entries = static_cast<double>(matrix.count());
  result.shortest = INT_MAX;
  result.mean = entries / matrix.m;
  double squares = 0, padded = 0, blocks = 0;
  int longestOfSlice = 0;
  std::vector<int> blockColumns;
  for (int i = 0; i < matrix.m; ++i) {
    const int length = matrix.offsets[i + 1] - matrix.offsets[i];
    result.shortest = std::min(result.shortest, length);
    result.longest = std::max(result.longest, length);
    squares += (length - result.mean) * (length - result.mean);
    longestOfSlice = std::max(longestOfSlice, length);
    if (i % Sell<T>::slice == Sell<T>::slice - 1 || i == matrix.m - 1) {
      padded += static_cast<double>(longestOfSlice) * Sell<T>::slice;
      longestOfSlice = 0;
    }
    for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p)
      blockColumns.push_back(matrix.columns[p] / blockSide);
    if (i % blockSide == blockSide - 1 || i == matrix.m - 1) {
      std::sort(blockColumns.begin(), blockColumns.end());
      blocks +=
          static_cast<double>(std::unique(blockColumns.begin(), blockColumns.end()) - blockColumns.begin());
      blockColumns.clear();
    }
  }
  result.deviation = std::sqrt(squares / matrix.m);
  result.block_fill = entries / (blocks * blockSide * blockSide);
  result.slice_padding = padded / entries;
  return result;
}

RTformat chooseFormat(const RTrowStatistics& statistics) {
  if (statistics.longest == 0) return RTCSR;
  if (statistics.block_fill >= 0.75) return RTBSR;
  constexpr double longRows = 256; // each is worth several threads, which a slice does not give it
  if (statistics.slice_padding <= 1.25 && statistics.mean <= longRows) return RTSELL;
  if (statistics.longest > 4 * statistics.mean && statistics.mean >= 2) return RTHYB;
  return RTCSR;
}

#define WARPLOOM_LA_FORMATS(T)                                                                               \
  template void sortCoordinates(Coordinates<T>&);                                                            \
  template Csr<T> toCsr(const Coordinates<T>&);                                                              \
  template Coordinates<T> toCoordinates(const Csr<T>&);                                                      \
  template Bsr<T> toBsr(const Csr<T>&, int);                                                                 \
  template Sell<T> toSell(const Csr<T>&, int);                                                               \
  template Hybrid<T> toHybrid(const Csr<T>&);                                                                \
  template RTrowStatistics rowStatistics(const Csr<T>&);                                                     \
  template int hybridWidth(const Csr<T>&);
WARPLOOM_LA_FORMATS(float)
WARPLOOM_LA_FORMATS(double)

} // namespace warploom::la
