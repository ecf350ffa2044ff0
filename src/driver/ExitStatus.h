// What the process returns, and which exception ends it how.
#pragma once

#include "driver/OutputFiles.h"
#include "driver/Toolchain.h"
#include "support/Failure.h"
#include "tune/Database.h"

#include <exception>
#include <new>
#include <string>
#include <system_error>

namespace warploom {

/// What the process returns. Internal: Warploom itself failed. Undecided: a proof was asked for, and found
/// neither that nor anything wrong.
enum class ExitStatus { Done = 0, InputAtFault = 1, Usage = 2, Internal = 3, Undecided = 4 };

/// How a command ends, and what it says.
struct Ending {
  ExitStatus status;
  std::string message;
};

/// The ending for an exception that no one else has taken. What comes from outside (a compiler, a file,
/// memory) is the input's fault; all else is ours.
inline Ending endingFor(const std::exception& error) {
  const std::string what = error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error))
    return {ExitStatus::InputAtFault, "error: there is not enough memory"};
  if (dynamic_cast<const ToolchainError*>(&error) || dynamic_cast<const OutputError*>(&error) ||
      dynamic_cast<const DatabaseError*>(&error) ||
      dynamic_cast<const std::system_error*>(&error)) // those of file systems are such
    return {ExitStatus::InputAtFault, "error: " + what};
  return {ExitStatus::Internal, isInternal(what) ? what : "internal error: " + what};
}

} // namespace warploom
