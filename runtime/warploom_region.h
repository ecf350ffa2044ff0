// What a launcher does around its kernels: choose between device and host, move data, count time. The same in
// both worlds; included by warploom.h.
#pragma once

#include "warploom_array.h"
#include "warploom_choice.h"
#include "warploom_grid.h"
#include "warploom_interval.h"
#include "warploom_loops.h"
#include "warploom_report.h"
#include "warploom_wishes.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <map>
#include <optional>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// True when the two ranges of bytes have one in common. Empty ranges overlap nothing.
inline bool overlap(const void* a, std::size_t aBytes, const void* b, std::size_t bBytes) {
  auto aBegin = reinterpret_cast<std::uintptr_t>(a), bBegin = reinterpret_cast<std::uintptr_t>(b);
  return aBytes > 0 && bBytes > 0 && aBegin < bBegin + bBytes && bBegin < aBegin + aBytes;
}

/// Whether so few `instances` of statements run that nothing has to be asked: the kept loops are done before
/// the device would begin. For regions that are entered again and again, this is all that a call costs.
inline bool isTiny(double instances) {
#ifdef __CUDACC__
  constexpr double tiny = 64, small = 2000;
  if (instances >= small) return false;
  static const bool counts = RegionTimes::wanted() || Trace::wanted() || deviceWish().kind == DeviceWish::Gpu;
  if (counts) return false;
  // A short loop over memory that is on the device would fetch it, page by page.
  return instances < tiny || !warploom_residentBlocks || warploom_residentBlocks() == 0;
#else
  static_cast<void>(instances);
  return false;
#endif
}

/// Memory of the user's that a region needs on the device: bytes that go there and that come back.
struct Move {
  const void* host;
  double in, out;
};

/// How much of it has to be copied, once, if it is of a mapped file; else -1.
inline double missingOfFile(const Move& move) {
  return warploom_fileMissing
             ? static_cast<double>(warploom_fileMissing(move.host, static_cast<std::size_t>(move.in)))
             : -1;
}

/// Whether a child made by `fork` is running, in which the device cannot be used any more.
inline bool isForked = false;
/// Whether there may be children, which share memory with this process if that was asked for.
inline bool hasForked = false;

/// One passage through a region of the user's program. A launcher makes one, asks `useDevice`, allocates and
/// launches through it, and returns `finish()`; or it returns `stayOnHost(reason)`, and the caller runs the
/// loops it kept. All work goes to one stream, in order, except inside `overlap`.
class Region {
public:
  /// `name` is `function:line` and outlives the program.
  explicit Region(const char* name)
      : name(name), outer(std::exchange(currentRegion, name)), entered(Trace::wanted() ? secondsNow() : 0) {}
  /// A passage through a region that learns where it runs best.
  explicit Region(Site& site) : Region(site.name) { this->site = &site; }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() {
    currentRegion = outer;
    if (RegionTimes::wanted() || Trace::wanted()) report();
    delete clock;
  }

  /// Whether kernels may run: there is a device, the user did not ask for the host, and a block can have each
  /// of these amounts of shared memory. When the user asked for the device and there is none, the program
  /// ends with a message.
  bool useDevice(std::initializer_list<std::size_t> sharedBytes = {}, Place place = Place::here()) {
    const DeviceWish wish = deviceWish();
    if (wish.kind == DeviceWish::Host) return stayForGood("WARPLOOM_DEVICE") != 0;
    if (isForked) return stayOnHost("made by fork") != 0;
    for (std::size_t bytes : sharedBytes)
      mostSharedNeeded = bytes > mostSharedNeeded ? bytes : mostSharedNeeded;
#ifdef __CUDACC__
    // Even to ask whether there is a device takes longer than many a program: later, if there is a reason.
    if (site && !deviceUsed && wish.kind == DeviceWish::Any && choiceWish() != ChoiceWish::Static &&
        !RegionTimes::wanted() && !Trace::wanted())
      return true;
#endif
    return deviceServes(place);
  }

