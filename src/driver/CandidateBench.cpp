#include "driver/CandidateBench.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace warploom {

namespace fs = std::filesystem;

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

/// The line of `output` that says most: the first with an error in it, else the last.
std::string essence(const std::string& output) {
  std::istringstream in(output);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find("error") != std::string::npos || line.find("failed") != std::string::npos) return line;
    if (!line.empty()) last = line;
  }
  return last.substr(0, 500);
}

std::string textOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What the runtime says when it ends a program because the device did not do something; empty when it did
/// not: the program's own messages and status are no failure.
std::string failureIn(const std::string& output) {
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("warploom: ") && line.find(" failed: ") != std::string::npos) return line;
  return "";
}

/// The environment in which kernels run however little work there is.
std::vector<std::pair<std::string, std::string>> environment(const std::string& name,
                                                             const std::string& value) {
  std::vector<std::pair<std::string, std::string>> result = {{name, value}, {"CUDA_MODULE_LOADING", "EAGER"}};
  const char* device = std::getenv("WARPLOOM_DEVICE");
  if (!device || !std::string(device).starts_with("gpu")) result.emplace_back("WARPLOOM_DEVICE", "gpu");
  return result;
}

} // namespace

const std::string CandidateBench::notEntered = "the program does not get to the region";

CandidateParts::CandidateParts(const BuildOptions& options, std::vector<TranslatedFile> files)
    : checked(inMode(options, HostMode::Verify), files),
      timed(inMode(options, HostMode::Guarded), guarded(std::move(files))),
      // Compared programs fuse no multiplication with an addition; the CPU execution never does.
      sameKernels(!timed.isForCuda() || options.translate.strictFloatingPoint) {}

CandidateBench::CandidateBench(CandidateParts& parts, std::size_t file, const TranslatedKernel& kernel,
                               const Space& space, const CandidateRuns& options)
    : parts(parts), file(file), kernel(kernel), space(space), options(options) {
  parts.checked.compileOthers(file);
  parts.timed.compileOthers(file);
}

fs::path CandidateBench::folderOf(const Point& point) const {
  std::string name = space.text(point);
  std::replace(name.begin(), name.end(), ' ', ',');
  return folder.path / name;
}

/// Nothing when `command` ends well.
std::optional<Result> CandidateBench::run(const std::vector<std::string>& command, Outcome otherwise) const {
  const LimitedEnd end = runLimited(command, {options.seconds, true});
  if (end.timedOut)
    return Result{Outcome::TimedOut, 0, 0,
                  fmt::format("{} took more than {} s", command[0], options.seconds)};
  if (!end.ok()) return Result{otherwise, 0, 0, essence(end.output)};
  return std::nullopt;
}

std::optional<Result> CandidateBench::build(const ProgramParts& program, const Point& point,
                                            const fs::path& object, const fs::path& to) {
  if (!fs::exists(object))
    if (auto failed = run(program.kernelsCommand(file, space.flags(point), object), Outcome::FailedToCompile))
      return failed;
  return run(program.linkCommand(file, object, to), Outcome::FailedToCompile);
}

std::optional<Result> CandidateBench::prepare(const Point& point) {
  const fs::path own = folderOf(point), checked = own / "checked", timed = own / "timed";
  fs::create_directories(own);
  const fs::path first = own / "checked.o", second = parts.sameKernels ? first : own / "timed.o";
  if (auto failed = build(parts.checked, point, first, checked)) return failed;
  if (auto failed = check(checked, own / "report")) return failed;
  return build(parts.timed, point, second, timed);
}

std::optional<Result> CandidateBench::check(const fs::path& program, const fs::path& report) {
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  std::lock_guard<std::mutex> lock(running);
  const LimitedEnd end =
      runLimited(command, {options.seconds, false}, environment("WARPLOOM_VERIFY_REPORT", report.string()));
  if (end.timedOut)
    return Result{Outcome::TimedOut, 0, 0, fmt::format("the program took more than {} s", options.seconds)};
  if (end.signal) return Result{Outcome::Crashed, 0, 0, fmt::format("signal {}", end.signal)};
  const std::string text = textOf(report), ofRegion = fmt::format("verify: region {} ", kernel.region);
  if (const std::size_t at = text.find(" MISMATCH\n"); at != std::string::npos) {
    const std::size_t begin = text.rfind('\n', at) + 1; // npos + 1 is 0
    return Result{Outcome::Wrong, 0, 0, text.substr(begin, at - begin)};
  }
  if (std::string failure = failureIn(end.output); !failure.empty())
    return Result{Outcome::FailedToLaunch, 0, 0, failure};
  // Every region that a program enters is in its report, unless the program has ended itself.
  if (text.find("\nverify: ") == std::string::npos && !text.starts_with("verify: ") && end.status != 0)
    return Result{Outcome::FailedToLaunch, 0, 0, essence(end.output)};
  if (text.find(ofRegion) == std::string::npos) return Result{Outcome::FailedToLaunch, 0, 0, notEntered};
  if (text.find(ofRegion + "was not compared") != std::string::npos)
    return Result{Outcome::FailedToLaunch, 0, 0, "the region stays on the host"};
  return std::nullopt;
}

Sample CandidateBench::sample(const fs::path& program) const {
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const LimitedEnd end = runLimited(command, {options.seconds, false}, environment("WARPLOOM_TIMING", "1"));
  if (end.timedOut)
    return {0,
            Result{Outcome::TimedOut, 0, 0, fmt::format("the program took more than {} s", options.seconds)}};
  if (end.signal) return {0, Result{Outcome::Crashed, 0, 0, fmt::format("signal {}", end.signal)}};
  // What it says of times then is of passages that were there before.
  if (std::string failure = failureIn(end.output); !failure.empty())
    return {0, Result{Outcome::FailedToLaunch, 0, 0, failure}};
  double sum = 0;
  bool found = false;
  std::istringstream in(end.output);
  const std::string begin = fmt::format("warploom: region {} kernels ", kernel.region);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begin) && line.ends_with(" path gpu")) {
      sum += std::strtod(line.c_str() + begin.size(), nullptr);
      found = true;
    }
  if (!found) return {0, Result{Outcome::FailedToLaunch, 0, 0, essence(end.output)}};
  return {sum, std::nullopt};
}

Result CandidateBench::time(const Point& point, std::optional<double> best) {
  const fs::path program = folderOf(point) / "timed";
  return measured([&] { return sample(program); }, options.repeats, best);
}

void CandidateBench::discard(const Point& point) {
  std::error_code ignored;
  fs::remove_all(folderOf(point), ignored);
}

} // namespace warploom
