// Products that a library may compute, as launchers write them.
#pragma once

#include "emit/LauncherScope.h"

#include <string>

namespace warploom {

/// What is known of a kernel and the library that may stand in for it: a variable of the file.
std::string libraryChoice(LauncherScope& scope, const KernelPlan& kernel);
std::string libraryChoiceDefinition(LauncherScope& scope, const KernelPlan& kernel);

/// The product that KernelPlan::library is: a value of the runtime's type LibraryProduct, or
/// SparseProduct.
std::string productText(LauncherScope& scope, const LibraryCall& call);

} // namespace warploom
