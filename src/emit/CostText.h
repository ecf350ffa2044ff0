// What a launcher asks before it uses the device: is there enough work for what it costs?
#pragma once

#include "emit/LauncherScope.h"
#include "support/TextWriter.h"

namespace warploom {

/// Declares the number of statement instances, and leaves the launcher where they are too few for any
/// question, or where `site`, the name of the launcher's warploom::Site, knows the answer.
void writeWork(LauncherScope& scope, const std::string& site, TextWriter& out);

/// Writes the question by numbers of statement instances, of launches and of bytes: `moves` are values of
/// warploom::Move.
void writeCosts(LauncherScope& scope, const std::vector<std::string>& moves, TextWriter& out);

} // namespace warploom
