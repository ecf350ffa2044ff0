// Where a system should run: an estimate of the time of a step on one core and on a GPU, and the reason in
// words.
#pragma once

#include "sync/fold/Fold.h"

namespace warploom::sync {

/// Figures of a current server, fitted to bench/results/sync-h200.json (an H200 and one core of its host),
/// good enough to tell who wins in every row there. Single figures are off by up to a factor of 2.5: a step
/// of the game of life is predicted as 4.4 us and takes 2.0.
struct CostFigures {
  /// ns per operation of the sequential C program in a loop the compiler vectorises: matrix products of 9 to
  /// 64 take 0.04 to 0.06.
  double coreLoopOperation = 0.05;
  double coreOperation = 0.25; ///< ns outside loops: a step of the traffic light takes 31 ns
  /// ns per operation of one GPU thread in a phase, memory included: 42, 46, 13, 35 and 18 in the matrix
  /// products of 9, 16, 32 and 64 and in the game of life.
  double threadOperation = 28;
  /// ns per operation of one thread with an instance of its own in registers: a million traffic lights take
  /// 5.4 us a step.
  double instanceOperation = 10;
  double blockBarrier = 60;       ///< ns, all threads in one block. Not measured alone
  double gridBarrier = 1300;      ///< ns; a step of the game of life, which has one, takes 2030
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
