// Loops whose bounds only data tell, as a statement's code has them, and whose iterations threads can share.
#pragma once

#include "analysis/Reductions.h"

namespace warploom {

/// The accumulators of a statement whose code is one loop that does nothing but combine values into scalars:
/// threads may share its iterations, each with its part of them. `exact`: in any order the results are the
/// same bits. Empty when it is no such statement.
std::vector<Reduction> codeReductions(const Region& region, int statement, bool exact);

/// The code of such a statement for one of several threads: of `count` threads, `number` is its own. Both are
/// texts of the kernel.
CodePtr sharedOut(const Code& code, const std::string& number, const std::string& count);

} // namespace warploom
