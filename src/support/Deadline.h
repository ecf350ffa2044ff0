// A limit in time on isl, for work whose cost isl's count of operations does not show: its scheduler spends
// minutes in tableaus between two operations that count, and many questions that are cheap each may take
// long together.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace warploom {

/// Makes isl give up, with exceptions, from when the process has spent `seconds` of processor time while
/// alive until it ends. Deadlines nest: an inner one that ends does not bring back what an outer one has
/// taken. To `limited`, isl then is beyond its limit.
class Deadline {
public:
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// True when isl was made to give up by this one.
  bool passed() const { return expired; }
  /// The seconds of processor time since it began.
  double spent() const;

private:
  void watch();

  const double seconds;
  const double start;
  Deadline* const outer;
  std::atomic<bool> expired = false;
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::thread watcher; ///< last: starts when all else is there
};

} // namespace warploom