  /// The user asked for the device: guards that are about speed, not about correctness, do not apply.
  bool deviceForced() const { return deviceWish().kind == DeviceWish::Gpu; }

  /// Whether the device is to be used: `instances` of statements, `launches` of kernels, and what moves. By
  /// the estimate alone, or by what the region has learned. The CPU execution is not about speed and always
  /// takes part, unless WARPLOOM_CHOICE says otherwise.
  bool worthwhile(double instances, double launches, std::initializer_list<Move> moves) {
    instancesOfLoops = instances;
    bytesOfArrays = 0;
    for (const Move& move : moves)
      bytesOfArrays += move.in + move.out;
    if (deviceForced()) return true;
#ifndef __CUDACC__
    if (choiceWish() == ChoiceWish::Any) return true;
#endif
    Prospect work;
    work.instances = instances;
    work.launches = launches;
    work.deviceReady = deviceUsed || deviceIsReady();
    work.beginning = work.deviceReady ? 0 : secondsOfBeginning();
    double all = 0;
    for (const Move& move : moves) {
      const double most = move.in > move.out ? move.in : move.out;
      const GlobalArray* global = globalAround(move.host);
      const bool willMove = global && !global->hasMoved();
      const double there = willMove ? 0 : residence(move.host, most);
      if (there >= 0) {
        work.resident += there;
        work.residents += there > 0;
        work.away += most - there;
        if (warploom_freshBytes && !willMove && move.in == 0)
          work.fresh += static_cast<double>(warploom_freshBytes(move.host, static_cast<std::size_t>(most)));
        shared += most;
        ++sharedArrays;
        work.deviceReady = work.deviceReady || !willMove;
      } else if (const double missing = missingOfFile(move); missing >= 0) {
        work.once += missing;
      } else if (const Moves way = movesOf(move.host, static_cast<std::size_t>(most));
                 way != Moves::Plainly) {
        work.linked += move.in + move.out;
        work.toLock += way == Moves::AtLinkSpeedSoon ? most : 0;
      } else {
        work.copied += move.in + move.out;
      }
      all += move.in + move.out;
    }
    if (!deviceUsed) // memory that both see comes with a context
      work.firstUse = Experience::secondsOfCode +
                      (work.deviceReady && secondsOfBeginning() == 0 ? 0 : Experience::secondsOfContext);
    if (choiceWish() == ChoiceWish::Static || !site)
      return instances * Experience::secondsPerInstance >
             launches * Experience::secondsPerLaunch + all / 20e9;
    std::lock_guard<std::mutex> lock(site->mutex);
    experience = &site->with(instances);
    site->ask(instances);
    if (!deviceUsed) {
      const Repeats repeats = hostLoops.around(__builtin_frame_address(0));
      work.repeats = repeats.times;
      work.repeatsMost = repeats.most;
      work.promised = savings.ofOthers(experience, repeats.loop);
    }
    const bool chosen = experience->choosesDevice(work);
    if (!deviceUsed) savings.note(experience, experience->savings());
    if (chosen && deviceServes(Place::here())) {
      constexpr double worthAsking = 1 << 20; // what is less costs as much to bring as to fetch
      detailed = experience->wantsDetail() && shared >= worthAsking;
      // To bring what is there takes longer than many a kernel. What is not comes when a kernel asks for it.
      isThere = work.away == 0 && !detailed && !experience->losesMemory();
      touches = work.away > 0 || work.once > 0;
      began = secondsNow();
      return true;
    }
    if (experience->wantsDevice()) beginDevice(deviceWish().number < 0 ? 0 : deviceWish().number);
    for (const Move& move : moves) {
      const double most = move.in > move.out ? move.in : move.out;
      if (residence(move.host, most, 0) > 0) bringToHost(move.host, most);
    }
    if (experience->wantsHostTime())
      keptLoops = {site, experience, secondsNow()};
    else
      experience->countHost();
    if (!reason && !RegionTimes::wanted() && !Trace::wanted())
      if (const unsigned calls =
              experience->callsThatStay(work, warploom_residentBlocks && warploom_residentBlocks() > 0))
        site->letStay(calls, instances);
    return false;
  }

