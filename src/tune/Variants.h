// One kernel, several problems: which of the points that were measured it needs, so that at each problem it
// is nearly as fast as it can be.
#pragma once

#include "tune/Search.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace warploom {

/// A point that is slower than the best by no more than this serves as well.
inline constexpr double nearlyBest = 1.05;

/// A problem, and what the points that were timed there took.
struct MeasuredProblem {
  std::vector<long> sizes; ///< a value for each of MeasuredProblems::names
  std::map<std::string, Result> points;
};

/// Problems that differ in what the launcher gets when it is called; ascending, each once.
struct MeasuredProblems {
  std::vector<std::string> names; ///< of their sizes, as the launcher calls them
  std::vector<MeasuredProblem> all;
};

/// A point and the problems, by their numbers, at which no other chosen one is faster.
struct ServingPoint {
  std::string point;
  std::vector<std::size_t> problems;
};

/// The problems at which `entries`, which are of kernels of its shape on its device, were timed, of those
/// that are nearest to `wanted` in what is known when the text is made: all but the program's arguments. Of
/// several that are equally near it is the latest one's, and results are by the same toolkit where there is
/// one, else by that of the latest. Only problems whose sizes are known, and have names that are among
/// `names`.
MeasuredProblems measuredProblems(const std::vector<Entry>& entries, const Search& wanted,
                                  const std::vector<std::string>& names);

/// As few points as possible, so that one of them serves at each problem; of several such sets the one that
/// is fastest. `usual` serves also where others are not faster by more than times vary. In the order of the
/// problems; none where there are no problems.
std::vector<ServingPoint> fewestPoints(const std::vector<MeasuredProblem>& problems,
                                       const std::string& usual);

/// How many times as long `point`, which was timed there, takes at `problem` as the best.
double lossAt(const MeasuredProblem& problem, const std::string& point);

/// `n=1000 m=7`
std::string problemText(const std::vector<std::string>& names, const std::vector<long>& sizes);

} // namespace warploom
