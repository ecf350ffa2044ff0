// Which reads of a loop see values from before it: those that a copy made before the loop can serve.
#pragma once

#include "analysis/Facts.h"
#include "model/Region.h"

namespace warploom {

/// True when access number `access` of `statement` is a read with a node of its own, which can be turned to
/// another array: a compound assignment reads its target without one.
bool isTurnable(const Statement& statement, int access);

/// True when a value moves from `flow.source` to `flow.sink` inside one run of `loop`.
bool staysInside(const Region& region, const Dependence& flow, int loop);

/// The instances of `read`, in `loop`, that are to read from a copy: they certainly see a value from before
/// the loop. Where for some sizes, with two iterations or more, nothing is overwritten that is read, only
/// those whose element is: `a[i] = a[i + k]` copies nothing where k is beyond the last i.
isl::set worthCopying(const Region& region, const Facts& facts, int loop, AccessRef read);

/// True when every instance of its statement that the model has makes the access `read`: its elements are
/// there.
bool isCertain(const Region& region, AccessRef read);

/// True when `anti` is an anti dependence inside one run of `loop` that a copy of old values would take away,
/// at least in part.
bool isRenamable(const Region& region, const Facts& facts, const Dependence& anti, int loop);

} // namespace warploom
