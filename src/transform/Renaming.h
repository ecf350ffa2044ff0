// Renaming: a region in which values that one loop overwrites, or hands from iteration to iteration, have
// places of their own, so that only true dependences keep its iterations in order.
#pragma once

#include "analysis/Facts.h"
#include "transform/Step.h"

#include <variant>
#include <vector>

namespace warploom {

/// `region` with the array of `step` renamed in its loop, or why that cannot be done. `facts` are the
/// region's.
///
/// An array: what the loop reads of it from before the loop is read from a copy, which a new statement right
/// before the loop makes. A statement of which only some instances read old values becomes two.
/// A scalar: each iteration that writes it writes an element of a new array; a read takes the element that
/// holds its value; a statement right after the loop gives the scalar its last value.
std::variant<Region, Refusal> renamed(const Region& region, const Facts& facts, const RenameArray& step);

/// The renamings of one loop that take dependences away: of arrays and scalars that order iterations of the
/// loop by more than true dependences; with `all`, also of those that order statements inside an iteration.
std::vector<Step> renamings(const Region& region, const Facts& facts, int loop, bool all);

} // namespace warploom
