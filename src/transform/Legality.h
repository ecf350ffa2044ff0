// Whether a schedule keeps every constraint: once on the loop tree, where an answer comes with its reason,
// and once on a finished isl schedule, as the last check before emission.
#pragma once

#include "transform/Constraints.h"
#include "transform/LoopTree.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// Where a tree breaks a constraint.
struct Violation {
  int constraint = -1; ///< index into the constraints checked
  /// The loop that runs the second instance too early or, if `together`, at the same time; empty: a sequence
  /// does, or a leaf.
  std::string loop;
  bool together = false;
};

/// The first constraint that `tree` does not respect: some pair runs in reverse order, in no order, or in two
/// iterations of a loop with a place (which run at the same time), outer loops being equal. Tile sizes are
/// any numbers from 1 on.
/// `only`: the statements, by their tuple names, between which something may be broken; the others' order is
/// known to be right.
std::optional<Violation> violation(const LoopTree& tree, const std::vector<Constraint>& constraints,
                                   const std::set<std::string>& only);

/// The statements, by their tuple names, among which the order may be another in `after` than in `before`:
/// those below the outermost places where the two differ.
std::set<std::string> reorderedStatements(const LoopTree& before, const LoopTree& after);

/// The tuple names of the statements below `tree`.
std::set<std::string> statementsBelow(const LoopTree& tree);

/// True when some constraint has a pair in different iterations of the loop called `loop` and in equal ones
/// of the loops around it. With `apartFrom`, a loop around it: only pairs count of which both ends are in
/// iterations below, or both above, that loop's value.
bool carries(const LoopTree& tree, const std::string& loop, const std::vector<Constraint>& constraints,
             const std::string& apartFrom = "");

/// The array, as an index, that no place in `tree` could hold: a Private one that is not, at any loop,
/// exactly one copy per iteration. -1 when there is none. Arrays that none of the statements `only` touches
/// are not looked at.
int arrayWithoutScope(const Region& region, const std::vector<Relaxation>& relaxations, const LoopTree& tree,
                      const std::set<std::string>& only);

/// True when `schedule` runs each of `instances` exactly once and no pair of `constraints` in reverse or in
/// no order. `tiles` tells its symbolic tiles. Decided on the schedule alone, by the lexicographic order of
/// its map; two origins of one tile loop are equal or at least the tile size apart, which isl cannot know.
bool legal(const isl::schedule& schedule, const std::vector<SymbolicTile>& tiles,
           const isl::union_set& instances, const std::vector<Constraint>& constraints);

} // namespace warploom
