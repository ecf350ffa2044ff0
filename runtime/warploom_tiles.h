// Tiles of arrays in shared memory: how the threads of a block copy them there, which points of a tile a
// thread has, and products of tiles on tensor cores.
#pragma once

#include "warploom_index.h"

#include <cstdint>
#include <type_traits>

namespace warploom {

/// Where `item` of `items` of a thread lies among the points of a tile that `threads` share: a thread's are
/// neighbours in groups of `group`, or all together where that does not divide them.
template <int group, int items, int threads> __host__ __device__ constexpr int pointOf(int item, int thread) {
  constexpr int own = items % group == 0 ? group : items;
  return (item / own * threads + thread) * own + item % own;
}

namespace detail {

template <typename T> struct Same {
  using type = T;
};
/// T, which is told by other arguments.
template <typename T> using Given = typename Same<T>::type;

/// How many of `most` elements are there where `left` are.
template <typename Index> __device__ __forceinline__ int atMost(int most, Index left) {
  return left < most ? static_cast<int>(left) : most;
}

/// Which elements of a tile are there: rows and columns before these ends.
struct Part {
  int rows, columns;
  __device__ __forceinline__ bool hasFirstColumn() const { return true; }
  __device__ __forceinline__ bool hasRow(int row) const { return row < rows; }
  __device__ __forceinline__ bool has(int row, int column) const { return hasRow(row) && column < columns; }
};
/// The same, but for those before these beginnings.
struct LatePart {
  int rows, columns, firstRow, firstColumn;
  __device__ __forceinline__ bool hasFirstColumn() const { return firstColumn <= 0; }
  __device__ __forceinline__ bool hasRow(int row) const { return row < rows && row >= firstRow; }
  __device__ __forceinline__ bool has(int row, int column) const {
    return hasRow(row) && column < columns && column >= firstColumn;
  }
};

/// Begins to copy rows of a matrix, `pitch` apart, to a tile. `whole`: all are there; else those that are not
/// in `part` are 0.
template <bool whole, int columns, int threads, typename T, int rows, int width, typename Index,
          typename There>
__device__ __forceinline__ void copyRows(int thread, T (&to)[rows][width], const T* from, Index pitch,
                                         There part) {
  constexpr int wide = 16 / static_cast<int>(sizeof(T)), groups = columns / wide;
  if constexpr (columns % wide == 0 && width % wide == 0 && threads % groups == 0) {
    if (pitch % wide == 0 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0 && part.hasFirstColumn()) {
      constexpr int step = threads / groups;
      const int row = thread / groups, column = thread % groups * wide;
      const T* source = from + row * pitch + column;
#pragma unroll
      for (int first = 0; first < rows; first += step) {
        if (rows % step != 0 && first + row >= rows) break;
        if constexpr (whole) {
          copyWide(&to[first + row][column], source);
        } else {
          copyWide(&to[first + row][column], source,
                   part.hasRow(first + row) ? atMost(wide, part.columns - column) : 0);
        }
        source += step * pitch;
      }
      return;
    }
  }
#pragma unroll 1
  for (int t = thread; t < rows * columns; t += threads) {
    const int row = t / columns, column = t % columns;
    if constexpr (whole)
      copyAsync(&to[row][column], from + row * pitch + column);
    else
      copyAsync(&to[row][column], from + row * pitch + column, part.has(row, column));
  }
}

/// The same for a tile whose rows are the matrix's columns. Eight neighbours of a row are copied by threads
/// of one warp, which is what memory gives at once, and to different banks.
template <bool whole, int rows, int threads, typename T, int columns, int width, typename Index,
          typename There>
__device__ __forceinline__ void copyColumns(int thread, T (&to)[columns][width], const T* from, Index pitch,
                                            There part) {
  constexpr int across = threads % 8 == 0 ? 8 : 1, step = threads / across;
  const int row = thread / across, column = thread % across;
  const T* source = from + row * pitch + column;
#pragma unroll
  for (int first = 0; first < rows; first += step) {
#pragma unroll
    for (int next = 0; next < columns; next += across) {
      if ((rows % step != 0 && first + row >= rows) || (columns % across != 0 && next + column >= columns))
        break;
      if constexpr (whole)
        copyAsync(&to[next + column][first + row], source + next);
      else
        copyAsync(&to[next + column][first + row], source + next, part.has(first + row, next + column));
    }
    source += step * pitch;
  }
}

} // namespace detail

/// Begins to copy a tile to shared memory, in which all `threads` of a block take part: `columns` of each of
/// its rows, which are `pitch` elements apart in memory and begin at `from`. It is there when the block has
/// passed a barrier after `waitForCopies`.
template <int columns, int threads, typename T, int rows, int width, typename Index>
__device__ __forceinline__ void copyTile(int thread, T (&to)[rows][width], const T* from, Index pitch) {
  detail::copyRows<true, columns, threads>(thread, to, from, pitch, detail::Part{rows, columns});
}
/// The same at the edge of an array, which has so many rows and columns from here on: the others become 0.
template <int columns, int threads, typename T, int rows, int width, typename Index>
__device__ __forceinline__ void copyTile(int thread, T (&to)[rows][width], const T* from, Index pitch,
                                         detail::Given<Index> rowsThere, detail::Given<Index> columnsThere) {
  detail::copyRows<false, columns, threads>(
      thread, to, from, pitch,
      detail::Part{detail::atMost(rows, rowsThere), detail::atMost(columns, columnsThere)});
}
/// And some of them, at the beginning, are not needed.
template <int columns, int threads, typename T, int rows, int width, typename Index>
__device__ __forceinline__ void copyTile(int thread, T (&to)[rows][width], const T* from, Index pitch,
                                         detail::Given<Index> rowsThere, detail::Given<Index> columnsThere,
                                         detail::Given<Index> rowsBefore,
                                         detail::Given<Index> columnsBefore) {
  detail::copyRows<false, columns, threads>(
      thread, to, from, pitch,
      detail::LatePart{detail::atMost(rows, rowsThere), detail::atMost(columns, columnsThere),
                       detail::atMost(rows, rowsBefore), detail::atMost(columns, columnsBefore)});
}

/// The same for a tile that is kept by columns: to[column][row].
template <int rows, int threads, typename T, int columns, int width, typename Index>
__device__ __forceinline__ void copyTransposed(int thread, T (&to)[columns][width], const T* from,
                                               Index pitch) {
  detail::copyColumns<true, rows, threads>(thread, to, from, pitch, detail::Part{rows, columns});
}
template <int rows, int threads, typename T, int columns, int width, typename Index>
__device__ __forceinline__ void copyTransposed(int thread, T (&to)[columns][width], const T* from,
                                               Index pitch, detail::Given<Index> rowsThere,
                                               detail::Given<Index> columnsThere) {
  detail::copyColumns<false, rows, threads>(
      thread, to, from, pitch,
      detail::Part{detail::atMost(rows, rowsThere), detail::atMost(columns, columnsThere)});
}
template <int rows, int threads, typename T, int columns, int width, typename Index>
__device__ __forceinline__ void
copyTransposed(int thread, T (&to)[columns][width], const T* from, Index pitch,
               detail::Given<Index> rowsThere, detail::Given<Index> columnsThere,
               detail::Given<Index> rowsBefore, detail::Given<Index> columnsBefore) {
  detail::copyColumns<false, rows, threads>(
      thread, to, from, pitch,
      detail::LatePart{detail::atMost(rows, rowsThere), detail::atMost(columns, columnsThere),
                       detail::atMost(rows, rowsBefore), detail::atMost(columns, columnsBefore)});
}

/// Tensor cores multiply fragments of 16 rows, 8 columns and 8 terms. Of the sums of the fragments that a
/// warp has, a thread has `sums` along y and x each: those of item `item` are in this row and column of the
/// tile.
template <int sums> __device__ __forceinline__ int tensorRow(int item) {
  return (static_cast<int>(threadIdx.y) * (sums / 2) + item / 2) * 16 + item % 2 * 8 +
         static_cast<int>(threadIdx.x) % 32 / 4;
}
template <int sums> __device__ __forceinline__ int tensorColumn(int item) {
  const int thread = static_cast<int>(threadIdx.x);
  return (thread / 32 * (sums / 2) + item / 2) * 8 + thread % 4 * 2 + item % 2;
}

namespace detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ __forceinline__ void addProduct(double (&sum)[4], const double (&a)[4], const double (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ __forceinline__ void addProduct(double (&sum)[4], const double (&a)[4], const double (&b)[2]) {
  for (int k = 0; k < 4; ++k)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sum[k % 2 * 2]), "+d"(sum[k % 2 * 2 + 1])
        : "d"(a[k]), "d"(b[k / 2]));
}
#endif

/// sum[i][j] += left(i, k) * right(k, j) for the sums that the thread has of a tile, of which row `i0` and
/// column `j0` are the first, and `terms` from `k0` on. Not `whole`: those from `end` on are left out.
template <bool whole, int terms, int rows, int columns, typename Left, typename Right, typename Index>
__device__ __forceinline__ void multiply(double (&sum)[rows][columns], const Left& left, const Right& right,
                                         Index i0, Index j0, Index k0, Index end) {
  static_assert(rows % 2 == 0 && columns % 2 == 0 && terms % 8 == 0, "whole fragments");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const int lane = threadIdx.x % 32, place = lane % 4;
  const Index first = j0 + threadIdx.x / 32 * (columns / 2 * 8) + lane / 4; // column of a factor
#pragma unroll 2
  for (int next = 0; next < terms; next += 8) {
    double a[rows / 2][4], b[columns / 2][2];
#pragma unroll
    for (int y = 0; y < rows / 2; ++y)
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const Index i = i0 + tensorRow<rows>(2 * y + part % 2), k = k0 + next + part / 2 * 4 + place;
        const double value = left(i, k);
        a[y][part] = whole || k < end ? value : 0;
      }
#pragma unroll
    for (int x = 0; x < columns / 2; ++x)
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const Index k = k0 + next + part * 4 + place;
        const double value = right(k, first + x * 8);
        b[x][part] = whole || k < end ? value : 0;
      }
#pragma unroll
    for (int y = 0; y < rows / 2; ++y)
#pragma unroll
      for (int x = 0; x < columns / 2; ++x) {
        double four[4] = {sum[2 * y][2 * x], sum[2 * y][2 * x + 1], sum[2 * y + 1][2 * x],
                          sum[2 * y + 1][2 * x + 1]};
        addProduct(four, a[y], b[x]);
        sum[2 * y][2 * x] = four[0];
        sum[2 * y][2 * x + 1] = four[1];
        sum[2 * y + 1][2 * x] = four[2];
        sum[2 * y + 1][2 * x + 1] = four[3];
      }
  }
