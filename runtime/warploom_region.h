// What a launcher does around its kernels: choose between device and host, hold device arrays, move data,
// count time. The same in both worlds; included by warploom.h.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warploom {

/// True when the two ranges of bytes have one in common. Empty ranges overlap nothing.
inline bool overlap(const void* a, std::size_t aBytes, const void* b, std::size_t bBytes) {
  auto aBegin = reinterpret_cast<std::uintptr_t>(a), bBegin = reinterpret_cast<std::uintptr_t>(b);
  return aBytes > 0 && bBytes > 0 && aBegin < bBegin + bBytes && bBegin < aBegin + aBytes;
}

/// The bytes of the heap block that begins at an address, -1 when none is known to: warploom_heap.c, for
/// programs that are linked with it.
extern "C" long warploom_heapBytes(const void* begin) __attribute__((weak));

/// How many elements the memory that begins with `first` has; -1 when that is not known.
template <typename T> long elementsAt(const T* first) {
  const long bytes = warploom_heapBytes ? warploom_heapBytes(first) : -1;
  return bytes < 0 ? -1 : bytes / static_cast<long>(sizeof(T));
}

/// An array in device memory, given back in stream order when the object dies, on every path out of a
/// launcher. Where the device sees the user's own array it is that, and copies between the two are none.
template <typename T> class DeviceArray {
public:
  /// `name` and `extents`, outermost first, are those of the user's array `host`, of which there may be none.
  DeviceArray(Stream stream, const char* name, std::initializer_list<std::size_t> extents,
              const void* host = nullptr, Place place = Place::here())
      : owner(stream) {
    for (std::size_t extent : extents)
      elements *= extent;
    constexpr std::size_t atom = std::is_arithmetic_v<T> ? sizeof(T) : 1;
    ArrayName full;
    full.name = name;
    full.elementBytes = sizeof(T);
    full.atomBytes = atom;
    full.rank = static_cast<int>(extents.size());
    full.extents = extents.begin();
    memory = static_cast<T*>(seenByDevice(host, place));
    isUsers = memory != nullptr;
    if (!isUsers) memory = static_cast<T*>(allocate(bytes(), stream, full, place));
  }
  DeviceArray(DeviceArray&& other) noexcept
      : owner(other.owner), memory(std::exchange(other.memory, nullptr)), elements(other.elements),
        isUsers(other.isUsers) {}
  DeviceArray& operator=(DeviceArray&&) = delete;
  ~DeviceArray() {
    if (!isUsers) release(memory, owner);
  }

  operator T*() const { return memory; }
  T* data() const { return memory; }
  std::size_t count() const { return elements; }
  std::size_t bytes() const { return elements * sizeof(T); }

private:
  Stream owner;
  T* memory = nullptr;
  std::size_t elements = 1;
  bool isUsers = false;
};

/// What WARPLOOM_DEVICE asks for: nothing, `host`, `gpu`, or a certain one, `gpu:1`.
struct DeviceWish {
  enum Kind { Any, Host, Gpu };
  Kind kind = Any;
  int number = -1; ///< of the device; -1: that which the program has chosen
};

inline DeviceWish deviceWish() {
  static const DeviceWish wish = [] {
    const char* text = std::getenv("WARPLOOM_DEVICE");
    if (!text || !*text) return DeviceWish{};
    if (std::strcmp(text, "host") == 0) return DeviceWish{DeviceWish::Host};
    if (std::strcmp(text, "gpu") == 0) return DeviceWish{DeviceWish::Gpu};
    int number = 0, end = 0;
    if (std::sscanf(text, "gpu:%d%n", &number, &end) == 1 && number >= 0 && text[end] == '\0')
      return DeviceWish{DeviceWish::Gpu, number};
    std::fprintf(stderr, "warploom: WARPLOOM_DEVICE is '%s'; it may be host, gpu or gpu:NUMBER\n", text);
    std::exit(EXIT_FAILURE);
  }();
  return wish;
}

