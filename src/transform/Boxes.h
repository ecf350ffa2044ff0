// Boxes of elements, by the loops around accesses: what Boxes.cpp finds, for those who stage arrays.
#pragma once

#include "transform/Levels.h"
#include "transform/Schedule.h"
#include "transform/Staging.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The values of an index: from `low` to `high`, each `stride` apart from the next; 0: there is one value.
struct Range {
  isl::pw_aff low, high;
  long stride = 1;
};

/// The values of `subscript` when the index of each level has those of `rangeOf(level)`; nothing when a level
/// that matters has none.
std::optional<Range> valuesOf(const isl::aff& subscript, std::size_t levels,
                              const std::function<std::optional<Range>(std::size_t)>& rangeOf);

/// What is known about one region's loops around a loop of the schedule.
class Inside {
public:
  Inside(const ScheduleState& state, const std::string& loop)
      : region(state.region()), tree(state.tree()), around(pathTo(tree, loop)) {
    for (int s : statementsOf(region, *around.back()))
      statements.push_back(s);
  }

  /// The values of the index of `level` of `statement` in one iteration of the loop, or nothing when they are
  /// not known when the kernel is compiled.
  std::optional<Range> indexRange(int statement, std::size_t level) const;

  /// The innermost loop around that runs over the index of `level` of `statement`; null when none does.
  const LoopTree* over(int statement, std::size_t level) const;

  /// Calls `visit` with every access to `array` in the loop.
  template <typename Visit> void forEachAccess(int array, Visit visit) const {
    for (int s : statements)
      for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
        AccessRef ref{s, a};
        const Access& access = ref.in(region);
        if (access.array == array && access.kind != Access::Kind::Kill) visit(ref);
      }
  }

  const Region& region;
  const LoopTree& tree;
  std::vector<const LoopTree*> around; ///< the loops from the root to the loop, it included
  std::vector<int> statements;         ///< those in the loop
};

} // namespace warploom
