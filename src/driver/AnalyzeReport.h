// The facts of a region as text in the manner of Clang's diagnostics.
#pragma once

#include "analysis/DependenceTests.h"
#include "analysis/Facts.h"

#include <string>

namespace warploom {

/// One remark per loop under its source line, with notes at both ends of the dependence that decides.
/// `source` is the text of the region's file.
std::string regionReport(const Region& region, const Facts& facts, const std::string& source);

/// What `test` says of each pair of references of the region, with its numbers.
std::string testReport(const Region& region, DependenceTest test, const std::string& source);

/// What `test` says of two references, in a few words; `isExact`: both are.
std::string answerText(DependenceAnswer answer, DependenceTest test, bool isExact);

} // namespace warploom
