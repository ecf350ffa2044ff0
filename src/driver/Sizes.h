// `--size N=64`: sizes that a program takes from macros, set on the command line.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warploom {

/// Adds `--size NAME=VALUE`, which may be given several times, to `command`.
void addSizes(CLI::App& command, std::vector<std::string>& sizes);

/// `flags` and a -D for each of `sizes`.
std::vector<std::string> withSizes(std::vector<std::string> flags, const std::vector<std::string>& sizes);

} // namespace warploom
