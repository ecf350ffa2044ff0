// Transformations as values. A step checks itself against the constraints of a schedule and either applies or
// refuses with a reason, leaving the schedule as it was; and it prints the recipe line that makes it.
// docs/steps.md is the user's view of them.
//
// Loops go by their names in ScheduleState::tree(). A loop runs by its value: the index of the source loop,
// negated where that descends. Points and amounts are isl text over the parameters and, where said, the loops
// around.
#pragma once

#include "transform/Tunables.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warploom {

class ScheduleState;

/// Why a step was not taken.
struct Refusal {
  std::string reason;
};

/// A number, or a name that stays a symbol until the kernel text is instantiated.
using Size = std::variant<long, std::string>;

/// Splits each of `loops`, perfectly nested, into a control loop over tiles of the given size and the loop
/// inside a tile. The control loops come right outside all of `loops`, unless `order`, which may leave out
/// the innermost loops, says otherwise. With no loops it only reorders.
struct Tile {
  struct Names {
    std::string control;
    std::string tile = {}; ///< new name of the loop inside the tile; empty: keeps its name
  };
  enum class Method {
    Counted, ///< the control loop counts tiles: 0, 1, 2, ...
    Strided  ///< the control loop holds the first value of the tile
  };
  std::vector<std::string> loops;
  std::vector<Size> sizes;
  std::vector<Names> names;
  std::vector<std::string> order = {};
  Method method = Method::Counted;
};

/// Strip-mining: tiles one loop, where it stands. With `points`, which ascend, tiles are not of one size: a
/// tile ends before each of these values, and the control loop counts them.
struct Strip {
  std::string loop;
  Size size;
  std::string control;
  std::vector<long> points = {};
};

/// Runs by the least of the values of `loops`, of one perfect nest: the loop `shell` in place of the
/// outermost of them, the others are no more. Of loops over tiles it makes L-shaped shells.
struct Shells {
  std::vector<std::string> loops;
  std::string shell;
};

/// Puts the named loops, part of one perfect nest, into this order on the places they have together.
struct Permute {
  std::vector<std::string> order;
};

/// Makes one loop, called `first`, of two that follow each other directly.
struct Fuse {
  std::string first, second;
};

/// Gives every part of the body of `loop` a loop of its own; with `before`, cuts the body only in front of
/// the parts that hold one of these statements, or are one of these loops. The first keeps the names; in the
/// others each loop is called `x_2`, `x_3`, ...
struct Distribute {
  std::string loop;
  std::vector<std::string> before = {};
};

/// Puts `parts` of the body of `loop`, loops by their names and others by a statement, in this order where
/// the first of them stands now; the parts between them come after.
struct Reorder {
  std::string loop;
  std::vector<std::string> parts;
};

/// Adds `factor` times the value of `by`, a loop around `loop`, to the value of `loop`.
struct Skew {
  std::string loop, by;
  long factor = 1;
};

/// Adds `amount`, over the parameters, to the value of `loop` for `statements`.
struct Shift {
  std::vector<std::string> statements;
  std::string loop, amount;
};

/// Multiplies the value of `loop` by `factor`, which is positive: its iterations are that far apart.
struct Scale {
  std::string loop;
  long factor = 1;
};

/// Gives each of `loops`, a perfect nest from the outside in, another value: the k-th that of the old ones
/// times the numbers of row k, and one more number, if there is one, added. Different iterations stay
/// different.
struct Nonsingular {
  std::vector<std::string> loops;
  std::vector<std::vector<long>> rows;
};

/// Counts the iterations of `loop` from 0 in each iteration of the loops around it.
struct Normalise {
  std::string loop;
};

/// Calls `loop` `name`.
struct RenameLoop {
  std::string loop, name;
};

/// Runs the iterations of `loop` the other way round.
struct Reverse {
  std::string loop;
};

/// Runs the iterations of `loop` with a value below `at`, over the parameters and the loops around, in a loop
/// of their own before the others, which run in a loop called `rest`.
struct Split {
  std::string loop, at, rest;
};