/// What WARPLOOM_LAUNCH asks for, where a loop repeats kernels.
enum class LaunchWish {
  Any,
  Launches,   ///< one launch for each
  Graph,      ///< recorded once, where all iterations are the same
  Cooperative ///< the whole loop in one launch, where that is possible
};

inline LaunchWish launchWish() {
  static const LaunchWish wish = [] {
    const char* text = std::getenv("WARPLOOM_LAUNCH");
    if (!text || !*text) return LaunchWish::Any;
    if (std::strcmp(text, "launches") == 0) return LaunchWish::Launches;
    if (std::strcmp(text, "graph") == 0) return LaunchWish::Graph;
    if (std::strcmp(text, "cooperative") == 0) return LaunchWish::Cooperative;
    std::fprintf(stderr, "warploom: WARPLOOM_LAUNCH is '%s'; it may be launches, graph or cooperative\n",
                 text);
    std::exit(EXIT_FAILURE);
  }();
  return wish;
}

/// A launch of blocks of at most `most` threads over the indices [first, end), each thread taking one of
/// every `step`. Where there are too few indices to give every multiprocessor such a block, blocks are
/// shorter.
inline Launch line(long first, long end, int most, long step = 1, Place place = Place::here()) {
  constexpr long lanes = 32;
  const long count = end > first ? (end - first + step - 1) / step : 0;
  const long each = (count + multiprocessors() - 1) / multiprocessors();
  const long threads = smaller(larger((each + lanes - 1) / lanes * lanes, lanes), static_cast<long>(most));
  return {dim3(blocks(0, count, threads)),
          dim3(static_cast<unsigned>(threads)),
          0,
          Stream(),
          place.file,
          place.line};
}

