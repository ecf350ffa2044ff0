// Which block runs on which OS thread, and the device's memory.
#include "Block.h"
#include "Hooks.h"
#include "OfThread.h"
#include "ThreadPool.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

namespace warploom {

namespace cpu {

namespace {

/// The limits of today's GPUs, kept here so that what runs here runs there.
void checkShape(const Grid& g) {
  unsigned long long threads = 1ull * g.block.x * g.block.y * g.block.z;
  if (threads == 0 || threads > 1024 || g.block.z > 64)
    fail(g.place, "launch", "a block has 1 to 1024 threads, at most 64 along z");
  if (g.grid.x > 0x7fffffffu || g.grid.y > 65535 || g.grid.z > 65535)
    fail(g.place, "launch", "a grid has at most 2147483647 x 65535 x 65535 blocks");
  if (g.sharedBytes > mostShared())
    fail(g.place, "launch", "a block has at most 227 KiB of dynamic shared memory");
}

unsigned long long blockCount(const Grid& g) {
  return 1ull * g.grid.x * g.grid.y * g.grid.z;
}

uint3 blockAt(const Grid& g, unsigned long long number) {
  auto x = static_cast<unsigned>(number % g.grid.x);
  auto y = static_cast<unsigned>(number / g.grid.x % g.grid.y);
  auto z = static_cast<unsigned>(number / g.grid.x / g.grid.y);
  return {x, y, z};
}

/// This OS thread's block executor.
Block& localBlock() {
  return ofThread<Block>();
}

/// Under the sanitizer only one OS thread runs kernel code at a time, so that the order of accesses is known.
class Turn {
public:
#ifdef WARPLOOM_SANITIZE
  void take() { mutex.lock(); }
  void give() { mutex.unlock(); }

private:
  std::mutex mutex;
#else
  void take() {}
  void give() {}
#endif
};

class BlocksBarrier : public GridBarrier {
public:
  BlocksBarrier(unsigned blocks, Turn& turn) : present(blocks), turn(turn) {}

  void arriveAndWait() override {
    turn.give();
    {
      std::unique_lock lock(mutex);
      unsigned mine = phase;
      if (++arrived == present)
        advance();
      else
        passed.wait(lock, [&] { return phase != mine; });
    }
    turn.take();
  }

  /// A block has ended: nobody waits for it.
  void leave() {
    std::unique_lock lock(mutex);
    --present;
    if (arrived > 0 && arrived == present) advance();
  }

private:
  void advance() {
    arrived = 0;
    ++phase;
    passed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable passed;
  unsigned present, arrived = 0, phase = 0;
  Turn& turn;
};

void runCooperative(const Grid& grid, unsigned blocks) {
  Turn turn;
  BlocksBarrier barrier(blocks, turn);
  ThreadPool::instance().run(blocks, [&](unsigned number) {
    turn.take();
    localBlock().run(grid, blockAt(grid, number), &barrier);
    turn.give();
    barrier.leave();
  });
}

void runIndependent(const Grid& grid, unsigned long long blocks) {
#ifdef WARPLOOM_SANITIZE
  unsigned workers = 1;
#else
  unsigned cores = ThreadPool::instance().cores();
  unsigned workers = blocks < cores ? static_cast<unsigned>(blocks) : cores;
#endif
  // Several blocks per claim while there are many, so that the counter is not the bottleneck of tiny blocks.
  unsigned long long claim = blocks / (workers * 64ull) + 1;
  std::atomic<unsigned long long> next{0};
  ThreadPool::instance().run(workers, [&](unsigned) {
    for (;;) {
      unsigned long long first = next.fetch_add(claim, std::memory_order_relaxed);
      if (first >= blocks) return;
      unsigned long long end = first + claim < blocks ? first + claim : blocks;
      for (unsigned long long number = first; number < end; ++number)
        localBlock().run(grid, blockAt(grid, number), nullptr);
    }
  });
}

} // namespace

void run(const Grid& grid) {
  checkShape(grid);
  // One grid at a time, whoever launches.
  static std::mutex device;
  std::lock_guard lock(device);
  unsigned long long blocks = blockCount(grid);
  if (grid.cooperative && blocks > 16) fail(grid.place, "launch", "too many blocks in a cooperative launch");
  hooks::launchBegins(grid);
  if (grid.cooperative)
    runCooperative(grid, static_cast<unsigned>(blocks));
  else
    runIndependent(grid, blocks);
  hooks::launchEnds(grid);
}

} // namespace cpu

int multiprocessors() {
  return static_cast<int>(cpu::ThreadPool::instance().cores());
}

namespace {

constexpr std::align_val_t memoryAlignment{256};

} // namespace

void* allocate(std::size_t bytes, Stream stream, ArrayName name, Place place) {
  void* memory = allocateIfRoom(bytes, stream, name, place);
  if (!memory) fail(place, "allocation", "out of memory");
  return memory;
}

void* allocateIfRoom(std::size_t bytes, Stream, ArrayName name, Place place) {
  constexpr std::size_t margin = cpu::allocationMargin;
  if (bytes > PTRDIFF_MAX - 2 * margin) return nullptr;
  void* memory = ::operator new(bytes + 2 * margin, memoryAlignment, std::nothrow);
  if (!memory) return nullptr;
  void* begin = static_cast<std::byte*>(memory) + margin;
#ifdef WARPLOOM_SANITIZE
  std::memset(begin, 0xff, bytes); // what nobody wrote is a NaN
#endif
  cpu::hooks::allocated(begin, bytes, name, place);
  return begin;
}

void release(void* memory, Stream) {
  if (!memory) return;
  cpu::hooks::released(memory);
  ::operator delete(static_cast<std::byte*>(memory) - cpu::allocationMargin, memoryAlignment);
}

void copyToDevice(void* device, const void* host, std::size_t bytes, Stream, Place) {
  if (bytes > 0) std::memcpy(device, host, bytes);
}

void copyToHost(void* host, const void* device, std::size_t bytes, Stream, Place) {
  if (bytes > 0) std::memcpy(host, device, bytes);
}

void copyOnDevice(void* to, const void* from, std::size_t bytes, Stream, Place) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void fill(void* device, int byte, std::size_t bytes, Stream, Place) {
  if (bytes > 0) std::memset(device, byte, bytes);
}

} // namespace warploom
