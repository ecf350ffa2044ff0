// Large copies between the device and memory of the host that CUDA knows nothing of, at the speed of the
// link. Included by warploom_cuda.h.
#pragma once

#include "warploom_locked.h"
#include "warploom_staging.h"

#include <unistd.h>

/// Where that memory is at least half of a block of the heap that the C library made, and the block has its
/// pages for itself: how many bytes these pages have, and where they begin; else 0. Then `before`, unless it
/// is null, is called before the block goes: of warploom_heap.c, for programs that are linked with it.
extern "C" std::size_t warploom_watchBlock(const void* memory, std::size_t bytes,
                                           void (*before)(void* memory, std::size_t bytes), void** begin)
    __attribute__((weak));

namespace warploom {

/// How pieces travel by the streams of one device.
struct CudaLink {
  using Stream = cudaStream_t;
  using Event = cudaEvent_t;
  int device;
  Place place;

  void enter() const { check(cudaSetDevice(device), "cudaSetDevice", place); }
  void* allocatePageLocked(std::size_t bytes) const { return warploom::allocatePageLocked(bytes); }
  Event makeEvent() const {
    Event event;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate", place);
    return event;
  }
  void record(Event event, Stream stream) const {
    check(cudaEventRecord(event, stream), "cudaEventRecord", place);
  }
  void await(Event event) const { check(cudaEventSynchronize(event), "cudaEventSynchronize", place); }
  void toDevice(void* to, const void* from, std::size_t bytes, Stream stream) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync to the device",
          place);
  }
  void toHost(void* to, const void* from, std::size_t bytes, Stream stream) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync to the host",
          place);
  }
  bool lock(void* memory, std::size_t bytes) const {
    const bool done = cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess;
    if (!done) static_cast<void>(cudaGetLastError()); // then it is copied as before
    return done;
  }
  void unlock(void* memory) const {
    // What fails here has failed before, or the program ends.
    if (cudaHostUnregister(memory) != cudaSuccess) static_cast<void>(cudaGetLastError());
  }
  using Part = LockedMemory<CudaLink>::Part;
  /// The pages of the block of the heap that is that memory, or most of it; nothing if there is none.
  Part block(const void* memory, std::size_t bytes) const { return blockOf(memory, bytes, nullptr); }
  /// The same; locked memory will hear of it before the block goes.
  inline Part watch(const void* memory, std::size_t bytes) const;

private:
  static Part blockOf(const void* memory, std::size_t bytes, void (*before)(void*, std::size_t)) {
    void* begin = nullptr;
    const std::size_t length = warploom_watchBlock ? warploom_watchBlock(memory, bytes, before, &begin) : 0;
    return {static_cast<char*>(begin), length};
  }
};

/// Memory that is page-locked where it is, for all devices. Not while a child is made. It is never destroyed:
/// regions run and children are made in destructors, too.
inline LockedMemory<CudaLink>& lockedMemory() {
  static auto& memory = *new LockedMemory<CudaLink>;
  static const int handled = pthread_atfork([] { memory.unlockAll({0, Place::here()}); }, nullptr, nullptr);
  static_cast<void>(handled);
  return memory;
}

inline CudaLink::Part CudaLink::watch(const void* memory, std::size_t bytes) const {
  static const pid_t owner = getpid(); // children have locked nothing
  return blockOf(memory, bytes, [](void* begin, std::size_t length) {
    if (getpid() == owner) lockedMemory().forget(begin, length, {0, Place::here()});
  });
}

/// How memory of the program moves that is copied again and again.
inline Moves movesOf(const void* host, std::size_t bytes) {
  using Locked = LockedMemory<CudaLink>;
  switch (lockedMemory().stateOf(host, bytes, {0, Place::here()})) {
  case Locked::State::Plain:
    break;
  case Locked::State::Lockable:
    return Moves::AtLinkSpeedSoon;
  case Locked::State::Locked:
    return Moves::AtLinkSpeed;
  }
  return Moves::Plainly;
}

/// Page-locked memory through which the current device's copies go.
inline Staging<CudaLink>& stagingOf(int device) {
  static auto& all = *new std::map<int, Staging<CudaLink>>; // as above
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  return all[device];
}

/// `direct(link, at, length)` for parts of that memory which together are all of it, where its pages are
/// locked, else `staged(link, staging)` where CUDA knows nothing of it; whether that was done.
template <typename Direct, typename Staged>
bool copyLarge(const void* host, std::size_t bytes, Place place, Direct direct, Staged staged) {
  CudaLink link{0, place};
  const char* const first = static_cast<const char*>(host);
  auto part = lockedMemory().of(host, bytes, link);
  if (part.bytes > 0) { // one copy cannot have pages of both kinds
    for (std::size_t at = 0; at < bytes; part = lockedMemory().lockedIn(first + at, bytes - at)) {
      const std::size_t begin = part.bytes > 0 ? static_cast<std::size_t>(part.begin - first) : bytes;
      if (at < begin) direct(link, at, begin - at);
      if (part.bytes > 0) direct(link, begin, part.bytes);
      at = begin + part.bytes;
    }
    return true;
  }
  if (bytes < Staging<CudaLink>::least) return false;
  check(cudaGetDevice(&link.device), "cudaGetDevice", place);
  cudaPointerAttributes attributes;
  check(cudaPointerGetAttributes(&attributes, host), "cudaPointerGetAttributes", place);
  return attributes.type == cudaMemoryTypeUnregistered && staged(link, stagingOf(link.device));
}

/// Copies to the device, if that is to be done by more than one call; else false, and nothing was done. What
/// is in page-locked memory is read in stream order, all else before this returns.
inline bool copyLargeToDevice(void* to, const void* host, std::size_t bytes, Stream stream, Place place) {
  return copyLarge(
      host, bytes, place,
      [&](const CudaLink& link, std::size_t at, std::size_t length) {
        link.toDevice(static_cast<char*>(to) + at, static_cast<const char*>(host) + at, length, stream);
      },
      [&](const CudaLink& link, Staging<CudaLink>& staging) {
        return staging.toDevice(to, host, bytes, stream, link);
      });
}
inline bool copyLargeToHost(void* host, const void* from, std::size_t bytes, Stream stream, Place place) {
  return copyLarge(
      host, bytes, place,
      [&](const CudaLink& link, std::size_t at, std::size_t length) {
        link.toHost(static_cast<char*>(host) + at, static_cast<const char*>(from) + at, length, stream);
      },
      [&](const CudaLink& link, Staging<CudaLink>& staging) {
        return staging.toHost(host, from, bytes, stream, link);
      });
}

} // namespace warploom
