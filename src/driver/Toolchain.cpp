#include "driver/Toolchain.h"

#include "tune/LimitedProcess.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace warploom {

namespace fs = std::filesystem;

namespace {

/// What the environment says for `name`; empty when it says nothing.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool isExecutable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// Everything that can be read from `descriptor`.
std::string readAll(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t length = read(descriptor, buffer, sizeof buffer);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(length));
  }
}

std::string required(const char* what, const char* override, const std::vector<std::string>& names) {
  if (std::string given = variable(override); !given.empty()) return given;
  if (auto found = findProgram(names)) return *found;
  throw ToolchainError(fmt::format("there is no {} in PATH; {} can name one", what, override));
}

} // namespace

ProcessEnd runProcess(const std::vector<std::string>& command, Capture capture,
                      const std::vector<std::pair<std::string, std::string>>& environment,
                      const fs::path& folder) {
  std::vector<std::string> words = command, variables = environmentWith(environment);
  int pipes[2] = {-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  if (capture == Capture::Output) {
    if (pipe2(pipes, O_CLOEXEC) != 0) throw ToolchainError(fmt::format("no pipe: {}", std::strerror(errno)));
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO);
  }
  pid_t child = 0;
  int error = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                           pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  ProcessEnd end;
  if (capture == Capture::Output) {
    close(pipes[1]);
    if (error == 0) end.output = readAll(pipes[0]);
    close(pipes[0]);
  }
  if (error != 0) throw ToolchainError(fmt::format("cannot run '{}': {}", words[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw ToolchainError(fmt::format("cannot wait for '{}'", words[0]));
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

std::optional<std::string> findProgram(const std::vector<std::string>& names) {
  std::string path = variable("PATH");
  for (const std::string& name : names)
    for (std::size_t begin = 0; begin <= path.size();) {
      std::size_t end = std::min(path.find(':', begin), path.size());
      std::string folder = path.substr(begin, end - begin);
      if (!folder.empty() && isExecutable(fs::path(folder) / name)) return fs::path(folder) / name;
      begin = end + 1;
    }
  return std::nullopt;
}

std::optional<std::string> findNvcc() {
  if (auto found = findProgram({"nvcc"})) return found;
  std::string home = variable("CUDA_HOME");
  fs::path nvcc = fs::path(home.empty() ? "/usr/local/cuda" : home) / "bin" / "nvcc";
  if (isExecutable(nvcc)) return nvcc;
  return std::nullopt;
}

std::string cudaHeaders() {
  auto nvcc = findNvcc();
  if (!nvcc) return {};
  fs::path folder = fs::path(*nvcc).parent_path().parent_path() / "include";
  return fs::exists(folder / "cuda_runtime.h") ? folder.string() : "";
}

std::string cCompiler() {
  return required("C compiler", "CC", {"cc", "gcc", "clang", "clang-19"});
}

std::string cxxCompiler(bool sanitize) {
  if (sanitize) return required("C++ compiler", "CXX", {"clang++-19", "clang++", "g++"});
  return required("C++ compiler", "CXX", {"g++", "clang++-19", "clang++"});
}

namespace {

/// The folder in which this program lies.
fs::path ownFolder() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw ToolchainError(fmt::format("cannot find this program's own file: {}", error.message()));
  return program.parent_path();
}

} // namespace

fs::path runtimeFolder() {
  std::string given = variable("WARPLOOM_RUNTIME");
  // Beside bin/ where it is installed; in the build folder there is a link to the source.
  fs::path folder =
      given.empty() ? ownFolder().parent_path() / "share" / "warploom" / "runtime" : fs::path(given);
  if (given.empty() && !fs::exists(folder / "warploom.h")) {
    std::error_code none;
    fs::path linked = fs::canonical(ownFolder() / "share" / "warploom" / "runtime", none);
    if (!none) folder = linked;
  }
  if (!fs::exists(folder / "warploom.h"))
    throw ToolchainError(
        fmt::format("the runtime is not in '{}'; WARPLOOM_RUNTIME can say where it is", folder.string()));
  return folder;
}

fs::path searchFolder() {
  for (const fs::path& folder : {ownFolder().parent_path(), ownFolder()})
    if (fs::exists(folder / "share" / "warploom" / "search")) return folder / "share" / "warploom" / "search";
  throw ToolchainError("the sources of the search are not where this program is");
}

std::vector<std::string> sanitizeFlags() {
  std::istringstream words(variable("WARPLOOM_SANITIZE_FLAGS"));
  return {std::istream_iterator<std::string>(words), {}};
}

std::optional<fs::path> runtimeArchive(bool sanitize) {
  if (!variable("WARPLOOM_RUNTIME").empty() || !WARPLOOM_HAS_ARCHIVES) return std::nullopt;
  return ownArchive(sanitize ? "libwarploom_cpu_sanitize.a" : "libwarploom_cpu.a");
}

std::optional<fs::path> ownArchive(const std::string& name) {
  for (const fs::path& folder : {ownFolder().parent_path() / "lib" / "warploom", ownFolder() / "runtime"})
    if (fs::exists(folder / name)) return folder / name;
  return std::nullopt;
}

namespace {

fs::path makeFolder() {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  std::string name = (error ? fs::path("/tmp") : parent) / "warploom-XXXXXX";
  if (!mkdtemp(name.data()))
    throw ToolchainError(fmt::format("cannot make a temporary folder '{}': {}", name, std::strerror(errno)));
  return name;
}

} // namespace

TemporaryFolder::TemporaryFolder() : path(makeFolder()) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored; // a leftover in the temporary folder is no reason to fail
  fs::remove_all(path, ignored);
}

} // namespace warploom
