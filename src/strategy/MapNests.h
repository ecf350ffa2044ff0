// Maps the parallel nests of a schedule: brings their loops into the right order and asks the strategies
// for their places.
#pragma once

#include "strategy/Decide.h"

namespace warploom {

/// How the nests of a schedule came to be mapped.
struct MappedNests {
  std::vector<std::string> choices; ///< in words, what was taken where the model ranked several ways
  bool generated = false;           ///< a strategy of the generator was
};

/// Takes steps on `state` until every nest that can run in parallel has places. Nests in which a loop has a
/// place already are left alone. Loops outside mapped nests stay on the host, or in one thread where nothing
/// in them is parallel.
MappedNests mapNests(ScheduleState& state, const PlanOptions& options);

/// A way to map a nest.
struct Way {
  const char* name; ///< of the strategy, for messages
  ScheduleState mapped;
};

/// All ways to map the nest that begins with `root`, in which no loop has a place, of those among which the
/// model chooses where no other strategy takes the nest outright; the one first that is asked first.
std::vector<Way> waysOf(const ScheduleState& state, const std::string& root, const PlanOptions& options);

} // namespace warploom
