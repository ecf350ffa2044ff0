// What devices hold and how fast they are, from the table devices.txt, and how many blocks a multiprocessor
// holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A device. Sizes in bytes and registers.
struct DeviceLimits {
  std::string name;         ///< compute capability, `9.0`
  std::string architecture; ///< `sm_90`
  int warpsPerSm, threadsPerSm, blocksPerSm;
  int sharedPerSm, registersPerSm;
  int registerUnit;
  bool registersByWarp; ///< they are given to warps, not to whole blocks
  int maxRegistersPerThread, sharedUnit, warpUnit, maxBlockSize;

  /// How many there are of it, and how fast they are.
  struct Rates {
    int multiprocessors = 0;         ///< 0: nothing of this is known
    double clock = 0;                ///< cycles in a second
    double memory = 0, cache = 0;    ///< bytes in a second, of device memory and of the cache of all
    double cacheBytes = 0;           ///< of that cache
    double singles = 0, doubles = 0; ///< operations of a multiprocessor in a cycle
    double launch = 0;               ///< seconds
  };
  Rates rates = {};
};

/// The devices that `text`, lines of a table like devices.txt, tells of. Throws std::runtime_error.
std::vector<DeviceLimits> readDevices(const std::string& text);

/// The devices known without asking one: those of the theses and today's.
const std::vector<DeviceLimits>& deviceTable();
std::optional<DeviceLimits> deviceLimits(const std::string& computeCapability);

/// Bytes of shared memory that the device keeps for itself in every block, and that a block may have.
int reservedShared(const DeviceLimits& device);
int sharedPerBlock(const DeviceLimits& device);

/// What the compiler says of a kernel, or what is expected of it.
struct CompiledUse {
  int registersPerThread;
  long sharedBytes;
};
/// How many blocks a multiprocessor holds, by each of its limits.
struct ActiveBlocks {
  int byWarps, byShared, byRegisters, byBlocks;
  int all() const;
};
/// The same for blocks of `threads`, as cuda_occupancy.h has it. Registers and shared memory are rounded up
/// to the device's units, exactly; what the device keeps of a block's memory counts.
ActiveBlocks activeBlocks(int threads, const CompiledUse& use, const DeviceLimits& device);

} // namespace warploom
