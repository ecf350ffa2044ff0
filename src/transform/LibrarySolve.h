// Kernels, and loops of the host, that are triangular solves.
#pragma once

#include "transform/LibraryCall.h"

#include <optional>
#include <string>
#include <variant>

namespace warploom {

/// The triangular solve that is all what the loop called `loop` does; why it is none; or nothing where no
/// sum in it has a term that other sums made.
std::optional<std::variant<LibraryCall, Refusal>> librarySolve(const ScheduleState& state,
                                                               const std::string& loop);

} // namespace warploom
