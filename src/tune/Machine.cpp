#include "tune/Machine.h"

#include "tune/LimitedProcess.h"

#include <cstdlib>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace warploom {

namespace {

/// What `command` says: the first line or the last; empty when it fails.
std::string answerOf(const std::vector<std::string>& command, bool last) {
  LimitedEnd end = runLimited(command, {});
  if (!end.ok()) return "";
  while (!end.output.empty() && end.output.back() == '\n')
    end.output.pop_back();
  return last ? end.output.substr(end.output.rfind('\n') + 1) : end.output.substr(0, end.output.find('\n'));
}

} // namespace

bool hasGpu() {
  return access("/dev/nvidiactl", R_OK | W_OK) == 0 || access("/dev/dxg", R_OK | W_OK) == 0;
}

std::string gpuName() {
  if (!hasGpu()) return "";
  const std::string name = answerOf({"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"}, false);
  return name.empty() ? "an NVIDIA GPU" : name;
}

std::optional<DeviceLimits> gpuLimits() {
  if (!hasGpu()) return std::nullopt;
  return deviceLimits(answerOf({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"}, false));
}

std::optional<DeviceLimits> cardCalled(const std::string& name) {
  // The cards of devices.txt.
  for (const auto& [card, capability] :
       {std::pair("A100", "8.0"), {"H200", "9.0"}, {"B200", "10.0"}, {"RTX 5090", "12.0"}})
    if (name.find(card) != std::string::npos) return deviceLimits(capability);
  return std::nullopt;
}

std::optional<DeviceLimits> cpuExecutionLimits() {
  return deviceLimits("9.0");
}

std::string cpuExecutionName() {
  utsname machine{};
  uname(&machine);
  const char* given = std::getenv("WARPLOOM_THREADS");
  const std::string threads = given && *given ? given : std::to_string(std::thread::hardware_concurrency());
  return "CPU execution on " + std::string(machine.machine) + ", " + threads + " threads";
}

std::string nvccVersion(const std::string& nvcc) {
  return answerOf({nvcc, "--version"}, true);
}

std::string compilerVersion(const std::string& compiler) {
  return answerOf({compiler, "--version"}, false);
}

} // namespace warploom
