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

/// What a loop over tiles is called in the text.
struct TileNames {
  std::string variable; ///< of a point in the tile
  std::string origin;
};

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

  /// The text of `bounds`: parameters, and loops that were fixed where they were found, may occur in it.
  IndexRange rangeOf(const LoopBounds& bounds);

  /// Writes how far the loop that follows, `loop`, is to be unrolled, if anything is said about it.
  /// `iterations`: how many it has, where that is a number.
  void writeUnroll(const LoopTree& loop, std::optional<long> iterations, TextWriter& to) const;

  /// Writes one instance of `statement`; `indices` are the values of its loops. `onlyLane`: a condition for
  /// what writes to memory, empty for none.
  void writeInstance(int statement, const std::vector<std::string>& indices, const std::string& onlyLane,
                     TextWriter& to);

  /// The element of a slice in constant memory that `access` reaches; empty when its array has none.
  std::string sliceElement(AccessRef access);

  /// The declaration of `array`, of which every thread has its own.
  std::string privateDeclaration(int array) const;

  const Region& region;
  const Facts& facts;
  const RegionPlan& plan;
  const KernelPlan& kernel;
  Names& names;
  UsedNames used;
  BodyText bodies;
  std::map<std::string, std::string> texts; ///< of isl's identifiers that are no parameters of the region
  std::map<std::string, TileNames> tiles;   ///< by the names of the loops over tiles
  /// What is written instead of the body of a statement, and whether under its conditions.
  struct Instead {
    std::string text;
    bool isGuarded = true;
  };
  std::map<int, Instead> instead; ///< by the statement
  bool savesLast = true;          ///< what is written now leaves last values behind
  std::set<int> savedArrays;      ///< private scalars whose last value goes to device memory
  /// The instances whose `write` of a private value is used after the kernel, which has an argument for it
  /// then; nothing: none.
  std::optional<isl::set> savedBy(AccessRef write);

private:
  std::string saveText(int statement);
  std::set<std::string> sizes; ///< of tiles, which are parameters to isl
  std::map<int, std::vector<std::string>>
      latest; ///< the indices of the instance of a statement that was written last
};

/// x, y or z.
const char* axisName(int axis);

/// The variable for the value of `loop`, which runs `runs`: the source's index where it is just that.
std::string variableFor(const Region& region, const ScheduledLoop& loop, const isl::union_set& runs,
                        Names& names);

} // namespace warploom