/// Runs the first `count` iterations of `loop` (the last -count, if negative) in a loop of their own, called
/// `peeled`.
struct Peel {
  std::string loop;
  long count = 1;
  std::string peeled;
};

/// Writes out `factor` iterations in a row; 0: all of them, which must be a number known when the kernel is
/// compiled.
struct Unroll {
  std::string loop;
  int factor = 0;
};

/// Unrolls, for every statement, the `depth` innermost loops around it as far as they can be unrolled wholly,
/// stopping at a loop that is mapped.
struct UnrollToDepth {
  int depth = 0;
};

/// Gives every iteration of the source loop `loop` an array of its own that lives for that iteration only.
struct Privatise {
  std::string array, loop;
};

/// Gives `array` a further dimension, one copy per iteration of the source loop `loop`; an array declared
/// inside that loop gets one per iteration of all loops around its declaration.
struct Expand {
  std::string array, loop;
};

/// Lets the accumulations into `array` that the source loop `loop` carries be combined in any order.
struct Reduce {
  std::string array, loop;
};

/// Lets the iterations of the source loop `loop` run as a scan: what each begins with of the scalars that
/// they hand on is found by composing what those before it do to them.
struct ScanLoop {
  std::string loop;
};

/// Has the iterations of the source loop `loop` run by levels, which are found when the program runs: those
/// that meet in elements that data choose are in different ones, in their order.
struct LevelLoop {
  std::string loop;
};

/// Gives values of `array` that the source loop `loop` overwrites, or hands from iteration to iteration,
/// places of their own: what it reads from before the loop is read from a copy; a scalar has an element for
/// each iteration. Changes the region, so it comes before all steps that do not.
struct RenameArray {
  std::string array, loop;
};

/// Carries what iterations of the source loop `loop` read of `array`, and the iteration before has written,
/// in a scalar: `a[i] = a[i-1] + b[i]` becomes `x = x + b[i]; a[i] = x`. Changes the region, so it comes
/// before all steps that do not.
struct CarryScalar {
  std::string array, loop;
};

/// Keeps `scalar`, which each iteration of the source loop `loop` has for itself, in the element that the
/// iteration writes it to at last: `x = a[i]; x -= e; a[i] = x / d` becomes `a[i] -= e; a[i] = a[i] / d`.
/// Changes the region, so it comes before all steps that do not.
struct PlaceScalar {
  std::string scalar, loop;
};

/// Runs `steps` iterations of the source loop `loop`, a sweep or several over arrays each, in tiles of these
/// arrays with their surroundings, `sizes` elements along each dimension: a tile is worked on in copies of
/// its own. What lies around tiles is computed for each of them again. Changes the region, so it comes before
/// all steps that do not.
struct TileTime {
  std::string loop;
  long steps = 0;
  std::vector<long> sizes;
};

/// Runs the iterations of `loops` as the blocks of a grid: x, then y, then z.
struct MapToGrid {
  std::vector<std::string> loops;
};

/// Runs the iterations of `loops` as the threads of a block: x, then y, then z.
struct MapToBlock {
  std::vector<std::string> loops;
};

/// Has the lanes of a warp share the iterations of each of `loops`, which follow each other inside a nest on
/// the grid: a warp then takes an iteration of the innermost loop on the grid.
struct MapToLanes {
  std::vector<std::string> loops;
};

/// Has small groups of threads share the loops that the code of `statements` is: loops that only data end.
/// A group then takes an iteration of the innermost loop on the grid.
struct MapToGroups {
  std::vector<std::string> statements;
};

/// Runs the iterations of `loops`, a perfect nest from the outside in, counted together along one axis of the
/// grid: for nests one of whose loops is short, or with more loops than the grid has axes. How many each has
/// must not depend on the others or on loops around.
struct CollapseToGrid {
  std::vector<std::string> loops;
  int axis = 0; ///< 0 for x
};

/// Calls the kernel in which `loop`, which is on the grid, is `name`.
struct NameKernel {
  std::string loop, name;
};

/// Has the compiler keep registers of the kernel in which `loop`, which is on the grid, is few enough for
/// `blocks` blocks on a multiprocessor.
struct LaunchBounds {
  std::string loop;
  int blocks = 1;
};

