// Which write gave a read its value: flow by value for one reader at a time, so that a hard one spoils no
// other.
#pragma once

#include "analysis/AccessRef.h"

namespace warploom {

/// The writes that one reader may see.
struct ValueFlow {
  struct Source {
    AccessRef write;
    isl::map relation; ///< { S[i] -> T[j] }: the value of S[i] may be the one that T[j] reads
  };
  std::vector<Source> sources;
  isl::set exposed; ///< instances of the reader that may see a value from before the region
};

/// The writes among `writers` (writes and kills of the same array) that `read` may see.
ValueFlow valueFlow(const Region& region, AccessRef read, const std::vector<AccessRef>& writers);

/// True when the write happens for every instance in its statement's domain, whatever the data is.
bool alwaysHappens(const Region& region, AccessRef write);

/// The instances of each of `writers` whose value may still be there when the region ends.
std::vector<Instances> finalWrites(const Region& region, const std::vector<AccessRef>& writers);

} // namespace warploom
