// A limit in time on isl, for the one question whose cost isl's count of operations does not show: its
// scheduler spends minutes in tableaus between two operations that count.
#pragma once

#include "support/Isl.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace warploom {

/// Makes isl give up, with an exception, once the process has spent `seconds` of processor time, or eight
/// times as long by the clock, while alive.
class Deadline {
public:
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// True when isl was made to give up.
  bool passed() const;

private:
  void watch(double seconds);

  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::thread watcher; ///< last: starts when all else is there
};

} // namespace warploom
