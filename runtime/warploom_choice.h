// Where a region runs, learned from what happened: times on the device and on the host, per region and order
// of magnitude of its work, and what would have to move. Nothing here asks the device; included by
// warploom_region.h.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace warploom {

/// Seconds by a clock that never goes back.
inline double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// How memory that is copied again and again moves: AtLinkSpeedSoon, when its pages have been locked.
enum class Moves { Plainly, AtLinkSpeedSoon, AtLinkSpeed };

/// What is known of a passage through a region before it begins.
struct Prospect {
  double instances = 0;     ///< of statements
  double launches = 0;      ///< of kernels
  double copied = 0;        ///< bytes that are copied whenever the device is used, there and back
  double linked = 0;        ///< the same, where they will move as fast as the link, or do so
  double toLock = 0;        ///< bytes of which pages have to be locked for that
  double away = 0;          ///< bytes of memory that both see, which are not known to be on the device
  double resident = 0;      ///< bytes of such memory that are there
  double residents = 0;     ///< arrays that these are of
  double fresh = 0;         ///< bytes of such memory that are only written, and have no pages yet
  double once = 0;          ///< bytes that are copied now and stay on the device, where the host has them too
  bool deviceReady = false; ///< the device can be used at once
  double beginning = 0;     ///< seconds since somebody has begun to make it so
  double firstUse = 0; ///< seconds that it costs, now or when the program ends, if it was not used before
  double repeats = 1;  ///< how often it will be entered, by the loops around it
  double repeatsMost = HUGE_VAL; ///< and at most
  double promised = 0;           ///< seconds that the device will save other regions by the same loops
};

/// What so many instances take when one thread of the device does them, one after the other, as a number of
/// launches: it waits for memory every time.
constexpr double byOneThread(double instances) {
  constexpr double perLaunch = 40;
  return instances / perLaunch;
}

/// A region's experience with work of one order of magnitude.
class Experience {
public:
  /// What decides as long as nothing has happened: those of a current core and GPU.
  static constexpr double secondsPerInstance = 0.5e-9, secondsPerLaunch = 4e-6, secondsToBegin = 0.3;
  /// The first use of the device: code and memory have to get there. Where nothing else has made a context,
  /// it has to go in the end, too.
  static constexpr double secondsOfCode = 0.02, secondsOfContext = 0.12;
  static constexpr double copiedPerSecond = 8e9, broughtPerSecond = 30e9, fetchedPerSecond = 6e9;
  /// To lock pages takes as long as to copy them several times, and until then they move more slowly.
  static constexpr double linkedPerSecond = 40e9, lockedPerSecond = 2e9;
  /// The host gets pages that nobody had before, one after the other.
  static constexpr double touchedPerSecond = 1.8e9;
  /// To fetch a page, and to bring it back, takes this long, however little of it is used.
  static constexpr double secondsPerArray = 30e-6;

