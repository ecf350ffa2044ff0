// The device of the CPU execution: launches, memory, copies, streams. The functions and their meaning are
// those of warploom_cuda.h. Device memory is memory of its own, so a forgotten copy shows here as it does on
// a GPU. Every operation is done when its call returns, which is one of the orders that streams allow.
#pragma once

#include <chrono>
#include <vector>

namespace warploom {

/// An ordered queue of work; on the CPU only a number, since nothing is ever pending.
struct Stream {
  int number = 0;
};

} // namespace warploom

#include "warploom_choice.h"
#include "warploom_launch.h"

namespace warploom {
namespace cpu {

/// A launch with its arguments bound: `invoke(arguments)` is the kernel's call for the current thread.
struct Grid {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes = 0;
  bool cooperative = false;
  const void* kernel = nullptr; ///< the kernel's address, by which the sanitizer knows its name
  void (*invoke)(const void* arguments) = nullptr;
  const void* arguments = nullptr;
  std::size_t argumentBytes = 0;
  Place place{};
};

/// Runs every thread of the grid, and returns when all have ended. A shape that no GPU takes ends the program
/// with a message, as a failing launch does under CUDA.
void run(const Grid& grid);

/// A text in which the name of T stands after `T = `. Each file has its own: another one may have another T
/// of that name.
template <typename T> static constexpr const char* spelled() {
  return __PRETTY_FUNCTION__;
}

/// The dynamic shared memory of the block that runs on this OS thread, used as elements of this size and
/// type, which is `spelled` for the sanitizer.
void* dynamicShared(std::size_t elementBytes, const char* type);

/// Waits until every thread of the grid has come here. Only in cooperative launches.
void gridBarrier();

/// A kernel and its arguments. Its code is not instrumented: it is no part of the kernel.
template <typename... P> struct BoundCall {
  void (*kernel)(P...);
  std::tuple<P...> arguments;

  WARPLOOM_UNINSTRUMENTED static void invoke(const void* bound) {
    static_cast<const BoundCall*>(bound)->call(std::index_sequence_for<P...>());
  }
  template <std::size_t... i> WARPLOOM_UNINSTRUMENTED void call(std::index_sequence<i...>) const {
    kernel(std::get<i>(arguments)...);
  }
};

template <typename... P, typename... A>
void launch(const Launch& shape, bool cooperative, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "the kernel takes another number of arguments");
  using Call = BoundCall<P...>;
  Call call{kernel, std::tuple<P...>(static_cast<P>(arguments)...)};
  Grid grid;
  grid.grid = shape.grid;
  grid.block = shape.block;
  grid.sharedBytes = shape.sharedBytes;
  grid.cooperative = cooperative;
  grid.kernel = reinterpret_cast<const void*>(kernel);
  grid.invoke = &Call::invoke;
  grid.arguments = &call;
  grid.argumentBytes = sizeof call;
  grid.place = shape.place;
  run(grid);
}

} // namespace cpu

/// Runs `kernel` over the grid. Nothing happens when the grid is empty.
template <typename... P, typename... A>
void launch(const Launch& shape, void (*kernel)(P...), A&&... arguments) {
  if (!shape.isEmpty()) cpu::launch(shape, false, kernel, static_cast<A&&>(arguments)...);
}

/// The same with all blocks resident at once, so that `cooperative_groups::this_grid().sync()` works. The
/// grid has at most `maxCooperativeBlocks` blocks.
template <typename... P, typename... A>
void launchCooperative(const Launch& shape, void (*kernel)(P...), A&&... arguments) {
  if (!shape.isEmpty()) cpu::launch(shape, true, kernel, static_cast<A&&>(arguments)...);
}

/// The shared memory, in bytes, that a block can have: what today's GPUs give.
inline constexpr std::size_t mostShared() {
  return 227 * 1024;
}

