// Products that a library may compute, as launchers write them.
#pragma once

#include "emit/LauncherScope.h"

#include <string>

namespace warploom {

/// What a library may do in a region: what it may stand in for is called after a kernel.
struct LibraryPlace {
  std::string kernel;
  const LibraryCall* call;
};
/// Those of all kernels, and of loops of the host.
std::vector<LibraryPlace> libraryPlaces(const RegionPlan& plan);
/// The kernel after which a loop of the host is called: the first one in it.
const std::string& firstKernel(const RegionPlan& plan, const HostNode& node);

/// What is known of a kernel, or a loop, and the library that may stand in for it: a variable of the file.
std::string libraryChoice(LauncherScope& scope, const std::string& kernel);
std::string libraryChoiceDefinition(LauncherScope& scope, const LibraryPlace& place);

/// The operation that `call` is: a value of the runtime's type LibraryProduct, TriangularSolve, or
/// SparseProduct.
std::string productText(LauncherScope& scope, const LibraryCall& call);

} // namespace warploom
