// Whether assertions hold in every run: bounded model checking for counterexamples, k-induction for proofs,
// with Z3.
#pragma once

#include "sync/group/StepPlan.h"

namespace warploom::sync {

/// What a proof may take. Solver steps are Z3's resource count, which is the same on every machine.
struct ProofLimits {
  int depth = 20;                     ///< steps of a run that are looked at, and the largest k
  unsigned questionSteps = 5'000'000; ///< of the solver, per question
  /// So many times that for all questions about runs, and for all of inductions.
  unsigned questions = 10;
  long terms = 3'000'000; ///< made of the system's expressions
};

/// What is known of one assertion. A run ends with its first violation, as `warploom run --check` does, so
/// that each of them speaks of runs up to there.
struct Finding {
  enum class Verdict {
    Proved,   ///< holds in every run: by k-induction with `steps` steps
    Empty,    ///< holds in every run, since no run that keeps the assumptions gets beyond step `steps`
    Violated, ///< in step `steps` of the run with `inputs`
    Open,     ///< not violated within `steps` steps
    Limit     ///< the same; further steps, or a proof, are beyond the limits
  };
  std::string name;
  bool own = true; ///< the system's own assertion, else a check of ranges, subscripts, divisions or conflicts
  Verdict verdict = Verdict::Open;
  int steps = 0;
  std::vector<std::vector<Value>> inputs; ///< Violated: per step, the cells of inputCells()
  std::string message;                    ///< Violated: what the interpreter says about that run
};

/// The findings about all assertions of `plan`, which is made of `system` with all checks, in their order.
/// Every counterexample has been run by the interpreter, which found it violated; Failure where it did not.
std::vector<Finding> prove(const System& system, const StepPlan& plan, const ProofLimits& limits = {});

} // namespace warploom::sync
