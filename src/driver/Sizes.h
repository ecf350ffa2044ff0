// Sizes on the command line: `--size N=64`, of macros, and `--extent x=n`, of what pointers point to.
#pragma once

#include "frontend/Frontend.h"

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warploom {

/// Adds `--extent`, which states the sizes of arrays that the source does not tell, to `command`.
void addExtents(CLI::App& command, std::vector<GivenExtent>& extents);

/// Adds `--size NAME=VALUE`, which may be given several times, to `command`.
void addSizes(CLI::App& command, std::vector<std::string>& sizes);

/// `flags` and a -D for each of `sizes`.
std::vector<std::string> withSizes(std::vector<std::string> flags, const std::vector<std::string>& sizes);

} // namespace warploom
