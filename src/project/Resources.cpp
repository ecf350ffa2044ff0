#include "project/Resources.h"

#include <algorithm>
#include <cmath>

namespace warploom {

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