  /// Whether the device is to be used. Where it looks too slow it is tried once the host has spent many times
  /// what that costs; where it looks faster but data would have to come first, once it has spent as much.
  /// A device that is not ready is waited for only where the host would take longer than that.
  bool choosesDevice(const Prospect& work) {
    guess = work.instances * secondsPerInstance;
    const double away =
        work.away / broughtPerSecond + work.once / copiedPerSecond + work.toLock / lockedPerSecond;
    const double stay =
        (host >= 0 ? host : guess + work.fresh / touchedPerSecond) +
        work.resident * (1 / fetchedPerSecond + 1 / broughtPerSecond) + // here, and there again
        work.residents * secondsPerArray;
    const double steady = runs >= enoughRuns
                              ? device
                              : work.launches * secondsPerLaunch + work.copied / copiedPerSecond +
                                    work.linked / linkedPerSecond;
    const bool faster = steady < (host >= 0 || runs < enoughRuns ? stay : 0.8 * stay);
    if (faster && work.deviceReady && hostRuns == 0 && runs >= enoughRuns && 4 * device > stay && !asked) {
      asked = true; // the two are close by the estimate: let the host show its time once
      return false;
    }
    spent += stay;
    missed += faster ? stay - steady : 0;
    const double patience = faster ? 1 : runs < enoughRuns || trials < earlyTrials ? 20 : 100;
    limit = patience * (steady + away);
    const double left =
        !work.deviceReady && secondsToBegin > work.beginning ? secondsToBegin - work.beginning : 0;
    wanted = faster && !work.deviceReady && spent > limit && missed > missedBeforeBeginning;
    bool waits = faster && missed <= work.firstUse;
    // What is known of the future, once there is a past. The first run on the host, too, is about memory.
    const bool certain = work.repeats >= work.repeatsMost; // nothing ends the loops around it early
    const double done = hostRuns + runs + touches, unsure = hostRuns > 1 ? (certain ? 1.25 : 1.5) : 3;
    auto saved = [&](double calls) { return calls > 0 ? calls * (stay - steady) / unsure : 0; };
    const double cost = work.firstUse + left;
    const double ahead = faster ? saved(work.repeats - done) - away : 0;
    saves = hostRuns > 0 && ahead > 0 ? ahead : 0;
    // Short runs tell soon what they take, when caches and pages are there.
    const bool told = hostRuns >= firstHostRuns || stay > worthBeginningBeside;
    // By the estimate alone it is made ready, while the host shows what it takes, if that is long; or used,
    // if it is ready.
    if (hostRuns == 0 && ahead > cost) {
      waits = waits && !work.deviceReady;
      wanted = !work.deviceReady && told;
    }
    if (work.firstUse > 0 && saves > 0 && saves + work.promised > cost && told) {
      waits = false;
      wanted = !work.deviceReady;
    } else if (work.firstUse > 0 && faster && hostRuns > 0 &&
               saved(work.repeatsMost - done) + work.promised <= cost &&
               done < 2 + 1.1 * work.repeatsMost) { // some calls were before the loop
      waits = true;
      wanted = false;
    }
    if (waits) limit = HUGE_VAL;
    if (spent <= limit) return false;
    if (!work.deviceReady) {
      const double sure = host >= 0 ? stay : stay / 2;
      if (!faster) spent = 0;
      if (!faster || sure < steady + away + left) return false;
    }
    spent = faster ? spent : 0;
    trial = !faster && runs >= enoughRuns;
    trials += trial;
    return true;
  }

  /// Seconds that the device will save in what is left of the loops around it, by what was asked last.
  double savings() const { return saves; }

  /// Whether the device should be made ready, after what was asked last.
  bool wantsDevice() const { return wanted; }

  /// How many calls like the last one, which stays on the host, will certainly stay there, too. They count as
  /// spent. While other memory is on the device, any of them may be about that: it is asked more often.
  unsigned callsThatStay(const Prospect& work, bool isDeviceInUse = false) {
    const double most = isDeviceInUse ? 16 : 1000;
    constexpr double shortest = 20e-6;
    const double stay = host >= 0 ? host : work.instances * secondsPerInstance;
    if (hostRuns < firstHostRuns || stay > shortest || stay <= 0 || work.resident > 0) return 0;
    const double left = (limit - spent) / stay, calls = left < most ? left : most;
    if (calls < 1) return 0;
    paid = stay;
    spent += static_cast<unsigned>(calls) * paid;
    return static_cast<unsigned>(calls);
  }
  /// So many of those did not come.
  void giveBack(unsigned calls) { spent -= calls * paid; }

