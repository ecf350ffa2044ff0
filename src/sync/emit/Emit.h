// Generated programs: sequential C, and CUDA that the CPU execution runs as well.
#pragma once

#include "sync/fold/Fold.h"

#include <string>

namespace warploom::sync {

struct EmitOptions {
  std::string source;     ///< the file the system came from, for the heading
  bool instances = false; ///< CUDA: also a kernel that runs many instances of the system at once
};

/// A C file, valid as C++ too, with `X_reset` and `X_step` for a system X.
std::string emitC(const Folding& folding, const EmitOptions& options = {});

/// A CUDA file with namespace X for a system X: kernels, `runSteps` (two or more launches a step, transfers
/// overlapped), `runBatch` (many steps in one persistent kernel) and, where asked for, `runInstances`. It
/// includes `warploom.h` of the runtime and compiles with nvcc, or with a host compiler for execution on the
/// CPU.
std::string emitCuda(const Folding& folding, const EmitOptions& options = {});

/// Text to put behind a generated file: `X_drive(in, out, mode, steps, instances)` in C++ (`X_drive(in, out,
/// steps)` in C) reads the input cells of each step as numbers, in order of declaration, and prints the
/// output cells of each step on a line. Modes: 0 runSteps, 1 runBatch, 2 runInstances. It ends at the end of
/// the input or after `steps` steps, and returns 1 after printing "violated NAME STEP" when an assertion is
/// violated.
std::string emitDriver(const Folding& folding, bool cuda, const EmitOptions& options = {});

/// A main function around X_drive for standard input and output.
std::string emitMain(const Folding& folding, bool cuda, long steps, long instances);

} // namespace warploom::sync
