// Where a system should run: an estimate of the time of a step on one core and on a GPU, and the reason in
// words.
#pragma once

#include "sync/fold/Fold.h"

namespace warploom::sync {

/// Figures of an H200 and one core of its host, fitted to all rows of bench/results/sync-h200.json: each is
/// the middle, as a factor, of what the rows named here give. The test `sync.generated` compares predictions
/// with that file: every row must be within a factor of two, and tell the winner.
struct CostFigures {
  /// ns per operation of the sequential C program in a loop: 0.045 (matrix product 9 x 9) to 0.098 (game of
  /// life).
  double coreLoopOperation = 0.066;
  double coreOperation = 0.1; ///< ns outside loops: a traffic light, 24.6 ns for 247 operations
  /// ns of a thread per cell that it reads, which it waits for: matrix products of 9 to 64 read two cells a
  /// term and take 47 to 85 ns for each.
  double threadLoad = 70;
  double threadOperation = 1; ///< ns; hidden by the loads in all rows
  /// ns per operation of one thread with an instance of its own in registers: a million traffic lights take
  /// 5.4 us a step, in 3.7 waves of threads.
  double instanceOperation = 6;
  double blockBarrier = 60;       ///< ns, all threads in one block. Not measured alone
  double gridBarrier = 1300;      ///< ns; a column of a product of 128 takes 1560 with one, and reads 4 cells
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
