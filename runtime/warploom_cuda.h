// The device under CUDA: checked calls, stream-ordered memory, copies, launches, and the clock of a stream.
// The same functions with the same meaning exist for the CPU execution (warploom_cpu_device.h).
#pragma once

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warploom {
using Stream = cudaStream_t;
}

#include "warploom_context.h"
#include "warploom_launch.h"

namespace warploom {

/// Ends the program when a CUDA call did not succeed, naming the call, the reason and the line.
inline void check(cudaError_t error, const char* call, Place place) {
  if (error == cudaSuccess) return;
  std::string reason = std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
  fail(place, call, reason.c_str());
}

#define WARPLOOM_CHECK(call) ::warploom::check((call), #call, ::warploom::Place{__FILE__, __LINE__})

/// True when there is a device to run kernels on.
inline bool devicePresent() {
  static const bool present = [] {
    int count = 0;
    bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    if (!found) static_cast<void>(cudaGetLastError()); // the absence is no error of the program
    return found;
  }();
  return present;
}

/// Makes the device of this number the current one of this thread. Ends the program when there is none.
inline void chooseDevice(int number, Place place = Place::here()) {
  check(cudaSetDevice(number), "choice of a device by WARPLOOM_DEVICE", place);
}

/// The value of a device attribute of the current device.
inline int deviceAttribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  WARPLOOM_CHECK(cudaGetDevice(&device));
  WARPLOOM_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// The number of multiprocessors of the current device.
inline int multiprocessors() {
  return deviceAttribute(cudaDevAttrMultiProcessorCount);
}

/// The shared memory, in bytes, that a block can have on the current device.
inline std::size_t mostShared() {
  return static_cast<std::size_t>(deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

/// What the process keeps per device: its streams, and a memory pool that does not give memory back to the
/// system between two regions.
class DeviceState {
public:
  static constexpr int maxStreams = 8;

  /// That of the current device, which the user may have chosen with cudaSetDevice.
  static DeviceState& current() {
    static auto& states = *new std::vector<DeviceState>([] {
      int count = 0;
      WARPLOOM_CHECK(cudaGetDeviceCount(&count));
      return std::vector<DeviceState>(static_cast<std::size_t>(count));
    }()); // they stay: handlers of `atexit` may run kernels
    int device = 0;
    WARPLOOM_CHECK(cudaGetDevice(&device));
    DeviceState& state = states[static_cast<std::size_t>(device)];
    if (!state.ready) state.prepare(device);
    return state;
  }

  Stream stream(int number) {
    Stream& stream = streams[number];
    if (!stream) WARPLOOM_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }
  bool hasPool() const { return pool; }

private:
  void prepare(int device) {
    int supported = 0;
    WARPLOOM_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
    pool = supported != 0;
    if (pool) {
      cudaMemPool_t memory;
      std::uint64_t threshold = UINT64_MAX;
      WARPLOOM_CHECK(cudaDeviceGetDefaultMemPool(&memory, device));
      WARPLOOM_CHECK(cudaMemPoolSetAttribute(memory, cudaMemPoolAttrReleaseThreshold, &threshold));
    }
    ready = true;
  }

  Stream streams[maxStreams] = {};
  bool ready = false, pool = false;
};

/// The stream number `i` of the current device; 0 is the one that regions use. At most 8.
inline Stream streamNumber(int i) {
  return DeviceState::current().stream(i);
}

/// Work given to `later` from now on starts after what `earlier` holds now.
inline void order(Stream later, Stream earlier, Place place = Place::here()) {
  cudaEvent_t event;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate", place);
  check(cudaEventRecord(event, earlier), "cudaEventRecord", place);
  check(cudaStreamWaitEvent(later, event, 0), "cudaStreamWaitEvent", place);
  check(cudaEventDestroy(event), "cudaEventDestroy", place);
}

/// Fresh device memory of `bytes` bytes (at least 1), in stream order; null where there is too little.
inline void* allocateIfRoom(std::size_t bytes, Stream stream, ArrayName = {}, Place place = Place::here()) {
  void* memory = nullptr;
  bytes = bytes > 0 ? (bytes + 3) / 4 * 4 : 4; // whole words: atomic updates of bytes touch the word around
  const bool pooled = DeviceState::current().hasPool();
  const cudaError_t error = pooled ? cudaMallocAsync(&memory, bytes, stream) : cudaMalloc(&memory, bytes);
  if (error == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError()); // it is dealt with
    return nullptr;
  }
  check(error, pooled ? "cudaMallocAsync" : "cudaMalloc", place);
  return memory;
}

/// The same. Ends the program with a message that names `place` when there is too little.
inline void* allocate(std::size_t bytes, Stream stream, ArrayName name = {}, Place place = Place::here()) {
  void* memory = allocateIfRoom(bytes, stream, name, place);
  if (!memory) check(cudaErrorMemoryAllocation, "cudaMalloc", place);
  return memory;
}

/// Gives device memory back after the work the stream holds now.
inline void release(void* memory, Stream stream) {
  if (!memory) return;
  if (DeviceState::current().hasPool())
    WARPLOOM_CHECK(cudaFreeAsync(memory, stream));
  else
    WARPLOOM_CHECK(cudaFree(memory));
}

/// Memory of the current device that is kept for long, outside the pool; null where it would take more than
/// half of what there is.
inline void* allocateToStay(std::size_t bytes) {
  void* memory = nullptr;
  std::size_t available = 0, all = 0;
  const bool fits = cudaMemGetInfo(&available, &all) == cudaSuccess && bytes <= available / 2 &&
                    cudaMalloc(&memory, bytes) == cudaSuccess;
  if (!fits) static_cast<void>(cudaGetLastError()); // it is dealt with
  return fits ? memory : nullptr;
}
/// Gives it back, when all work of its device is done.
inline void releaseStayed(void* memory) {
  WARPLOOM_CHECK(cudaFree(memory));
}
/// Memory of the host from which the device copies while both go on; null where there is too little.
inline void* allocatePageLocked(std::size_t bytes) {
  void* memory = nullptr;
  const bool fits = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault) == cudaSuccess;
  if (!fits) static_cast<void>(cudaGetLastError()); // it is dealt with
  return fits ? memory : nullptr;
}
} // namespace warploom

