// Programs that may hang: run for at most so long, and ended with all they have started.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// `words` as exec takes them: they must outlive the result.
std::vector<char*> pointers(std::vector<std::string>& words);
/// This process's environment with `changes`, as exec takes it.
std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes);

/// What runLimited is told besides the command.
struct ProcessLimits {
  double seconds = 60;
  bool keepsOutput = true; ///< standard output is captured too, not only standard error
};

/// How a program ended. Exactly one of status >= 0 and signal > 0 holds.
struct LimitedEnd {
  int status = -1;
  int signal = 0;
  bool timedOut = false; ///< it was ended by signal 9 for that
  std::string output;    ///< what it wrote, the end of it where that is much

  bool ok() const { return status == 0; }
};

/// Runs `command` without a shell, its first word looked for in PATH, with nothing to read and `environment`
/// added to this process's, for at most `limits.seconds`. It is ended too when this process ends, however it
/// does. Its status is 127 where there is no such program. May be called by several threads. Throws
/// std::system_error when no process can be made.
LimitedEnd runLimited(const std::vector<std::string>& command, const ProcessLimits& limits,
                      const std::vector<std::pair<std::string, std::string>>& environment = {});

} // namespace warploom
