// The strategies: each maps one kind of nest, by steps. One file each; MapNests asks them in turn, and a new
// one is one function more and one line in its list.
#pragma once

#include "strategy/ParallelNest.h"

namespace warploom {

/// Each takes steps on `state` that map the nest, or change it so that it can be mapped better; false, and
/// `state` as it was, where it is not for such nests or a step is refused.

/// A block for each iteration, which has arrays of its own that are too large for a thread: these are in
/// shared memory, and the threads share the loops inside.
bool mapOwned(ScheduleState& state, const ParallelNest& nest);
/// Tiles of a matrix product and its like: tiles of the parallel loops for blocks and of the sequential loop
/// in them, whose data goes through shared memory, and elements in registers.
bool mapProduct(ScheduleState& state, const ParallelNest& nest);
/// A product that is a part of a nest, once the scalars between it and the other parts have copies: in a nest
/// of its own.
bool mapSeparated(ScheduleState& state, const ParallelNest& nest);
/// Tiles of a sweep over a neighbourhood, whose points read many elements in common: a tile and its halo go
/// through shared memory.
bool mapSweep(ScheduleState& state, const ParallelNest& nest);
/// A thread for each iteration of more parallel loops than the grid has axes: counted together, or a fourth
/// by the lanes of a warp.
bool mapDeep(ScheduleState& state, const ParallelNest& nest);
/// A warp for each iteration, whose lanes share the loops inside: rows of a matrix-vector product.
bool mapRows(ScheduleState& state, const ParallelNest& nest);
/// Parallel loop and the loop in it that combines values both on the grid: columns of a product with a
/// transposed matrix.
bool mapColumns(ScheduleState& state, const ParallelNest& nest);
/// A group of threads for each iteration, which share the loops that only data end: rows of a sparse matrix.
bool mapGroups(ScheduleState& state, const ParallelNest& nest);
/// Neighbouring points for each thread, which moves several small elements at once.
bool mapStrips(ScheduleState& state, const ParallelNest& nest);
/// A thread for each iteration.
bool mapFlat(ScheduleState& state, const ParallelNest& nest);

/// A warp for each iteration, whose lanes run the loops inside that hand on values as scans.
bool mapScannedRows(ScheduleState& state, const ParallelNest& nest);

/// For a nest that begins with `root`, a loop which is parallel but for the values that it combines: threads
/// of the grid combine their parts.
bool mapReduction(ScheduleState& state, const std::string& root);
/// For a nest that begins with `root`, a loop whose iterations only hand on what a scan finds: its iterations
/// over the grid.
bool mapScan(ScheduleState& state, const std::string& root);
/// For a nest that begins with `root`, a loop whose iterations only meet in elements that data choose: those
/// that do not at the same time, in levels found when the program runs.
bool mapLevels(ScheduleState& state, const std::string& root);

} // namespace warploom