#include "warploom_transfers.h"

namespace warploom {

/// The number of the current device.
inline int currentDevice() {
  int device = 0;
  WARPLOOM_CHECK(cudaGetDevice(&device));
  return device;
}

/// Whether the current device sees managed memory while the host uses it. Asked once for each device.
inline bool sharesMemory() {
  static thread_local int device = -1;
  static thread_local bool shares = false;
  const int now = currentDevice();
  if (now != device) {
    shares = deviceAttribute(cudaDevAttrConcurrentManagedAccess) != 0;
    device = now;
  }
  return shares;
}

/// `host`, which may be null, where it is managed memory, which the device sees too; else null. `isManaged`:
/// that it is such memory is known.
inline void* seenByDevice(const void* host, bool isManaged, Place place = Place::here()) {
  if (!host) return nullptr;
  if (!isManaged) {
    cudaPointerAttributes attributes;
    check(cudaPointerGetAttributes(&attributes, host), "cudaPointerGetAttributes", place);
    if (attributes.type != cudaMemoryTypeManaged) return nullptr;
  }
  return sharesMemory() ? const_cast<void*>(host) : nullptr;
}

/// A block of managed memory that the heap gives its copies to children made by `fork`, or null: of
/// warploom_heap.c, for programs that are linked with it.
extern "C" void* warploom_sharedBlock(std::size_t bytes) __attribute__((weak));

/// Memory that host and device see; null where there is none.
inline void* sharedMemory(std::size_t bytes) {
  return warploom_sharedBlock ? warploom_sharedBlock(bytes) : nullptr;
}

/// Brings managed memory to the device before a kernel asks for it page by page.
inline void bringToDevice(const void* memory, std::size_t bytes, Stream stream, Place place) {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice", place);
#if CUDART_VERSION >= 13000
  cudaMemLocation location;
  location.type = cudaMemLocationTypeDevice;
  location.id = device;
  check(cudaMemPrefetchAsync(memory, bytes, location, 0, stream), "cudaMemPrefetchAsync", place);
#else
  check(cudaMemPrefetchAsync(memory, bytes, device, stream), "cudaMemPrefetchAsync", place);
#endif
}

/// Brings managed memory to the host before that asks for it page by page, if it is worth a call.
inline void bringToHost(const void* memory, double bytes, Place place = Place::here()) {
  constexpr double least = 1 << 20;
  if (bytes < least) return;
  const Stream stream = streamNumber(0);
  const auto length = static_cast<std::size_t>(bytes);
#if CUDART_VERSION >= 13000
  cudaMemLocation location;
  location.type = cudaMemLocationTypeHost;
  location.id = 0;
  check(cudaMemPrefetchAsync(memory, length, location, 0, stream), "cudaMemPrefetchAsync", place);
#else
  check(cudaMemPrefetchAsync(memory, length, cudaCpuDeviceId, stream), "cudaMemPrefetchAsync", place);
#endif
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", place);
}

inline void copyToDevice(void* device, const void* host, std::size_t bytes, Stream stream,
                         Place place = Place::here()) {
  if (device == host) return bringToDevice(host, bytes, stream, place);
  if (copyLargeToDevice(device, host, bytes, stream, place)) return;
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync to the device",
        place);
}

