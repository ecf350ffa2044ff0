// Programs that may hang: run for at most so long, and ended with all they have started.
#pragma once

#include "driver/Toolchain.h"

namespace warploom {

/// What runLimited is told besides the command.
struct ProcessLimits {
  double seconds = 60;
  bool keepsOutput = true; ///< standard output is captured too, not only standard error
};

struct LimitedEnd : ProcessEnd {
  bool timedOut = false; ///< it was ended by signal 9 for that
};

/// As runProcess, with nothing to read, for at most `limits.seconds`. The program is ended too when this
/// process ends, however it does. May be called by several threads.
LimitedEnd runLimited(const std::vector<std::string>& command, const ProcessLimits& limits,
                      const std::vector<std::pair<std::string, std::string>>& environment = {},
                      const std::filesystem::path& folder = {});

} // namespace warploom