/// Says what a size that tiles may have means.
struct DeclareSize {
  SizeDeclaration size;
};

/// When a library's function stands in for a kernel: never; where it was found to be faster, when the program
/// runs; or whenever the operands lie in memory as it needs them.
enum class LibraryUse { Never, Auto, Always };

/// Lets a library's function do what the kernel does whose outermost loop is `loop`: a product of matrices or
/// vectors, or a sum of vectors, of floating point. It adds in another order.
struct CallLibrary {
  std::string loop;
  LibraryUse use = LibraryUse::Auto;
};

/// Takes for granted that the parameters satisfy `condition`; the launcher checks it, and where it does not
/// hold the original loops run.
struct Assume {
  std::string condition;
};

/// Takes the user's word that no instance of the statement `sink` depends on one of `source` where the
/// analysis can only assume that it does. Dependences that are known to be there stay.
struct DropDependence {
  std::string source, sink;
};

/// Has the threads of a block copy what they read of `array` in an iteration of `loop`, which they run
/// together, to shared memory when it begins; and, of an array that they write, what they wrote back when it
/// ends. `padding` is of the last extent: 1 leaves it, d > 1 rounds it up to a multiple of d, -d to a number
/// without a factor in common with d, against bank conflicts. With several `copies` of the tile, the others
/// are filled for the next iterations while the threads work on one. Of rows whose elements a thread reads
/// `together` at once, a power of two, each begins at a multiple of that, and an odd one after the row
/// before.
/// `transposed`: a tile with two sides is kept by columns, so that rows of it are what lies apart in memory.
struct StageShared {
  std::string loop, array;
  int padding = 1;
  int copies = 1;
  int together = 1;
  bool transposed = false;
};

/// Has the warps of a block run `loop`, and in it two loops on the block and a statement that adds products
/// of two factors, of one of these loops each, to elements that they keep in registers, on the tensor cores:
/// in another order of additions.
struct MapToTensor {
  std::string loop;
};

/// Has everything that is in shared memory for an iteration of `loop` there in `copies`, 2 to 8: that many
/// less one iterations before it is needed its way there begins.
struct Pipeline {
  std::string loop;
  int copies = 2;
};

/// Has every thread keep its elements of `array` in registers for an iteration of `loop`: they are loaded
/// when it begins and stored when it ends, where that is needed.
struct StageRegisters {
  std::string loop, array;
};

/// Keeps `array`, which nothing writes and whose size is known, in constant memory. With a loop, which the
/// host runs, what an iteration of it reads is put there before the kernels in it: the array may be larger.
struct StageConstant {
  std::string array;
  std::string loop = {};
};

/// Reads `array`, which nothing writes, through the read-only path.
struct StageReadOnly {
  std::string array;
};

/// Gives the whole region a new order by isl's scheduler, which looks for permutable bands and parallel
/// loops. Undoes what earlier steps did to loops, not what they decided about storage.
struct Reschedule {
  enum class Fusion {
    Most,    ///< statements that depend on each other share loops where that costs no parallelism
    Least,   ///< they share loops only where their dependences form a cycle
    Earliest ///< the outer loops are steps of time, everything as early as possible, those inside parallel:
             ///< Feautrier's order
  };
  Fusion fusion = Fusion::Most;
};

using Step =
    std::variant<Tile, Strip, Shells, Permute, Fuse, Distribute, Reorder, Skew, Shift, Scale, Nonsingular,
                 Normalise, RenameLoop, Reverse, Split, Peel, Unroll, UnrollToDepth, Privatise, Expand,
                 Reduce, ScanLoop, LevelLoop, RenameArray, CarryScalar, PlaceScalar, TileTime, MapToGrid,
                 MapToBlock, MapToLanes, MapToGroups, CollapseToGrid, MapToTensor, NameKernel, LaunchBounds,
                 DeclareSize, CallLibrary, Pipeline, Assume, DropDependence, StageShared, StageRegisters,
                 StageConstant, StageReadOnly, Reschedule>;

