// The programmer's word about loops, `#pragma omp parallel for`: what is taken at it, and what is not.
#pragma once

#include "analysis/Dependences.h"

namespace warploom {

/// True when `dependence` is there in every run in which its loops have the iterations: both ends are exact
/// and nothing in the data decides whether they happen.
bool isCertain(const Region& region, const Dependence& dependence);

/// True when the word of the loop that carries `dependence` denies it. Of scalars nothing is believed: which
/// iteration gives them their value must be known.
bool isDenied(const Region& region, const Dependence& dependence);

/// Moves what is denied and not certain from `all` to `waived`.
void takeWords(const Region& region, Dependences& dependences);

} // namespace warploom