/// The greater extent along each axis.
inline dim3 larger(const dim3& a, const dim3& b) {
  return dim3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/// `all`, if no more than `most` blocks, which can be resident at once; else an empty grid or, by `shrink`, a
/// smaller one, over which kernels have to stride.
inline dim3 residentGrid(dim3 all, unsigned most, bool shrink) {
  if (1ull * all.x * all.y * all.z <= most) return all;
  if (!shrink || most == 0) return dim3(0, 0, 0);
  all.x = all.x < most ? all.x : most;
  all.y = all.y < most / all.x ? all.y : most / all.x;
  const unsigned left = most / (all.x * all.y);
  all.z = all.z < left ? all.z : left;
  return all;
}

/// What WARPLOOM_TIMING=1 prints when the program ends: one line per region and path, in order of first
/// entry.
class RegionTimes {
public:
  static bool wanted() {
    static const bool answer = [] {
      const char* text = std::getenv("WARPLOOM_TIMING");
      return text && std::strcmp(text, "1") == 0;
    }();
    return answer;
  }
  static RegionTimes& instance() {
    static RegionTimes times;
    return times;
  }

  void add(const char* region, const std::string& path, double kernels, double transfers, long launches) {
    std::lock_guard<std::mutex> lock(mutex);
    std::string key = std::string(region) + '\n' + path;
    auto [position, fresh] = lines.emplace(key, order.size());
    if (fresh) order.push_back({region, path});
    Line& line = order[position->second];
    line.kernels += kernels;
    line.transfers += transfers;
    line.launches += launches;
  }

  ~RegionTimes() { print(); }

  /// Prints the lines so far and begins anew, for programs that want the times of every round.
  void print() {
    std::lock_guard<std::mutex> lock(mutex);
    for (const Line& line : order)
      std::fprintf(stderr, "warploom: region %s kernels %.3f transfers %.3f launches %ld path %s\n",
                   line.region.c_str(), line.kernels, line.transfers, line.launches, line.path.c_str());
    lines.clear();
    order.clear();
  }

private:
  struct Line {
    std::string region, path;
    double kernels = 0, transfers = 0;
    long launches = 0;
  };
  std::mutex mutex;
  std::map<std::string, std::size_t> lines;
  std::vector<Line> order;
};

/// One passage through a region of the user's program. A launcher makes one, asks `useDevice`, allocates and
/// launches through it, and returns `finish()`; or it returns `stayOnHost(reason)`, and the caller runs the
/// loops it kept. All work goes to one stream, in order, except inside `overlap`.
class Region {
public:
  /// `name` is `function:line` and outlives the program.
  explicit Region(const char* name) : name(name), outer(std::exchange(currentRegion, name)) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() {
    currentRegion = outer;
    if (!RegionTimes::wanted()) return;
    double kernels = clock ? clock->kernelTime() : 0, transfers = clock ? clock->transferTime() : 0;
    RegionTimes::instance().add(name, path, kernels, transfers, launches);
    delete clock;
  }

  /// Whether kernels may run: there is a device, the user did not ask for the host, and a block can have each
  /// of these amounts of shared memory. When the user asked for the device and there is none, the program
  /// ends with a message.
  bool useDevice(std::initializer_list<std::size_t> sharedBytes = {}, Place place = Place::here()) {
    const DeviceWish wish = deviceWish();
    if (wish.kind == DeviceWish::Host) return stayOnHost("WARPLOOM_DEVICE") != 0;
    if (!devicePresent()) {
      if (wish.kind == DeviceWish::Gpu) fail(place, "WARPLOOM_DEVICE=gpu", "there is no CUDA device");
      return stayOnHost("no device") != 0;
    }
    if (wish.number >= 0) chooseDevice(wish.number, place);
    for (std::size_t bytes : sharedBytes)
      if (bytes > sharedOfEveryBlock && bytes > mostShared())
        return stayOnHost("too little shared memory") != 0;
    queue = streamNumber(0);
    if (RegionTimes::wanted()) clock = new StreamClock(queue, true);
    return true;
  }

  /// The user asked for the device: guards that are about speed, not about correctness, do not apply.
  bool deviceForced() const { return deviceWish().kind == DeviceWish::Gpu; }

  /// Whether the device is likely to be done before the host: `instances` of statements, `launches` of
  /// kernels, `bytes` to move. The estimates are those of a current host core and GPU; they decide what is
  /// small, not what is best. The CPU execution is not about speed and always takes part.
  bool worthwhile(double instances, double launches, double bytes) const {
#ifdef __CUDACC__
    constexpr double secondsPerInstance = 0.5e-9, secondsPerLaunch = 4e-6, bytesPerSecond = 20e9;
    return deviceForced() ||
           instances * secondsPerInstance > launches * secondsPerLaunch + bytes / bytesPerSecond;
#else
    static_cast<void>(instances + launches + bytes);
    return true;
#endif
  }

  /// Notes why the kept loops run. The result, 0, is what the launcher returns.
  int stayOnHost(const char* reason) {
    path = std::string("host:") + reason;
    return 0;
  }

  Stream stream() const { return queue; }

  template <typename T>
  DeviceArray<T> array(const char* arrayName, std::initializer_list<std::size_t> extents,
                       const void* host = nullptr, Place place = Place::here()) {
    return DeviceArray<T>(queue, arrayName, extents, host, place);
  }

  /// Copies the first `bytes` bytes.
  void copyIn(void* device, const void* host, std::size_t bytes, Place place = Place::here()) {
    timed(StreamClock::Work::Transfer, [&] { copyToDevice(device, host, bytes, queue, place); });
  }
  void copyOut(void* host, const void* device, std::size_t bytes, Place place = Place::here()) {
    timed(StreamClock::Work::Transfer, [&] { copyToHost(host, device, bytes, queue, place); });
  }

  /// Copies to a `__constant__` variable.
  template <typename T>
  void copyToConstant(T& symbol, const void* host, std::size_t bytes, Place place = Place::here()) {
    timed(StreamClock::Work::Transfer, [&] { copyToSymbol(symbol, host, bytes, queue, place); });
  }

  /// Copies a whole array.
  template <typename T> void copyIn(DeviceArray<T>& device, const void* host, Place place = Place::here()) {
    copyIn(device.data(), host, device.bytes(), place);
  }
  template <typename T> void copyOut(void* host, const DeviceArray<T>& device, Place place = Place::here()) {
    copyOut(host, device.data(), device.bytes(), place);
  }

  template <typename... P, typename... A> void launch(Launch shape, void (*kernel)(P...), A&&... arguments) {
    shape.stream = queue;
    prepare(shape, kernel);
    timed(StreamClock::Work::Kernel,
          [&] { warploom::launch(shape, kernel, static_cast<A&&>(arguments)...); });
  }
  template <typename... P, typename... A>
  void launchCooperative(Launch shape, void (*kernel)(P...), A&&... arguments) {
    shape.stream = queue;
    prepare(shape, kernel);
    timed(StreamClock::Work::Kernel,
          [&] { warploom::launchCooperative(shape, kernel, static_cast<A&&>(arguments)...); });
  }

  /// The shape of the one cooperative launch of `kernel` that runs a loop whose kernels would be launched in
  /// `shapes`. Empty where they should be launched one by one: not even a block is resident, the user asked
  /// for it, or a kernel has more blocks than are resident at once. Then its threads would have several
  /// rounds of work, and a launch costs little beside that.
  template <typename... P> Launch resident(void (*kernel)(P...), std::initializer_list<Launch> shapes) const {
#ifdef __CUDACC__
    const bool wanted = launchWish() == LaunchWish::Any;
#else
    const bool wanted = false; // a barrier costs more than a launch
#endif
    const bool forced = launchWish() == LaunchWish::Cooperative;
    Launch one(dim3(0, 0, 0), dim3(1));
    if (!wanted && !forced) return one;
    for (const Launch& shape : shapes) {
      one.grid = larger(one.grid, shape.grid);
      one.block = larger(one.block, shape.block);
    }
    const int threads = static_cast<int>(one.block.x * one.block.y * one.block.z);
    const int most = maxCooperativeBlocks(kernel, threads, 0);
    one.grid = residentGrid(one.grid, static_cast<unsigned>(most), forced);
    return one;
  }

  /// Does all of `works`, which only launch, at the same time: each but the first on a stream of its own,
  /// after what was launched before, and before what is launched afterwards.
  template <typename... Works> void overlap(Works&&... works) {
    const Stream first = queue;
    const bool apart = launchWish() != LaunchWish::Launches;
    const int count = static_cast<int>(sizeof...(works));
    for (int k = 1; apart && k < count; ++k)
      order(streamNumber(k), first);
    int number = 0;
    auto on = [&](auto&& work) {
      if (apart && number > 0) queue = streamNumber(number);
      ++number;
      work();
    };
    (on(works), ...);
    queue = first;
    for (int k = 1; apart && k < count; ++k)
      order(first, streamNumber(k));
  }

  /// Does `body`, which only launches, with the same arguments every time, `times` times: a CUDA graph.
  template <typename Body> void repeat(long times, Body&& body, Place place = Place::here()) {
    if (times <= 0) return;
    if (launchWish() == LaunchWish::Launches) {
      for (long i = 0; i < times; ++i)
        body();
      return;
    }
    long before = launches;
    timed(StreamClock::Work::Kernel, [&] {
      recording = true;
      warploom::repeat(times, queue, body, place);
      recording = false;
    });
#ifdef __CUDACC__
    launches = before + (launches - before) * times;
#else
    static_cast<void>(before); // each was counted when it ran
#endif
  }

  /// Waits for the results. The result, 1, is what the launcher returns.
  int finish(Place place = Place::here()) {
    synchronize(queue, place);
    if (clock) clock->stop();
    return 1;
  }

private:
  template <typename... P> void prepare(const Launch& shape, void (*kernel)(P...)) {
    if (!shape.isEmpty()) ++launches;
    if (clock && !recording) loadKernel(kernel);
  }
  template <typename Work> void timed(StreamClock::Work kind, Work&& work) {
    if (!clock || recording) return work();
    clock->begin(kind);
    work();
    clock->end();
  }

  const char* name;
  const char* outer; ///< the region around this one
  std::string path = "gpu";
  Stream queue{};
  StreamClock* clock = nullptr; ///< only when timing is wanted
  long launches = 0;
  bool recording = false;
};

} // namespace warploom
