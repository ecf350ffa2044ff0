// The program of `warploom cases` that chooses when it runs: the cases of its nests through the ordinary
// road.
#pragma once

#include "cases/Dispatch.h"
#include "driver/OutputFiles.h"

#include <optional>

namespace warploom {

/// A nest of the program and its cases.
struct CaseNest {
  const ForkJoinConstruct* schedule = nullptr;
  const DeviceNest* from = nullptr;
  cases::Nest read;
  cases::CaseTree tree;
  std::string name;
  std::vector<std::string> limits; ///< what conditions call registers, words and threads
};

class CaseProgram {
public:
  /// Kernels are made for each of `sizes`; `flags` are Clang's.
  CaseProgram(const ForkJoinSource& s, std::vector<cases::Values> z, std::vector<std::string> f)
      : source(s), sizes(std::move(z)), flags(std::move(f)) {}

  /// Registers of a thread of this form of the nest, as ptxas counts them with the first of the sizes. Throws
  /// NestRefused, ToolchainError.
  unsigned registers(const CaseNest& nest, const cases::NestForm& form) const;

  /// The files of the program: C, its recipe, CUDA and host text, the flags of its sizes. A case of which the
  /// ordinary road makes no kernel is left out, and said. Throws NestRefused.
  std::vector<OutputFile> files(const std::vector<CaseNest>& nests, const std::filesystem::path& base) const;

private:
  struct Made {
    cases::DispatchedProgram program;
    std::string recipe, cuda, host; ///< in which the C text is called `name`
    std::string name;
  };
  /// The program of these schedules; nothing where a recipe is refused.
  std::optional<Made> made(const std::vector<cases::DispatchedSchedule>& schedules, bool isQuiet) const;
  /// `suffix` tells the names of its loops from those of others.
  cases::DispatchedNest nestOf(const CaseNest& nest, const std::string& suffix = "") const;
  /// All schedules of the nests.
  std::vector<cases::DispatchedSchedule> schedulesOf(const std::vector<CaseNest>& nests) const;

  const ForkJoinSource& source;
  const std::vector<cases::Values> sizes;
  const std::vector<std::string> flags;
};

} // namespace warploom
