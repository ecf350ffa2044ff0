// How steps have mapped a nest, read off the schedule alone: what makes a kernel of it. Whoever took the
// steps, the same steps give the same kernel.
#pragma once

#include "analysis/Irregular.h"
#include "analysis/Recurrences.h"
#include "analysis/Reductions.h"
#include "transform/Schedule.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

/// What a mapped nest is; of one that is not mapped, nothing.
struct MappedNest {
  /// The loops whose iterations all threads of the grid share, outermost first, at most three and perfectly
  /// nested; none where one thread does it all, or where loops are on a block.
  std::vector<std::string> mapped;
  std::vector<int> axes;  ///< per mapped loop: 0 for x; distinct, from 0 on, unless collapsed
  bool collapsed = false; ///< some of the mapped loops, all where none is on a block, are counted together
  /// Loops are on a block: the schedule has loops on the grid, loops on the block, and the loops between
  /// them, which all threads of a block run together.
  bool inBlocks = false;
  /// Loops whose iterations the lanes of a warp, along x, share: a warp takes an iteration of the mapped
  /// loops. Other statements are run by lane 0, or by all where they only write what is private to a thread.
  std::set<std::string> lanes;
  /// Statements whose code is a loop that a group of threads, along x, shares: a group takes an iteration of
  /// the mapped loops. Other statements are run as with lanes. Nothing in device memory is both read and
  /// written.
  std::set<int> sharedCode;
  std::vector<Reduction> reductions; ///< of the mapped loops or of the lanes
  /// Loops that run as scans: the only one that is mapped, or some of `lanes`.
  std::map<std::string, Scan> scans;
  /// The mapped loops, one or counted together, run by levels: what of an iteration tells where it meets
  /// others.
  std::optional<Irregular> levels;
  /// Accumulators are kept by a thread while this many mapped loops stay where they are: 0 for scalars.
  /// Above 0, each of the other mapped loops combines into elements that these choose.
  std::size_t partLevel = 0;

  /// One thread does it all.
  bool isSingle() const { return mapped.empty() && !inBlocks; }
  /// Several threads, along x, take an iteration of the mapped loops together.
  bool hasLanes() const { return !lanes.empty() || !sharedCode.empty(); }
  /// Each thread takes iterations of the mapped loops by itself.
  bool isFlat() const { return !mapped.empty() && !hasLanes(); }
  /// Its blocks are lines of threads.
  bool isLine() const { return mapped.size() == 1 || collapsed; }
  /// Its blocks are lines of any length: few iterations are better spread over many short ones.
  bool takesAnyBlock() const { return isFlat() && isLine() && reductions.empty() && scans.empty(); }
  /// The scan that its one mapped loop is; null when it is none.
  const Scan* scan() const { return isFlat() && !scans.empty() ? &scans.begin()->second : nullptr; }
};

/// The nest of `state` that begins with `root`, a loop with a place, or why no kernel does what its places
/// say.
std::variant<MappedNest, Refusal> mappedNest(const ScheduleState& state, const LoopTree& root);

/// True when `loop` has a place of this kind.
bool isOn(const LoopTree& loop, Place::Kind kind);

/// True when threads can combine values of `type` into one: there are atomic updates of it.
bool isCombined(const Type& type);

/// True when a step made `array` private to an iteration of some loop.
bool isPrivate(const ScheduleState& state, int array);

/// True when the blocks of the kernel that begins with `root` keep `array`, which is private to an iteration,
/// in shared memory.
bool isOfBlock(const ScheduleState& state, const LoopTree& root, int array);

/// True when a step has the source loop `loop` find what it hands on in `array` by a scan.
bool isScanned(const ScheduleState& state, int array, int loop);

/// True when no private array that `loop` writes, accumulators and what a scan finds aside, is used by other
/// iterations or outside it: a lane does not see what the others have.
bool keepsToItself(const ScheduleState& state, const LoopTree& loop);

/// True when the elements of the accumulators are chosen outside `loop` alone, so that a thread has one part
/// of each while the loop runs.
bool hasOnePart(const ScheduleState& state, const LoopTree& loop, const std::vector<Reduction>& reductions);

/// The accumulators of the code below `body` that groups of threads can share the loops of, or why they
/// cannot: `body` is the body of a loop on the grid.
std::variant<std::vector<Reduction>, Refusal> groupReductions(const ScheduleState& state,
                                                              const LoopTree& body);

} // namespace warploom
