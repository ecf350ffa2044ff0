// The search for the kernels of a program, one after the other: what each gets of the budget, how it goes,
// and what came of it.
#pragma once

#include "tune/ProgramBench.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// A kernel as tuning sees it.
struct TunableKernel {
  std::string region; ///< `function:line`
  std::string name;   ///< its own, or that of the region where it has none
  KernelIdentity identity;
  std::string prefix;   ///< what stands before the names of its sizes; empty: they are those of the file
  std::size_t file = 0; ///< of the program
  OpenSizes sizes;
  KernelNeeds needs = {};
  std::vector<std::string> problem = {}; ///< what sizes of the problem its launcher gets, by their names

  /// Whether it has sizes of its own to choose.
  bool isTunable() const { return !prefix.empty() && !sizes.tunables.empty(); }
};

/// Candidates for each kernel, or a time for all; the other is 0.
struct CampaignBudget {
  std::size_t candidates = 0;
  double seconds = 0;
};
/// `200`, or `90s`, `10m`, `2h`; nothing for other texts.
std::optional<CampaignBudget> budgetOf(const std::string& text);

struct CampaignOptions {
  CampaignBudget budget = {50, 0};
  std::string searcher = "guided";
  unsigned seed = 1;
  std::size_t jobs = 2;
  unsigned worker = 0, workers = 1; ///< Space::share()
  CandidateRuns runs;
  std::optional<DeviceLimits> device = {}; ///< where it runs, when what it holds is known
};

/// A kernel and how its search ended. The kernel must outlive it.
struct TunedKernel {
  const TunableKernel* kernel;
  Space space;
  Tally tally;
  std::string skipped;                         ///< why it was not searched; else empty
  std::vector<std::pair<Point, Result>> tried; ///< in order

  bool hasWinner() const { return tally.best.has_value(); }
  /// The point to use: the best, unless the usual one is as good.
  Point winner() const;
  /// What became of `point`, which was tried, is another thing than was thought.
  void replace(const Point& point, const Result& result);
  /// How many times faster that is.
  double ratio() const;
  std::size_t count(Outcome outcome) const;
  /// Those that are neither timed nor wrong.
  std::size_t failed() const;
};

/// Searches the tunable ones of `kernels`; `about` says of which problem, and its kernel does not matter.
/// `formsOf` makes what candidates of a file are made of. Candidates are made in `folder`, and progress goes
/// to standard error.
std::vector<TunedKernel> searchKernels(const std::vector<TunableKernel>& kernels,
                                       const CampaignOptions& options, const Search& about,
                                       ResultStore& results,
                                       const std::function<CandidateForms(std::size_t file)>& formsOf,
                                       const std::filesystem::path& folder);

/// What `point` of `space`, which has `kernel`'s sizes, takes: what `results` know, else what is then
/// measured and kept there. It is made in `folder`.
Result resultAt(const TunableKernel& kernel, const Space& space, const Point& point,
                const CampaignOptions& options, const Search& about, ResultStore& results,
                const CandidateForms& forms, const std::filesystem::path& folder);

/// Prints what came of it. `place` is where the results are; `seconds` is what it took.
void printTable(const std::vector<TunedKernel>& kernels, const Search& about, const std::string& place,
                double seconds);

} // namespace warploom
