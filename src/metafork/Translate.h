// From one fork-join language to another. MetaFork is the pivot: what comes from OpenMP or Cilk is MetaFork
// first.
#pragma once

#include "frontend/ForkJoin.h"

#include <string>
#include <vector>

namespace warploom::metafork {

/// Tasks: C that calls the run-time of runtime/fork, for `warploom run`.
enum class Target { MetaFork, OpenMP, Cilk, C, Tasks };

struct Translation {
  bool done = false;
  std::string text;
  ForkJoinLanguage from = ForkJoinLanguage::C;
  std::vector<ForkJoinProblem> problems; ///< about `problemText`
  std::string problemText;
  bool intermediate = false; ///< the problems are about the MetaFork text made on the way
};

/// The text with empty lines where it includes headers of its language: lines of what is made of it are then
/// the user's.
std::string withoutHeaders(const ForkJoinSource& source);

/// `source`, of the file named `file`, in the language `to`. `from`: nothing means that its constructs tell.
Translation translate(const std::string& file, const std::string& source,
                      std::optional<ForkJoinLanguage> from, Target to, const std::vector<std::string>& flags);

} // namespace warploom::metafork
