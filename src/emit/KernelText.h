// Kernels as CUDA text: the loops over the grid in each of the shapes that mapping gives a kernel, isl's
// loops and guards inside, statement bodies.
#pragma once

#include "emit/Names.h"
#include "mapping/Plan.h"
#include "support/TextWriter.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// A parameter of a kernel.
struct KernelParameter {
  std::string type, name;
  std::string argument; ///< as the launcher writes it; empty for the value of `hostLoop`
  std::string hostLoop; ///< the name of a loop of the host's; empty for others
};

/// A kernel that runs by levels: the type of what tells which elements an iteration uses.
struct UsesCall {
  std::string name;
  std::vector<KernelParameter> members; ///< in their order
  std::string count;                    ///< of iterations, as the launcher writes it
  std::set<int> arrays;                 ///< in which iterations may meet
  std::set<int> indices;                ///< arrays on the device that tell it
};

/// What a launch of the kernel needs.
struct KernelCall {
  std::vector<KernelParameter> parameters;
  std::string state; ///< of a scan on the grid: the type of what its tiles tell each other; else empty
  std::optional<UsesCall> uses;
  std::vector<std::string> grid, block; ///< blocks and threads along x, y, z as far as there are several
  std::string shared;       ///< the struct with what a block keeps in shared memory; empty: nothing
  bool sharedBySet = false; ///< it is a template over a set of sizes
  /// The struct for the set of that name.
  std::string sharedFor(const std::string& set) const {
    return sharedBySet ? shared + "<" + set + ">" : shared;
  }
  std::map<int, std::string> bins;     ///< as BinsNode::arrays
  std::vector<std::string> widestGrid; ///< for KernelPlan::inOneLaunch: enough whatever the host's loops say
  std::string line, widestLine;        ///< of one that KernelPlan::takesAnyBlock: such a launch
  std::string onlyIf = "1";     ///< the condition on the host's loops under which there is anything to do
  std::string iterations;       ///< of collapsed loops: their number, which indices must hold; else empty
  std::set<int> deviceArrays;   ///< arrays that must be in device memory
  std::set<int> constantArrays; ///< arrays that must be in constant memory
  std::set<int> valueArrays;    ///< scalars passed by value
  std::set<std::string> sizes;  ///< of blocks and tiles that its text leaves open
  std::string chosenSet;        ///< the argument that has sizes, `Tiles` or `Sizes`; empty: there is none
  std::vector<std::string> variants; ///< what that may be, where it is `Sizes`
  bool hasTiles() const { return chosenSet == "Tiles"; }
  /// Of tiles that may be turned round: what they are in along x and y. Equal ones are as good one way as the
  /// other.
  std::string tiled[2];
  bool mayBeTurned() const {
    return hasTiles() && !tiled[0].empty() && !tiled[1].empty() && tiled[0] != tiled[1];
  }
  std::string sizePrefix; ///< what they are called before that; empty: they are the file's
};

/// The device function with the kernel's body, of one that is KernelPlan::inOneLaunch; it has its parameters.
std::string bodyFunction(const KernelPlan& kernel, Names& names);

/// Writes `plan.kernels[kernel]` into `out`. `names` are those of the whole region, so that launcher and
/// kernels agree.
KernelCall writeKernel(const Region& region, const Facts& facts, const RegionPlan& plan, int kernel,
                       Names& names, TextWriter& out);

} // namespace warploom
