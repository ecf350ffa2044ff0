// A search that happens elsewhere: a folder that needs only compilers and a shell, and what comes back from
// it.
#pragma once

#include "driver/Build.h"
#include "tune/BundledKernels.h"
#include "tune/Database.h"

#include <filesystem>
#include <vector>

namespace warploom {

/// Writes `folder`, which must not be there or be empty: a program, for `options.target`, the GPU where that
/// is not the CPU, and what searches its kernels. `files` are for tuning. Throws ToolchainError and
/// std::system_error.
void writeBundle(const std::filesystem::path& folder, const BuildOptions& options,
                 const std::vector<TranslatedFile>& files, const Bundle& what);

/// What the results of a bundle are.
struct Collected {
  std::vector<Entry> entries;
  std::size_t others = 0; ///< lines that are no results: torn ones
};
/// The results in `folder`. Throws ToolchainError when there are none.
Collected resultsIn(const std::filesystem::path& folder);

} // namespace warploom
