// One block at a time on one OS thread: its threads as fibres, their barriers and warp operations. Which
// blocks run where is Executor.cpp's question.
#pragma once

#include "Fibres.h"
#include "warploom_cpu.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warploom::cpu {

/// Where all blocks of a cooperative grid meet. Every block runs on an OS thread of its own.
class GridBarrier {
public:
  virtual ~GridBarrier() = default;
  /// Waits until every block that has not ended has arrived.
  virtual void arriveAndWait() = 0;
};

/// Executes blocks on the OS thread that owns it.
///
/// A thread that has begun runs on a fibre until it ends or waits. A fibre whose thread has ended takes the
/// next thread that has not begun, so a block whose threads never wait runs on one fibre without a single
/// switch. Threads that may go on stand in `ready` in the order in which they were released: execution is
/// deterministic.
class Block {
public:
  Block();

  /// Runs all threads of block `index` of `grid`.
  void run(const Grid& grid, uint3 index, GridBarrier* gridBarrier);

  // Called by the running thread; `pc` is the place in the kernel.
  Votes barrier(bool predicate, const void* pc, Place place);
  void waitForGrid(const void* pc);
  std::uint64_t exchange(unsigned mask, std::uint64_t value, int source, const void* pc);
  unsigned ballot(unsigned mask, bool predicate, const void* pc);
  void warpBarrier(unsigned mask, const void* pc);

  void* dynamicShared() { return shared.data(); }
  const Grid& currentGrid() const { return *grid; }
  int runningThread() const { return running; }
  uint3 index() const { return blockIndex; }
  int threadCount() const { return static_cast<int>(threads.size()); }
  uint3 threadIndex(int thread) const { return threads[thread].index; }
  /// Where the thread waits; null when it does not.
  const void* waitsAt(int thread) const {
    State state = threads[thread].state;
    bool waits = state == State::AtBarrier || state == State::AtGridBarrier || state == State::InWarp;
    return waits ? threads[thread].place : nullptr;
  }
  /// The fibre stack of the running thread.
  StackRange stack() const { return fibres.stack(threads[running].fibre); }

private:
  enum class State { NotBegun, Ready, AtBarrier, AtGridBarrier, InWarp, Ended };
  enum class WarpOperation { Exchange, Ballot, Barrier };

  struct Thread {
    uint3 index;
    int fibre = 0;
    State state = State::NotBegun;
    int source = 0;              ///< the lane whose value it wants, in an exchange
    std::uint64_t value = 0;     ///< what it brings to a warp operation; afterwards, what it gets
    const void* place = nullptr; ///< where it waits
  };

  /// The lanes of a warp that have come to an operation on `mask`. All must bring the same operation.
  struct Gathering {
    int warp;
    unsigned mask, arrived;
    WarpOperation operation;
  };

  void runThreads();
  void wait(State state, const void* pc);
  void resume(int thread);
  void leave();
  void threadEnded();
  void releaseBarrier();
  void setShape(dim3 block);
  void setIndex(int thread);
  std::uint64_t gather(WarpOperation operation, unsigned mask, std::uint64_t value, int source,
                       const void* pc);
  void complete(const Gathering& gathering);
  [[noreturn]] void deadlock() const;

  const Grid* grid = nullptr;
  Fibres fibres;
  std::vector<Thread> threads;
  std::vector<int> ready; ///< from `readyBegin` on
  std::size_t readyBegin = 0;
  std::vector<unsigned> liveLanes;   ///< per warp, the lanes that exist and have not ended
  std::vector<Gathering> gatherings; ///< operations that some lane waits in
  struct alignas(256) SharedLine {
    std::byte bytes[256];
  };
  std::vector<SharedLine> shared; ///< the dynamic shared memory
  dim3 shape{0, 0, 0};            ///< of the block that `threads` was made for
  uint3 blockIndex;
  int running = -1;
  int nextThread = 0; ///< the first that has not begun
  int alive = 0;      ///< threads that have not ended
  int atBarrier = 0, atGridBarrier = 0;
  Votes votes{}, lastVotes{};
};

/// The Block of this OS thread while it runs one, else null.
extern thread_local Block* currentBlock;

} // namespace warploom::cpu
