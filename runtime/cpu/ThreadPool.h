// The OS threads that blocks run on, kept from launch to launch.
#pragma once

#include <functional>
#include <memory>

namespace warploom::cpu {

class ThreadPool {
public:
  static ThreadPool& instance();

  /// How many OS threads the host runs at once; WARPLOOM_THREADS sets it.
  unsigned cores() const;

  /// Calls `work(0)`, ..., `work(count - 1)`, each on an OS thread of its own, 0 on the caller's; returns
  /// when all have returned. One caller at a time.
  void run(unsigned count, const std::function<void(unsigned)>& work);

private:
  ThreadPool();
  struct Shared;
  Shared* shared; // for ever: the threads outlive everything
};

} // namespace warploom::cpu
