// Shapes of launches that depend on the device: lines of blocks that leave no multiprocessor idle, and grids
// of which all blocks are resident. Included by warploom_region.h.
#pragma once

#include "warploom_index.h"
#include "warploom_wishes.h"

namespace warploom {

/// How many elements the largest array has that this thread's region took: for LaunchWish::Crink.
inline thread_local long largestArray = 0;

/// A launch of blocks of at most `most` threads over the indices [first, end), each thread taking one of
/// every `step`. Where there are too few indices to give every multiprocessor such a block, blocks are
/// shorter.
inline Launch line(long first, long end, int most, long step = 1, Place place = Place::here()) {
  constexpr long lanes = 32;
  long count = end > first ? (end - first + step - 1) / step : 0;
  if (launchWish() == LaunchWish::Crink && count > 0) count = larger(count, largestArray);
  const long each = (count + multiprocessors() - 1) / multiprocessors();
  const long threads = smaller(larger((each + lanes - 1) / lanes * lanes, lanes), static_cast<long>(most));
  return {dim3(blocks(0, count, threads)),
          dim3(static_cast<unsigned>(threads)),
          0,
          Stream(),
          place.file,
          place.line};
}

/// The greater extent along each axis.
inline dim3 larger(const dim3& a, const dim3& b) {
  return dim3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/// `all`, if no more than `most` blocks, which can be resident at once; else an empty grid or, by `shrink`, a
/// smaller one, over which kernels have to stride.
inline dim3 residentGrid(dim3 all, unsigned most, bool shrink) {
  if (1ull * all.x * all.y * all.z <= most) return all;
  if (!shrink || most == 0) return dim3(0, 0, 0);
  all.x = all.x < most ? all.x : most;
  all.y = all.y < most / all.x ? all.y : most / all.x;
  const unsigned left = most / (all.x * all.y);
  all.z = all.z < left ? all.z : left;
  return all;
}

} // namespace warploom
