// Where a system should run: an estimate of the time of a step on one core and on a GPU, and the reason in
// words.
#pragma once

#include "sync/Fold.h"

namespace warploom::sync {

/// Figures of a current server: estimates for an H200 and the core beside it, good enough to tell
/// microseconds from nanoseconds.
struct CostFigures {
  double coreOperation = 0.4;     ///< ns per operation of the sequential C program
  double blockBarrier = 60;       ///< ns, all threads in one block
  double gridBarrier = 1300;      ///< ns
  double threadOperation = 6;     ///< ns per dependent operation of one GPU thread, memory included
  double gpuThreads = 132 * 2048; ///< that run at the same time
};

struct Cost {
  double coreNanoseconds = 0; ///< per step, all instances
  double gpuNanoseconds = 0;  ///< per step in one persistent kernel, all instances
  bool gpu = false;           ///< the GPU is worth it
  std::string reason;
};

Cost estimate(const Folding& folding, long instances, const CostFigures& figures = {});

} // namespace warploom::sync
