// What a run looks like on a GPU, counted without one: launches, lanes in use, branches and divergent
// branches of every phase, and the bytes that travel.
#pragma once

#include "sync/fold/Fold.h"

#include <map>

namespace warploom::sync {

/// Per phase, over all steps so far. A branch is a guard that one warp evaluates; it diverges when lanes that
/// do something differ in its value.
struct PhaseProfile {
  std::string name;
  std::int64_t units = 0, tiles = 0; ///< threads with work, and warps
  std::int64_t branches = 0, divergent = 0;
};

/// Counts while an interpreter runs the plan's system.
class Profile {
public:
  explicit Profile(const Folding& folding);

  /// One step, with the values that the cells of variables have in it.
  void count(const std::function<Value(int variable, std::int64_t offset)>& value);

  /// A table: a line per phase, then the transfers of a step.
  std::string text() const;

  std::vector<PhaseProfile> phases;
  long steps = 0;

private:
  const Folding& folding;
  std::map<std::pair<int, std::int64_t>, ExprPtr> ports; ///< by cell: what it is computed as
};

} // namespace warploom::sync
