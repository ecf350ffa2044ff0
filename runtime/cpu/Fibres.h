// The fibres of one OS thread: Boost.Context underneath, stacks that are kept and reused.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace warploom::cpu {

/// The bytes [begin, end).
struct StackRange {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
  bool contains(const void* address) const { return begin <= address && address < end; }
};

/// Fibres 1, 2, ... that each run `body` for ever, and 0, the OS thread's own stack. Exactly one runs at a
/// time, and control passes only by `switchTo`. A fibre is either running, suspended in `switchTo`, or idle:
/// suspended with nothing to do, waiting in `idle` for its next use.
class Fibres {
public:
  explicit Fibres(std::function<void()> body);
  ~Fibres();
  Fibres(const Fibres&) = delete;
  Fibres& operator=(const Fibres&) = delete;

  /// A fibre that is idle, made if there is none. When switched to, it goes on in `body`.
  int takeIdle();
  /// The running fibre has nothing to do.
  void becomeIdle() { idle.push_back(runningFibre); }

  /// Suspends the running fibre and goes on with `fibre`; returns when somebody switches back.
  void switchTo(int fibre);

  int running() const { return runningFibre; }
  StackRange stack(int fibre) const { return (*fibres)[fibre].stack; }

private:
  struct Fibre {
    boost::context::fiber context; ///< empty while it runs
    StackRange stack;
  };
  std::function<void()> body;
  std::unique_ptr<std::deque<Fibre>> fibres; // a deque: references stay valid while it grows
  std::vector<int> idle;
  int runningFibre = 0;
  int suspended = 0; ///< the fibre that made the latest switch
};

} // namespace warploom::cpu
