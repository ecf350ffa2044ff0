// Synchronisation between the blocks of one launch, by words of device memory: barriers, and the relaxed form
// of RT-CUDA, in which a block works on what others have finished while it waits for the rest. All blocks
// must be resident at once, or those that wait would keep the others from beginning: launchResident asks, and
// launches cooperatively. Included by programs that use it, after warploom.h.
#pragma once

#include "warploom.h"

#ifndef __CUDACC__
#include <thread>
#endif

namespace warploom {

/// The value of a word that another block may set at any time.
__device__ inline unsigned seen(const unsigned* word) {
#ifdef __CUDACC__
  return *static_cast<const volatile unsigned*>(word);
#else
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#endif
}

/// Sets a word, for blocks that then see all that this thread did before, and what its block did before a
/// barrier.
__device__ inline void tell(unsigned* word, unsigned value) {
  __threadfence();
  atomicExch(word, value);
}

/// Waits until another block has told `value`, or more.
__device__ inline void waitFor(const unsigned* word, unsigned value) {
  while (seen(word) < value) {
#ifdef __CUDACC__
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
#else
    std::this_thread::yield();
#endif
  }
  __threadfence();
}

__device__ inline bool isFirstThread() {
  return threadIdx.x + threadIdx.y + threadIdx.z == 0;
}
__device__ inline unsigned threadOfBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned threadsOfBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline unsigned blockOfGrid() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__device__ inline unsigned blocksOfGrid() {
  return gridDim.x * gridDim.y * gridDim.z;
}

/// By a lock, for one level: true in the block that comes last, which then sees what all others did before;
/// the others need not wait. `count` is 0 before, and again afterwards. All threads of the block call it, and
/// share `last`.
__device__ inline bool comesLast(unsigned* count, bool& last) {
  __syncthreads();
  if (isFirstThread()) {
    __threadfence();
    last = atomicAdd(count, 1u) == blocksOfGrid() - 1;
    if (last) {
      __threadfence();
      atomicExch(count, 0u);
    }
  }
  __syncthreads();
  return last;
}

/// A barrier of all blocks by a lock: a count of those that have come. Words: 1.
struct LockBarrier {
  static constexpr unsigned words(unsigned) { return 1; }
  unsigned* memory;

  /// `round` counts from 1; all threads of all blocks call it.
  __device__ void wait(unsigned round) const {
    __syncthreads();
    if (isFirstThread()) {
      __threadfence();
      atomicAdd(memory, 1u);
      waitFor(memory, round * blocksOfGrid());
    }
    __syncthreads();
  }
};

/// A barrier without locks: each block tells its round and looks at all others. Words: one for each block.
struct FlagBarrier {
  static constexpr unsigned words(unsigned blocks) { return blocks; }
  unsigned* memory;

  __device__ void wait(unsigned round) const {
    __syncthreads();
    if (isFirstThread()) {
      tell(memory + blockOfGrid(), round);
      for (unsigned other = 0; other < blocksOfGrid(); ++other)
        waitFor(memory + other, round);
    }
    __syncthreads();
  }
};

/// A barrier without locks by two arrays: blocks tell the first one that they have come, whose threads look
/// at one block each and, when all are there, let them go on. Words: two for each block.
struct TwoArrayBarrier {
  static constexpr unsigned words(unsigned blocks) { return 2 * blocks; }
  unsigned* memory;

