// How long Warploom may think: so many seconds of processor time for a region, in all stages together, so
// many for a file, and so many for a recipe. What does not fit stays as it was, with that reason.
#pragma once

#include "support/Deadline.h"

#include <string>

namespace warploom {

/// All budgets from now on are `factor` times as large: `--effort`.
void setEffort(double factor);

/// While alive, work for one file, for one region of it, for the part of the region's work that looks for
/// something better than what is plain, or for a recipe or the strategies of a region. Once the time of a
/// region, or what is left of its file's, is spent, isl gives up until the Budget ends; between regions it
/// works.
class Budget {
public:
  enum class For { File, Region, Search, Recipe };
  /// `spent`: seconds that earlier stages took.
  explicit Budget(For what, double spent = 0);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// True when its time, or that of one around it, is spent.
  bool isSpent() const;
  /// The seconds that were spent in it and before it.
  double seconds() const { return before + deadline.spent(); }

  /// Why nothing more comes of what is under way, for the user; empty while there is time.
  static std::string reason();

private:
  /// The budget of the file that this is part of, or is; null where there is none.
  const Budget* file() const;

  const For what;
  const double before;
  Budget* const outer;
  Deadline deadline;
};

} // namespace warploom