  /// The device took so long; `moved`: what the host loses afterwards, since memory left it. `touched`:
  /// memory had to get there first. That says nothing of the next time, when it is there: it counts only
  /// where runs together lose more against the host than a program notices, as when data go back and forth.
  void noteDevice(double seconds, double moved, bool touched = false) {
    const double all = seconds + moved, behind = deficit + all - (host >= 0 ? host : guess);
    // The first time is about code and memory that were not there yet.
    if (runs + touches > 0) deficit = behind > 0 ? behind : 0;
    if (touched && deficit <= mostDeficit) {
      ++touches;
      return;
    }
    if (wantsDetail()) moves = moved > 0;
    // The first ones are about what happens once, too: the shortest of them tells most. So it is of a trial,
    // when all has changed.
    const bool isLong = runs >= enoughRuns && all > 3 * device;
    const bool calm = deficit <= mostDeficit / 10 && (!isLong || runs - longRun >= seldom);
    if (isLong) longRun = runs;
    device = runs == 0                                              ? all
             : runs < enoughRuns || (trial && calm && all < device) ? std::fmin(device, all)
                                                                    : recent(device, all, calm);
    trial = false;
    ++runs;
    if (host >= 0 && all > 20 * host && all > longestBeginning && runs < enoughRuns) runs = enoughRuns;
  }

  /// The device took so long, and then the host had to do it all the same.
  void noteFailure(double seconds) { noteDevice(seconds + (host >= 0 ? host : 1), 0); }

  void noteHost(double seconds) {
    // One that is disturbed is a single one: the next tells.
    const bool isLong = hostRuns >= firstHostRuns && seconds > 3 * host;
    host = hostRuns == 0              ? seconds
           : hostRuns < firstHostRuns ? std::fmin(host, seconds)
                                      : recent(host, seconds, !isLong || !wasLong);
    wasLong = isLong;
    ++hostRuns;
  }

  /// Whether the next run on the device should tell how long memory takes to get there.
  bool wantsDetail() const { return runs < enoughRuns + 1 || (runs & 63) == 0; }
  bool wantsHostTime() const { return hostRuns < firstHostRuns || (hostRuns & 15) == 0 || wasLong; }
  void countHost() { ++hostRuns; }
  /// Whether memory that was on the device had left it when a run looked: the host uses it between runs.
  bool losesMemory() const { return moves; }

private:
  /// What runs take by now, after one of `seconds`. Where little was lost so far, a single long one may be
  /// about anything.
  static double recent(double before, double seconds, bool calm) {
    return 0.7 * before + 0.3 * (calm ? std::fmin(seconds, 3 * before) : seconds);
  }

  static constexpr unsigned enoughRuns = 3;
  /// Long runs on the device among fewer others are not single ones.
  static constexpr unsigned seldom = 32;
  /// A run on the device where it looks slower is a trial. The first come sooner: when the program begins,
  /// code and memory are on their way, and other regions have not found their places.
  static constexpr unsigned earlyTrials = 4;
  /// The first run has to get its code to the device; one that takes longer is about something else.
  static constexpr double longestBeginning = 5e-3;
  /// So many runs on the host are about caches and pages that it has not used yet, too.
  static constexpr unsigned firstHostRuns = 4;
  /// Where nothing is known of the future the device is not begun before as much was missed as that costs:
  /// the call may be the program's last.
  static constexpr double missedBeforeBeginning = 0.35;
  /// A run on the host that is as long is not waited for, before the device is begun.
  static constexpr double worthBeginningBeside = 5e-3;
  /// The most that runs for which memory had to get to the device may lose before they count.
  static constexpr double mostDeficit = 0.1;
  double device = -1, host = -1;  ///< seconds, recent ones; negative: not known
  double guess = 0;               ///< seconds on the host by the estimate, of what was asked last
  double deficit = 0;             ///< seconds by which runs on the device were slower than the host, in all
  double saves = 0;               ///< see savings
  double missed = 0;              ///< seconds that the device would have saved so far
  double spent = 0;               ///< on the host, since the device was last thought of
  double limit = 0;               ///< of that, by what was asked last
  double paid = 0;                ///< for each call that stays without asking
  unsigned runs = 0, touches = 0; ///< on the device: those that count, and those that do not
  unsigned hostRuns = 0;
  unsigned trials = 0, longRun = -seldom; ///< the number of the last long run on the device
  bool asked = false, moves = true, wanted = false, trial = false;
  bool wasLong = false; ///< the last run on the host that was measured, against those before it
};