  /// A size of the problem, by the name that the launcher has for it.
  struct ToldSize {
    const char* name;
    long value;
  };
  /// What this passage is about, for those who measure.
  void tellSizes(std::initializer_list<ToldSize> sizes) {
    if (!RegionTimes::wanted()) return;
    for (const ToldSize& size : sizes)
      problem += (problem.empty() ? "" : " ") + std::string(size.name) + "=" + std::to_string(size.value);
  }

  /// Notes why the kept loops run. The result, 0, is what the launcher returns.
  int stayOnHost(const char* why) {
    if (!reason) reason = why;
    if (site && !keptLoops.site && (RegionTimes::wanted() || Trace::wanted()))
      keptLoops = {site, nullptr, secondsNow()};
    return 0;
  }

  /// The same after the device was begun with: what that took counts as its time, the kept loops come on top.
  int giveUp(const char* why) {
    synchronize(queue);
    if (clock) clock->stop();
    if (experience) {
      std::lock_guard<std::mutex> guard(site->mutex);
      experience->noteFailure(secondsNow() - began);
      keptLoops = {site, experience, secondsNow()};
    }
    return stayOnHost(why);
  }

  Stream stream() {
    open();
    return queue;
  }

  template <typename T>
  DeviceArray<T> array(const char* arrayName, std::initializer_list<std::size_t> extents,
                       const void* host = nullptr, Place place = Place::here()) {
    open();
    long elements = 1;
    for (std::size_t extent : extents)
      elements *= static_cast<long>(extent);
    largestArray = larger(largestArray, elements);
    const auto bytes = static_cast<std::size_t>(elements) * sizeof(T);
    const bool isFresh =
        bytes >= worthBringing && warploom_freshBytes && warploom_freshBytes(host, bytes) > 0;
    DeviceArray<T> result(queue, arrayName, extents, host, place);
    if (isFresh && result.read() == host) copyToDevice(addressOf(result), host, bytes, queue, place);
    return result;
  }
  /// An array that the program does not have; null where there is too little memory for it.
  template <typename T>
  DeviceArray<T> scratch(const char* arrayName, std::initializer_list<std::size_t> extents,
                         Place place = Place::here()) {
    open();
    return DeviceArray<T>(typename DeviceArray<T>::IfRoom(), queue, arrayName, extents, place);
  }

  /// Copies the first `bytes` bytes.
  void copyIn(void* device, const void* host, std::size_t bytes, Place place = Place::here()) {
    open();
    if (device == host && isThere) return;
    if (device != host && copyInFile(device, bytes, place)) return;
    if (device != host && device == moveGlobal(host)) host = device;
    if (device != host && !isAlone()) {
      // Other threads may be changing what lies between our elements: only ours go back.
      const char* first = static_cast<const char*>(host);
      std::vector<char>& copy = kept[host];
      copy.assign(first, first + bytes);
      host = copy.data();
    }
    if (SmallArrays::Copy* small = smallArrays.around(device)) {
      const bool moved = smallArrays.copyIn(*small, device, host, bytes, [&](void* to, const void* from) {
        timed(StreamClock::Work::In, [&] { copySmallToDevice(to, from, bytes, queue, place); });
      });
      bytesIn += moved ? bytes : 0;
      return;
    }
    if (device != host) bytesIn += bytes;
    timed(StreamClock::Work::In, [&] { copyToDevice(device, host, bytes, queue, place); });
  }
  void copyOut(void* host, const void* device, std::size_t bytes, Place place = Place::here()) {
    open();
    if (device != host && isCopyOfFile(device)) return; // nothing can have been written there
    if (device != host && device == moveGlobal(host)) host = const_cast<void*>(device);
    if (device != host && !isAlone())
      if (const char* before = keptAround(host, bytes))
        return copyOutBeside(host, device, before, bytes, 1, place);
    if (device != host) bytesOut += bytes;
    if (SmallArrays::Copy* small = smallArrays.around(device)) {
      smallArrays.copyOut(*small, host, device, bytes, [&](void* to, const void* from) {
        timed(StreamClock::Work::Out, [&] { copySmallToHost(to, from, bytes, queue, place); });
      });
      return;
    }
    timed(StreamClock::Work::Out, [&] { copyToHost(host, device, bytes, queue, place); });
  }