/// How many blocks of `threads` threads and `sharedBytes` dynamic shared memory can be resident at once; 0
/// when not even one fits or grid barriers do not work. On the CPU each needs an OS thread; the number is the
/// same everywhere, so that results do not depend on the host.
template <typename... P> int maxCooperativeBlocks(void (*)(P...), int threads, std::size_t sharedBytes) {
  return threads <= 1024 && sharedBytes <= mostShared() ? 16 : 0;
}

/// True when there is a device to run kernels on; the CPU execution always is one.
inline bool devicePresent() {
  return true;
}

/// It needs no time to begin.
inline bool deviceIsReady() {
  return true;
}
inline double secondsOfBeginning() {
  return 0;
}
inline void beginDevice(int) {}
/// There is no link.
inline Moves movesOf(const void*, std::size_t) {
  return Moves::Plainly;
}

/// There is one device, number 0. Ends the program when another is asked for.
inline void chooseDevice(int number, Place place = Place::here()) {
  if (number != 0) fail(place, "choice of a device by WARPLOOM_DEVICE", "the CPU execution is device 0");
}

/// The number of multiprocessors: how many blocks really run at the same time.
int multiprocessors();

/// The block's dynamic shared memory, `sharedBytes` of the launch, as an array of T. Each file has its own,
/// as of cpu::spelled.
template <typename T> static T* dynamicShared() {
  return static_cast<T*>(cpu::dynamicShared(sizeof(T), cpu::spelled<T>()));
}

/// The launch's `sharedBytes` for a kernel whose blocks keep a T in shared memory.
template <typename T> constexpr std::size_t dynamicBytes = sizeof(T);

namespace cpu {
template <typename Whole, typename Array> Whole wholeOf(Array Whole::*);
} // namespace cpu

/// An array of the struct that the block keeps in shared memory, `shared<&Tiles::a>()`.
template <auto member> __forceinline__ auto& shared() {
  return dynamicShared<decltype(cpu::wholeOf(member))>()->*member;
}

/// Begins to copy an element to shared memory, or a 0 when it is not there to be read. The copy is done when
/// the thread has passed `waitForCopies`, and seen by the block after a barrier behind that.
template <typename T> __forceinline__ void copyAsync(T* to, const T* from, bool isThere = true) {
  *to = isThere ? *from : T();
}
/// Begins to copy 16 bytes to shared memory, of which `there` elements are there to be read; 0 for the
/// others.
template <typename T>
__forceinline__ void copyWide(T* to, const T* from, int there = static_cast<int>(16 / sizeof(T))) {
  for (int k = 0; k < static_cast<int>(16 / sizeof(T)); ++k)
    to[k] = k < there ? from[k] : T();
}
template <int pending = 0> __forceinline__ void waitForCopies() {}

/// The memory that kernels use is always apart from the user's, so that the sanitizer knows it.
inline void* seenByDevice(const void*, bool, Place = Place::here()) {
  return nullptr;
}

/// Fresh device memory of `bytes` bytes (at least 1), aligned for every type. Ends the program with a message
/// that names `place` when there is none.
void* allocate(std::size_t bytes, Stream stream, ArrayName name = {}, Place place = Place::here());
/// The same, or null where there is too little memory.
void* allocateIfRoom(std::size_t bytes, Stream stream, ArrayName name = {}, Place place = Place::here());
void release(void* memory, Stream stream);
/// Bytes of that name.
inline void* allocateBytes(const char* what, std::size_t bytes) {
  ArrayName name;
  name.name = what;
  name.elementBytes = name.atomBytes = 1;
  name.rank = 1;
  name.extents = &bytes;
  return allocateIfRoom(bytes, Stream(), name);
}
/// Memory that host and device see: here all memory of the device.
inline void* sharedMemory(std::size_t bytes) {
  return allocateBytes("a global array", bytes);
}
/// Memory that is kept for long; null where there is too little.
inline void* allocateToStay(std::size_t bytes) {
  return allocateBytes("a mapped file", bytes);
}
inline void releaseStayed(void* memory) {
  release(memory, Stream());
}
inline void* allocatePageLocked(std::size_t bytes) {
  return std::malloc(bytes);
}
inline int currentDevice() {
  return 0;
}
void copyToDevice(void* device, const void* host, std::size_t bytes, Stream stream,
                  Place place = Place::here());
