// How a region runs on a device: which loops the host keeps, which kernels it launches, and how a kernel's
// loops are shared out among threads. Still no text.
#pragma once

#include "analysis/Facts.h"
#include "mapping/MappedTree.h"
#include "mapping/Nests.h"
#include "mapping/Transfers.h"
#include "transform/LibraryCall.h"
#include "transform/Schedule.h"
#include "transform/Tunables.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

struct MappingOptions {
  bool tunablesPerKernel = false; ///< kernels may have sizes of their own
  bool traceSteps = false;        ///< the explanations tell each step and the code after it
  bool tellLibraries = false;     ///< and of each kernel why no library is called in its place
  std::map<std::string, SizeVariants> variants = {}; ///< of kernels with sizes of their own, by their names
};

/// Where a kernel keeps an array.
enum class Placement {
  Device,   ///< in device memory, shared by all threads
  Value,    ///< a scalar that nobody writes: an argument
  Constant, ///< in constant memory
  Private,  ///< every thread has its own
  Shared,   ///< every block has its own, in shared memory
  Partial   ///< an accumulator: every thread combines its own, then they are combined
};

/// One kernel, and how the nest is mapped that it runs.
struct KernelPlan : MappedNest {
  std::string name;
  std::size_t line = 0; ///< of the source, where its outermost loop or its first statement stands
  std::vector<ScheduledLoop> hostLoops; ///< around the launch, outermost first; their values are arguments
  std::vector<isl::union_set>
      hostRuns;  ///< per host loop, all that runs inside it, in this kernel and in others
  LoopTree tree; ///< everything inside `hostLoops`, the mapped loops included
  std::vector<int> statements;
  std::vector<Placement>
      placement; ///< one per Region::arrays; meaningful for arrays that `statements` access
  std::vector<int> atomicStatements;  ///< accumulations into elements that several threads may share
  std::set<int> contracted;           ///< local arrays of which a thread keeps the element it works on
  bool ownTunables = false;           ///< its sizes are apart from those of other kernels
  SizeVariants variants;              ///< of these sizes; none: there is one set
  bool inOneLaunch = false;           ///< in a loop of the host that is `oneLaunch`
  bool fewTiles = false;              ///< its tiles always have the sizes of few ones
  int residents = 0;                  ///< blocks that a multiprocessor is to hold; 0: nobody said
  std::optional<LibraryCall> library; ///< what a library's function may do in its place
  /// isLine: its iterations are spread over all threads of the grid, whatever its dimensions are.
  bool anyGrid = false;
  /// The loop on the grid along x that begins early, and by how many values; none: an empty name.
  std::pair<std::string, long> early;
  MappedTree body; ///< what its threads do

  /// `loop` of its tree, as it is launched.
  ScheduledLoop scheduled(const LoopTree& loop) const {
    return {loop.name, loop.value, loop.name == early.first ? early.second : 0};
  }
  /// The mapped loops, likewise.
  std::vector<ScheduledLoop> launchedLoops() const;
  /// True when every write of `statement` goes to what a thread has for itself.
  bool writesPrivate(const Statement& statement) const;
};

/// The host's part of a region: loops around launches.
struct HostNode {
  /// A loop that one cooperative launch can run, with a barrier of the whole grid after each kernel: all that
  /// needs a certain shape of block in it needs the same.
  bool oneLaunch = false;
  std::optional<ScheduledLoop> loop;                         ///< with `children`; or
  int kernel = -1;                                           ///< index into RegionPlan::kernels
  isl::union_set runs = isl::union_set::empty(islContext()); ///< the instances inside
  std::vector<HostNode> children;
  std::optional<LibraryCall> library; ///< what a library's function may do in place of the loop
  /// A kernel that depends on nothing in the one before it, nor that on it; the same holds for all between it
  /// and the last sibling before it that is not `beside`.
  bool beside = false;
};

/// An array with a copy per iteration of some loops, all alive at once: its first dimensions are theirs.
struct Expansion {
  int array = -1;
  std::vector<int> loops; ///< indices into Region::loops, outermost first
};

/// A way to run a region on a device, or why there is none.
struct RegionPlan {
  std::vector<KernelPlan> kernels;
  std::vector<HostNode> host;
  std::vector<Expansion> expansions;
  std::map<int, std::string> constants; ///< arrays in constant memory, and what they are called there
  /// Of those, the ones of which each iteration of a loop of the host's has a slice there, with the loop.
  std::map<int, std::pair<std::string, ConstantSlice>> slices;
  std::set<int> readOnly;          ///< arrays that are read through the read-only path
  std::vector<Transfer> transfers; ///< one per Region::arrays; meaningful for those that the host has
  /// The region that the plan is about where renamings made it of the source's, with its facts; else null.
  std::shared_ptr<const PreparedRegion> renamed;
  /// The parameter values for which the plan is right; the host checks.
  isl::set assumed = isl::set(islContext(), "{ : }");
  std::string refused; ///< empty: the plan is good
  SourceRange refusedAt;
  bool isFault = false; ///< because of a fault in the program
  std::vector<std::string> explanations;
  std::vector<std::string> recipe; ///< the steps that made the schedule, as recipe lines
  std::vector<Step> steps;         ///< the same; replayed they make the same schedule
  SizeTable sizes = knownSizes();  ///< what the sizes of its kernels mean
  std::size_t orderSteps = 0;      ///< how many of them came before loops were mapped

  /// The expansion of `array`; null when it has none.
  const Expansion* expansionOf(int array) const;
};

/// Why a region gets no kernels, and where in the source that is.
struct NoPlan {
  SourceRange at;
  std::string reason;
  bool isFault = false; ///< of the program, as the user should know
};

/// What in `region` no device can run, whatever its dependences are: it need not be analysed. Nothing when
/// there is nothing of the kind.
std::optional<NoPlan> whyOnHost(const Region& region);

/// How the order of a schedule's loops came about.
struct DecidedOrder {
  std::string reason;     ///< in words
  std::size_t steps = 0;  ///< of the history, those that came before loops were mapped
  bool generated = false; ///< the generator of strategies had a part in it
};

/// What becomes of the schedule `state` of a prepared region: a plan in which no kernel has one of the names
/// `taken`.
RegionPlan mapSchedule(const ScheduleState& state, const DecidedOrder& order, const MappingOptions& options,
                       const std::set<std::string>& taken);

/// No plan, for this reason.
RegionPlan refusedPlan(const NoPlan& refusal);

/// True when every thread can have an array like this for itself: its size is a small number.
bool fitsThread(const Array& array);

} // namespace warploom
