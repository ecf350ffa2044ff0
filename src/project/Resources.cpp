#include "project/Resources.h"

#include <algorithm>
#include <cmath>

namespace warploom {

const std::vector<DeviceLimits>& deviceTable() {
  // name, architecture, warps, threads, blocks, shared, registers, unit, by warp, per thread, shared unit,
  // warp unit, block
  static const std::vector<DeviceLimits> table = {
      {"1.0", "sm_10", 24, 768, 8, 16384, 8192, 256, false, 124, 512, 2, 512},
      {"1.1", "sm_11", 24, 768, 8, 16384, 8192, 256, false, 124, 512, 2, 512},
      {"1.2", "sm_12", 32, 1024, 8, 16384, 16384, 512, false, 124, 512, 2, 512},
      {"1.3", "sm_13", 32, 1024, 8, 16384, 16384, 512, false, 124, 512, 2, 512},
      {"2.0", "sm_20", 48, 1536, 8, 49152, 32768, 128, true, 63, 128, 2, 1024},
      {"2.1", "sm_21", 48, 1536, 8, 49152, 32768, 128, true, 63, 128, 2, 1024},
      {"3.0", "sm_30", 64, 2048, 16, 49152, 65536, 256, true, 63, 256, 4, 1024},
      {"3.5", "sm_35", 64, 2048, 16, 49152, 65536, 256, true, 255, 256, 4, 1024},
      {"7.0", "sm_70", 64, 2048, 32, 98304, 65536, 256, true, 255, 256, 4, 1024},
      {"7.5", "sm_75", 32, 1024, 16, 65536, 65536, 256, true, 255, 256, 4, 1024},
      {"8.0", "sm_80", 64, 2048, 32, 167936, 65536, 256, true, 255, 128, 4, 1024},
      {"8.6", "sm_86", 48, 1536, 16, 102400, 65536, 256, true, 255, 128, 4, 1024},
      {"8.9", "sm_89", 48, 1536, 24, 102400, 65536, 256, true, 255, 128, 4, 1024},
      {"9.0", "sm_90", 64, 2048, 32, 233472, 65536, 256, true, 255, 128, 4, 1024},
      {"10.0", "sm_100", 64, 2048, 32, 233472, 65536, 256, true, 255, 128, 4, 1024},
      {"12.0", "sm_120", 48, 1536, 24, 102400, 65536, 256, true, 255, 128, 4, 1024},
  };
  return table;
}

std::optional<DeviceLimits> deviceLimits(const std::string& computeCapability) {
  for (const DeviceLimits& device : deviceTable())
    if (device.name == computeCapability) return device;
  return std::nullopt;
}

int reservedShared(const DeviceLimits& device) {
  return std::stod(device.name) >= 8 ? 1024 : 0;
}

double cyclesOf(int activeBlocks, int threadsPerBlock, int coresPerSm) {
  return static_cast<double>(activeBlocks) * threadsPerBlock / coresPerSm;
}

double blocksPerSmOf(double kernelBlocks, int multiprocessors) {
  return kernelBlocks / multiprocessors;
}

BlockUse blockUse(const BlockChoice& choice, const Sm& sm, int elementSize, int operands, double space) {
  BlockUse use{};
  use.warpsPerBlock = (choice.threadsPerBlock + 31) / 32;
  use.sharedPerBlock = static_cast<long>(choice.tileSize) * elementSize * operands;
  const int byWarps = std::min(sm.warpsPerSm / use.warpsPerBlock, sm.blocksPerSm);
  const long byShared = use.sharedPerBlock ? sm.sharedPerSm / use.sharedPerBlock : sm.blocksPerSm;
  use.activeBlocks = static_cast<int>(std::min<long>({byWarps, byShared, sm.blocksPerSm}));
  use.kernelBlocks = space / choice.tileSize;
  use.blocksPerSm = blocksPerSmOf(use.kernelBlocks, sm.multiprocessors);
  use.cycles = cyclesOf(use.activeBlocks, choice.threadsPerBlock, sm.coresPerSm);
  return use;
}

std::optional<BlockChoice> bestChoice(const std::vector<int>& threads, const std::vector<int>& tiles,
                                      const Sm& sm, int elementSize, int operands, double space) {
  std::optional<BlockChoice> best;
  BlockUse bestUse{};
  for (int thread : threads)
    for (int tile : tiles) {
      if (thread > tile) continue;
      const BlockUse use = blockUse({thread, tile}, sm, elementSize, operands, space);
      if (use.activeBlocks == 0) continue;
      if (best && (use.cycles < bestUse.cycles ||
                   (use.cycles == bestUse.cycles && use.blocksPerSm >= bestUse.blocksPerSm)))
        continue;
      best = BlockChoice{thread, tile};
      bestUse = use;
    }
  return best;
}

namespace {

long roundedUp(long value, long unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace

int ActiveBlocks::all() const {
  return std::min({byWarps, byShared, byRegisters, byBlocks});
}

ActiveBlocks activeBlocks(const Candidate& candidate, const CompiledUse& use, const DeviceLimits& device) {
  ActiveBlocks result{};
  const long warps = (candidate.block + 31) / 32, warpsGiven = roundedUp(warps, device.warpUnit);
  const long reserved = reservedShared(device);
  result.byBlocks = device.blocksPerSm;
  result.byWarps = static_cast<int>(device.warpsPerSm / warps);
  const long shared = roundedUp(use.sharedBytes + reserved, device.sharedUnit);
  result.byShared = shared ? static_cast<int>(device.sharedPerSm / shared) : device.blocksPerSm;
  result.byRegisters = device.blocksPerSm;
  if (use.registersPerThread > device.maxRegistersPerThread || candidate.block > device.maxBlockSize) {
    result.byRegisters = 0;
  } else if (use.registersPerThread > 0 && device.registersByWarp) {
    const long perWarp = roundedUp(use.registersPerThread * 32L, device.registerUnit);
    // Warps come in units; those of a block must all find their registers.
    const long warpsHeld = device.registersPerSm / perWarp / device.warpUnit * device.warpUnit;
    result.byRegisters = static_cast<int>(warpsHeld / warps);
  } else if (use.registersPerThread > 0) {
    result.byRegisters = static_cast<int>(
        device.registersPerSm / roundedUp(use.registersPerThread * 32L * warpsGiven, device.registerUnit));
  }
  return result;
}

std::vector<Candidate> candidates(long results, const DeviceLimits& device, const SearchBounds& bounds) {
  std::vector<Candidate> found;
  const int maxBlock = bounds.maxBlock ? std::min(bounds.maxBlock, device.maxBlockSize) : device.maxBlockSize;
  for (int block = bounds.minBlock; block <= maxBlock; block *= 2) {
    const int maxMerge = !bounds.merges    ? 1
                         : bounds.maxMerge ? bounds.maxMerge
                                           : block,
              maxSkew = !bounds.skews    ? 1
                        : bounds.maxSkew ? bounds.maxSkew
                                         : block;
    for (int merge = bounds.merges ? bounds.minMerge : 1; merge <= maxMerge; merge *= 2)
      for (int skew = bounds.skews ? bounds.minSkew : 1; skew <= maxSkew; skew *= 2)
        if (results / block / merge / skew > 0) found.push_back({block, merge, skew});
  }
  return found;
}

int granule(double compute, double communicate, double threshold) {
  if (communicate <= 0 || compute / communicate >= threshold) return 1;
  if (compute <= 0) return 1;
  return std::max(1, static_cast<int>(std::ceil(communicate / compute)));
}

const std::vector<ResultMapping>& resultMappings() {
  static const std::vector<ResultMapping> all = {
      {1, "r", "(b,t)", true, "U"},          {1, "(b,t')", "(b',t)", true, "U*V/(N*W)"},
      {1, "(b,t)", "c", false, "V"},         {1, "(b',t)", "(b,t')", false, "U*V/(N*W)"},
      {2, "(by,ty)", "(bx,tx)", true, "1"},  {2, "(bx,ty)", "(by,tx)", true, "1"},
      {2, "(bx,tx)", "(by,ty)", false, "1"}, {2, "(by,tx)", "(bx,ty)", false, "1"},
  };
  return all;
}

bool isCoalesced(const std::string& column) {
  return column.ends_with(",t)") || column.ends_with(",tx)");
}

} // namespace warploom
