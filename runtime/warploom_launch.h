// The words both worlds use to say where something runs and which line of the program asked for it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace warploom {

/// A line of the generated program. As a default argument it is the line of the caller.
struct Place {
  const char* file;
  int line;

  static constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// The region, `function:line` of the user's source, that this thread of the host is in; null outside all
/// regions.
inline thread_local const char* currentRegion = nullptr;

/// Ends the program with status 1: `what` failed for the reason given.
[[noreturn]] inline void fail(Place place, const char* what, const char* reason) {
  std::fprintf(stderr, "warploom: %s%s%s%s:%d: %s failed: %s\n", currentRegion ? "region " : "",
               currentRegion ? currentRegion : "", currentRegion ? ": " : "", place.file, place.line, what,
               reason);
  std::exit(EXIT_FAILURE);
}

/// The shared memory, in bytes, that a block has on every device. For more, the kernel has to ask.
inline constexpr std::size_t sharedOfEveryBlock = 48 * 1024;

/// The shape of a launch. A grid with an extent of 0 launches nothing. `sharedBytes` is the dynamic shared
/// memory of each block; the place, for messages, is where the Launch was written.
struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes;
  Stream stream;
  Place place;

  Launch(dim3 grid, dim3 block, std::size_t sharedBytes = 0, Stream stream = Stream(),
         const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : grid(grid), block(block), sharedBytes(sharedBytes), stream(stream), place{file, line} {}

  bool isEmpty() const { return grid.x == 0 || grid.y == 0 || grid.z == 0; }
};

/// What device memory is for, so that the sanitizer can name it: `extents` holds `rank` numbers, outermost
/// first.
struct ArrayName {
  const char* name = nullptr;
  std::size_t elementBytes = 1;
  /// The smallest part of an element that is read or written alone: the element when it is a number, else a
  /// byte.
  std::size_t atomBytes = 1;
  int rank = 0;
  const std::size_t* extents = nullptr;
};

} // namespace warploom
