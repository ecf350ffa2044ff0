// Kernels as CUDA text: grid-stride loops over the mapped loops, isl's loops and guards inside, statement
// bodies.
#pragma once

#include "emit/BodyText.h"
#include "emit/Names.h"
#include "mapping/Plan.h"
#include "support/TextWriter.h"

#include <string>
#include <vector>

namespace warploom {

/// The values that the index of a mapped loop takes in a launch, as text over parameters and host loop
/// indices: [first, end). The kernel checks further conditions itself.
struct IndexRange {
  std::string first, end;
};

/// What a launch of the kernel needs.
struct KernelCall {
  std::vector<std::string> arguments; ///< as the launcher writes them
  std::vector<IndexRange> ranges;     ///< per mapped loop, outermost first
  std::set<int> deviceArrays;         ///< arrays that must be in device memory
  std::set<int> valueArrays;          ///< scalars passed by value
};

/// Writes `kernel` into `out`. `names` are those of the whole region, so that launcher and kernels agree.
KernelCall writeKernel(const Region& region, const Facts& facts, const KernelPlan& kernel, Names& names,
                       TextWriter& out);

/// The names of the block's sizes along the grid's dimensions, x first.
struct BlockShape {
  std::vector<std::string> names;
};
BlockShape blockShape(std::size_t dimensions);

} // namespace warploom
