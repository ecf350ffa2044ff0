// The facts of a region as text in the manner of Clang's diagnostics.
#pragma once

#include "analysis/Facts.h"

#include <string>

namespace warploom {

/// One remark per loop under its source line, with notes at both ends of the dependence that decides.
/// `source` is the text of the region's file.
std::string regionReport(const Region& region, const Facts& facts, const std::string& source);

} // namespace warploom
