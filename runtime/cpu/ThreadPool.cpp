#include "ThreadPool.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <thread>

namespace warploom::cpu {

struct ThreadPool::Shared {
  std::mutex mutex;
  std::condition_variable wake, done;
  const std::function<void(unsigned)>* work = nullptr;
  unsigned started = 0; ///< OS threads, numbered 1, 2, ...
  unsigned count = 0;   ///< of the current run: numbers below it take part
  unsigned long generation = 0;
  unsigned unfinished = 0;
  unsigned cores = 1;
};

namespace {

/// The size of all thread-local variables of the program. Shared arrays are among them, and the system takes
/// the memory for them out of a new thread's stack.
std::size_t threadLocalBytes() {
  std::size_t bytes = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* sum) {
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_TLS)
            *static_cast<std::size_t*>(sum) += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
        return 0;
      },
      &bytes);
  return bytes;
}

unsigned coresToUse() {
  if (const char* text = std::getenv("WARPLOOM_THREADS"))
    if (int wanted = std::atoi(text); wanted > 0) return static_cast<unsigned>(wanted);
  unsigned cores = std::thread::hardware_concurrency();
  return cores > 0 ? cores : 1;
}

} // namespace

ThreadPool::ThreadPool() : shared(new Shared) {
  shared->cores = coresToUse();
}

ThreadPool& ThreadPool::instance() {
  static ThreadPool* pool = new ThreadPool;
  return *pool;
}

unsigned ThreadPool::cores() const {
  return shared->cores;
}

void ThreadPool::run(unsigned count, const std::function<void(unsigned)>& work) {
  if (count == 1) return work(0);
  struct Start {
    Shared* shared;
    unsigned number;
    unsigned long generation;
  };
  auto live = [](void* argument) -> void* {
    pthread_setname_np(pthread_self(), "warploom-thread"); // warploom_globals.h tells ours from the program's
    Start start = *static_cast<Start*>(argument);
    delete static_cast<Start*>(argument);
    Shared& s = *start.shared;
    unsigned long seen = start.generation;
    std::unique_lock lock(s.mutex);
    for (;;) {
      s.wake.wait(lock, [&] { return s.generation != seen; });
      seen = s.generation;
      if (start.number >= s.count) continue;
      const auto* current = s.work;
      lock.unlock();
      (*current)(start.number);
      lock.lock();
      if (--s.unfinished == 0) s.done.notify_one();
    }
  };

  {
    std::unique_lock lock(shared->mutex);
    while (shared->started + 1 < count) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, threadLocalBytes() + 1024 * 1024ul);
      pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
      pthread_t thread;
      auto* start = new Start{shared, ++shared->started, shared->generation};
      if (pthread_create(&thread, &attributes, live, start) != 0) {
        std::fprintf(stderr, "warploom: cannot start %u threads for the blocks of a grid\n", count - 1);
        std::exit(EXIT_FAILURE);
      }
      pthread_attr_destroy(&attributes);
    }
    shared->work = &work;
    shared->count = count;
    shared->unfinished = count - 1;
    ++shared->generation;
  }
  shared->wake.notify_all();
  work(0);
  std::unique_lock lock(shared->mutex);
  shared->done.wait(lock, [&] { return shared->unfinished == 0; });
}

} // namespace warploom::cpu
