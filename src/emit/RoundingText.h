// What a launcher's program knows of rounding: for each output, how many roundings went into an element and
// how large the numbers were that they were made of. `verify` derives from it how far two right results may
// be apart (runtime/warploom_rounding.h has the arithmetic).
#pragma once

#include "emit/HostArrays.h"

#include <set>

namespace warploom {

/// The C++ parameters by which a listener is handed over.
inline const char* const roundingParameters =
    "void (*note)(void* context, const char* name, double roundings, double size), void* context";

/// Writes calls of `note` for the floating-point outputs of `scope.region`; to be run before the region.
/// `values`: scalars that the launcher takes by value.
void writeRounding(LauncherScope& scope, HostArrays& arrays, const std::set<int>& values, TextWriter& out);

} // namespace warploom
