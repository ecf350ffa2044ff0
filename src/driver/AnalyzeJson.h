// The facts of a region as JSON; the format is described in docs/analyze.md.
#pragma once

#include "analysis/DependenceTests.h"
#include "analysis/Facts.h"

#include <nlohmann/json.hpp>

namespace warploom {

nlohmann::ordered_json regionJson(const Region& region, const Facts& facts);

/// What `test` says of each pair of references.
nlohmann::ordered_json pairsJson(const Region& region, DependenceTest test);

} // namespace warploom
