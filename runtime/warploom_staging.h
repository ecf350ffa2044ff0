// Copies between the device and memory of the host that the system may swap out: in pieces, through
// page-locked memory that several threads fill or empty while the link carries other pieces. A plain copy has
// one thread for that, which is slower than the link. `Link` says how pieces travel (warploom_cuda.h; tests
// have one of their own).
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

namespace warploom {

template <typename Link> class Staging {
public:
  using Stream = typename Link::Stream;
  static constexpr std::size_t piece = 1 << 20;
  /// The least that is copied this way; the first time, when there is no page-locked memory yet, and later.
  static constexpr std::size_t firstLeast = 64 << 20, least = 16 << 20;
  static constexpr unsigned mostThreads = 8;

  explicit Staging(unsigned cores = std::thread::hardware_concurrency())
      : workers(cores < mostThreads ? cores : mostThreads) {}

  /// Copies to the device, after what the stream holds now, and returns when all of `host` was read: true, or
  /// false where a plain copy is better, and then nothing was done. `link` serves all threads.
  bool toDevice(void* device, const void* host, std::size_t bytes, Stream stream, const Link& link) {
    return together(bytes, link, [&](Worker& worker, Pieces& pieces) {
      int turn = 0;
      for (Piece at; pieces.next(at); turn ^= 1) {
        Slot& slot = worker.slots[turn];
        slot.await(link);
        std::memcpy(slot.memory, static_cast<const char*>(host) + at.begin, at.bytes);
        link.toDevice(static_cast<char*>(device) + at.begin, slot.memory, at.bytes, stream);
        slot.mark(link, stream);
      }
    });
  }

  /// The same from the device; returns when everything is in `host`.
  bool toHost(void* host, const void* device, std::size_t bytes, Stream stream, const Link& link) {
    return together(bytes, link, [&](Worker& worker, Pieces& pieces) {
      Piece arriving[2];
      bool travels[2] = {};
      auto take = [&](int turn) {
        if (!travels[turn]) return;
        worker.slots[turn].await(link);
        std::memcpy(static_cast<char*>(host) + arriving[turn].begin, worker.slots[turn].memory,
                    arriving[turn].bytes);
        travels[turn] = false;
      };
      int turn = 0;
      for (Piece at; pieces.next(at); turn ^= 1) {
        Slot& slot = worker.slots[turn];
        take(turn);
        slot.await(link); // of a copy to the device before
        link.toHost(slot.memory, static_cast<const char*>(device) + at.begin, at.bytes, stream);
        slot.mark(link, stream);
        arriving[turn] = at;
        travels[turn] = true;
      }
      take(turn);
      take(turn ^ 1);
    });
  }

private:
  struct Piece {
    std::size_t begin = 0, bytes = 0;
  };
  /// The pieces of a copy, each for the thread that asks first.
  struct Pieces {
    std::atomic<std::size_t> begun{0};
    std::size_t all;

    bool next(Piece& at) {
      at.begin = begun.fetch_add(piece);
      if (at.begin >= all) return false;
      at.bytes = std::min(piece, all - at.begin);
      return true;
    }
  };
  /// Page-locked memory for a piece, and the copy from or to it that was begun last.
  struct Slot {
    char* memory = nullptr;
    typename Link::Event event{};
    bool busy = false;

    void await(const Link& link) {
      if (busy) link.await(event);
      busy = false;
    }
    void mark(const Link& link, Stream stream) {
      link.record(event, stream);
      busy = true;
    }
  };
  struct Worker {
    Slot slots[2];
  };

  /// Whether it was done: `work(worker, pieces)` by all threads, this one included.
  template <typename Work> bool together(std::size_t bytes, const Link& link, Work work) {
    constexpr unsigned fewest = 3; // two do not copy faster than the driver's one
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (!lock || workers < fewest || bytes < (ready.empty() ? firstLeast : least)) return false;
    if (ready.empty() && !prepare(link)) {
      workers = 0;
      return false;
    }
    Pieces pieces{{}, bytes};
    struct Thread {
      pthread_t id;
      const Link* link;
      Work* work;
      Pieces* pieces;
      Worker* worker;
      static void* run(void* self) {
        auto& thread = *static_cast<Thread*>(self);
        pthread_setname_np(pthread_self(), "warploom-thread");
        thread.link->enter();
        (*thread.work)(*thread.worker, *thread.pieces);
        return nullptr;
      }
    };
    std::vector<Thread> threads(ready.size() - 1);
    sigset_t all, before; // signals are the program's
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::size_t begun = 0;
    for (; begun < threads.size(); ++begun) {
      threads[begun] = {{}, &link, &work, &pieces, &ready[begun + 1]};
      if (pthread_create(&threads[begun].id, nullptr, Thread::run, &threads[begun]) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    work(ready[0], pieces); // all of it, where there are no threads
    for (std::size_t k = 0; k < begun; ++k)
      pthread_join(threads[k].id, nullptr);
    return true;
  }

  /// Whether there is page-locked memory for all threads; it stays as long as the program.
  bool prepare(const Link& link) {
    auto* memory = static_cast<char*>(link.allocatePageLocked(2 * piece * workers));
    if (!memory) return false;
    ready.resize(workers);
    for (Worker& worker : ready)
      for (Slot& slot : worker.slots) {
        slot.memory = memory;
        slot.event = link.makeEvent();
        memory += piece;
      }
    return true;
  }

  std::mutex mutex;
  unsigned workers;
  std::vector<Worker> ready;
};

} // namespace warploom
