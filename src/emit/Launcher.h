// The host's half of a region in the .cu file: the launcher and the list of its outputs.
#pragma once

#include "emit/Definitions.h"
#include "emit/LauncherScope.h"
#include "emit/Program.h"
#include "support/TextWriter.h"

#include <string>

namespace warploom {

/// Writes kernels and launcher of `region` into `out`, and fills in how the user's text calls it. What they
/// need of the user's program goes to `definitions`. Throws EmissionRefused when there is no such text.
void writeRegion(const Region& region, const Facts& facts, const RegionPlan& plan,
                 const std::string& launcher, Definitions& definitions, TextWriter& out,
                 GeneratedRegion& generated);

} // namespace warploom
