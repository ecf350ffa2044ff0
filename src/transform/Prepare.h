// A region as schedules are made for it: without what nobody needs, and for sizes under which more of it is
// parallel.
#pragma once

#include "analysis/Facts.h"
#include "model/Region.h"

namespace warploom {

/// A region as it is planned: without what nobody needs, and where conditions hold that the host checks.
struct PreparedRegion {
  Region region;
  Facts facts;      ///< under these conditions
  isl::set assumed; ///< the conditions
  Facts always;     ///< without them
};
PreparedRegion prepareRegion(const Region& source, const Facts& facts);

} // namespace warploom
