// Forked programs on threads: oneTBB's tasks.
#include "warploom_fork.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>
#include <vector>

namespace {

/// What runs at one place of the program's tree of parents and children: its own children.
struct Parent {
  tbb::task_group children;
  bool forked = false; ///< since the last join
};

/// Parents that have ended before their children. The program's end waits for those.
std::mutex leftMutex;
std::vector<std::unique_ptr<Parent>>& left() {
  static auto* list = new std::vector<std::unique_ptr<Parent>>;
  return *list;
}

thread_local Parent* current = nullptr;

void waitForAll() {
  for (;;) {
    std::vector<std::unique_ptr<Parent>> some;
    {
      std::lock_guard<std::mutex> lock(leftMutex);
      some.swap(left());
    }
    if (some.empty()) return;
    for (auto& parent : some)
      parent->children.wait();
  }
}

/// The parent that the calling thread runs; a thread's first one is its own.
Parent& here() {
  if (!current) {
    auto own = std::make_unique<Parent>();
    current = own.get();
    std::lock_guard<std::mutex> lock(leftMutex);
    static const bool registered = std::atexit(waitForAll) == 0;
    (void)registered;
    left().push_back(std::move(own));
  }
  return *current;
}

/// Runs `body` as a new parent.
template <typename Body> void asParent(const Body& body) {
  auto own = std::make_unique<Parent>();
  Parent* outer = current;
  current = own.get();
  body();
  current = outer;
  if (!own->forked) return;
  std::lock_guard<std::mutex> lock(leftMutex);
  left().push_back(std::move(own));
}

std::mutex combineMutex;

} // namespace

void* warploom_task(unsigned long bytes) {
  void* data = std::malloc(bytes);
  if (!data) std::abort();
  return data;
}

void warploom_fork(void (*body)(void*), void* data) {
  Parent& parent = here();
  parent.forked = true;
  parent.children.run([body, data] {
    asParent([&] { body(data); });
    std::free(data);
  });
}

void warploom_join() {
  Parent& parent = here();
  if (!parent.forked) return;
  parent.children.wait();
  parent.forked = false;
}

void warploom_for(void (*body)(void*, long long, long long), void* data, long long count, long long grain) {
  if (count <= 0) return;
  here();
  auto piece = [&](const tbb::blocked_range<long long>& range) {
    asParent([&] { body(data, range.begin(), range.end()); });
  };
  if (grain > 0)
    tbb::parallel_for(tbb::blocked_range<long long>(0, count, std::size_t(grain)), piece,
                      tbb::simple_partitioner());
  else
    tbb::parallel_for(tbb::blocked_range<long long>(0, count), piece);
}

void warploom_combine(void (*combine)(void*, void*), void* into, void* value) {
  std::lock_guard<std::mutex> lock(combineMutex);
  combine(into, value);
}
