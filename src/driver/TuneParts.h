// What the parts of `warploom tune` share: what it was told, and the programs of which candidates are made.
#pragma once

#include "driver/Build.h"
#include "tune/Campaign.h"
#include "tune/Database.h"
#include "tune/Variants.h"

#include <filesystem>
#include <string>
#include <vector>

namespace warploom {

struct TuneOptions {
  BuildOptions build;
  CampaignOptions campaign;
  std::vector<std::string> sizes, flags, checkArguments;
  std::vector<std::string>
      problems; ///< the program's arguments at each, with blanks between; none: there is one
  std::string budget = "50", database, bundle, collected, html, header;
  std::size_t strategies = 0; ///< how many of each region are tried; 0: what is compiled anyway
  bool joint = false;         ///< sizes are searched for each of them, not for the best
  bool json = false, ablate = false;
};

/// The two programs of which candidates are made: one that compares its regions with the original loops, and
/// one as `build` makes it.
class CandidatePrograms {
public:
  CandidatePrograms(const BuildOptions& options, const std::vector<TranslatedFile>& files);

  bool isForCuda() const { return timed.isForCuda(); }
  /// Of candidates of kernels of `file`; this must outlive it.
  CandidateForms forms(std::size_t file);

private:
  ProgramParts checked, timed;
  const bool sameKernels;
};

/// The kernels of `files`, each with the number of its file.
std::vector<TunableKernel> kernelsIn(const std::vector<TranslatedFile>& files);

/// The problem as Search has it: what the user says of its sizes, and the program's arguments.
std::string problemOf(const TuneOptions& options);
/// What results say of the toolkit besides its version.
std::string toolkitSuffix(const TuneOptions& options);

/// Where and of which problem results are; its kernel does not matter. Sets `options.campaign.device`, too.
/// Throws ToolchainError where there is no device.
Search searchFor(TuneOptions& options, bool cuda);

/// A problem and what came of the search there, by kernel. The kernels must outlive it.
struct TunedProblem {
  Search about;
  std::vector<TunedKernel> kernels;
  double seconds = 0; ///< that the search took
};

/// Searches at each of `options.problems`, which share the budget's time; then every kernel's winners of all
/// problems are measured at each of them.
std::vector<TunedProblem> searchProblems(TuneOptions& options, const std::vector<TunableKernel>& kernels,
                                         CandidatePrograms& programs, Database& database,
                                         const std::filesystem::path& folder);

/// Of one kernel, the points that serve at the problems at which it was measured.
struct ServedKernel {
  const TunableKernel* kernel;
  MeasuredProblems problems;
  std::vector<ServingPoint> points;
};

/// The same of all `kernels` that were measured at several problems which differ in what their launcher gets,
/// as `compile` will choose them.
std::vector<ServedKernel> servedKernels(const std::vector<TunedProblem>& tuned, Database& database);

/// Prints what came of it.
void printServed(const std::vector<ServedKernel>& kernels);

/// A region that was tried with several strategies.
struct TriedRegion {
  struct Strategy {
    std::string name;       ///< as the generator calls it; `own` is what is compiled where nothing is said
    std::string recipe;     ///< that makes it
    Result result;          ///< at the usual sizes or, with `joint`, at the best ones
    std::string sizes;      ///< those, of its kernels: `BLOCK=64; TILE_X=32 TILE_Y=8`
    std::size_t points = 1; ///< that its kernels have together
    std::size_t tried = 0;  ///< candidates besides the usual sizes
  };
  std::string region;
  std::vector<Strategy> strategies;
  std::size_t best = 0; ///< the number of the fastest; where there is none, of the first

  /// How many candidates there were, and how many all strategies at all sizes would have been.
  std::size_t candidates() const;
  std::size_t product() const;
};

/// Tries the strategies of each region, the ones that the model likes best, and `own`: at the usual sizes
/// first, then the sizes of the fastest; or with `joint` the sizes of all of them.
std::vector<TriedRegion> searchStrategies(TuneOptions& options, Database& database);

} // namespace warploom
