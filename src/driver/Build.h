// From C files to an executable: for `build`, `run` and `verify`.
#pragma once

#include "driver/Toolchain.h"
#include "driver/Translate.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warploom {

/// Where the kernels are to run. Auto: on the GPU when there are nvcc and a GPU, else on the CPU.
enum class Target { Auto, Cuda, Cpu };

struct BuildOptions {
  TranslateOptions translate;
  Target target = Target::Auto;
  std::string architecture; ///< `sm_90`; empty: that of this machine's GPU, or a range of common ones
  bool sanitize = false;    ///< races, bounds and barriers are checked while kernels run; on the CPU only
  /// Where nobody asked for the CPU execution, which is not about speed, programs use it only if told to.
  bool hostByDefault = false;
  /// Large blocks of the heap are memory that the device sees too, so that nothing of them is copied.
  bool managed = true;
  std::vector<std::string> linkFlags;

  /// No compiler may fuse a multiplication and an addition: two forms that are compared round alike.
  bool isUncontracted() const { return translate.strictFloatingPoint || translate.mode == HostMode::Verify; }
};

/// What the linker is told so that warploom_heap.c sees what the program allocates, sets and copies, as one
/// word behind `-Wl,` or, for nvcc, `-Xlinker`.
inline constexpr const char* heapSymbols =
    "--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=aligned_alloc,--wrap=memalign,"
    "--wrap=posix_memalign,--wrap=memset,--wrap=memcpy,--wrap=memmove";

/// Adds `--target`, `--arch`, `--sanitize` and `--managed`, and what addTranslateOptions adds, to `command`.
void addBuildOptions(CLI::App& command, BuildOptions& options);

/// Takes `flags` apart into those for the compilers and those for the linker.
void setFlags(BuildOptions& options, const std::vector<std::string>& flags);

/// True when kernels are compiled for the GPU, as far as there are kernels. Throws ToolchainError when that
/// cannot be.
bool isForCuda(const BuildOptions& options);

/// Builds `program`, replacing it only when all went well; what became of the files, nothing when one does
/// not compile. Throws ToolchainError and OutputError.
std::optional<std::vector<TranslatedFile>> buildProgram(const BuildOptions& options,
                                                        const std::filesystem::path& program);

/// Replaces `object`, which the C compiler has made of the file of `options`, by one that has the kernels of
/// its loops too, if there are any; what became of the file, nothing when Clang does not compile it. Throws
/// ToolchainError and OutputError, and then `object` is as it was.
std::optional<TranslatedFile> buildObject(const BuildOptions& options, const std::filesystem::path& object);

/// What the C compiler is told besides when it links `inputs`, of which buildObject has made some, to a
/// program or with `shared` to a library. Objects that it needs are made in `folder`.
std::vector<std::string> linkOfObjects(const BuildOptions& options, const std::vector<std::string>& inputs,
                                       bool shared, const std::filesystem::path& folder);

/// A program that is built elsewhere, by a script: what compilers and folders are called there. Commands are
/// written down here, in place of being run.
struct BuildScript {
  std::string c, cxx, nvcc, architecture;
  std::string runtime, cudaHeaders; ///< folders of headers
  std::string work;                 ///< the folder in which objects are made
  std::filesystem::path texts;      ///< the folder into which texts are written now
  std::string textsAre;             ///< where they are then
  std::map<std::string, std::string>
      foldersOf; ///< where the user's headers are then, by TranslatedFile::file
  std::vector<std::vector<std::string>> commands;
};

/// A program of which only the kernels of one file are compiled again and again, with other sizes.
class ProgramParts {
public:
  /// Compiles all but the kernels. Throws ToolchainError. With a script, which must outlive it, that is
  /// written down, and the commands below are for there.
  ProgramParts(const BuildOptions& options, std::vector<TranslatedFile> files, BuildScript* script = nullptr);
  ~ProgramParts();

  bool isForCuda() const;
  /// Compiles the kernels of all files but `file`, at their usual sizes.
  void compileOthers(std::size_t file);
  /// What compiles the kernels of `file` with `flags` to `object`, and what links that and the rest, after
  /// compileOthers(), to `program`.
  std::vector<std::string> kernelsCommand(std::size_t file, const std::vector<std::string>& flags,
                                          const std::filesystem::path& object) const;
  std::vector<std::string> linkCommand(std::size_t file, const std::filesystem::path& object,
                                       const std::filesystem::path& program) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace warploom
