// What is said of single regions: by sections of a configuration, and by directives in the source,
// `#pragma warploom KEY=value ...` right above a loop, whose keys are those of a configuration.
#pragma once

#include "frontend/Frontend.h"
#include "project/Config.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// What is said of one region.
struct RegionSettings {
  bool outermostOnly = false;       ///< of several parallel loops one is shared out
  bool noShared = false;            ///< nothing is staged in shared memory
  std::map<std::string, int> sizes; ///< tunables of its kernels; empty: as for the file
};

/// The configuration for a function, and whether it is its own.
struct FunctionConfig {
  ProjectConfig config;
  bool isOwn = false;
};
using ConfigOf = std::function<FunctionConfig(const std::string& function)>;

/// What configurations and directives say of the regions of `file`, by the byte with which each begins; of
/// those that are not in it nothing is said. Nothing at all, with messages on standard error, where
/// directives are no settings.
std::optional<std::map<std::size_t, RegionSettings>> settingsOf(const FileRegions& file,
                                                                const ConfigOf& configOf);

} // namespace warploom
