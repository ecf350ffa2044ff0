// What `warploom cases` and `warploom model` have in common: MetaFork programs with device nests, devices by
// name, and sizes on the command line.
#pragma once

#include "cases/Nest.h"
#include "device/Device.h"

#include <optional>

namespace warploom {

/// The MetaFork program in `file`; nothing, with its problems on standard error, when there is none.
std::optional<ForkJoinSource> readSchedules(const std::string& file, const std::vector<std::string>& flags);

/// The same for a program whose text is not that of the file.
std::optional<ForkJoinSource> readSchedules(const std::string& file, const std::string& text,
                                            const std::vector<std::string>& flags);

/// Says what is wrong at a place of the program, on standard error.
void reportAt(const ForkJoinSource& source, const SourceRange& at, const std::string& message);

/// The device of that compute capability (`9.0`, `sm_90`), or with `query` this machine's. Throws
/// ToolchainError.
DeviceLimits deviceNamed(const std::string& name);

/// What `B=32,s=2` says. Throws CLI::ValidationError.
cases::Values sizesOf(const std::string& text);

} // namespace warploom
