// Which part of each array a region touches, needs from before and leaves behind: what has to move between
// host and device.
#pragma once

#include "analysis/Facts.h"
#include "mapping/Inspection.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A piece of an array without gaps in memory: from the first element whose leading subscripts are `first` to
/// the last one whose leading subscripts are `last`. With one subscript each these are whole rows.
/// Invariant: 1 <= first.size() == last.size() <= rank, defined on `exists`; or both empty: all there is, of
/// a scalar, or of an array of which only the memory that it lies in tells how long it is.
struct Span {
  std::vector<isl::pw_aff> first, last;
  isl::set exists; ///< the parameter values for which there is such an element

  bool isAll() const { return first.empty(); }
};

/// What moves of one array.
/// Invariant: `in` and `out` lie in `touched` and exist wherever it does; every element of `out` is in `in`
/// or is written.
struct Transfer {
  std::optional<Span> touched; ///< nothing: it has no known bounds, and is no memory of its own
  /// Where `touched` is all there is: its uses, if the host can find out by them how much that is.
  std::optional<std::vector<InspectedUse>> inspected;
  std::optional<Span> in;  ///< what the host has to send; nothing: no value from before is needed
  std::optional<Span> out; ///< what comes back; nothing: nobody reads it later, or it is not written
  /// `out` may have elements that the region does not write: what the host had there is sent back.
  bool gaps = false;
  /// Only data tell whether all of `touched` is used: the array may be shorter.
  bool maybeShorter = false;
};

/// True when the source has a variable for `array` where the region begins.
bool isOnHost(const Array& array);

/// What moves of `array`, which is on the host, when the parameters are in `context`. Where isl
/// gives up, all that is touched moves.
Transfer transferOf(const Region& region, const Facts& facts, int array, const isl::set& context);

/// True when the writes that are the last to their elements write all of `array`, whatever the data is: for
/// an array with a copy per iteration, the copy that is left behind.
bool lastWritesAll(const Region& region, const Facts& facts, int array, const isl::set& context);

} // namespace warploom
