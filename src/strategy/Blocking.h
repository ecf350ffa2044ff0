// Loops of the host around many small nests, as those of factorisations are, run in blocks of iterations:
// few kernels for a block, and what most of the work is becomes a product.
#pragma once

#include "transform/Schedule.h"

#include <optional>
#include <string>

namespace warploom {

/// Blocks sequential loops of `state` around parallel ones that begin, or end, with their values: a loop over
/// blocks of their iterations is left outside; what a block does to itself is a kernel of one block of
/// threads, what it does to rows and columns beyond it one for each, and what these do to all the rest nests
/// in which the iterations of the block are innermost. Only where such a rest has at least two parallel loops
/// and the dependences let it wait for the end of its block. What was done, in words; nothing, and `state` as
/// it was, where that is for no loop.
std::optional<std::string> blockLoops(ScheduleState& state);

} // namespace warploom