inline void copyToHost(void* host, const void* device, std::size_t bytes, Stream stream,
                       Place place = Place::here()) {
  if (device == host) return;
  if (copyLargeToHost(host, device, bytes, stream, place)) return;
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync to the host",
        place);
}

/// What copySmall launches.
template <typename Word> __global__ void copyWords(Word* to, const Word* from, unsigned count) {
  if (const unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count) to[at] = from[at];
}

/// Copies few bytes between the device and page-locked memory by a kernel, which begins sooner behind another
/// one than a copy by the link.
inline void copySmall(void* to, const void* from, std::size_t bytes, Stream stream, Place place) {
  if (bytes == 0) return;
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  auto by = [&](auto word) {
    using Word = decltype(word);
    const auto count = static_cast<unsigned>(bytes / sizeof(Word));
    copyWords<<<(count + 127) / 128, 128, 0, stream>>>(static_cast<Word*>(to), static_cast<const Word*>(from),
                                                       count);
  };
  if (places % sizeof(uint4) == 0)
    by(uint4{});
  else if (places % sizeof(unsigned) == 0)
    by(0u);
  else
    by('\0');
  check(cudaGetLastError(), "a copy of a small array", place);
}
inline void copySmallToDevice(void* device, const void* image, std::size_t bytes, Stream stream,
                              Place place = Place::here()) {
  copySmall(device, image, bytes, stream, place);
}
inline void copySmallToHost(void* image, const void* device, std::size_t bytes, Stream stream,
                            Place place = Place::here()) {
  copySmall(image, device, bytes, stream, place);
}

inline void copyOnDevice(void* to, const void* from, std::size_t bytes, Stream stream,
                         Place place = Place::here()) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync on the device",
        place);
}

inline void fill(void* device, int byte, std::size_t bytes, Stream stream, Place place = Place::here()) {
  check(cudaMemsetAsync(device, byte, bytes, stream), "cudaMemsetAsync", place);
}

/// Copies to a `__constant__` or `__device__` variable.
template <typename T>
void copyToSymbol(T& symbol, const void* host, std::size_t bytes, Stream stream,
                  Place place = Place::here()) {
  check(cudaMemcpyToSymbolAsync(symbol, host, bytes, 0, cudaMemcpyHostToDevice, stream),
        "cudaMemcpyToSymbolAsync", place);
}

/// Waits until all work of the stream is done. A fault inside a kernel shows here.
inline void synchronize(Stream stream, Place place = Place::here()) {
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", place);
}

/// Lets the kernel have the dynamic shared memory of the launch, beyond what every block has. The driver is
/// asked once per device and kernel.
template <typename... P> void allowSharedMemory(void (*kernel)(P...), std::size_t bytes, Place place) {
  if (bytes <= sharedOfEveryBlock) return;
  using Allowed = std::map<std::pair<int, void (*)(P...)>, std::size_t>;
  static thread_local Allowed& allowed = *new Allowed; // also for handlers of `atexit`
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice", place);
  std::size_t& most = allowed[{device, kernel}];
  if (bytes <= most) return;
  if (bytes > mostShared()) {
    std::string reason = "a block needs " + std::to_string(bytes) + " bytes of shared memory and can have " +
                         std::to_string(mostShared());
    fail(place, "kernel launch", reason.c_str());
  }
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "dynamic shared memory of a kernel", place);
  most = bytes;
}

