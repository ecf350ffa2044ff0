// What became of a candidate, and how often measured times are taken until one can rely on them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

enum class Outcome {
  Timed,           ///< it computes what the original loops compute, in that time
  Wrong,           ///< it computes something else
  FailedToCompile, ///<
  FailedToLaunch,  ///< the device did not take it, or the region did not get to it
  Crashed,         ///< the program was ended by a signal or by its own error
  TimedOut         ///< compiling or running took longer than allowed
};

/// `timed`, `wrong`, `failed to compile` and so on: what the database and reports say.
const std::string& outcomeText(Outcome outcome);
std::optional<Outcome> outcomeCalled(const std::string& text);

/// What a kernel takes of a device, as far as it is known; 0: not known.
struct Resources {
  int registers = 0;     ///< of a thread
  long sharedBytes = 0;  ///< of a block
  long spilledBytes = 0; ///< that a thread stores since it has no registers for them
  double occupancy = 0;  ///< the part of a multiprocessor's warps that blocks of it fill
};

/// What the loops do in a run, whatever their kernels are; 0: not known.
struct Work {
  double instances = 0; ///< of statements
  double bytes = 0;     ///< of the arrays that they use, each once
  std::string problem =
      {}; ///< the sizes that the region's launcher got, where it has most to do: `n=1000 m=7`
};

/// Invariant: the times mean something only when it is Timed.
struct Result {
  Outcome outcome = Outcome::Timed;
  double milliseconds = 0; ///< the median
  double spread = 0;       ///< half of the times lie in a range of this part of it
  std::string detail;      ///< what a compiler or the program said
  Resources resources = {};
  Work work = {};
};

/// Whether `one` is faster than `other` by more than both of them vary, and by more than 3 %.
bool isFaster(const Result& one, const Result& other);

/// The median and the spread of `times`, which are not none.
Result summary(std::vector<double> times);

/// How often a time is taken: once that does not count, then at least `least` times, and more until the
/// spread is at most `spread` or there are `most`. One that is far from the best is no more than `few` times
/// of interest.
struct Repeats {
  int least = 10, most = 20, few = 3;
  double spread = 0.05, far = 1.3;
};

/// The summary of what `run` gives, which is a time in milliseconds, or why there is none: that is then the
/// result. `best`: the least time of others so far.
struct Sample {
  double milliseconds = 0;
  std::optional<Result> failed;
  Work work = {};
};
Result measured(const std::function<Sample()>& run, const Repeats& repeats,
                std::optional<double> best = std::nullopt);

} // namespace warploom
