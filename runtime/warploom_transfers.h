// Large copies between the device and memory of the host that CUDA knows nothing of, at the speed of the
// link. Included by warploom_cuda.h.
#pragma once

#include "warploom_locked.h"
#include "warploom_staging.h"

/// Whether a block of the heap begins at `memory` that has at least so many bytes, and comes from the C
/// library; if so, `before`, unless it is null, is called before it goes: of warploom_heap.c, for programs
/// that are linked with it.
extern "C" int warploom_watchBlock(const void* memory, std::size_t bytes,
                                   void (*before)(void* memory, std::size_t bytes)) __attribute__((weak));

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
  bool isBlock(const void* memory, std::size_t bytes) const {
    return warploom_watchBlock && warploom_watchBlock(memory, bytes, nullptr);
  }
  inline bool watch(const void* memory, std::size_t bytes) const;
};

/// Memory that is page-locked where it is, for all devices. Not while a child is made. It is never destroyed:
/// regions run and children are made in destructors, too.
inline LockedMemory<CudaLink>& lockedMemory() {
  static auto& memory = *new LockedMemory<CudaLink>;
  static const int handled = pthread_atfork([] { memory.beginFork({0, Place::here()}); },
                                            [] { memory.endFork(); }, [] { memory.endFork(); });
  static_cast<void>(handled);
  return memory;
}

inline bool CudaLink::watch(const void* memory, std::size_t bytes) const {
  return warploom_watchBlock && warploom_watchBlock(memory, bytes, [](void* begin, std::size_t length) {
           lockedMemory().forget(begin, length, {0, Place::here()});
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
  if (bytes < LockedMemory<CudaLink>::least) return false;
  CudaLink link{0, place};
  check(cudaGetDevice(&link.device), "cudaGetDevice", place);
  if (const auto part = lockedMemory().of(host, bytes, link); part.bytes > 0) {
    const auto begin = static_cast<std::size_t>(part.begin - static_cast<const char*>(host));
    const std::size_t ends[] = {0, begin, begin + part.bytes, bytes};
    for (int k = 0; k < 3; ++k) // one copy cannot have pages of both kinds
      if (ends[k] < ends[k + 1]) direct(link, ends[k], ends[k + 1] - ends[k]);
    return true;
  }
  if (bytes < Staging<CudaLink>::least) return false;
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
