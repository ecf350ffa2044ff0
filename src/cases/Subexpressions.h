// Common subexpressions of a device nest: what is computed twice gets a name.
#pragma once

#include "frontend/ForkJoin.h"

namespace warploom::cases {

/// The text of `source` with names for what statements of `nest` that follow each other compute in common.
/// Level 1: integer expressions that come twice or more. Level 2: also expressions that are a named one and
/// one more term. The same text where there is nothing of the kind; the result has nothing of it.
std::string withNames(const ForkJoinSource& source, const DeviceNest& nest, int level);

} // namespace warploom::cases
