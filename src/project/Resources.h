// RT-CUDA's models: how many blocks a multiprocessor holds (equations 4.1 to 4.5), which of its candidates
// Algorithm 1 keeps, how many results a thread computes, and the eight ways to lay a two-dimensional result
// over a kernel.
#pragma once

#include "device/Device.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// Equations 4.1 to 4.5 for one choice of threads per block and elements per tile.
struct BlockChoice {
  int threadsPerBlock, tileSize;
};
struct BlockUse {
  int warpsPerBlock;   ///< (4.2)
  long sharedPerBlock; ///< (4.3)
  int activeBlocks;    ///< (4.1), rounded down
  double kernelBlocks; ///< space / tile
  double blocksPerSm;  ///< (4.4) AKBPSM
  double cycles;       ///< (4.5) S-Cycles
};
struct Sm {
  int multiprocessors, coresPerSm, warpsPerSm, blocksPerSm;
  long sharedPerSm;
};
BlockUse blockUse(const BlockChoice& choice, const Sm& sm, int elementSize, int operands, double space);
/// The same for a number of active blocks that is given.
double cyclesOf(int activeBlocks, int threadsPerBlock, int coresPerSm);
double blocksPerSmOf(double kernelBlocks, int multiprocessors);
/// Step 3: of all choices with threads <= tile and at least one active block, those of the most cycles, and
/// of these the one with the fewest blocks per multiprocessor; the first of equals.
std::optional<BlockChoice> bestChoice(const std::vector<int>& threads, const std::vector<int>& tiles,
                                      const Sm& sm, int elementSize, int operands, double space);

/// A candidate of Algorithm 1.
struct Candidate {
  int block, merge, skew;
};

struct SearchBounds {
  int minBlock = 32, maxBlock = 0, minMerge = 1, maxMerge = 0, minSkew = 1,
      maxSkew = 0;                  ///< a maximum of 0: the device's, the block
  bool merges = true, skews = true; ///< whether the kernel has such a size at all
};
/// The candidates of Algorithm 1 in its order: powers of two in the bounds for which at least one block has
/// work. Results need not divide evenly: generated kernels guard their tails.
std::vector<Candidate> candidates(long results, const DeviceLimits& device, const SearchBounds& bounds);

/// Results per thread: one if computing one takes at least `threshold` of the time to fetch its operands,
/// else as many as make up for it.
int granule(double compute, double communicate, double threshold);

/// One of T14's mappings of a U x V result onto blocks and threads.
struct ResultMapping {
  int dimensions;          ///< of the kernel
  std::string row, column; ///< which indices make up the two subscripts; primed ones are loops in the thread
  bool coalesced;
  std::string resultsPerThread;
};
/// All eight, coalesced ones first among those of a dimension.
const std::vector<ResultMapping>& resultMappings();
/// Whether the thread's index is the least significant part of the column, and so of the address.
bool isCoalesced(const std::string& column);

} // namespace warploom
