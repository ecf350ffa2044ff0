// Small arrays, which the host and the device use in turn: to copy one costs more than what is in it. The
// device keeps its copies of them, and the host has images in page-locked memory of what these copies hold.
// An array that still is what its image is need not be copied to the device; and what comes back to the
// images is waited for once, together. Included by warploom_array.h.
#pragma once

#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace warploom {

/// The small arrays of a thread.
class SmallArrays {
public:
  /// Whether the CPU execution has them, too, for tests: the sanitizer wants every array by itself.
  static inline bool onCpu = false;

  /// A copy of an array on the device.
  struct Copy {
    char* device;
    char* image;
    std::size_t bytes;
    bool same; ///< the image is what the device has
  };

  /// The copy of `bytes` bytes that begin at `host`; what is in it is not known where it is not the same as
  /// its image. Null where they are too many, or small arrays are so seldom used that it does not pay.
  Copy* of(const void* host, std::size_t bytes) {
    if (!host || bytes == 0 || bytes > most || !isWanted()) return nullptr;
    auto [found, isNew] = byHost.try_emplace({host, bytes}, nullptr);
    if (!isNew) return found->second;
    const std::size_t begin = (used + alignment - 1) / alignment * alignment;
    if (begin + bytes > capacity) {
      byHost.erase(found);
      isFull = true;
      return nullptr;
    }
    used = begin + bytes;
    copies.push_back({device + begin, images + begin, bytes, false});
    return found->second = &copies.back();
  }

  /// That which has `memory` of the device in it; null where none has.
  Copy* around(const void* memory) {
    const char* at = static_cast<const char*>(memory);
    if (copies.empty() || at < device || at >= device + used) return nullptr;
    std::size_t low = 0, high = copies.size(); // copies lie in the order in which they were made
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (copies[middle].device <= at ? low : high) = middle;
    }
    return &copies[low];
  }

  /// Makes `bytes` bytes of the device at `to` what the host has at `from`. The result is false where they
  /// were that already.
  template <typename Start>
  bool copyIn(Copy& copy, void* to, const void* from, std::size_t bytes, Start&& start) {
    char* image = imageOf(copy, to);
    if (copy.same && std::memcmp(image, from, bytes) == 0) return false;
    std::memcpy(image, from, bytes);
    start(to, image);
    copy.same = copy.same || bytes == copy.bytes;
    return true;
  }
  /// The host gets these bytes at `to` when they `arrive`.
  template <typename Start>
  void copyOut(Copy& copy, void* to, const void* from, std::size_t bytes, Start&& start) {
    char* image = imageOf(copy, from);
    start(image, from);
    coming.push_back({to, image, bytes});
    copy.same = copy.same || bytes == copy.bytes;
  }
  /// All that was to come back to images is there.
  void arrive() {
    for (const Coming& one : coming)
      std::memcpy(one.to, one.image, one.bytes);
    coming.clear();
  }

  /// A region begins: no copy is in use.
  void begin() {
    coming.clear();
    if (!isFull) return;
    byHost.clear();
    copies.clear();
    used = 0;
    isFull = false;
  }

private:
  static constexpr std::size_t most = 64 << 10, capacity = 4 << 20, alignment = 256;
  /// Programs that use fewer of them do not get the memory, which takes about a millisecond to make.
  static constexpr int fewest = 64;

  struct Coming {
    void* to;
    const char* image;
    std::size_t bytes;
  };

  static char* imageOf(const Copy& copy, const void* memory) {
    return copy.image + (static_cast<const char*>(memory) - copy.device);
  }

  /// Whether there is memory for them on the current device.
  bool isWanted() {
#ifndef __CUDACC__
    if (!onCpu) return false;
#endif
    if (asked < fewest) return ++asked == fewest && make();
    return device && currentDevice() == owner;
  }
  bool make() {
    owner = currentDevice();
    images = static_cast<char*>(allocatePageLocked(capacity));
    device = images ? static_cast<char*>(allocateToStay(capacity)) : nullptr;
    return device != nullptr;
  }

  std::map<std::pair<const void*, std::size_t>, Copy*> byHost;
  std::deque<Copy> copies;
  std::vector<Coming> coming;
  char *device = nullptr, *images = nullptr; ///< of `capacity` bytes each, or null; nobody gives them back
  std::size_t used = 0;
  bool isFull = false;
  int asked = 0, owner = 0;
};
/// It stays: regions may run in handlers of `atexit`, when the main thread's own objects have gone.
inline thread_local SmallArrays& smallArrays = *new SmallArrays;

} // namespace warploom
