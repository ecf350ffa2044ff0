// A Makefile for the files that `compile` writes.
#pragma once

#include "driver/Translate.h"

#include <filesystem>
#include <string>

namespace warploom {

/// The text of a Makefile at `makefile` that builds `program` of the kernels and the host's text of `file`.
/// `linkFlags` are those of the user.
std::string buildFile(const TranslatedFile& file, const std::filesystem::path& makefile,
                      const std::filesystem::path& kernels, const std::filesystem::path& host,
                      const std::vector<std::string>& linkFlags, bool strictFloatingPoint);

} // namespace warploom
