// Candidates of one kernel as programs: compiled from the one text, compared with the original loops, and
// timed.
#pragma once

#include "tune/Capacity.h"
#include "tune/Tuner.h"

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// How a program of which only the kernels of one file change is made: what compiles these kernels with
/// `flags` to `object`, and what links that and the rest to `program`.
struct CandidateCommands {
  using Command = std::vector<std::string>;
  std::function<Command(const std::vector<std::string>& flags, const std::filesystem::path& object)> compile;
  std::function<Command(const std::filesystem::path& object, const std::filesystem::path& program)> link;
};

/// The two programs of which candidates are made.
struct CandidateForms {
  CandidateCommands checked; ///< compares its regions with the original loops
  CandidateCommands timed;   ///< as `warploom build` makes it
  bool sameKernels = false;  ///< kernels are compiled alike for both
  bool cuda = false;         ///< by nvcc, which says what a kernel needs
};

/// How candidates are run.
struct CandidateRuns {
  std::vector<std::string> arguments; ///< of the program
  /// Those with which candidates are compared, where they are not these: a smaller problem.
  std::optional<std::vector<std::string>> checkArguments;
  double seconds = 60; ///< for compiling and for each run
  Repeats repeats;
};

/// The kernel of which candidates are made.
struct BenchedKernel {
  std::string region; ///< `function:line`
  std::string name;
  KernelNeeds needs = {};
  std::optional<DeviceLimits> device = {}; ///< where it runs, when that is known
};

class ProgramBench : public Bench {
public:
  /// Candidates are made in `folder`. The space and the options must outlive it.
  ProgramBench(CandidateForms forms, BenchedKernel kernel, const Space& space, const CandidateRuns& options,
               std::filesystem::path folder);

  std::optional<Result> prepare(const Point& point) override;
  Result time(const Point& point, std::optional<double> best) override;
  void discard(const Point& point) override;
  /// Compares `point` with what it is timed with; what is wrong with it, nothing when it is right.
  std::optional<Result> confirm(const Point& point);

  /// What a result says in its detail when the program does not get to the kernel's region, whatever its
  /// sizes are.
  static const std::string notEntered;

private:
  std::filesystem::path folderOf(const Point& point) const;
  std::optional<Result> run(const std::vector<std::string>& command, std::string* said = nullptr) const;
  std::optional<Result> compile(const CandidateCommands& form, const Point& point,
                                const std::filesystem::path& object);
  std::optional<Result> build(const CandidateCommands& form, const Point& point,
                              const std::filesystem::path& object, const std::filesystem::path& program);
  std::optional<Result> check(const std::filesystem::path& program,
                              const std::vector<std::string>& arguments);
  Sample sample(const std::filesystem::path& program) const;

  const CandidateForms forms;
  const BenchedKernel kernel;
  const Space& space;
  const CandidateRuns& options;
  const std::filesystem::path folder;
  std::mutex noting;
  std::map<Point, Resources> uses; ///< of candidates that are not done with
  std::mutex running;              ///< a program may read and write files: one at a time
};

} // namespace warploom
