// The commands of the synchronous wing, as functions: what `warploom sync` and `warploom run` do.
#pragma once

#include <iosfwd>
#include <string>

namespace warploom::sync {

/// Exit statuses, as in the rest of the tool. Undecided: nothing wrong was found, and not all was proved.
enum class Outcome { Done = 0, InputAtFault = 1, Usage = 2, Undecided = 4 };

struct SyncOptions {
  std::string file;
  std::string target; ///< cuda, cpu or c; empty: the cost model chooses
  std::string output; ///< empty: beside the input
  long steps = 0; ///< 0: only the functions; else a program that runs so many steps (for ever when negative)
  long instances = 1;
  bool check = false;     ///< compile checks of ranges and conflicts, and assertions, in
  bool inPlace = false;   ///< delayed actions in place with copies, instead of two phases
  bool baseline = false;  ///< group as the thesis does
  bool normalise = false; ///< only print the normalised system
  std::string dot;        ///< not empty: only write the graph of the dependences to this file
  bool prove = false;     ///< only look for violated assertions and for proofs that there are none
  int depth = 20;         ///< of a proof: steps that are looked at
  unsigned effort = 5;    ///< of a proof: millions of solver steps per question
};

/// Compiles a system. Reports go to `out`, errors to `err`.
Outcome compile(const SyncOptions& options, std::ostream& out, std::ostream& err);

struct RunOptions {
  std::string file;
  long steps = -1; ///< negative: until the inputs end
  bool csv = false;
  bool check = false;     ///< check ranges and assertions
  bool profile = false;   ///< afterwards, say what the run would look like on a GPU
  std::string vcd;        ///< not empty: write the run to this file, as a value change dump
  bool vcdLocals = false; ///< with the local variables
};

/// Runs a system with the reference interpreter on the inputs of `in`.
Outcome run(const RunOptions& options, std::istream& in, std::ostream& out, std::ostream& err);

} // namespace warploom::sync
