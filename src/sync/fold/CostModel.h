// Where a system should run: an estimate of the time of a step on one core and on a GPU, and the reason in
// words.
#pragma once

#include "sync/fold/Fold.h"

namespace warploom::sync {

/// Nanoseconds on an H200 and on one core of its host, fitted to the rows of bench/results/sync-h200.json
/// that are for fitting. The test `sync.cost` repeats the fit, and says how the rows that were held out are
/// met.
struct CostFigures {
  double coreLoopOperation = 0.12; ///< an operation of the sequential C program in a loop
  double coreDecision = 0.91;      ///< one that differs between the turns of a loop, beside its operations
  double coreOperation = 0.13;     ///< an operation outside loops
  double threadOperation = 0.25;   ///< an operation of one of many threads
  double threadInput = 54;         ///< a cell of the inputs that it reads, new in every step
  double threadAction = 38;        ///< an action of its after another, whose result it may need
  double instanceOperation = 13;   ///< an operation of a thread with an instance of its own in registers
  double blockBarrier = 290;       ///< a barrier of all threads in one block
  double gridBarrier = 1600;       ///< a barrier across the grid
  double gpuThreads = 132 * 2048;  ///< that run at the same time
};

struct Cost {
  double coreNanoseconds = 0; ///< per step, all instances
  double gpuNanoseconds = 0;  ///< per step in one persistent kernel, all instances
  bool gpu = false;           ///< the GPU is worth it
  std::string reason;
};

Cost estimate(const Folding& folding, long instances, const CostFigures& figures = {});

} // namespace warploom::sync
