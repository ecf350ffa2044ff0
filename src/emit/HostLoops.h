// The host's loops and launches of a region as text; and such a loop as one kernel.
#pragma once

#include "emit/LauncherScope.h"
#include "support/TextWriter.h"

namespace warploom {

/// Writes a kernel for each loop of the host that one launch can run.
void writeOneLaunches(LauncherScope& scope, TextWriter& out);

/// Writes loops and launches of the whole region.
void writeHostLoops(LauncherScope& scope, TextWriter& out);

} // namespace warploom
