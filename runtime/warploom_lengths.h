// Whether memory that a launcher is about to copy is there. Where only data tell how much of an array loops
// use (`if (c[i]) p[i] = 1`), it may be shorter than they are. Included by warploom_array.h.
#pragma once

#include <cstdint>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace warploom {

/// True when the program may read all of these bytes.
inline bool isReadable(const void* memory, std::size_t bytes) {
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t last = at + bytes;
  // Reading each page is what the copy does next; the call fails where one cannot be read, and in systems
  // that do not know it.
  constexpr int populateRead = 22; // MADV_POPULATE_READ
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = at / page * page;
  if (madvise(reinterpret_cast<void*>(begin), last - begin, populateRead) == 0) return true;
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (!maps) return false;
  // Not by the names of <cinttypes> for uintptr_t: they are macros, and this is in programs that have names
  // of their own.
  unsigned long first = 0, end = 0;
  char may[5] = "";
  while (at < last && std::fscanf(maps, "%lx-%lx %4s%*[^\n]", &first, &end, may) == 3) {
    if (end <= at) continue;
    if (first > at || may[0] != 'r') break;
    at = end;
  }
  std::fclose(maps);
  return at >= last;
}

} // namespace warploom
