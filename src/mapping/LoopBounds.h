// The values that a loop of the schedule takes where it stands, as bounds and a step.
#pragma once

#include "transform/LoopTree.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A loop of the schedule by its name and its value { S[i] -> [t] }, for whoever knows what runs inside it.
struct ScheduledLoop {
  std::string name;
  isl::union_pw_aff value;
  long early = 0; ///< so many values before its first, for which nothing runs, are taken for its own
};

/// Those of `instances` for which the value of each of `loops` is that of its parameter.
isl::union_set fixed(const isl::union_set& instances, const std::vector<ScheduledLoop>& loops);

/// { [v] }: the values that `loop` takes for `instances`, over parameters and fixed loops.
isl::set valuesIn(const ScheduledLoop& loop, const isl::union_set& instances);

/// The parameter values for which `parameter` is one of `values`, a set of one dimension.
isl::set atParameter(const isl::set& values, const std::string& parameter);

/// Those of `context` where the parameter `value` is in the tile: origin <= value < origin + size.
isl::set withinTile(const isl::set& context, const std::string& value, const std::string& origin,
                    const std::string& size);

/// The values of a loop.
struct LoopBounds {
  isl::pw_aff low, high; ///< both without pieces when it has none, whatever the parameters are
  long step = 1;
  /// The texts of `low` and `high` mean something for these parameters only; nothing: where the loop has no
  /// values, the text of `low` is above that of `high`, or everything in the loop is guarded.
  std::optional<isl::set> onlyFor;
  isl::set context; ///< what is then known inside the loop

  /// True when the texts of its bounds make one iteration, whatever the parameters are.
  bool isSingle() const { return !onlyFor && low.plain_is_equal(high); }
};

/// The values that `loop` takes for `instances` where `context` is known. Host and kernels must agree on
/// them.
LoopBounds boundsOf(const ScheduledLoop& loop, const isl::union_set& instances, const isl::set& context);

} // namespace warploom