  __device__ void wait(unsigned round) const {
    unsigned *in = memory, *out = memory + blocksOfGrid();
    __syncthreads();
    if (isFirstThread()) tell(in + blockOfGrid(), round);
    if (blockOfGrid() == 0) {
      for (unsigned other = threadOfBlock(); other < blocksOfGrid(); other += threadsOfBlock())
        waitFor(in + other, round);
      __syncthreads();
      for (unsigned other = threadOfBlock(); other < blocksOfGrid(); other += threadsOfBlock())
        tell(out + other, round);
    }
    if (isFirstThread()) waitFor(out + blockOfGrid(), round);
    __syncthreads();
  }
};

/// Relaxed synchronisation, where a block needs what all others computed in the round before, in any order:
/// the presence vector has for each block the round that it has finished. Words: one for each block.
///
///     for (unsigned round = 1; round <= rounds; ++round) {
///       presence.begin(work);
///       while (unsigned count = presence.take(work, round))
///         for (unsigned k = 0; k < count; ++k) ... what block work.list[k] computed in round - 1 ...
///       ... this block's part of round `round` ...
///       presence.finish(round);
///     }
///
/// Two copies of the data suffice: nobody writes round k + 2 before it has had that of round k + 1 of every
/// block, which that tells only once it does not read round k any more.
struct Presence {
  static constexpr unsigned words(unsigned blocks) { return blocks; }

  /// The work vector of a block, in shared memory: which blocks it has had, and which it is to look at now.
  template <int Blocks> struct Work {
    unsigned list[Blocks];
    bool had[Blocks];
    unsigned count, left;
  };
  unsigned* memory;

  template <int Blocks> __device__ void begin(Work<Blocks>& work) const {
    for (unsigned other = threadOfBlock(); other < blocksOfGrid(); other += threadsOfBlock())
      work.had[other] = false;
    if (isFirstThread()) work.left = blocksOfGrid();
    __syncthreads();
  }

  /// How many blocks, listed in `work`, have finished the round before and were not looked at yet: at least
  /// one, after waiting for it; 0 when all were. All threads of the block call it.
  template <int Blocks> __device__ unsigned take(Work<Blocks>& work, unsigned round) const {
    __syncthreads(); // those listed before are done with
    if (isFirstThread()) {
      work.count = 0;
      while (work.left > 0 && work.count == 0) {
        for (unsigned other = 0; other < blocksOfGrid(); ++other)
          if (!work.had[other] && seen(memory + other) + 1 >= round) {
            work.had[other] = true;
            work.list[work.count++] = other;
          }
#ifndef __CUDACC__
        if (work.count == 0) std::this_thread::yield();
#endif
      }
      work.left -= work.count;
      __threadfence();
    }
    __syncthreads();
    return work.count;
  }

  __device__ void finish(unsigned round) const {
    __syncthreads();
    if (isFirstThread()) tell(memory + blockOfGrid(), round);
  }
};

/// Words of device memory for a barrier of this kind between `blocks` blocks, 0 at first: `barrier()` is what
/// kernels take.
template <typename Barrier> class BarrierMemory {
public:
  BarrierMemory(unsigned blocks, Stream stream) : stream(stream) {
    const std::size_t bytes = sizeof(unsigned) * Barrier::words(blocks);
    memory = static_cast<unsigned*>(allocate(bytes, stream));
    fill(memory, 0, bytes, stream);
  }
  ~BarrierMemory() { release(memory, stream); }
  BarrierMemory(const BarrierMemory&) = delete;
  BarrierMemory& operator=(const BarrierMemory&) = delete;
  Barrier barrier() const { return {memory}; }

private:
  Stream stream;
  unsigned* memory;
};

/// Launches `kernel`, whose blocks wait for each other, if all of them can be resident at once; else false,
/// and nothing is launched: then a kernel for each round does the same, the host being the barrier.
template <typename... P, typename... A>
bool launchResident(Region& region, const Launch& shape, void (*kernel)(P...), A&&... arguments) {
#ifdef WARPLOOM_SANITIZE
  return false; // one block runs at a time: it would wait for ever
#endif
  const int threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
  const unsigned blocks = shape.grid.x * shape.grid.y * shape.grid.z;
  if (threads < 1 || blocks > static_cast<unsigned>(maxCooperativeBlocks(kernel, threads, shape.sharedBytes)))
    return false;
  region.launchCooperative(shape, kernel, std::forward<A>(arguments)...);
  return true;
}

} // namespace warploom
