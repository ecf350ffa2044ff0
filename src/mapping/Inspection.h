// How much of an array is used where data choose the place, `table[id[i]*m + j]`: in a form that the host can
// go through before the region runs, with less work than the region has.
#pragma once

#include "model/Region.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// A subscript made of sums, differences, products and quotients.
struct InspectedValue {
  enum class Kind {
    Size,  ///< value, over the parameters
    Index, ///< of the source loop `loop`
    Load,  ///< the element operands[0] of `array`, which the region does not write
    Binary ///< `op` of both operands: + - * / %
  };
  Kind kind = Kind::Size;
  std::optional<isl::pw_aff> value;
  int loop = -1;
  int array = -1;
  std::string op;
  std::vector<InspectedValue> operands;
};

/// A use of an array. Invariant: where it happens at all, it does once for every combination of the indices,
/// which have all values from the first to the last, whatever the others are. Where it does not, what chooses
/// may not be there either.
struct InspectedUse {
  isl::set happens; ///< the parameters for which it does
  InspectedValue subscript;
  struct Range {
    int loop;
    isl::pw_aff first, last; ///< over the parameters for which it happens
  };
  std::vector<Range> loops;
  std::set<int>
      chosenBy; ///< loops whose indices a load or a quotient depends on: the host goes through these
};

/// All uses of `array`, which has one subscript in the source; nothing where one has another form, or going
/// through them would be as much work as the region.
std::optional<std::vector<InspectedUse>> inspectedUses(const Region& region, int array);

} // namespace warploom
