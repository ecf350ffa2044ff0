// How a region's outputs are shown to those who compare them: numbers, one call per array, scalar or field.
#pragma once

#include "model/Region.h"
#include "support/TextWriter.h"

#include <string>

namespace warploom {

/// The C++ parameters by which a visitor of outputs is handed over.
inline const char* const visitorParameters =
    "void (*visit)(void* context, const char* name, void* data, unsigned long count, unsigned long stride, "
    "const char* type), void* context";

/// Writes calls of `visit` for `count` elements of `region.arrays[array]` from `data`, a pointer, on. Of
/// structs, those fields that the region writes.
void writeVisits(const Region& region, int array, const std::string& data, const std::string& count,
                 TextWriter& out);

} // namespace warploom