void copyToHost(void* host, const void* device, std::size_t bytes, Stream stream,
                Place place = Place::here());
/// The same for few bytes.
inline void copySmallToDevice(void* device, const void* image, std::size_t bytes, Stream stream,
                              Place place = Place::here()) {
  copyToDevice(device, image, bytes, stream, place);
}
inline void copySmallToHost(void* image, const void* device, std::size_t bytes, Stream stream,
                            Place place = Place::here()) {
  copyToHost(image, device, bytes, stream, place);
}
void copyOnDevice(void* to, const void* from, std::size_t bytes, Stream stream, Place place = Place::here());
void fill(void* device, int byte, std::size_t bytes, Stream stream, Place place = Place::here());

/// Copies to a `__constant__` or `__device__` variable.
template <typename T>
void copyToSymbol(T& symbol, const void* host, std::size_t bytes, Stream, Place = Place::here()) {
  std::memcpy(&symbol, host, bytes);
}

inline void synchronize(Stream, Place = Place::here()) {}

/// There is no memory that both see.
inline void bringToHost(const void*, double) {}

/// The stream number `i` of the process; 0 is the one that regions use. At most 8.
inline Stream streamNumber(int i) {
  return {i};
}

/// Work given to `later` from now on starts after what `earlier` holds now.
inline void order(Stream, Stream, Place = Place::here()) {}

/// Does `body` `times` times. Under CUDA it is recorded once and replayed as a graph: `body` only launches
/// and copies, with the same arguments every time.
template <typename Body> void repeat(long times, Stream, Body&& body, Place = Place::here()) {
  for (long i = 0; i < times; ++i)
    body();
}

/// Sums the time a stream spends on kernels and on transfers, when `enabled`.
class StreamClock {
public:
  enum class Work { Kernel, In, Out };
  /// Work of one kind, so many milliseconds after the clock was made.
  struct Piece {
    Work work;
    double after, lasted;
  };
  StreamClock(Stream, bool enabled) : enabled(enabled) {}

  /// The work given to the stream between `begin` and `end` is of this kind.
  void begin(Work work) {
    if (!enabled) return;
    current = work;
    started = Clock::now();
  }
  void end() {
    if (!enabled) return;
    const double after = milliseconds(made, started), lasted = milliseconds(started, Clock::now());
    if (!measured.empty() && measured.back().work == current)
      measured.back().lasted = after + lasted - measured.back().after;
    else
      measured.push_back({current, after, lasted});
  }
  /// Ends the measurement, when the stream's work is done; then the times are known.
  void stop() {}
  const std::vector<Piece>& pieces() const { return measured; }
  /// The milliseconds of all work of this kind.
  double time(Work work) const {
    double sum = 0;
    for (const Piece& piece : measured)
      if (piece.work == work) sum += piece.lasted;
    return sum;
  }

private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  }
  bool enabled;
  Work current = Work::Kernel;
  Clock::time_point made = Clock::now(), started;
  std::vector<Piece> measured;
};

template <typename... P> void loadKernel(void (*)(P...)) {}

} // namespace warploom

/// The part of cooperative groups that generated kernels use: the block and the grid.
namespace cooperative_groups {

class thread_block {
public:
  __forceinline__ static void sync() { __syncthreads(); }
  static unsigned thread_rank() { return static_cast<unsigned>(warploom::cpu::threadRank()); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
};

class grid_group {
public:
  __forceinline__ static void sync() { warploom::cpu::gridBarrier(); }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
};

inline thread_block this_thread_block() {
  return {};
}
inline grid_group this_grid() {
  return {};
}
inline void sync(thread_block group) {
  group.sync();
}
inline void sync(grid_group group) {
  group.sync();
}

} // namespace cooperative_groups
