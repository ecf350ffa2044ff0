// What the generator of strategies knows of a nest: its loops, how long they are, and how the accesses in it
// move with them.
#pragma once

#include "transform/Schedule.h"

#include <string>
#include <vector>

namespace warploom::strategies {

/// A loop of the nest.
struct NestLoop {
  std::string name;
  long extent = 1;       ///< how many iterations it has, or is taken to have
  bool isNumber = false; ///< the source says so
};

/// An access, by the loops of the nest.
struct NestAccess {
  bool writes = false, reads = false;
  /// Per loop how far it moves in memory, in elements; `far` where that is not a number.
  std::vector<long> strides;
  /// Per dimension of the array: per loop the factor in the subscript, and last the number in it.
  std::vector<std::vector<long>> subscripts;
  static constexpr long far = 1L << 30;

  bool moves(std::size_t loop) const { return strides[loop] != 0; }
  bool isContiguous(std::size_t loop) const { return strides[loop] == 1 || strides[loop] == -1; }
};

/// Arrays that are treated alike: fields of one struct, or those that are accessed in the same way.
struct NestArrays {
  std::vector<std::string> names;
  bool isWritten = false, isRead = false;
  bool isAffine = true;             ///< all accesses are exact and affine
  int bytes = 4;                    ///< of an element
  long wholeBytes = 0;              ///< of one array; 0: not known
  std::vector<NestAccess> accesses; ///< of the first of them

  bool moves(std::size_t loop) const;
  /// How many elements of one array are reached when each loop takes as many iterations in a row.
  double footprint(const std::vector<long>& iterations) const;
  /// The same without what lies between accesses, where these are not many: a cross has no corners.
  double reached(const std::vector<long>& iterations) const;
  /// A footprint per dimension.
  std::vector<double> box(const std::vector<long>& iterations) const;
};

/// The perfect nest that a region's tree begins with.
struct Nest {
  std::vector<NestLoop> loops; ///< outermost first, as they are in the source
  std::vector<NestArrays> arrays;
  double operations = 1; ///< of an iteration of all loops, as instructions
  bool isDouble = false; ///< arithmetic is in double precision
  bool isPerfect = true; ///< there are no further loops in it

  std::size_t at(const std::string& loop) const;
};

/// The nest of `state`, whose tree begins with a loop; where an extent is not a number it is taken to be
/// `assumed`.
Nest nestOf(const ScheduleState& state, const std::string& outermost, long assumed);

} // namespace warploom::strategies
