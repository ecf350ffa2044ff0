// The host's loops and launches of a region as text.
#pragma once

#include "emit/LauncherScope.h"
#include "support/TextWriter.h"

namespace warploom {

/// Writes loops and launches of the whole region.
void writeHostLoops(LauncherScope& scope, TextWriter& out);

} // namespace warploom
