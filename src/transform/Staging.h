// Where elements are kept while loops work on them: copies in shared memory and registers, and the memories
// that are only read.
#pragma once

#include "analysis/AccessRef.h"
#include "transform/LoopTree.h"
#include "transform/Step.h"

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

class ScheduleState;

/// The most copies of a tile in shared memory.
inline constexpr int mostCopies = 8;

/// One decision about where an array is read, or written, from.
struct Staging {
  enum class Kind {
    Shared,    ///< a block keeps what an iteration of `loop` reads, or reads and writes, in shared memory
    Registers, ///< a thread keeps what it works on in an iteration of `loop`
    Constant,  ///< the whole array, or what an iteration of `loop` reads, is in constant memory
    ReadOnly   ///< device memory is read through the read-only path
  };
  Kind kind = Kind::Shared;
  int array = -1;
  std::string loop = {}; ///< Shared and Registers; Constant: empty for the whole array
  /// Shared, of the last extent: 1 as it is; d > 1 rounded up to a multiple of d; -d rounded up to a number
  /// that has no factor with d in common.
  int padding = 1;
  int copies = 1;   ///< Shared: above 1 when tiles of the next iterations arrive while this one is worked on
  int together = 1; ///< Shared: the last extent is an odd multiple of it
  bool transposed = false; ///< Shared: of two sides the first comes last

  bool operator==(const Staging&) const = default;
};

/// The elements that some accesses of an array reach in one iteration of a loop: a box, one side per
/// dimension of the array, of which along each side one element in `stride` is reached.
/// Invariant: low and high are one affine expression each, over the parameters of the region, the origins and
/// sizes of tiles, and the values of the loops around, fixedName of each; their difference is a multiple of
/// the stride, or 0.
struct Box {
  std::vector<isl::pw_aff> low, high; ///< both included
  std::vector<long> stride;           ///< 0: of a side with one element
  std::vector<AccessRef> accesses;
  std::vector<isl::map> reached; ///< by each of them: elementsOf

  /// How many elements of side `d` are reached.
  isl::pw_aff extent(std::size_t d) const;
  /// Where `subscript`, one of those that are reached, is among them.
  isl::pw_aff place(std::size_t d, const isl::pw_aff& subscript) const;
};

/// The subscripts of `access`, or those that `reached` has for an instance, one affine expression without
/// divisions each; nothing when they are not.
std::optional<isl::multi_aff> affineSubscripts(const Access& access);
std::optional<isl::multi_aff> affineSubscripts(const isl::map& reached);

/// The value of `subscript` where the index of each level is that of `indices`, over parameters.
isl::pw_aff atIndices(const isl::aff& subscript, const std::vector<isl::pw_aff>& indices);

/// What the accesses to `array` below `loop` reach in one iteration of it, as few boxes as possible: those
/// that differ only by constants share one. Accesses that may not be made, and those whose box has no size
/// that is known when the kernel is compiled, are left out.
std::vector<Box> sharedBoxes(const ScheduleState& state, const std::string& loop, int array);

/// The elements of `array` that a thread keeps.
struct RegisterSet {
  AccessRef access;  ///< one of those that reach the element; all are the same function of the point
  isl::map reached;  ///< by it: elementsOf
  bool load = true;  ///< the elements have a value before
  bool store = true; ///< and are needed after
  /// The loops over tiles on the grid whose points have elements of their own; those of the others share
  /// them, and only read.
  std::vector<std::string> along = {};
  /// Where threads take iterations of loops on the block in turn: the elements of one of them, over the
  /// values of the loops around and of `threads`, the loop on the block along each axis; and the loops inside
  /// that choose among them.
  std::optional<Box> box = {};
  std::vector<std::string> threads = {};
  std::set<std::string> over = {};
};

/// What a thread keeps of `array` in an iteration of `loop`, or why it cannot.
std::variant<RegisterSet, Refusal> registerSet(const ScheduleState& state, const std::string& loop,
                                               int array);

/// True when both would keep an array that a kernel writes, in that kernel, one of them in shared memory:
/// then one would not see what the other writes. Or one in constant memory and the other in shared memory.
bool keptTwice(const ScheduleState& state, const Staging& one, const Staging& other);

/// The rows of an array that one iteration of a loop of the host reads, as one affine expression each over
/// the parameters and the values of the loops around, fixedName of each.
struct ConstantSlice {
  isl::pw_aff first, last; ///< both included
  long rows = 0;           ///< how many they are at most
};

/// What an iteration of `loop` reads of `array`, or why that cannot be put into constant memory.
std::variant<ConstantSlice, Refusal> constantSlice(const ScheduleState& state, const std::string& loop,
                                                   int array);

/// Why `staging` cannot be done with the loops of `state` as they are; nothing when it can.
std::optional<Refusal> refusedStaging(const ScheduleState& state, const Staging& staging);

} // namespace warploom
