// Forked programs under ThreadSanitizer. Children run at once and to their end, in the order of the serial
// program, but each on a thread of its own, and what the parent waits by is hidden from the sanitizer: to it
// a child and its parent's continuation have nothing in common until the join. So whether a race is found
// does not hang on how threads happen to run.
//
// This file is compiled without the sanitizer's instrumentation.
#include "warploom_fork.h"

#include <atomic>
#include <cstdlib>
#include <linux/futex.h>
#include <memory>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}

namespace {

/// A place of the program's tree of parents and children.
struct Parent {
  std::vector<char*> ended; ///< for each child since the last join, what its end is known by
};

thread_local Parent* current = nullptr;

Parent& here() {
  if (!current) current = new Parent;
  return *current;
}

/// Waiting that the sanitizer does not see.
class Signal {
public:
  void wait(int for_value) {
    for (int now = value.load(); now < for_value; now = value.load())
      syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, now, nullptr, nullptr, 0);
  }
  void raise() {
    value.fetch_add(1);
    syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, 1 << 30, nullptr, nullptr, 0);
  }

private:
  std::atomic<int> value{0};
};

struct Child {
  void (*body)(void*);
  void* data;
  char* end;
  Signal done;
};

void start(void* (*run)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run, argument) != 0) {
    static const char message[] = "warploom: no more threads can be made\n";
    if (write(2, message, sizeof message - 1) < 0) std::_Exit(1);
    std::_Exit(1);
  }
  pthread_attr_destroy(&attributes);
}

void* runChild(void* argument) {
  Child* child = static_cast<Child*>(argument);
  Parent own;
  current = &own;
  child->body(child->data);
  __tsan_release(child->end);
  child->done.raise();
  return nullptr;
}

/// Iterations k, k + lanes, k + 2 lanes, ... of a loop, on one thread.
struct Lane {
  void (*body)(void*, long long, long long);
  void* data;
  char* end;
  long long iteration = -1; ///< the next one; negative: no more
  Signal go, done;
};

void* runLane(void* argument) {
  Lane* lane = static_cast<Lane*>(argument);
  Parent own;
  current = &own;
  for (int round = 1;; ++round) {
    lane->go.wait(round);
    if (lane->iteration < 0) break;
    lane->body(lane->data, lane->iteration, lane->iteration + 1);
    lane->done.raise();
  }
  __tsan_release(lane->end);
  lane->done.raise();
  return nullptr;
}

} // namespace

void* warploom_task(unsigned long bytes) {
  void* data = std::malloc(bytes);
  if (!data) std::abort();
  return data;
}

void warploom_fork(void (*body)(void*), void* data) {
  Parent& parent = here();
  Child* child = new Child{body, data, new char, {}};
  parent.ended.push_back(child->end);
  start(runChild, child);
  child->done.wait(1);
}

void warploom_join() {
  for (char* end : here().ended)
    __tsan_acquire(end);
  here().ended.clear();
}

void warploom_for(void (*body)(void*, long long, long long), void* data, long long count, long long) {
  if (count <= 0) return;
  // A prime number of threads: iterations a power of two apart are on different ones.
  constexpr long long most = 127;
  const long long number = count < most ? count : most;
  std::vector<Lane*> lanes;
  for (long long k = 0; k < number; ++k) {
    lanes.push_back(new Lane{body, data, new char, -1, {}, {}});
    start(runLane, lanes.back());
  }
  std::vector<int> rounds(std::size_t(number), 0);
  for (long long k = 0; k < count; ++k) {
    Lane& lane = *lanes[std::size_t(k % number)];
    lane.iteration = k;
    lane.go.raise();
    lane.done.wait(++rounds[std::size_t(k % number)]);
  }
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    lanes[k]->iteration = -1;
    lanes[k]->go.raise();
    lanes[k]->done.wait(rounds[k] + 1);
    __tsan_acquire(lanes[k]->end);
  }
}

void warploom_combine(void (*combine)(void*, void*), void* into, void* value) {
  combine(into, value);
}
