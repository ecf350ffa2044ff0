#include "Block.h"

#include "Hooks.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace warploom::cpu {

thread_local Block* currentBlock = nullptr;

Block::Block() : fibres([this] { runThreads(); }) {}

void Block::setShape(dim3 block) {
  shape = block;
  threads.clear();
  for (unsigned z = 0; z < block.z; ++z)
    for (unsigned y = 0; y < block.y; ++y)
      for (unsigned x = 0; x < block.x; ++x)
        threads.emplace_back().index = {x, y, z};
}

void Block::run(const Grid& newGrid, uint3 index, GridBarrier* gridBarrier) {
  grid = &newGrid;
  blockIndex = index;
  dim3 block = grid->block;
  if (block.x != shape.x || block.y != shape.y || block.z != shape.z) setShape(block);
  int count = threadCount();
  liveLanes.assign(static_cast<std::size_t>((count + warpSize - 1) / warpSize), 0xffffffffu);
  if (count % warpSize != 0) liveLanes.back() = (1u << (count % warpSize)) - 1;
  if (shared.size() * sizeof(SharedLine) < grid->sharedBytes)
    shared.resize(grid->sharedBytes / sizeof(SharedLine) + 1);
  gatherings.clear();
  ready.clear();
  readyBegin = 0;
  nextThread = 0;
  alive = count;
  atBarrier = atGridBarrier = 0;
  votes = {};
  ::blockIdx = index;
  ::blockDim = grid->block;
  ::gridDim = grid->grid;
  currentBlock = this;
  hooks::blockBegins(*this);

  fibres.switchTo(fibres.takeIdle());
  while (alive > 0) { // all that are left wait for the other blocks
    hooks::gridBarrierReached(*this);
    gridBarrier->arriveAndWait();
    atGridBarrier = 0;
    ready.clear();
    readyBegin = 0;
    for (int i = 0; i < count; ++i)
      if (threads[i].state == State::AtGridBarrier) threads[i].state = State::Ready, ready.push_back(i);
    hooks::gridBarrierPassed(*this);
    resume(ready[readyBegin++]);
  }

  hooks::blockEnds(*this);
  currentBlock = nullptr;
}

/// The life of a fibre: threads one after another.
void Block::runThreads() {
  for (;;) {
    while (nextThread < threadCount()) {
      int thread = nextThread++;
      threads[thread].fibre = fibres.running();
      threads[thread].state = State::Ready;
      setIndex(thread);
      hooks::threadBegins(*this);
      grid->invoke(grid->arguments);
      threadEnded();
    }
    fibres.becomeIdle();
    leave();
  }
}

void Block::setIndex(int thread) {
  running = thread;
  ::threadIdx = threads[thread].index;
}

void Block::threadEnded() {
  hooks::threadEnds(*this);
  threads[running].state = State::Ended;
  --alive;
  int warp = running / warpSize;
  liveLanes[warp] &= ~(1u << (running % warpSize));
  // Nobody waits for a thread that has ended.
  if (atBarrier > 0 && atBarrier == alive) releaseBarrier();
  for (std::size_t i = 0; i < gatherings.size(); ++i) {
    Gathering g = gatherings[i];
    if (g.warp != warp || (g.mask & liveLanes[warp] & ~g.arrived) != 0) continue;
    gatherings.erase(gatherings.begin() + static_cast<std::ptrdiff_t>(i--));
    complete(g);
  }
}

/// The running thread cannot go on before somebody makes it ready.
void Block::wait(State state, const void* pc) {
  int self = running;
  threads[self].state = state;
  threads[self].place = pc;
  leave();
  setIndex(self);
}

/// Goes on with another thread, or, when none can, with whoever runs the block. Returns when the thread that
/// runs now is to go on.
void Block::leave() {
  if (readyBegin < ready.size()) return resume(ready[readyBegin++]);
  if (nextThread < threadCount()) return fibres.switchTo(fibres.takeIdle());
  if (alive == atGridBarrier) return fibres.switchTo(0);
  deadlock();
}

void Block::resume(int thread) {
  if (readyBegin == ready.size()) {
    ready.clear();
    readyBegin = 0;
  }
  if (threads[thread].fibre != fibres.running()) fibres.switchTo(threads[thread].fibre);
}

Votes Block::barrier(bool predicate, const void* pc, Place place) {
  hooks::barrierReached(*this, place);
  ++votes.all;
  votes.yes += predicate;
  if (++atBarrier < alive) {
    wait(State::AtBarrier, pc);
    return lastVotes;
  }
  releaseBarrier();
  return lastVotes;
}

void Block::releaseBarrier() {
  lastVotes = votes;
  votes = {};
  atBarrier = 0;
  hooks::barrierPassed(*this);
  for (int i = 0; i < nextThread; ++i)
    if (threads[i].state == State::AtBarrier) {
      threads[i].state = State::Ready;
      ready.push_back(i);
    }
}

void Block::waitForGrid(const void* pc) {
  if (!grid->cooperative) fail(grid->place, "grid barrier", "the launch is not cooperative");
  ++atGridBarrier;
  wait(State::AtGridBarrier, pc);
}

