// `warploom verify`: every region of a program in its original and its generated form on the same data,
// compared.
#include "driver/Build.h"
#include "driver/Commands.h"
#include "driver/Sizes.h"
#include "tune/Machine.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <sstream>

namespace warploom {

namespace {

struct VerifyOptions {
  BuildOptions build;
  std::vector<std::string> sizes, flags, arguments;
  std::string program;   ///< where the program is kept; empty: it is not
  double tolerance = -1; ///< negative: the default of each type
};

/// How the runtime's sanitizer ends a program that it found at fault (docs/runtime.md).
constexpr int sanitizerStatus = 66;

std::optional<std::string> readReport(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The environment of the run: kernels run however little work there is.
std::vector<std::pair<std::string, std::string>> environment(const VerifyOptions& options,
                                                             const std::filesystem::path& report) {
  std::vector<std::pair<std::string, std::string>> result = {{"WARPLOOM_VERIFY_REPORT", report.string()}};
  if (!std::getenv("WARPLOOM_DEVICE")) result.emplace_back("WARPLOOM_DEVICE", "gpu");
  if (options.tolerance >= 0) result.emplace_back("WARPLOOM_TOLERANCE", fmt::format("{}", options.tolerance));
  return result;
}

/// Prints what the program found, and whether all is well. `lacksDevice`: its kernels are for a GPU, and
/// there is none.
ExitStatus conclude(const std::vector<TranslatedFile>& files, const ProcessEnd& end,
                    const std::optional<std::string>& report, bool reordered, bool lacksDevice) {
  std::size_t mapped = 0;
  for (const TranslatedFile& file : files) {
    mapped += file.mapped.size();
    for (const std::string& region : file.mapped)
      if (report && report->find("region " + region + " ") == std::string::npos)
        fmt::print("verify: region {} was not entered\n", region);
  }
  if (report) fmt::print("{}", *report);
  bool good = true;
  auto fault = [&](const std::string& message) {
    fmt::print("verify: {}\n", message);
    good = false;
  };
  if (end.signal)
    fault(fmt::format("the program was ended by signal {}", end.signal));
  else if (end.status == sanitizerStatus)
    fault("the sanitizer found faults");
  else if (report && report->find(" MISMATCH\n") != std::string::npos && reordered)
    fault(
        "where floating-point sums cancel, their other order alone can do this; --strict-fp keeps the order");
  else if (report && report->find(" MISMATCH\n") != std::string::npos)
    good = false;
  else if (end.status != 0)
    fmt::print("verify: the program ended with status {}\n", end.status);
  if (mapped == 0)
    fmt::print("verify: there is nothing to compare, since no region was mapped\n");
  else if (!report && end.status == 0)
    fmt::print("verify: no region was entered\n");
  else if (!report)
    fault("no region was entered");
  else if (lacksDevice && report->find("verify: 0 regions compared") != std::string::npos)
    fault("no region was compared: there is no GPU");
  return good ? ExitStatus::Done : ExitStatus::InputAtFault;
}

ExitStatus verify(VerifyOptions& options) {
  setFlags(options.build, withSizes(options.flags, options.sizes));
  options.build.translate.mode = HostMode::Verify;
  if (options.build.translate.strictFloatingPoint && options.tolerance < 0) options.tolerance = 0;
  TemporaryFolder folder;
  std::filesystem::path program =
      options.program.empty() ? folder.path / "program" : std::filesystem::absolute(options.program);
  std::filesystem::path report = folder.path / "report";
  auto files = buildProgram(options.build, program);
  if (!files) return ExitStatus::InputAtFault;
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  std::fflush(stdout);
  ProcessEnd end = runProcess(command, Capture::Nothing, environment(options, report));
  return conclude(*files, end, readReport(report), !options.build.translate.strictFloatingPoint,
                  isForCuda(options.build) && !hasGpu());
}

} // namespace

void addVerify(CLI::App& app, const std::vector<std::string>& compilerFlags,
               std::optional<ExitStatus>& status) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand(
      "verify", "Run every region in its original and its generated form and compare what they computed");
  addFiles(*command, options->build.translate);
  addBuildOptions(*command, options->build);
  addSizes(*command, options->sizes);
  command->add_option("-o", options->program, "Keep the program, which compares whenever it runs")
      ->type_name("PROG");
  command
      ->add_option("--tolerance", options->tolerance,
                   "How far floating-point results may differ, relative to the largest value of the array "
                   "(default 1e-6, for float 1e-3; with --strict-fp 0)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("T");
  command->add_option("--arg", options->arguments, "An argument for the program")
      ->type_name("ARG")
      ->expected(1)
      ->take_all();
  command->footer(
      "What stands after `--` goes to the C compiler and the linker: warploom verify f.c --size N=64 -- -lm");
  command->callback([options, &compilerFlags, &status] {
    options->flags = compilerFlags;
    status = verify(*options);
  });
}

} // namespace warploom
