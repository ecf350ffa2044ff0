// Fork-join programs on the command line: `warploom run FILE.mf`. The command `translate` is in Commands.h.
#pragma once

#include <string>
#include <vector>

namespace warploom {

struct ForkJoinRun {
  std::string file;
  bool serial = false, sanitize = false;
  std::vector<std::string> flags, arguments; ///< of the C compiler, and of the program
};

/// Whether `file` is a MetaFork program by its name.
bool isForkJoin(const std::string& file);

/// Whether the word `meta_schedule` stands in the file.
bool hasSchedule(const std::string& file);

/// Builds the program and runs it on threads, serially, or looking for races; its exit status, or 1 when it
/// cannot be built or has a race.
int runForkJoin(const ForkJoinRun& options);

} // namespace warploom