/// Waits until all lanes of `mask` have brought the same operation; the result is this lane's share.
std::uint64_t Block::gather(WarpOperation operation, unsigned mask, std::uint64_t value, int source,
                            const void* pc) {
  int self = running, warp = self / warpSize;
  unsigned bit = 1u << (self % warpSize);
  hooks::warpOperation(*this, mask, pc);
  threads[self].value = value;
  threads[self].source = source;

  // Lanes that do not exist or have ended are not waited for.
  unsigned expected = mask & liveLanes[warp];
  Gathering* mine = nullptr;
  for (Gathering& g : gatherings)
    if (g.warp == warp && g.mask == mask && g.operation == operation && !(g.arrived & bit)) mine = &g;
  if (!mine) mine = &gatherings.emplace_back(Gathering{warp, mask, 0, operation});
  mine->arrived |= bit;
  if ((mine->arrived & expected) == expected) {
    Gathering done = *mine;
    *mine = gatherings.back();
    gatherings.pop_back();
    complete(done);
  } else {
    wait(State::InWarp, pc);
  }
  return threads[self].value;
}

/// Gives every lane that took part its result, and lets it go on.
void Block::complete(const Gathering& g) {
  std::uint64_t brought[warpSize];
  unsigned ballot = 0;
  Thread* warp = &threads[std::size_t(g.warp) * warpSize];
  for (int lane = 0; lane < warpSize; ++lane)
    if (g.arrived >> lane & 1) {
      brought[lane] = warp[lane].value;
      ballot |= (warp[lane].value != 0 ? 1u : 0u) << lane;
    }
  if (g.operation == WarpOperation::Barrier) hooks::warpBarrierPassed(*this, g.warp, g.arrived);
  for (int lane = 0; lane < warpSize; ++lane) {
    if (!(g.arrived >> lane & 1)) continue;
    Thread& thread = warp[lane];
    if (g.operation == WarpOperation::Ballot) thread.value = ballot;
    if (g.operation == WarpOperation::Exchange) {
      bool participates = thread.source >= 0 && thread.source < warpSize && (g.arrived >> thread.source & 1);
      thread.value = participates ? brought[thread.source] : ~std::uint64_t{0};
    }
    int number = g.warp * warpSize + lane;
    if (thread.state == State::InWarp) thread.state = State::Ready, ready.push_back(number);
  }
}

std::uint64_t Block::exchange(unsigned mask, std::uint64_t value, int source, const void* pc) {
  return gather(WarpOperation::Exchange, mask, value, source, pc);
}

unsigned Block::ballot(unsigned mask, bool predicate, const void* pc) {
  return static_cast<unsigned>(gather(WarpOperation::Ballot, mask, predicate, 0, pc));
}

void Block::warpBarrier(unsigned mask, const void* pc) {
  gather(WarpOperation::Barrier, mask, 0, 0, pc);
}

/// Nobody can go on: some threads wait at a barrier that others, waiting elsewhere, will never reach.
void Block::deadlock() const {
  hooks::deadlock(*this);
  std::string message = "warploom: " + std::string(grid->place.file) + ":" +
                        std::to_string(grid->place.line) + ": the threads of block (" +
                        std::to_string(blockIndex.x) + "," + std::to_string(blockIndex.y) + "," +
                        std::to_string(blockIndex.z) + ") wait for each other for ever:";
  int waiting[3] = {};
  for (const Thread& thread : threads) {
    if (thread.state == State::AtBarrier) ++waiting[0];
    if (thread.state == State::InWarp) ++waiting[1];
    if (thread.state == State::AtGridBarrier) ++waiting[2];
  }
  message += " " + std::to_string(waiting[0]) + " at __syncthreads, " + std::to_string(waiting[1]) +
             " in a warp operation, " + std::to_string(waiting[2]) + " at a grid barrier\n";
  std::fputs(message.c_str(), stderr);
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

} // namespace warploom::cpu

// ---- The kernel language's functions
// ---------------------------------------------------------------------------

using warploom::cpu::currentBlock;

void __syncwarp(unsigned mask) {
  currentBlock->warpBarrier(mask, __builtin_return_address(0));
}

unsigned __ballot_sync(unsigned mask, int predicate) {
  return currentBlock->ballot(mask, predicate != 0, __builtin_return_address(0));
}

// The lanes that run together with this one. Any set that holds the caller is right, and here lanes run one
// by one.
unsigned __activemask() {
  return 1u << (currentBlock->runningThread() % warpSize);
}

void __threadfence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  warploom::cpu::hooks::fence(*currentBlock);
}
void __threadfence_block() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
void __threadfence_system() {
  __threadfence();
}

namespace warploom::cpu {

Votes blockBarrier(int predicate, const char* file, int line) {
  return currentBlock->barrier(predicate != 0, __builtin_return_address(0), {file, line});
}

std::uint64_t warpExchange(unsigned mask, std::uint64_t value, int source) {
  return currentBlock->exchange(mask, value, source, __builtin_return_address(0));
}

void* dynamicShared(std::size_t elementBytes, const char* type) {
  hooks::dynamicSharedUsed(elementBytes, type);
  return currentBlock->dynamicShared();
}

void gridBarrier() {
  currentBlock->waitForGrid(__builtin_return_address(0));
}

} // namespace warploom::cpu