  /// The same for an array of which it is not known how long it is. What is there before is kept, and
  /// elements go back only where they have changed: behind the end of the array is other memory, which may
  /// have.
  template <typename T>
  void copyInKept(T* device, const void* host, std::size_t bytes, Place place = Place::here()) {
    copyIn(device, host, bytes, place);
    const long known = knownBytes(host);
    if (device == host || device == moveGlobal(host) || isCopyOfFile(device) ||
        (known >= 0 && static_cast<std::size_t>(known) >= bytes) || !isAlone())
      return;
    const char* first = static_cast<const char*>(host);
    kept[host].assign(first, first + bytes);
  }
  template <typename T>
  void copyOutChanged(void* host, const T* device, std::size_t bytes, Place place = Place::here()) {
    const char* before = keptAround(host, bytes);
    if (!before) return copyOut(host, device, bytes, place);
    copyOutBeside(host, device, before, bytes, sizeof(T), place);
  }
  template <typename T>
  void copyInKept(DeviceArray<T>& device, const void* host, std::size_t bytes, Place place = Place::here()) {
    copyInKept(addressOf(device), host, bytes, place);
  }
  template <typename T>
  void copyInKept(DeviceArray<T>& device, const void* host, Place place = Place::here()) {
    copyInKept(addressOf(device), host, device.bytes(), place);
  }
  template <typename T>
  void copyOutChanged(void* host, const DeviceArray<T>& device, std::size_t bytes,
                      Place place = Place::here()) {
    copyOutChanged(host, device.read(), bytes, place);
  }
  template <typename T>
  void copyOutChanged(void* host, const DeviceArray<T>& device, Place place = Place::here()) {
    copyOutChanged(host, device.read(), device.bytes(), place);
  }

  /// Copies to a `__constant__` variable.
  template <typename T>
  void copyToConstant(T& symbol, const void* host, std::size_t bytes, Place place = Place::here()) {
    open();
    bytesIn += bytes;
    if (const GlobalArray* global = globalAround(host)) host = global->now(host);
    timed(StreamClock::Work::In, [&] { copyToSymbol(symbol, host, bytes, queue, place); });
  }

  /// Copies a whole array.
  template <typename T> void copyIn(DeviceArray<T>& device, const void* host, Place place = Place::here()) {
    copyIn(addressOf(device), host, device.bytes(), place);
  }
  template <typename T> void copyOut(void* host, const DeviceArray<T>& device, Place place = Place::here()) {
    copyOut(host, device.read(), device.bytes(), place);
  }

