// From C files to CUDA and host text: what `compile`, `build`, `run` and `verify` have in common.
#pragma once

#include "driver/Directives.h"
#include "driver/TunedSizes.h"
#include "emit/HostText.h"
#include "frontend/Frontend.h"
#include "strategy/Shrinking.h"

#include <CLI/App.hpp>
#include <set>
#include <string>
#include <vector>

namespace warploom {

struct TranslateOptions {
  FrontendOptions frontend;
  bool strictFloatingPoint = false;
  bool noShared = false;                    ///< nothing is staged in shared memory
  ConfigOf configOf;                        ///< what a configuration says of functions; empty: there is none
  int tileCopies = 2;                       ///< of each tile of a product in shared memory
  LibraryUse libraries = LibraryUse::Never; ///< which stand in for kernels
  Shrink shrink = Shrink::Auto;             ///< how loops that are not parallel run in groups
  bool shrinkOnlyAsAsked = false;           ///< where that way is not for a loop, nothing is translated
  bool tunablesPerKernel = false;           ///< each kernel has sizes of its own
  std::map<std::string, int> sizes; ///< of kernels, by their names in the text, where nothing else is said
  /// The name by which the launchers' prototypes are included; empty: the host's text has them itself.
  std::string header;
  std::string recipe;     ///< the file that says how regions are transformed; empty: there is none
  std::string emitRecipe; ///< where a recipe for every kernel is written; empty: nowhere
  bool explain = false;   ///< say what was done, and show the source lines of what was not
  bool quiet = false;     ///< do not say why regions stay as they were
  bool steps = false;     ///< print each step with the code after it
  HostMode mode = HostMode::Guarded;
  bool forTuning = false;              ///< TranslatedFile::guarded and kernels are wanted too
  TunedOptions tuned;                  ///< where kernels' sizes may come from
  std::set<std::string> onlyFunctions; ///< loops of others stay as they were; empty: all are translated
  /// Other files of the program are translated by themselves: names of one file are like those of no other.
  bool separately = false;
};

/// One file and what became of it.
/// Invariant: without launchers `cuda` is empty, and `host` is the user's text, byte for byte, but for large
/// arrays that other files may know.
struct TranslatedFile {
  std::string file;
  std::vector<std::string> flags; ///< how it is compiled, as in FileRegions
  std::string folder;
  std::string cuda;
  std::string host;
  std::string guarded;                ///< for tuning: the host's text in HostMode::Guarded
  std::string header;                 ///< the launchers' prototypes, where a header was asked for
  std::vector<std::string> mapped;    ///< the names of the regions that got a launcher
  std::vector<SourceRange> mappedAt;  ///< where they are
  std::size_t refused = 0;            ///< how many stayed as they were
  std::vector<TunableKernel> kernels; ///< for tuning
  bool asksHeap = false;              ///< a launcher asks how long blocks of the heap are
  bool isFaulty = false;              ///< one of those is because of a fault
  bool forks = false;                 ///< the host's text calls the run-time of tasks
  std::string remarks;                ///< of a fork-join program, on regions that stayed as they were
  std::string recipe;                 ///< what makes the same kernels again, where that was asked for
};

/// Adds `--effort`, by which all commands that analyse scale how long they think.
void addEffort(CLI::App& command);

/// Adds the files and where their flags are, for commands that take files, and the options that all have, to
/// `command`.
void addFiles(CLI::App& command, TranslateOptions& options);
void addTranslateOptions(CLI::App& command, TranslateOptions& options);

/// What became of each file, in order; nothing when one of them does not compile, which has then been
/// reported. Why regions stay as they were, and with `explain` what was done with the others, goes to
/// standard error.
std::optional<std::vector<TranslatedFile>> translate(const TranslateOptions& options);

/// What the name of the host's text ends with: as the file's own, `.c` for MetaFork.
std::string hostExtension(const std::string& file);

/// What one says after translating: `2 of 3 regions of 'f.c' were mapped`.
std::string summary(const TranslatedFile& file);

/// `text` as what is given to Clang and the C compiler; the rest, such as -lm, is for the linker.
struct SplitFlags {
  std::vector<std::string> compile, link;
};
SplitFlags splitFlags(const std::vector<std::string>& flags);

/// True for a flag that is for kernels too: it sets a size of blocks or tiles.
inline bool isTunable(const std::string& flag) {
  return flag.starts_with("-DWARPLOOM_");
}

} // namespace warploom
