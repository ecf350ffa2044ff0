// `warploom sync` and `warploom run`: synchronous systems on the command line.
#pragma once

#include "driver/Commands.h"

namespace warploom {

/// Adds `sync` and `run` to `app`. When one of them is the command given, parsing runs it and sets `status`.
void addSync(CLI::App& app, std::optional<ExitStatus>& status);

} // namespace warploom