/// What each step does to a state; nothing when it applied. ScheduleState::take is the way to call them: it
/// also keeps the history and sees to it that isl's work is limited.
std::optional<Refusal> apply(const Tile& step, ScheduleState& state);
std::optional<Refusal> apply(const Strip& step, ScheduleState& state);
std::optional<Refusal> apply(const Shells& step, ScheduleState& state);
std::optional<Refusal> apply(const Permute& step, ScheduleState& state);
std::optional<Refusal> apply(const Fuse& step, ScheduleState& state);
std::optional<Refusal> apply(const Distribute& step, ScheduleState& state);
std::optional<Refusal> apply(const Reorder& step, ScheduleState& state);
std::optional<Refusal> apply(const Skew& step, ScheduleState& state);
std::optional<Refusal> apply(const Shift& step, ScheduleState& state);
std::optional<Refusal> apply(const Scale& step, ScheduleState& state);
std::optional<Refusal> apply(const Nonsingular& step, ScheduleState& state);
std::optional<Refusal> apply(const Normalise& step, ScheduleState& state);
std::optional<Refusal> apply(const RenameLoop& step, ScheduleState& state);
std::optional<Refusal> apply(const Reverse& step, ScheduleState& state);
std::optional<Refusal> apply(const Split& step, ScheduleState& state);
std::optional<Refusal> apply(const Peel& step, ScheduleState& state);
std::optional<Refusal> apply(const Unroll& step, ScheduleState& state);
std::optional<Refusal> apply(const UnrollToDepth& step, ScheduleState& state);
std::optional<Refusal> apply(const Privatise& step, ScheduleState& state);
std::optional<Refusal> apply(const Expand& step, ScheduleState& state);
std::optional<Refusal> apply(const Reduce& step, ScheduleState& state);
std::optional<Refusal> apply(const ScanLoop& step, ScheduleState& state);
std::optional<Refusal> apply(const LevelLoop& step, ScheduleState& state);
std::optional<Refusal> apply(const RenameArray& step, ScheduleState& state);
std::optional<Refusal> apply(const CarryScalar& step, ScheduleState& state);
std::optional<Refusal> apply(const PlaceScalar& step, ScheduleState& state);
std::optional<Refusal> apply(const TileTime& step, ScheduleState& state);
std::optional<Refusal> apply(const MapToGrid& step, ScheduleState& state);
std::optional<Refusal> apply(const MapToBlock& step, ScheduleState& state);
std::optional<Refusal> apply(const MapToLanes& step, ScheduleState& state);
std::optional<Refusal> apply(const MapToGroups& step, ScheduleState& state);
std::optional<Refusal> apply(const CollapseToGrid& step, ScheduleState& state);
std::optional<Refusal> apply(const NameKernel& step, ScheduleState& state);
std::optional<Refusal> apply(const LaunchBounds& step, ScheduleState& state);
std::optional<Refusal> apply(const DeclareSize& step, ScheduleState& state);
std::optional<Refusal> apply(const CallLibrary& step, ScheduleState& state);
std::optional<Refusal> apply(const Pipeline& step, ScheduleState& state);
std::optional<Refusal> apply(const MapToTensor& step, ScheduleState& state);
std::optional<Refusal> apply(const Assume& step, ScheduleState& state);
std::optional<Refusal> apply(const DropDependence& step, ScheduleState& state);
std::optional<Refusal> apply(const StageShared& step, ScheduleState& state);
std::optional<Refusal> apply(const StageRegisters& step, ScheduleState& state);
std::optional<Refusal> apply(const StageConstant& step, ScheduleState& state);
std::optional<Refusal> apply(const StageReadOnly& step, ScheduleState& state);
std::optional<Refusal> apply(const Reschedule& step, ScheduleState& state);

/// `apart`, `adjacent`, `columns`, `rows`: which points a step may say that threads have.
std::string pointsName(Points points);

/// `never`, `auto`, `always`.
std::string libraryUseName(LibraryUse use);

/// The recipe line that makes `step`, e.g. `permute({"j", "i"})`.
std::string print(const Step& step);

} // namespace warploom
