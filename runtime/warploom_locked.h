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
  /// Less is not worth it.
  static constexpr std::size_t least = 256 << 10;

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

  /// The part of that memory, which is about to be copied, that is page-locked: all of its whole pages, or
  /// nothing. Static memory is locked when it is asked for the second time, a block of the heap, which may be
  /// given back soon, at the fourth.
  Part of(const void* memory, std::size_t bytes, const Link& link) {
    if (bytes < least) return {};
    const Range wanted = pagesOf(memory, bytes);
    std::lock_guard<std::mutex> lock(mutex);
    auto range = find(wanted);
    if (range != ranges.end() && (wanted.begin < range->begin || wanted.end > range->end)) {
      remove(range, link); // another size: what it is now counts
      range = ranges.end();
    }
    if (range == ranges.end()) {
      const unsigned patience = isStatic(memory, bytes) ? 1 : link.watch(memory, bytes) ? 3 : 0;
      if (patience == 0) return {};
      ranges.push_back(wanted);
      ranges.back().patience = patience;
      return {};
    }
    if (!range->locked && !range->refused && --range->patience == 0) {
      range->locked =
          range->bytes() <= most - locked && link.lock(reinterpret_cast<void*>(range->begin), range->bytes());
      range->refused = !range->locked;
      locked += range->locked ? range->bytes() : 0;
    }
    if (!range->locked) return {};
    return {reinterpret_cast<char*>(wanted.begin), wanted.end - wanted.begin};
  }

  /// What `of` has made of that memory, or could make of it.
  State stateOf(const void* memory, std::size_t bytes, const Link& link) {
    if (bytes < least) return State::Plain;
    const Range wanted = pagesOf(memory, bytes);
    std::lock_guard<std::mutex> lock(mutex);
    const auto range = find(wanted);
    if (range != ranges.end() && range->refused) return State::Plain;
    if (range != ranges.end() && wanted.begin >= range->begin && wanted.end <= range->end)
      return range->locked ? State::Locked : State::Lockable;
    return isStatic(memory, bytes) || link.isBlock(memory, bytes) ? State::Lockable : State::Plain;
  }

  /// The block of the heap that begins at `memory` is about to go.
  void forget(const void* memory, std::size_t bytes, const Link& link) {
    std::lock_guard<std::mutex> lock(mutex);
    const Range gone = pagesOf(memory, bytes);
    for (auto range = find(gone); range != ranges.end(); range = find(gone))
      remove(range, link);
  }

  /// A child is about to be made by `fork`: nothing is locked any more, and everything may be again, but only
  /// after endFork, in parent and child. They share pages, and the program gets others when it writes,
  /// without the device's knowing.
  void beginFork(const Link& link) {
    mutex.lock();
    while (!ranges.empty())
      remove(ranges.end() - 1, link);
  }
  void endFork() { mutex.unlock(); }

private:
  /// Whole pages.
  struct Range {
    std::uintptr_t begin, end;
    unsigned patience = 0; ///< so often it may still move before it is locked
    bool locked = false, refused = false;
    std::size_t bytes() const { return end - begin; }
  };
  static Range pagesOf(const void* memory, std::size_t bytes) {
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    return {(at + page - 1) / page * page, (at + bytes) / page * page};
  }
  using Found = typename std::vector<Range>::iterator;
  /// The first one that shares a page with `wanted`.
  Found find(const Range& wanted) {
    return std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
      return wanted.end > range.begin && wanted.begin < range.end;
    });
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
