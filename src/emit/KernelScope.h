// What the parts of one kernel's text share: which names mean what, which arguments turned out to be needed,
// and how a statement instance is written.
#pragma once

#include "emit/AstText.h"
#include "emit/BodyText.h"
#include "emit/Names.h"
#include "mapping/Plan.h"
#include "support/TextWriter.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// First value, end and step of an index, as text: first <= i < end; and how many values these are.
struct IndexRange {
  std::string first, end, count;
  long step = 1;
};

/// The values of a loop.
struct LoopBounds {
  isl::pw_aff low, high; ///< both without pieces when it has none, whatever the parameters are
  long step = 1;
  /// The texts of `low` and `high` mean something for these parameters only; nothing: where the loop has no
  /// values, the text of `low` is above that of `high`, or everything in the loop is guarded.
  std::optional<isl::set> onlyFor;
  isl::set context; ///< what is then known inside the loop
};

/// The values that `loop` takes for `instances` where `context` is known. Host and kernels must agree on
/// them.
LoopBounds boundsOf(const ScheduledLoop& loop, const isl::union_set& instances, const isl::set& context);

class KernelScope {
public:
  KernelScope(const Region& region, const Facts& facts, const RegionPlan& plan, const KernelPlan& kernel,
              Names& names);
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

  /// The variable that holds the value of `loop` of the schedule.
  std::string variableOf(const LoopTree& loop);
  /// The same, or another name when a loop around has that variable already.
  std::string freeVariableOf(const LoopTree& loop);
  /// Declares, in braces that the caller closes, those indices of `statement` that `text` mentions and that
  /// are not variables of loops, with the values of its instance written last; false when there are none.
  bool declareIndices(int statement, const std::string& text, TextWriter& to);
  /// True when an instance of `statement` has been written.
  bool wasWritten(int statement) const { return latest.count(statement) > 0; }
  /// The text of an identifier of isl's: a parameter, a fixed loop, the origin or size of a tile, an
  /// iterator.
  std::string rename(const std::string& name);
  Rename renaming();

  std::string text(const isl::pw_aff& value) { return valueText(value, renaming()); }
  /// What of `set` is to be asked where `given` is known; empty for nothing.
  std::string condition(const isl::set& set, const isl::set& given);
  /// The name of a variable that the kernel has for itself.
  std::string local(const std::string& name) { return names.of("own " + name); }

  /// The values of `loop` among `instances`, and `context` with what the loop then ensures: parameters and
  /// loops that are fixed in `instances` may occur in the text.
  IndexRange rangeOf(const ScheduledLoop& loop, const isl::union_set& instances, isl::set& context);

  /// Writes one instance of `statement`; `indices` are the values of its loops. `onlyLane`: a condition for
  /// what writes to memory, empty for none.
  void writeInstance(int statement, const std::vector<std::string>& indices, const std::string& onlyLane,
                     TextWriter& to);

  /// The element of a slice in constant memory that `access` reaches; empty when its array has none.
  std::string sliceElement(AccessRef access);

  /// The declaration of `array`, of which every thread has its own.
  std::string privateDeclaration(int array) const;

  /// True when every write of `statement` goes to what a thread has for itself.
  bool writesPrivate(int statement) const;

  const Region& region;
  const Facts& facts;
  const RegionPlan& plan;
  const KernelPlan& kernel;
  Names& names;
  UsedNames used;
  BodyText bodies;
  std::map<std::string, std::string> texts; ///< of isl's identifiers that are no parameters of the region
  std::set<int> savedArrays;                ///< private scalars whose last value goes to device memory

private:
  std::string saveText(int statement);
  std::map<int, std::vector<std::string>>
      latest; ///< the indices of the instance of a statement that was written last
};

/// x, y or z.
const char* axisName(int axis);

/// The variable for the value of `loop`, which runs `runs`: the source's index where it is just that.
std::string variableFor(const Region& region, const ScheduledLoop& loop, const isl::union_set& runs,
                        Names& names);

/// The parameter values for which `parameter` is one of `values`, a set of one dimension.
isl::set atParameter(const isl::set& values, const std::string& parameter);

/// `value` without what `context` makes needless; one expression where there is only one.
isl::pw_aff simplified(const isl::pw_aff& value, const isl::set& context);

} // namespace warploom
