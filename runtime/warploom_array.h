// Arrays in device memory, and what is known of the user's memory that they stand for: how long it is, where
// it was used last, and whether the device has a copy that stays. Included by warploom_region.h.
#pragma once

#include "warploom_globals.h"
#include "warploom_lengths.h"
#include "warploom_small.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

namespace warploom {

/// The bytes of the heap block that begins at an address, -1 when none is known to: warploom_heap.c, for
/// programs that are linked with it.
extern "C" long warploom_heapBytes(const void* begin) __attribute__((weak));

/// How many of these bytes of memory that both host and device see were used on the device last; -1 when they
/// are in none. With `place` 0 or 1 it is noted that they are used on the host or on the device. And how many
/// such blocks were used on the device last. Both as above.
extern "C" long warploom_residence(const void* memory, std::size_t bytes, int place) __attribute__((weak));
extern "C" int warploom_residentBlocks() __attribute__((weak));
/// How many of these bytes have no pages yet, as far as is known. As above.
extern "C" long warploom_freshBytes(const void* memory, std::size_t bytes) __attribute__((weak));

inline double residence(const void* memory, double bytes, int place = -1) {
  return warploom_residence
             ? static_cast<double>(warploom_residence(memory, static_cast<std::size_t>(bytes), place))
             : -1;
}

/// Copies on the device of files that the program has mapped to read them; of warploom_files.h, and as above.
extern "C" long warploom_fileMissing(const void* memory, std::size_t bytes) __attribute__((weak));
extern "C" void* warploom_fileCopy(const void* memory, std::size_t bytes, int device,
                                   void* (*allocate)(std::size_t)) __attribute__((weak));
extern "C" void warploom_fileDone(const void* device) __attribute__((weak));
extern "C" long warploom_fileCopyIn(const void* device, std::size_t bytes,
                                    void (*copy)(void* context, void* to, const void* from,
                                                 std::size_t bytes),
                                    void* context) __attribute__((weak));
extern "C" void* warploom_fileGarbage() __attribute__((weak));

/// Where the current device has its copy of these bytes, if they are of such a file; else null.
inline void* copyOfFile(const void* host, std::size_t bytes) {
  return warploom_fileCopy ? warploom_fileCopy(host, bytes, currentDevice(), allocateToStay) : nullptr;
}
inline bool isCopyOfFile(const void* device) {
  return warploom_fileCopyIn && warploom_fileCopyIn(device, 0, nullptr, nullptr) >= 0;
}

/// How many elements the memory that begins with `first` has; -1 when that is not known.
template <typename T> long elementsAt(const T* first) {
  const long bytes = warploom_heapBytes ? warploom_heapBytes(first) : -1;
  return bytes < 0 ? -1 : bytes / static_cast<long>(sizeof(T));
}

/// How many of them a region uses, where `inspect` finds that out by going through `steps` numbers: all, if a
/// heap block begins there that is short beside that. The numbers may be on the device.
template <typename T, typename Inspect> long elementsAt(const T* first, double steps, Inspect inspect) {
  const long known = elementsAt(first);
  return known >= 0 && 8.0 * static_cast<double>(known) <= steps ? known : inspect();
}

/// How many bytes from `memory` on are known to be one object's: the heap's, where a block begins there, or a
/// global array's; -1 when that is not known.
inline long knownBytes(const void* memory) {
  if (const GlobalArray* global = globalAround(memory)) {
    const auto at = reinterpret_cast<std::uintptr_t>(global->now(memory)),
               begin = reinterpret_cast<std::uintptr_t>(global->now(global->array));
    return static_cast<long>(global->bytes - (at - begin));
  }
  return warploom_heapBytes ? warploom_heapBytes(memory) : -1;
}

/// True when `count` elements from `first` on can be copied: they are in one object, or at least there is
/// memory; or they need not be, since the device sees them.
template <typename T> bool reaches(const T* first, long count) {
  if (count <= 0) return true;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
  const long known = knownBytes(first);
  if (known < 0 && residence(first, static_cast<double>(bytes)) >= 0) return true;
  return known >= 0 ? static_cast<std::size_t>(known) >= bytes : isReadable(first, bytes);
}

/// The most bytes of device memory that an array may take which the program does not have, WARPLOOM_SCRATCH;
/// without it, whatever there is.
inline double scratchWish() {
  static const double bytes = [] {
    const char* text = std::getenv("WARPLOOM_SCRATCH");
    if (!text || !*text) return std::numeric_limits<double>::infinity();
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (*end == '\0' && value >= 0) return value;
    std::fprintf(stderr, "warploom: WARPLOOM_SCRATCH is '%s'; it is a number of bytes\n", text);
    std::exit(EXIT_FAILURE);
  }();
  return bytes;
}

/// An array in device memory, given back in stream order when the object dies, on every path out of a
/// launcher. Where the device sees the user's own array it is that, and copies between the two are none. A
/// part of a mapped file is that part of the device's copy, which stays, and so does that of a small array.
template <typename T> class DeviceArray {
public:
  /// `name` and `extents`, outermost first, are those of the user's array `host`, of which there may be none.
  DeviceArray(Stream stream, const char* name, std::initializer_list<std::size_t> extents,
              const void* host = nullptr, Place place = Place::here())
      : owner(stream) {
    for (std::size_t extent : extents)
      elements *= extent;
    memory = static_cast<T*>(moveGlobal(host));
    if (!memory) memory = static_cast<T*>(seenByDevice(host, host && residence(host, 1) >= 0, place));
    if (memory) {
      static_cast<void>(residence(memory, static_cast<double>(bytes()), 1));
      source = Users;
    } else if (memory = static_cast<T*>(copyOfFile(host, bytes())); memory) {
      source = File;
    } else if (small = smallArrays.of(host, bytes()); small) {
      memory = static_cast<T*>(static_cast<void*>(small->device));
      source = Small;
    } else {
      memory = static_cast<T*>(allocate(bytes(), stream, named(name, extents), place));
    }
  }
  struct IfRoom {};
  /// One that the program does not have. Null where there is too little memory for it.
  DeviceArray(IfRoom, Stream stream, const char* name, std::initializer_list<std::size_t> extents,
              Place place = Place::here())
      : owner(stream) {
    for (std::size_t extent : extents)
      elements *= extent;
    if (static_cast<double>(bytes()) <= scratchWish())
      memory = static_cast<T*>(allocateIfRoom(bytes(), stream, named(name, extents), place));
  }
  DeviceArray(DeviceArray&& other) noexcept
      : owner(other.owner), memory(std::exchange(other.memory, nullptr)), elements(other.elements),
        source(other.source), small(other.small) {}
  DeviceArray& operator=(DeviceArray&&) = delete;
  ~DeviceArray() {
    if (source == Own) release(memory, owner);
    if (source == File && memory) warploom_fileDone(memory);
  }

  /// Whoever has its address may write to it.
  operator T*() const { return data(); }
  T* data() const {
    if (small) small->same = false;
    return memory;
  }
  const T* read() const { return memory; }
  std::size_t count() const { return elements; }
  std::size_t bytes() const { return elements * sizeof(T); }

private:
  static ArrayName named(const char* name, const std::initializer_list<std::size_t>& extents) {
    ArrayName full;
    full.name = name;
    full.elementBytes = sizeof(T);
    full.atomBytes = std::is_arithmetic_v<T> ? sizeof(T) : 1;
    full.rank = static_cast<int>(extents.size());
    full.extents = extents.begin();
    return full;
  }

  Stream owner;
  T* memory = nullptr;
  std::size_t elements = 1;
  enum { Own, Users, File, Small } source = Own; ///< of the memory
  SmallArrays::Copy* small = nullptr;
};

} // namespace warploom
