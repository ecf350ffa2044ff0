// What a launcher asks before it uses the device: is there enough work for what it costs?
#pragma once

#include "emit/LauncherScope.h"
#include "support/TextWriter.h"

namespace warploom {

/// Writes the question by numbers of statement instances, of launches and of bytes: `moved` are terms.
void writeCosts(LauncherScope& scope, const std::vector<std::string>& moved, TextWriter& out);

} // namespace warploom
