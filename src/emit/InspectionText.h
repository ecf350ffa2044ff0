// What a launcher goes through to know how much of an array is used, as text.
#pragma once

#include "emit/LauncherScope.h"
#include "mapping/Inspection.h"

#include <string>
#include <vector>

namespace warploom {

/// The interval of all subscripts of `uses`: an expression of type warploom::Interval. Where it is evaluated
/// the parameters are in `known`.
std::string inspectionText(const std::vector<InspectedUse>& uses, const isl::set& known,
                           LauncherScope& scope);

/// How many numbers that goes through; empty where it goes through none.
std::string inspectionSteps(const std::vector<InspectedUse>& uses, LauncherScope& scope);

} // namespace warploom
