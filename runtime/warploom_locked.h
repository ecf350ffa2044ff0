// Memory of the program that goes to the device and back again and again: it is page-locked where it is, so
// that it moves as fast as the link. The device keeps the pages, not their addresses, so it can only be what
// stays in its place: static memory, and blocks of the heap, of which the heap tells before they go. `Link`
// does it (warploom_transfers.h; tests have one of their own).
#pragma once

#include <algorithm>
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
  /// Less is not worth it; of static memory, of which a piece may be asked for, much less is not.
  static constexpr std::size_t least = 256 << 10, leastStatic = 16 << 20;

  /// A piece of memory.
  struct Part {
    char* begin = nullptr;
    std::size_t bytes = 0;
  };
  enum class State { Plain, Lockable, Locked };

  /// At most so many bytes are locked at any time: what is locked the system cannot give to others.
  explicit LockedMemory(std::size_t most = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 4 *
                                           static_cast<std::size_t>(sysconf(_SC_PAGESIZE)))
      : most(most) {}

  /// The first part of that memory, which is about to be copied, that is page-locked; nothing if none is. The
  /// whole pages of static memory are locked when it is asked for the second time; a block of the heap, which
  /// may be given back soon, as a whole at the fourth.
  Part of(const void* memory, std::size_t bytes, const Link& link) {
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes >= least) count(memory, bytes, link);
    return firstLocked(memory, bytes);
  }
  /// The same, but the copy does not count.
  Part lockedIn(const void* memory, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    return firstLocked(memory, bytes);
  }

  /// What `of` has made of that memory, or could make of it.
  State stateOf(const void* memory, std::size_t bytes, const Link& link) {
    if (bytes < least) return State::Plain;
    const Range wanted = pagesOf(memory, bytes);
    std::lock_guard<std::mutex> lock(mutex);
    const auto range = find(wanted);
    if (range != ranges.end() && range->refused) return State::Plain;
    if (range != ranges.end() && range->contains(wanted))
      return range->locked ? State::Locked : State::Lockable;
    const bool isLockable =
        (bytes >= leastStatic && isStatic(memory, bytes)) || link.block(memory, bytes).bytes > 0;
    return isLockable ? State::Lockable : State::Plain;
  }

  /// The block of the heap that begins at `memory` is about to go.
  void forget(const void* memory, std::size_t bytes, const Link& link) {
    std::lock_guard<std::mutex> lock(mutex);
    const Range gone = pagesOf(memory, bytes);
    for (auto range = find(gone); range != ranges.end(); range = find(gone))
      remove(range, link);
  }

  /// Nothing is locked any more, and everything may be again. A child made by `fork` shares its pages with
  /// the program, which then gets others when it writes, without the device's knowing.
  void unlockAll(const Link& link) {
    std::lock_guard<std::mutex> lock(mutex);
    while (!ranges.empty())
      remove(ranges.end() - 1, link);
  }

private:
  /// Pages. No two ranges share one.
  struct Range {
    std::uintptr_t begin, end;
    unsigned patience = 0; ///< so often it may still move before it is locked
    bool locked = false, refused = false;
    std::size_t bytes() const { return end - begin; }
    bool contains(const Range& other) const { return begin <= other.begin && other.end <= end; }
  };
  using Found = typename std::vector<Range>::iterator;

  /// The whole pages in that memory.
  static Range pagesOf(const void* memory, std::size_t bytes) {
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    return {(at + page - 1) / page * page, (at + bytes) / page * page};
  }
  /// The first one that shares a page with `wanted`.
  Found find(const Range& wanted) {
    return std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
      return wanted.end > range.begin && wanted.begin < range.end;
    });
  }
  void count(const void* memory, std::size_t bytes, const Link& link) {
    const Range wanted = pagesOf(memory, bytes);
    Found range = find(wanted);
    while (range != ranges.end() && !range->contains(wanted)) {
      remove(range, link); // another size: what it is now counts
      range = find(wanted);
    }
    if (range != ranges.end()) return wait(*range, link);
    Range made = wanted;
    if (bytes >= leastStatic && isStatic(memory, bytes)) {
      made.patience = 1;
    } else if (const Part block = link.watch(memory, bytes); block.bytes > 0) {
      made.begin = reinterpret_cast<std::uintptr_t>(block.begin);
      made.end = made.begin + block.bytes;
      made.patience = 3;
      for (range = find(made); range != ranges.end(); range = find(made))
        remove(range, link);
    } else {
      return;
    }
    ranges.push_back(made);
  }
  void wait(Range& range, const Link& link) {
    if (range.locked || range.refused || --range.patience > 0) return;
    range.locked =
        range.bytes() <= most - locked && link.lock(reinterpret_cast<void*>(range.begin), range.bytes());
    range.refused = !range.locked;
    locked += range.locked ? range.bytes() : 0;
  }
  Part firstLocked(const void* memory, std::size_t bytes) const {
    if (locked == 0) return {};
    const auto begin = reinterpret_cast<std::uintptr_t>(memory), end = begin + bytes;
    std::uintptr_t first = end, last = end;
    for (const Range& range : ranges)
      if (range.locked && range.begin < end && range.end > begin && range.begin < first) {
        first = std::max(begin, range.begin);
        last = std::min(end, range.end);
      }
    return first == end ? Part() : Part{reinterpret_cast<char*>(first), last - first};
  }
  void remove(Found range, const Link& link) {
    if (range->locked) {
      link.unlock(reinterpret_cast<void*>(range->begin));
      locked -= range->bytes();
    }
    ranges.erase(range);
  }

  std::mutex mutex;
  std::vector<Range> ranges;
  const std::size_t most;
  std::size_t locked = 0; ///< bytes
};

} // namespace warploom