/// Starts `kernel` over the grid. Nothing happens when the grid is empty.
template <typename... P, typename... A>
void launch(const Launch& shape, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "the kernel takes another number of arguments");
  if (shape.isEmpty()) return;
  allowSharedMemory(kernel, shape.sharedBytes, shape.place);
  kernel<<<shape.grid, shape.block, shape.sharedBytes, shape.stream>>>(static_cast<P>(arguments)...);
  check(cudaGetLastError(), "kernel launch", shape.place);
}

/// The same with all blocks resident at once, so that `cooperative_groups::this_grid().sync()` works. The
/// grid has at most `maxCooperativeBlocks` blocks.
template <typename... P, typename... A>
void launchCooperative(const Launch& shape, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "the kernel takes another number of arguments");
  if (shape.isEmpty()) return;
  allowSharedMemory(kernel, shape.sharedBytes, shape.place);
  std::tuple<P...> values(static_cast<P>(arguments)...);
  std::apply(
      [&](P&... value) {
        void* pointers[sizeof...(P) + 1] = {static_cast<void*>(&value)..., nullptr};
        check(cudaLaunchCooperativeKernel(kernel, shape.grid, shape.block, pointers, shape.sharedBytes,
                                          shape.stream),
              "cooperative kernel launch", shape.place);
      },
      values);
}

/// How many blocks of `threads` threads and `sharedBytes` dynamic shared memory can be resident at once; 0
/// when not even one fits or grid barriers do not work.
template <typename... P>
int maxCooperativeBlocks(void (*kernel)(P...), int threads, std::size_t sharedBytes) {
  if (deviceAttribute(cudaDevAttrCooperativeLaunch) == 0) return 0;
  allowSharedMemory(kernel, sharedBytes, Place::here());
  int perMultiprocessor = 0;
  WARPLOOM_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel, threads, sharedBytes));
  return perMultiprocessor * multiprocessors();
}

/// The block's dynamic shared memory, `sharedBytes` of the launch, as an array of T.
template <typename T> __device__ __forceinline__ T* dynamicShared() {
  extern __shared__ __align__(128) unsigned char warploomDynamicShared[];
  return reinterpret_cast<T*>(warploomDynamicShared);
}

/// The launch's `sharedBytes` for a kernel whose blocks keep a T in shared memory: none where every block has
/// that much. Arrays of their own are aligned, which may take some bytes more.
template <typename T>
constexpr std::size_t dynamicBytes = sizeof(T) + 64 <= sharedOfEveryBlock ? 0 : sizeof(T);

namespace detail {
template <typename Member> struct MemberOf;
template <typename Whole, typename Array> struct MemberOf<Array Whole::*> {
  using whole = Whole;
  using array = Array;
};
} // namespace detail

/// An array of the struct that the block keeps in shared memory, `shared<&Tiles::a>()`. Up to what every
/// block has it is a static array of its own, about which the compiler knows most; else all are in dynamic
/// memory.
template <auto member> __device__ __forceinline__ auto& shared() {
  using Member = detail::MemberOf<decltype(member)>;
  if constexpr (dynamicBytes<typename Member::whole> == 0) {
    __shared__ alignas(16) typename Member::array array; // neighbours are read in one access
    return array;
  } else {
    return dynamicShared<typename Member::whole>()->*member;
  }
}

/// Begins to copy `size` bytes to shared memory, of which `there` are read, and 0 for the others. CUDA's own
/// function branches on their number.
template <int size> __device__ __forceinline__ void copyBytes(void* to, const void* from, int there) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const std::size_t source = __cvta_generic_to_global(from);
  if constexpr (size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(source), "r"(there)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(place), "l"(source), "n"(size),
                 "r"(there)
                 : "memory");
#else
  __pipeline_memcpy_async(to, from, size, size - there);
#endif
}

