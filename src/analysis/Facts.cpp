#include "analysis/Facts.h"

namespace warploom {

Facts analyse(const Region& region) {
  Effort effort;
  Facts facts;
  facts.dependences = dependences(region, effort);
  facts.loops = verdicts(region, facts.dependences, effort);
  facts.arrays = arrayFacts(region, facts.dependences, effort);
  return facts;
}

} // namespace warploom
