// Scalars that get their value once in an iteration, and what uses them there.
#pragma once

#include "model/Region.h"

namespace warploom {

/// The statement that gives the local scalar its value in every iteration of the loop it is declared in: the
/// only one that writes it, an unguarded assignment right in that loop. Null where there is no such
/// statement.
const Statement* definitionOf(const Region& region, int scalar);

/// { use -> definition }: the instance of `definition` in the same iteration of its loops.
/// Requires: `use` stands in these loops.
isl::map definingInstance(const Statement& use, const Statement& definition);

/// True when every instance of `use` sees the value of its defining instance: it stands in the loops of
/// `definition`, behind it, and runs only where that does.
bool isDefinedBy(const Statement& use, const Statement& definition);

/// True when the region writes nothing of the memory that `array` lies in.
bool isNeverWritten(const Region& region, int array);

} // namespace warploom
