// The arrays of a launcher as text: how much of each the region touches, where it lies on the device, and
// what is copied between the two.
#pragma once

#include "emit/LauncherScope.h"
#include "support/TextWriter.h"

#include <optional>
#include <set>
#include <utility>

namespace warploom {

class HostArrays {
public:
  /// `onDevice`: arrays that kernels reach in device memory; `others`: those of which only the place matters;
  /// `valuePlaces`: scalars that kernels take as values, but of which the place matters, too.
  HostArrays(LauncherScope& scope, const std::set<int>& onDevice, const std::set<int>& others,
             const std::set<int>& valuePlaces);

  /// Declares the sizes, and leaves the launcher where an array is not touched at all.
  void writeSizes(TextWriter& to);
  /// Leaves the launcher where two arrays overlap that must not.
  void writeOverlapChecks(TextWriter& to);
  /// True when the checks of overlap answer `condition`: that no write changes a place, or pointers to rows.
  bool checks(const Condition& condition) const;
  void writeAllocations(TextWriter& to);
  void writeCopiesIn(TextWriter& to);
  void writeCopiesOut(TextWriter& to);

  /// True when some of `array` is copied.
  bool moves(int array) const;
  /// True when some of `array` is copied back.
  bool isOutput(int array) const { return out.count(array) > 0; }
  /// True when the launcher asks the heap how long an array is.
  bool asksHeap() const;
  /// What moves between host and device, as values of warploom::Move.
  std::vector<std::string> moves();
  /// What is copied of `array` to the device, as a value of warploom::IndexMemory.
  std::string memoryText(int array) const;
  /// The variables that hold the number of elements of each array on the device.
  std::vector<std::string> sizeNames();

  /// The values of `array` that the region may find there, as arguments of Size::among, after the condition
  /// under which there are any; nothing where it finds none, or they do not lie at equal distances.
  std::optional<std::pair<std::string, std::string>> entryOf(int array);
  /// Calls `visit` for what the region changes.
  void writeOutputs(TextWriter& to);

private:
  /// Positions of elements, as text: [first, end) of the array, in memory.
  struct Range {
    std::string first, end;
  };
  const Array& of(int array) const { return scope.region.arrays[array]; }
  const Transfer& transferOf(int array) const { return scope.plan.transfers[array]; }
  std::string element(int array) const;
  /// The arrays that have the memory of `array` and are accessed: itself, its fields.
  std::vector<int> partsOf(int array) const;
  std::string widthText(int array, std::size_t from);
  std::string positionText(int array, const std::vector<isl::pw_aff>& leading, bool end);
  Range rangeOf(int array, const Span& span);
  /// True when only the memory of `array` tells how long it is.
  bool isUnbounded(int array) const;
  bool looksAhead(int array) const;
  bool maybeShorter(int array) const;
  bool isWritten(int array) const;
  std::string reachesText(int array, const std::string& size);
  bool goesBackChanged(int array) const;
  void writeRowsOf(int array, const isl::set& known, TextWriter& to);
  isl::set whereTouched(int array) const;
  void leaveUnless(const isl::set& needed, TextWriter& to);
  void writeChangeChecks(const Condition& condition, TextWriter& to);
  void writePlaceChecks(const Condition& condition, TextWriter& to);
  std::string lengthText(int array);
  Range touchedText(int array);
  Range nameRange(int array, const std::string& what, const Span& span, TextWriter& to);
  std::string checkExists(int array, TextWriter& to);
  isl::set withoutTests(const isl::set& all) const;
  bool movesWhole(int array);
  bool isScratch(int array) const;
  void nameCopies(int array, TextWriter& to);
  void writeExpandedSize(int array, TextWriter& to);
  std::string lastCopy(int array);
  std::string start(int array, const Range& range) const;
  std::string bytes(int array, const Range& range) const;
  std::string copyOf(int array, const char* verb, const Range& range);
  std::string memoryOfRows(int array);
  void writeOverlapCheck(int a, int b, TextWriter& to);

  LauncherScope& scope;
  std::set<int> onDevice, others, valuePlaces;
  std::map<int, Range> texts;   ///< what is touched, over the launcher's parameters
  std::map<int, Range> touched; ///< the same by names of variables, as are
  std::map<int, Range> in, out;
  std::map<int, std::string> exists; ///< the condition under which anything is touched, unless always
  bool rowsAskHeap = false;          ///< how long rows are
  std::set<std::string> checked;     ///< conditions that the launcher has asked
};

} // namespace warploom
