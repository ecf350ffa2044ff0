// What is remembered about every element that kernels touch, and when two accesses are ordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warploom::cpu::sanitize {

/// One access. An *interval* is what one block does between two barriers; intervals are numbered in the order
/// in which they begin, over the whole program, from 1 on. Number 0 marks a record that is empty.
struct Record {
  std::int32_t pc = 0; ///< relative to `codeOrigin`
  std::uint32_t block = 0, interval = 0;
  std::uint16_t thread = 0;
  std::uint16_t clock = 0; ///< of the thread's lane, see LaneClocks
};

enum class AccessKind { Read, Write, Atomic };

/// The memory of one element: its latest plain write, and two plain reads and two atomic accesses by
/// different threads, of different blocks or warps where there were such. A later access by any thread then
/// meets one that is not its own.
struct Cell {
  Record write, reads[2], atomics[2];
  std::uint32_t initialised = 0; ///< the interval of the first write since the block began
};

/// Cells for an array, made when first touched.
class Shadow {
public:
  explicit Shadow(std::size_t cells) : pages((cells + pageCells - 1) / pageCells) {}

  Cell& operator[](std::size_t i) {
    auto& page = pages[i / pageCells];
    if (!page) page = std::make_unique<Cell[]>(pageCells);
    return page[i % pageCells];
  }

private:
  static constexpr std::size_t pageCells = 256;
  std::vector<std::unique_ptr<Cell[]>> pages;
};

/// What `__syncwarp` orders inside the current interval: vector clocks over the lanes of each warp.
class LaneClocks {
public:
  /// A new interval: everything before is ordered by the barrier.
  void reset(int threads) { warps.assign(static_cast<std::size_t>((threads + 31) / 32), Warp()); }

  /// The lanes of `warp` in `lanes` have passed a warp barrier together.
  void join(int warp, unsigned lanes) {
    Warp& w = warps[static_cast<std::size_t>(warp)];
    std::uint16_t joined[32] = {};
    for (int lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1)
        for (int other = 0; other < 32; ++other)
          if (joined[other] < w.seen[lane][other]) joined[other] = w.seen[lane][other];
    for (int lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      for (int other = 0; other < 32; ++other)
        w.seen[lane][other] = joined[other];
      if (w.seen[lane][lane] < UINT16_MAX) ++w.seen[lane][lane];
    }
  }

  std::uint16_t now(int thread) const {
    return warps[static_cast<std::size_t>(thread / 32)].seen[thread % 32][thread % 32];
  }

  /// Whether what thread `earlier`, of the same warp, did at its time `clock` comes before what `thread` does
  /// now.
  bool ordered(int thread, int earlier, std::uint16_t clock) const {
    return clock <= warps[static_cast<std::size_t>(thread / 32)].seen[thread % 32][earlier % 32];
  }

private:
  struct Warp {
    /// seen[l][m]: what m did up to this time of its own is before what l does now. seen[l][l] is l's time.
    std::uint16_t seen[32][32];
    Warp() {
      for (int l = 0; l < 32; ++l)
        for (int m = 0; m < 32; ++m)
          seen[l][m] = l == m ? 1 : 0;
    }
  };
  std::vector<Warp> warps;
};

} // namespace warploom::cpu::sanitize