  template <typename... P, typename... A> void launch(Launch shape, void (*kernel)(P...), A&&... arguments) {
    prepare(shape, kernel);
    shape.stream = queue;
    timed(StreamClock::Work::Kernel,
          [&] { warploom::launch(shape, kernel, passed<P>(static_cast<A&&>(arguments))...); });
    if (launchWish() == LaunchWish::Crink) synchronize(queue);
  }
  template <typename... P, typename... A>
  void launchCooperative(Launch shape, void (*kernel)(P...), A&&... arguments) {
    prepare(shape, kernel);
    shape.stream = queue;
    timed(StreamClock::Work::Kernel,
          [&] { warploom::launchCooperative(shape, kernel, passed<P>(static_cast<A&&>(arguments))...); });
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

  /// Has `call` give the stream work, as a launch does, or say that it cannot: what it returns.
  template <typename Call> bool call(Call&& call) {
    settle();
    bool done = false;
    timed(StreamClock::Work::Kernel, [&] { done = call(queue); });
    launches += done;
    return done;
  }
  /// Inside `repeat`: what is launched now runs later, many times.
  bool isRecording() const { return recording; }

  /// Does all of `works`, which only launch, at the same time: each but the first on a stream of its own,
  /// after what was launched before, and before what is launched afterwards.
  template <typename... Works> void overlap(Works&&... works) {
    open();
    const Stream first = queue;
    const bool apart = launchWish() != LaunchWish::Launches && launchWish() != LaunchWish::Crink;
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
    settle();
    if (launchWish() == LaunchWish::Launches || launchWish() == LaunchWish::Crink) {
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

  /// Waits for the device, and for what comes back from it.
  void wait(Place place = Place::here()) {
    open();
    synchronize(queue, place);
    smallArrays.arrive();
    for (const Beside& one : besides)
      one.put();
    besides.clear();
  }

  /// Waits for the results. The result, 1, is what the launcher returns.
  int finish(Place place = Place::here()) {
    wait(place);
    if (experience) {
      const double all = secondsNow() - began;
      std::lock_guard<std::mutex> lock(site->mutex);
      experience->noteDevice(all, lost, touches);
    }
    if (clock) clock->stop();
    return 1;
  }

private:
  /// What a kernel with a parameter of type P gets for an argument: of an array that it only reads, the
  /// address for reading.
  template <typename P, typename A> static A&& passed(A&& argument) { return static_cast<A&&>(argument); }
  template <typename P, typename T> static P passed(DeviceArray<T>& array) {
    if constexpr (std::is_convertible_v<const T*, P>)
      return array.read();
    else
      return static_cast<P>(array);
  }
  bool isAlone() {
    if (!alone) alone = !hasForked && runsAloneStill();
    return *alone;
  }
  /// What comes back to memory that others may be using, and what was there: where a unit of it differs, it
  /// goes there when it has arrived.
  struct Beside {
    char* host;
    const char* before;
    std::size_t unit;
    std::vector<char> after;

    void put() const {
      switch (unit) {
      case 1:
        return putBytes();
      case 2:
        return putUnits<std::uint16_t>();
      case 4:
        return putUnits<std::uint32_t>();
      case 8:
        return putUnits<std::uint64_t>();
      default:
        for (std::size_t at = 0; at < after.size(); at += unit)
          if (std::memcmp(&after[at], before + at, unit) != 0) std::memcpy(host + at, &after[at], unit);
      }
    }

  private:
    template <typename Unit> static Unit unitAt(const char* at) {
      Unit result;
      std::memcpy(&result, at, sizeof result);
      return result;
    }
    template <typename Unit> void putUnits() const {
      for (std::size_t at = 0; at < after.size(); at += sizeof(Unit))
        if (unitAt<Unit>(&after[at]) != unitAt<Unit>(before + at))
          std::memcpy(host + at, &after[at], sizeof(Unit));
    }
    /// Goes over what has not changed in long steps.
    void putBytes() const {
      using Word = std::uint64_t;
      for (std::size_t at = 0; at < after.size();) {
        const bool whole = after.size() - at >= sizeof(Word);
        if (whole && unitAt<Word>(&after[at]) == unitAt<Word>(before + at)) {
          at += sizeof(Word);
          continue;
        }
        for (const std::size_t end = whole ? at + sizeof(Word) : after.size(); at < end; ++at)
          if (after[at] != before[at]) host[at] = after[at];
      }
    }
  };
  void copyOutBeside(void* host, const void* device, const char* before, std::size_t bytes, std::size_t unit,
                     Place place) {
    besides.push_back({static_cast<char*>(host), before, unit, std::vector<char>(bytes)});
    copyOut(besides.back().after.data(), device, bytes, place);
  }
  /// What was in these bytes when they were brought to the device; null where nothing was kept of it. What
  /// comes back was brought there, or nothing of it was.
  const char* keptAround(const void* host, std::size_t bytes) const {
    auto before = kept.upper_bound(host);
    if (before == kept.begin()) return nullptr;
    --before;
    const auto first =
        static_cast<std::size_t>(static_cast<const char*>(host) - static_cast<const char*>(before->first));
    return first + bytes > before->second.size() ? nullptr : before->second.data() + first;
  }
  /// For copies that keep account of what they do themselves.
  template <typename T> static T* addressOf(DeviceArray<T>& array) { return const_cast<T*>(array.read()); }

  /// The same for this and all later passages, which need not ask.
  int stayForGood(const char* why) {
    if (site && !RegionTimes::wanted() && !Trace::wanted()) site->stayForGood();
    return stayOnHost(why);
  }
  /// Whether there is a device, and blocks of it have the shared memory that kernels need.
  bool deviceServes(Place place) {
    nameThreads();
    const DeviceWish wish = deviceWish();
    if (!devicePresent()) {
      if (wish.kind == DeviceWish::Gpu) fail(place, "WARPLOOM_DEVICE=gpu", "there is no CUDA device");
      return stayForGood("no device") != 0;
    }
    static const int watched = pthread_atfork(nullptr, [] { hasForked = true; }, [] { isForked = true; });
    static_cast<void>(watched);
    if (wish.number >= 0) chooseDevice(wish.number, place);
    if (mostSharedNeeded > sharedOfEveryBlock && mostSharedNeeded > mostShared())
      return stayOnHost("too little shared memory") != 0;
    return true;
  }
  /// Threads that CUDA makes from here on are known. Others would take this one for CUDA's.
  void nameThreads() {
    if (!named && isAlone()) named.emplace();
  }
  /// Tells those who asked what happened in this passage.
  void report() {
    const std::string path = reason ? std::string("host:") + reason : "gpu";
    if (RegionTimes::wanted()) {
      Passage passage;
      passage.launches = launches;
      passage.bytesIn = bytesIn;
      passage.bytesOut = bytesOut;
      passage.instances = instancesOfLoops;
      passage.bytes = bytesOfArrays;
      passage.sizes = problem;
      if (clock) {
        passage.kernels = clock->time(StreamClock::Work::Kernel);
        passage.in = clock->time(StreamClock::Work::In);
        passage.out = clock->time(StreamClock::Work::Out);
      }
      RegionTimes::instance().add(name, path, passage);
    }
    if (Trace::wanted()) {
      Trace::instance().add(name, "region", entered, secondsNow() - entered, path.c_str());
      const char* const kinds[] = {"kernels", "to the device", "to the host"};
      if (clock)
        for (const StreamClock::Piece& piece : clock->pieces())
          Trace::instance().add(kinds[static_cast<int>(piece.work)], "device",
                                clockBegan + 1e-3 * piece.after, 1e-3 * piece.lasted, name);
    }
  }
  template <typename... P> void prepare(const Launch& shape, void (*kernel)(P...)) {
    settle();
    if (!shape.isEmpty()) ++launches;
    if (clock && !recording) loadKernel(kernel);
  }
  /// Whether that is a part of a copy of a file, of which then what is missing is copied.
  bool copyInFile(void* device, std::size_t bytes, Place place) {
    if (!warploom_fileCopyIn) return false;
    auto copy = [&](void* to, const void* from, std::size_t length) {
      timed(StreamClock::Work::In, [&] { copyToDevice(to, from, length, queue, place); });
    };
    const long moved = warploom_fileCopyIn(
        device, bytes,
        [](void* context, void* to, const void* from, std::size_t length) {
          (*static_cast<decltype(copy)*>(context))(to, from, length);
        },
        &copy);
    if (moved > 0) bytesIn += static_cast<std::size_t>(moved);
    return moved >= 0;
  }
  /// The device is used from here on.
  void open() {
    if (opened) return;
    opened = true;
    if (warploom_fileGarbage)
      while (void* garbage = warploom_fileGarbage())
        releaseStayed(garbage);
    largestArray = 0;
    smallArrays.begin();
    Site::regionsOnDevice.fetch_add(1, std::memory_order_relaxed);
    nameThreads();
    deviceUsed = true;
    queue = streamNumber(0);
    if (!RegionTimes::wanted() && !Trace::wanted()) return;
    clock = new StreamClock(queue, true);
    clockBegan = secondsNow();
  }
  /// When memory that both see is to be measured, waits for it and notes what its way back will cost the
  /// host.
  void settle() {
    open();
    if (!detailed || recording) return;
    detailed = false;
    if (shared <= 0) return;
    // To bring what is there already takes half of that. What is copied will be copied again.
    const double beginning = 50e-6 + 100e-6 * sharedArrays + shared * 1.2e-12 +
                             static_cast<double>(bytesIn) / Experience::copiedPerSecond;
    synchronize(queue);
    const double arrived = secondsNow() - began - beginning, most = shared / Experience::fetchedPerSecond;
    const double slower = Experience::broughtPerSecond / Experience::fetchedPerSecond;
    if (arrived > 0) lost = arrived * slower < most ? arrived * slower : most;
  }
  template <typename Work> void timed(StreamClock::Work kind, Work&& work) {
    if (!clock || recording) return work();
    clock->begin(kind);
    work();
    clock->end();
  }

  /// Of fewer bytes, pages are made when kernels ask for them.
  static constexpr std::size_t worthBringing = 1 << 20;

  const char* name;
  const char* outer;            ///< the region around this one
  const char* reason = nullptr; ///< why the kept loops run
  Site* site = nullptr;
  Experience* experience = nullptr; ///< where the choice was by what the region has learned
  double entered, began = 0, clockBegan = 0;
  double shared = 0, lost = 0; ///< bytes that both see; seconds that the host will need to get them back
  int sharedArrays = 0;
  double instancesOfLoops = 0, bytesOfArrays = 0;
  std::string problem;              ///< as tellSizes was told
  std::size_t mostSharedNeeded = 0; ///< by a block
  bool opened = false, detailed = false;
  bool touches = false; ///< memory that is not on the device yet
  bool isThere = false; ///< memory that both see, as far as is known
  std::size_t bytesIn = 0, bytesOut = 0;
  std::map<const void*, std::vector<char>> kept; ///< what was there, of copyInKept or with other threads
  std::deque<Beside> besides;
  std::optional<bool> alone;        ///< no thread or child of the program runs beside this one
  std::optional<NamedAsOurs> named; ///< where it is alone, and uses the device
  static inline bool deviceUsed = false;
  Stream queue{};
  StreamClock* clock = nullptr; ///< only when timing is wanted
  long launches = 0;
  bool recording = false;
};

/// The kept loops of `site` have ended. Other regions inside them may have taken the note over.
inline void keptLoopsEnded(Site& site) {
  if (keptLoops.site != &site) return;
  const double seconds = secondsNow() - keptLoops.since;
  if (keptLoops.experience) {
    std::lock_guard<std::mutex> lock(site.mutex);
    keptLoops.experience->noteHost(seconds);
  }
  if (RegionTimes::wanted()) RegionTimes::instance().addHost(site.name, seconds);
  if (Trace::wanted()) Trace::instance().add(site.name, "kept loops", keptLoops.since, seconds, "host");
  keptLoops.site = nullptr;
}

} // namespace warploom