/// Begins to copy an element to shared memory. The copy is done when the thread has passed `waitForCopies`,
/// and seen by the block after a barrier behind that.
template <typename T> __device__ __forceinline__ void copyAsync(T* to, const T* from) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
    __pipeline_memcpy_async(to, from, sizeof(T));
  else
    *to = *from;
}
/// The same, or a 0 when it is not there to be read.
template <typename T> __device__ __forceinline__ void copyAsync(T* to, const T* from, bool isThere) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
    copyBytes<sizeof(T)>(to, from, isThere ? static_cast<int>(sizeof(T)) : 0);
  else
    *to = isThere ? *from : T();
}
/// Begins to copy 16 bytes to shared memory.
template <typename T> __device__ __forceinline__ void copyWide(T* to, const T* from) {
  __pipeline_memcpy_async(to, from, 16);
}
/// The same, of which `there` elements are there to be read; 0 for the others.
template <typename T> __device__ __forceinline__ void copyWide(T* to, const T* from, int there) {
  copyBytes<16>(to, from, there <= 0 ? 0 : there * static_cast<int>(sizeof(T)));
}
/// Ends a round of copies, and waits until at most the last `pending` rounds are under way.
template <int pending = 0> __device__ __forceinline__ void waitForCopies() {
  __pipeline_commit();
  __pipeline_wait_prior(pending);
}

/// Does `body` `times` times: recorded once and replayed as a graph, so `body` only launches and copies on
/// `stream`, with the same arguments every time.
template <typename Body> void repeat(long times, Stream stream, Body&& body, Place place = Place::here()) {
  if (times <= 0) return;
  if (times == 1) return body();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture", place);
  body();
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture", place);
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate", place);
  for (long i = 0; i < times; ++i)
    check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch", place);
  check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy", place);
  check(cudaGraphDestroy(graph), "cudaGraphDestroy", place);
}

/// Sums the time a stream spends on kernels and on transfers, when `enabled`. Neighbouring work of one kind
/// is measured as one piece, from its beginning to the beginning of the next kind.
class StreamClock {
public:
  enum class Work { Kernel, In, Out };
  /// Work of one kind, so many milliseconds after the first.
  struct Piece {
    Work work;
    double after, lasted;
  };
  StreamClock(Stream stream, bool enabled) : stream(stream), enabled(enabled) {}
  StreamClock(const StreamClock&) = delete;
  StreamClock& operator=(const StreamClock&) = delete;
  ~StreamClock() {
    for (Mark& mark : marks)
      WARPLOOM_CHECK(cudaEventDestroy(mark.event));
  }

  /// The work given to the stream between `begin` and `end` is of this kind.
  void begin(Work work) {
    if (enabled && (marks.empty() || marks.back().work != work)) record(work);
  }
  void end() {}

  /// Ends the measurement, when the stream's work is done; then the times are known.
  void stop() {
    if (marks.empty()) return;
    record(Work::Kernel);
    WARPLOOM_CHECK(cudaEventSynchronize(marks.back().event));
    double after = 0;
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
      float milliseconds = 0;
      WARPLOOM_CHECK(cudaEventElapsedTime(&milliseconds, marks[i].event, marks[i + 1].event));
      measured.push_back({marks[i].work, after, milliseconds});
      after += milliseconds;
    }
    for (Mark& mark : marks)
      WARPLOOM_CHECK(cudaEventDestroy(mark.event));
    marks.clear();
  }
  const std::vector<Piece>& pieces() const { return measured; }
  /// The milliseconds of all work of this kind.
  double time(Work work) const {
    double sum = 0;
    for (const Piece& piece : measured)
      if (piece.work == work) sum += piece.lasted;
    return sum;
  }

private:
  struct Mark {
    Work work;
    cudaEvent_t event;
  };
  void record(Work work) {
    cudaEvent_t event;
    WARPLOOM_CHECK(cudaEventCreate(&event));
    WARPLOOM_CHECK(cudaEventRecord(event, stream));
    marks.push_back({work, event});
  }

  Stream stream;
  bool enabled;
  std::vector<Mark> marks;
  std::vector<Piece> measured;
};

/// Loads the kernel's code now, which would otherwise happen in its first launch and be measured there.
template <typename... P> void loadKernel(void (*kernel)(P...)) {
  cudaFuncAttributes attributes;
  WARPLOOM_CHECK(cudaFuncGetAttributes(&attributes, kernel));
}

} // namespace warploom
