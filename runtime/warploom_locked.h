// Static memory of the program that goes to the device and back again and again: it is page-locked where it
// is, so that it moves as fast as the link. Only what stays in its place as long as the program can be, since
// the device keeps the pages, not their addresses. `Link` does it (warploom_transfers.h; tests have one of
// their own).
#pragma once

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace warploom {

/// Whether all of that is in a writable segment of the program itself; what libraries have goes with them.
inline bool isStatic(const void* memory, std::size_t bytes) {
  struct Question {
    std::uintptr_t begin, end;
    bool inside;
  } question{reinterpret_cast<std::uintptr_t>(memory), reinterpret_cast<std::uintptr_t>(memory) + bytes,
             false};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& question = *static_cast<Question*>(data);
        for (int k = 0; k < object->dlpi_phnum; ++k) {
          const auto& segment = object->dlpi_phdr[k];
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 && question.begin >= begin &&
              question.end <= begin + segment.p_memsz)
            question.inside = true;
        }
        return 1; // the first object is the program
      },
      &question);
  return question.inside;
}

template <typename Link> class LockedMemory {
public:
  /// Less is not worth it.
  static constexpr std::size_t least = 16 << 20;

  /// A piece of memory.
  struct Part {
    char* begin = nullptr;
    std::size_t bytes = 0;
  };

  /// The part of that memory, which is about to be copied, that is page-locked: all of its whole pages, or
  /// nothing. It is locked when it is asked for the second time.
  Part of(const void* memory, std::size_t bytes, const Link& link) {
    if (bytes < least || !isStatic(memory, bytes)) return {};
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    std::lock_guard<std::mutex> lock(mutex);
    for (Range& range : ranges) {
      if (end <= range.begin || begin >= range.end) continue;
      if (begin < range.begin || end > range.end) { // another size: what it is now counts
        if (range.locked) link.unlock(reinterpret_cast<void*>(range.begin));
        range = {begin, end, false, false};
        return {};
      }
      if (!range.locked && !range.refused) {
        range.locked = link.lock(reinterpret_cast<void*>(range.begin), range.end - range.begin);
        range.refused = !range.locked;
      }
      if (!range.locked) return {};
      return {reinterpret_cast<char*>(begin), end - begin};
    }
    ranges.push_back({begin, end, false, false});
    return {};
  }

  /// Nothing is locked any more, and everything may be again. A child made by `fork` shares its pages with
  /// the program, which then gets others when it writes, without the device's knowing.
  void unlockAll(const Link& link) {
    std::lock_guard<std::mutex> lock(mutex);
    for (const Range& range : ranges)
      if (range.locked) link.unlock(reinterpret_cast<void*>(range.begin));
    ranges.clear();
  }

private:
  struct Range {
    std::uintptr_t begin, end;
    bool locked, refused;
  };
  std::mutex mutex;
  std::vector<Range> ranges;
};

} // namespace warploom
