#include "driver/Schedules.h"

#include "driver/Diagnostics.h"
#include "driver/Toolchain.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <regex>

namespace warploom {

std::optional<ForkJoinSource> readSchedules(const std::string& file, const std::vector<std::string>& flags) {
  std::ifstream in(file, std::ios::binary);
  if (!std::filesystem::is_regular_file(file) || !in) {
    fmt::print(stderr, "warploom: error: cannot read '{}'\n", file);
    return std::nullopt;
  }
  return readSchedules(file, std::string(std::istreambuf_iterator<char>(in), {}), flags);
}

std::optional<ForkJoinSource> readSchedules(const std::string& file, const std::string& text,
                                            const std::vector<std::string>& flags) {
  ForkJoinSource source = readForkJoin(file, text, ForkJoinLanguage::MetaFork, flags);
  source.file = file;
  for (const ForkJoinProblem& problem : source.problems) {
    const std::string none;
    DiagnosticWriter writer(problem.file.empty() ? file : problem.file, problem.file.empty() ? text : none);
    writer.diagnostic(problem.at, problem.error ? "error" : "warning", problem.message);
    fmt::print(stderr, "{}", writer.text);
    if (problem.error) source.compiled = false;
  }
  if (!source.compiled) return std::nullopt;
  return source;
}

void reportAt(const ForkJoinSource& source, const SourceRange& at, const std::string& message) {
  if (!at.end) {
    fmt::print(stderr, "{}: error: {}\n", source.file, message);
    return;
  }
  DiagnosticWriter writer(source.file, source.source);
  writer.diagnostic(at, "error", message);
  fmt::print(stderr, "{}", writer.text);
}

namespace {

/// The compute capability of this machine's device. Throws ToolchainError.
std::string askedDevice() {
  auto program = findProgram({"nvidia-smi"});
  if (!program) throw ToolchainError("--device query needs nvidia-smi in PATH");
  ProcessEnd end =
      runProcess({*program, "--query-gpu=compute_cap", "--format=csv,noheader"}, Capture::Output);
  if (!end.ok()) throw ToolchainError("nvidia-smi finds no device");
  return end.output.substr(0, end.output.find_first_of(" \r\n"));
}

} // namespace

DeviceLimits deviceNamed(const std::string& device) {
  const std::string name = device == "query" ? askedDevice() : device;
  std::string known;
  for (const DeviceLimits& one : deviceTable()) {
    known += " " + one.name;
    if (one.name == name || one.architecture == name) return one;
  }
  throw ToolchainError(fmt::format("no device '{}' is known; compute capabilities are:{}", name, known));
}

cases::Values sizesOf(const std::string& text) {
  static const std::regex size(R"(([A-Za-z_]\w*)=(\d{1,6}))");
  cases::Values values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    std::smatch match;
    if (!std::regex_match(one, match, size))
      throw CLI::ValidationError("--sizes", "sizes are written B=32,s=2");
    values[match[1]] = mpz_class(std::string(match[2]));
    at = end + 1;
  }
  return values;
}

} // namespace warploom
