// What a kernel is expected to take: instructions, transactions and bytes at each level of memory from
// footprints, how many blocks a multiprocessor holds, waves, and launches.
#pragma once

#include "device/Device.h"
#include "strategy/generator/Partition.h"

namespace warploom::strategies {

/// What a kernel does, all its launches together. Instructions are those of single threads; cycles are those
/// of the unit of a multiprocessor that serves a warp's access to memory.
struct KernelUse {
  double launches = 1, blocks = 1; ///< blocks of all launches
  double uploads = 0;              ///< to constant memory
  int threads = 1;                 ///< of a block
  int registers = 0;               ///< of a thread, estimated
  double sharedBytes = 0, constantBytes = 0;
  bool isDouble = false;
  double arithmetic = 0;                  ///< instructions
  double others = 0;                      ///< instructions for addresses, loops and accesses
  double accessCycles = 0;                ///< for shared memory, constants and device memory
  double sectors = 0;                     ///< of 32 bytes that are asked of the caches
  double cacheBytes = 0, memoryBytes = 0; ///< that the cache of all, and device memory, deliver
  double fills = 0;                       ///< of shared memory, by a block, one after the other
  int copies = 1;                         ///< with 2, filling takes place during the work
  double loads = 0;       ///< of device memory by a thread: how often it asks, one after the other
  double handed = 0;      ///< how often it waits for what it has just written there itself
  double independent = 1; ///< operations of a thread that need not wait for each other
};

/// What it takes, in seconds, by what is busy.
struct Cost {
  double arithmetic = 0, issue = 0, access = 0, cache = 0, memory = 0, latency = 0, waiting = 0, launch = 0;
  ActiveBlocks held{};   ///< by a multiprocessor
  double occupancy = 0;  ///< warps of those that a multiprocessor could hold
  double efficiency = 1; ///< of waves
  double seconds = 0;
};

/// The cost on a device whose rates are known.
Cost costOf(const KernelUse& use, const DeviceLimits& device);

/// What `choice` of the partition does.
KernelUse useOf(const Nest& nest, const Partition& partition, const Choice& choice,
                const DeviceLimits& device);

/// The sectors of 32 bytes that the threads of a warp, `across` of them in a row, ask for when neighbours are
/// `stride` elements of `bytes` apart, and rows the same or not.
double sectorsOfWarp(int across, long stride, int bytes, bool sameRows);

} // namespace warploom::strategies
