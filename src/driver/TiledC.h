// C programs for `warploom cases`: their parallel nests in tiles of symbolic sizes, as MetaFork.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The text of the C file with every nest of one statement that has a parallel coordinate as a device nest;
/// `map` says what coordinates are, `p=i+j,t=n-j`, and is empty where they are the loops' indices. Nothing,
/// with the reasons on standard error, where there is no such nest. `flags` are Clang's.
std::optional<std::string> tiledText(const std::string& file, const std::string& map,
                                     const std::vector<std::string>& flags);

} // namespace warploom