#else
  for (Index k = k0; k < k0 + terms && (whole || k < end); ++k)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        sum[y][x] += left(i0 + tensorRow<rows>(y), k) * right(k, j0 + tensorColumn<columns>(x));
#endif
}

} // namespace detail

/// Adds to the sums that a thread has of a tile, on tensor cores where there are any, with all threads of the
/// block: sum[i][j] += left(i, k) * right(k, j), where i0 and j0 are the first row and column of the tile,
/// for `terms` from k0 on.
template <int terms, int rows, int columns, typename Left, typename Right, typename Index>
__device__ __forceinline__ void multiply(double (&sum)[rows][columns], const Left& left, const Right& right,
                                         Index i0, Index j0, Index k0) {
  detail::multiply<true, terms>(sum, left, right, i0, j0, k0, k0);
}
/// The same for the terms before `end`.
template <int terms, int rows, int columns, typename Left, typename Right, typename Index>
__device__ __forceinline__ void multiply(double (&sum)[rows][columns], const Left& left, const Right& right,
                                         Index i0, Index j0, Index k0, detail::Given<Index> end) {
  detail::multiply<false, terms>(sum, left, right, i0, j0, k0, end);
}

/// True when that many blocks give work to nearly all multiprocessors.
inline bool fills(dim3 grid) {
  return 8.0 * grid.x * grid.y * grid.z >= 7.0 * multiprocessors();
}

/// Starts a kernel with the tiles of `Many`; of `Turned`, whose rows are the columns of those, where that
/// makes clearly fewer; or of `Few`, where there would be too few to give all multiprocessors work. `shapeOf`
/// tells the launch for a set, `start` makes it.
template <typename Many, typename Turned, typename Few, typename ShapeOf, typename Start>
void launchTiles(const ShapeOf& shapeOf, const Start& start) {
  auto count = [](const Launch& shape) { return 1.0 * shape.grid.x * shape.grid.y * shape.grid.z; };
  const Launch many = shapeOf(Many());
  if constexpr (!std::is_same<Many, Turned>::value) {
    const Launch turned = shapeOf(Turned());
    constexpr double fewer = 0.8;
    if (fills(turned.grid) && count(turned) <= fewer * count(many)) return start(Turned(), turned);
  }
  if (fills(many.grid)) return start(Many(), many);
  start(Few(), shapeOf(Few()));
}

} // namespace warploom