/// What the device will save the regions of the program that the same loop repeats.
class Savings {
public:
  /// What all but `one` have told of the loop with that number.
  double ofOthers(const Experience* one, unsigned loop) {
    std::lock_guard<std::mutex> lock(mutex);
    if (loop != of) count = 0;
    of = loop;
    double sum = 0;
    for (int k = 0; k < count; ++k)
      if (told[k].by != one) sum += told[k].seconds;
    return sum;
  }
  void note(const Experience* one, double seconds) {
    std::lock_guard<std::mutex> lock(mutex);
    int k = 0;
    while (k < count && told[k].by != one)
      ++k;
    if (k == most) return;
    if (k == count) ++count;
    told[k] = {one, seconds};
  }

private:
  static constexpr int most = 64;
  struct Told {
    const Experience* by;
    double seconds;
  };
  std::mutex mutex;
  Told told[most];
  int count = 0;
  unsigned of = 0;
};
inline Savings savings;

/// One region of the program, with all its experience. Lives as long as the program. It is made when the
/// kernels of its file are made known to CUDA; constructors of the user's may run before.
class Site {
public:
  explicit Site(const char* name) : name(name) { begun = true; }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  /// The experience with so much work.
  Experience& with(double instances) { return experience[orderOf(instances)]; }

  /// Whether a passage with so much work stays on the host for certain, by what one before it has found:
  /// for regions that are entered again and again, this is all that a call costs.
  bool staysOnHost(double instances) {
    if (!begun || staysForGood.load(std::memory_order_relaxed)) return true;
    Staying& staying = stays[orderOf(instances)];
    const unsigned left = staying.left.load(std::memory_order_relaxed);
    if (left == 0 ||
        regionsOnDevice.load(std::memory_order_relaxed) != staying.seen.load(std::memory_order_relaxed))
      return false;
    staying.left.store(left - 1, std::memory_order_relaxed);
    return true;
  }
  /// The next `calls` passages with work of that order of magnitude stay there, unless the device is used
  /// meanwhile. They count in its experience.
  void letStay(unsigned calls, double instances) {
    Staying& staying = stays[orderOf(instances)];
    staying.seen.store(regionsOnDevice.load(std::memory_order_relaxed), std::memory_order_relaxed);
    staying.left.store(calls, std::memory_order_relaxed);
  }
  /// All of them stay.
  void stayForGood() { staysForGood.store(true, std::memory_order_relaxed); }

  /// A passage with so much work asks after all: those that were let stay and have not come are not counted.
  void ask(double instances) {
    with(instances).giveBack(stays[orderOf(instances)].left.exchange(0, std::memory_order_relaxed));
  }

  /// `function:line`
  const char* const name;
  std::mutex mutex;
  /// How often regions have run on the device: then memory is elsewhere than before.
  static inline std::atomic<unsigned> regionsOnDevice{0};

private:
  /// Passages with work of one order of magnitude that need not ask.
  struct Staying {
    std::atomic<unsigned> left{0}, seen{0}; ///< so many, as long as regionsOnDevice is what was seen
  };

  volatile bool begun = false; ///< volatile, so that nobody sets it before the program runs
  std::atomic<bool> staysForGood{false};
  static constexpr int orders = 64;
  static int orderOf(double instances) {
    const int order = instances >= 1 ? std::ilogb(instances) : 0;
    return order < orders ? order : orders - 1;
  }
  Staying stays[orders];
  Experience experience[orders];
};

/// The region of this thread whose kept loops are running, and since when.
struct KeptLoops {
  Site* site = nullptr;
  Experience* experience = nullptr;
  double since = 0;
};
inline thread_local KeptLoops keptLoops;

} // namespace warploom
