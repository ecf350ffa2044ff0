// Candidates of one kernel as programs: compiled from the one text, compared with the original loops, and
// timed.
#pragma once

#include "driver/Build.h"
#include "driver/LimitedProcess.h"
#include "driver/TunedSizes.h"
#include "tune/Tuner.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace warploom {

/// The two programs of which candidates are made: one that compares its regions with the original loops, and
/// one as `build` makes it.
struct CandidateParts {
  ProgramParts checked, timed;
  bool sameKernels; ///< kernels are compiled alike for both

  CandidateParts(const BuildOptions& options, std::vector<TranslatedFile> files);
};

/// How candidates are run.
struct CandidateRuns {
  std::vector<std::string> arguments; ///< of the program
  double seconds = 60;                ///< for compiling and for each run
  Repeats repeats;
};

class CandidateBench : public Bench {
public:
  /// Of `kernel` in file `file`. All of them must outlive it.
  CandidateBench(CandidateParts& parts, std::size_t file, const TranslatedKernel& kernel, const Space& space,
                 const CandidateRuns& options);

  std::optional<Result> prepare(const Point& point) override;
  Result time(const Point& point, std::optional<double> best) override;
  void discard(const Point& point) override;

  /// What a result says in its detail when the program does not get to the kernel's region, whatever its
  /// sizes are.
  static const std::string notEntered;

private:
  std::filesystem::path folderOf(const Point& point) const;
  std::optional<Result> run(const std::vector<std::string>& command, Outcome otherwise) const;
  std::optional<Result> build(const ProgramParts& parts, const Point& point,
                              const std::filesystem::path& object, const std::filesystem::path& program);
  std::optional<Result> check(const std::filesystem::path& program, const std::filesystem::path& report);
  Sample sample(const std::filesystem::path& program) const;

  CandidateParts& parts;
  const std::size_t file;
  const TranslatedKernel& kernel;
  const Space& space;
  const CandidateRuns& options;
  TemporaryFolder folder;
  std::mutex running; ///< a program may read and write files: one at a time
};

} // namespace warploom
