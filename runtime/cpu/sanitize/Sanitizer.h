// The checks of instrumented kernels. The compiler's instrumentation calls in (Callbacks.cpp), the executor
// tells of barriers and blocks (Hooks.h), and findings go out as reports.
#pragma once

#include "Shadow.h"

#include <cstddef>
#include <string>

namespace warploom::cpu::sanitize {

/// The running thread, at `pc`, is about to access `bytes` bytes. Does nothing outside kernels.
void access(const void* address, std::size_t bytes, AccessKind kind, const void* pc);

/// A subscript of an array with known extents is outside them, at `line`. `array` is the array's name, and
/// `inward` the number of its dimensions from that of the subscript on.
void subscriptOutside(const std::string& array, int inward, long long index, const std::string& line);

/// The running thread leaves a function whose end is at `pc`.
void functionLeft(const void* pc);

/// Prints a finding, `what` and `details`, once per `key`, and makes the program end with status 66.
void report(const std::string& key, const std::string& what, const std::string& details);

} // namespace warploom::cpu::sanitize
