#include "tune/ProgramBench.h"

#include "tune/LimitedProcess.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

namespace warploom {

namespace fs = std::filesystem;

namespace {

Result failed(Outcome outcome, const std::string& detail) {
  return {outcome, 0, 0, detail};
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

/// Why a program that ended like this did not do what it was to do; nothing where its own status may be
/// meant.
std::optional<Result> failureOf(const LimitedEnd& end) {
  if (end.timedOut) return failed(Outcome::TimedOut, "the program took too long");
  if (end.signal) return failed(Outcome::Crashed, "signal " + std::to_string(end.signal));
  return std::nullopt;
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

const std::string ProgramBench::notEntered = "the program does not get to the region";

ProgramBench::ProgramBench(CandidateForms forms, BenchedKernel kernel, const Space& space,
                           const CandidateRuns& options, fs::path folder)
    : forms(std::move(forms)), kernel(std::move(kernel)), space(space), options(options),
      folder(std::move(folder)) {}

fs::path ProgramBench::folderOf(const Point& point) const {
  std::string name = space.text(point);
  std::replace(name.begin(), name.end(), ' ', ',');
  return folder / name;
}

/// Nothing when `command` ends well.
std::optional<Result> ProgramBench::run(const std::vector<std::string>& command, std::string* said) const {
  const LimitedEnd end = runLimited(command, {options.seconds, true});
  if (said) *said = end.output;
  if (end.timedOut) return failed(Outcome::TimedOut, command[0] + " took too long");
  // That is no property of the candidate, and must not be remembered as one.
  if (!end.ok() && end.output.find("No space left on device") != std::string::npos)
    throw std::system_error(ENOSPC, std::generic_category(), "a candidate cannot be made");
  if (!end.ok()) return failed(Outcome::FailedToCompile, essence(end.output));
  return std::nullopt;
}

/// Compiles the kernels, and finds what they need. One of which a multiprocessor holds no block is not run.
std::optional<Result> ProgramBench::compile(const CandidateCommands& form, const Point& point,
                                            const fs::path& object) {
  std::vector<std::string> flags = space.flags(point);
  if (forms.cuda) flags.insert(flags.end(), {"-Xptxas", "-v"});
  std::string said;
  if (auto failure = run(form.compile(flags, object), &said)) return failure;
  Resources use = resourcesIn(said, kernel.name).value_or(Resources{});
  // What is allocated when it is launched the compiler does not know.
  use.sharedBytes = std::max(use.sharedBytes, space.value(kernel.needs.sharedBytes, point).value_or(0));
  const std::optional<long> threads = space.value(kernel.needs.threads, point);
  const bool fits =
      use.registers == 0 || !threads || !kernel.device || findOccupancy(use, *threads, *kernel.device);
  {
    std::lock_guard<std::mutex> lock(noting);
    uses[point] = use;
  }
  if (fits) return std::nullopt;
  return failed(Outcome::FailedToLaunch,
                "a multiprocessor of " + kernel.device->architecture + " holds no block of " +
                    std::to_string(*threads) + " threads with " + std::to_string(use.registers) +
                    " registers each and " + std::to_string(use.sharedBytes) + " bytes of shared memory");
}

std::optional<Result> ProgramBench::build(const CandidateCommands& form, const Point& point,
                                          const fs::path& object, const fs::path& to) {
  if (!fs::exists(object))
    if (auto failure = compile(form, point, object)) return failure;
  return run(form.link(object, to));
}

std::optional<Result> ProgramBench::prepare(const Point& point) {
  const fs::path own = folderOf(point), checked = own / "checked", timed = own / "timed";
  fs::create_directories(own);
  const fs::path first = own / "checked.o", second = forms.sameKernels ? first : own / "timed.o";
  if (auto failure = build(forms.checked, point, first, checked)) return failure;
  if (auto failure = check(checked, options.checkArguments.value_or(options.arguments))) return failure;
  return build(forms.timed, point, second, timed);
}

std::optional<Result> ProgramBench::confirm(const Point& point) {
  const fs::path own = folderOf(point);
  fs::create_directories(own);
  std::optional<Result> failure = build(forms.checked, point, own / "checked.o", own / "checked");
  if (!failure) failure = check(own / "checked", options.arguments);
  discard(point);
  return failure;
}

std::optional<Result> ProgramBench::check(const fs::path& program,
                                          const std::vector<std::string>& arguments) {
  const fs::path report = program.string() + ".report";
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::lock_guard<std::mutex> lock(running);
  const LimitedEnd end =
      runLimited(command, {options.seconds, false}, environment("WARPLOOM_VERIFY_REPORT", report.string()));
  if (auto failure = failureOf(end)) return failure;
  const std::string text = textOf(report), ofRegion = "verify: region " + kernel.region + " ";
  if (const std::size_t at = text.find(" MISMATCH\n"); at != std::string::npos) {
    const std::size_t begin = text.rfind('\n', at) + 1; // npos + 1 is 0
    return failed(Outcome::Wrong, text.substr(begin, at - begin));
  }
  if (std::string failure = failureIn(end.output); !failure.empty())
    return failed(Outcome::FailedToLaunch, failure);
  // Every region that a program enters is in its report, unless the program has ended itself.
  if (text.find("\nverify: ") == std::string::npos && !text.starts_with("verify: ") && end.status != 0)
    return failed(Outcome::FailedToLaunch, essence(end.output));
  if (text.find(ofRegion) == std::string::npos) return failed(Outcome::FailedToLaunch, notEntered);
  if (text.find(ofRegion + "was not compared") != std::string::npos)
    return failed(Outcome::FailedToLaunch, "the region stays on the host");
  return std::nullopt;
}

Sample ProgramBench::sample(const fs::path& program) const {
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  auto variables = environment("WARPLOOM_TIMING", "1");
  variables.emplace_back("WARPLOOM_WORK", "1");
  const LimitedEnd end = runLimited(command, {options.seconds, false}, variables);
  if (auto failure = failureOf(end)) return {0, failure};
  // What it says of times then is of passages that were there before.
  if (std::string failure = failureIn(end.output); !failure.empty())
    return {0, failed(Outcome::FailedToLaunch, failure)};
  double sum = 0;
  Work work;
  bool found = false;
  std::istringstream in(end.output);
  const std::string begin = "warploom: region " + kernel.region + " kernels ";
  const std::string does = "warploom: region " + kernel.region + " work ";
  const std::string of = "warploom: region " + kernel.region + " sizes ";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(begin) && line.ends_with(" path gpu")) {
      sum += std::strtod(line.c_str() + begin.size(), nullptr);
      found = true;
    }
    if (line.starts_with(does))
      std::sscanf(line.c_str() + does.size(), "%lf instances %lf bytes", &work.instances, &work.bytes);
    if (line.starts_with(of)) work.problem = line.substr(of.size());
  }
  if (!found && end.output.find("warploom: region " + kernel.region + " ") == std::string::npos)
    return {0,
            failed(Outcome::FailedToLaunch, "the program does not come to " + kernel.region +
                                                ": another region, which calls its function, has its work")};
  if (!found) return {0, failed(Outcome::FailedToLaunch, essence(end.output))};
  return {sum, std::nullopt, work};
}

Result ProgramBench::time(const Point& point, std::optional<double> best) {
  const fs::path program = folderOf(point) / "timed";
  Work work;
  Result result = measured(
      [&] {
        Sample one = sample(program);
        work = one.work;
        return one;
      },
      options.repeats, best);
  result.work = work;
  std::lock_guard<std::mutex> lock(noting);
  result.resources = uses[point];
  return result;
}

void ProgramBench::discard(const Point& point) {
  std::error_code ignored;
  fs::remove_all(folderOf(point), ignored);
  std::lock_guard<std::mutex> lock(noting);
  uses.erase(point);
}

} // namespace warploom
