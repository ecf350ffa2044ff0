#include "driver/TuneParts.h"

#include "driver/Sizes.h"
#include "tune/Machine.h"

#include <fmt/format.h>

namespace warploom {

namespace {

BuildOptions inMode(BuildOptions options, HostMode mode) {
  options.translate.mode = mode;
  return options;
}

std::vector<TranslatedFile> guarded(std::vector<TranslatedFile> files) {
  for (TranslatedFile& file : files)
    file.host = file.guarded;
  return files;
}

CandidateCommands commands(ProgramParts& parts, std::size_t file) {
  parts.compileOthers(file);
  return {[&parts, file](const std::vector<std::string>& flags, const std::filesystem::path& object) {
            return parts.kernelsCommand(file, flags, object);
          },
          [&parts, file](const std::filesystem::path& object, const std::filesystem::path& program) {
            return parts.linkCommand(file, object, program);
          }};
}

} // namespace

CandidatePrograms::CandidatePrograms(const BuildOptions& options, const std::vector<TranslatedFile>& files)
    : checked(inMode(options, HostMode::Verify), files),
      timed(inMode(options, HostMode::Guarded), guarded(files)),
      // Compared programs fuse no multiplication with an addition; the CPU execution never does.
      sameKernels(!isForCuda() || options.translate.strictFloatingPoint) {}

CandidateForms CandidatePrograms::forms(std::size_t file) {
  return {commands(checked, file), commands(timed, file), sameKernels, isForCuda()};
}

std::vector<TunableKernel> kernelsIn(const std::vector<TranslatedFile>& files) {
  std::vector<TunableKernel> kernels;
  for (std::size_t k = 0; k < files.size(); ++k)
    for (TunableKernel kernel : files[k].kernels) {
      kernel.file = k;
      kernels.push_back(std::move(kernel));
    }
  return kernels;
}

std::string problemOf(const TuneOptions& options) {
  std::string sizes = problemSizes(withSizes(options.flags, options.sizes));
  const std::vector<std::string>& arguments = options.campaign.runs.arguments;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    sizes += fmt::format("{}argument{}={}", sizes.empty() ? "" : " ", k + 1, arguments[k]);
  return sizes;
}

std::string toolkitSuffix(const TuneOptions& options) {
  return options.build.translate.strictFloatingPoint ? ", --strict-fp" : "";
}

Search searchFor(TuneOptions& options, bool cuda) {
  Search about;
  about.device = deviceName(cuda);
  if (about.device.empty()) throw ToolchainError("there is no GPU to tune for; --target cpu needs none");
  about.toolkit = toolkitName(cuda) + toolkitSuffix(options);
  about.sizes = problemOf(options);
  options.campaign.device = cuda ? gpuLimits() : cpuExecutionLimits();
  return about;
}

} // namespace warploom
