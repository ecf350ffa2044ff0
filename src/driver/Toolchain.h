// The compilers around Warploom: where they and the runtime are, and how other programs are run.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// Something outside Warploom is missing or failed; what() is the message for the user, without "error:".
class ToolchainError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// How a program ended. Exactly one of status >= 0 and signal > 0 holds.
struct ProcessEnd {
  int status = -1;
  int signal = 0;
  std::string output; ///< standard output and standard error, when they were captured

  bool ok() const { return status == 0; }
};

enum class Capture { Nothing, Output };

/// Runs `command` without a shell, its first word looked for in PATH, and waits for it. `environment` is
/// added to this process's; the program starts in `folder`, or here when that is empty. Throws ToolchainError
/// when it cannot be started.
ProcessEnd runProcess(const std::vector<std::string>& command, Capture capture,
                      const std::vector<std::pair<std::string, std::string>>& environment = {},
                      const std::filesystem::path& folder = {});

/// The path of the first of `names` that is an executable in PATH.
std::optional<std::string> findProgram(const std::vector<std::string>& names);

/// nvcc: in PATH, else in $CUDA_HOME/bin, or where CUDA_HOME is not set in /usr/local/cuda/bin.
std::optional<std::string> findNvcc();
/// The folder of CUDA's headers; empty when there is none.
std::string cudaHeaders();

/// The C compiler: $CC, else cc, gcc, clang.
std::string cCompiler();

/// The C++ compiler for the CPU execution: $CXX, else g++ or clang++. With `sanitize` clang++ comes first.
std::string cxxCompiler(bool sanitize);

/// The folder of the runtime that travels with generated programs: $WARPLOOM_RUNTIME, else share/warploom
/// beside this program's bin/, else, where it lies in its build folder, that of the source tree.
std::filesystem::path runtimeFolder();

/// The folder of the sources of the search that travel with bundles.
std::filesystem::path searchFolder();

/// What the environment adds to the compiler's flags where kernels are compiled with the sanitizer.
std::vector<std::string> sanitizeFlags();

/// The compiled executor for the CPU, when the build made one of the runtime that is used.
std::optional<std::filesystem::path> runtimeArchive(bool sanitize);

/// The library called `name` of those that come with this program; nothing when it is not there.
std::optional<std::filesystem::path> ownArchive(const std::string& name);

/// A folder for temporary files that is removed with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path path;
};

} // namespace warploom
