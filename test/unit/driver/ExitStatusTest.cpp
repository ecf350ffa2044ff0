// Whose fault it is when a command cannot go on: the status says.
#include "driver/ExitStatus.h"

#include "support/Failure.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

TEST(ExitStatus, WhatComesFromOutsideIsNotOurFault) {
  for (const Ending& ending : {endingFor(ToolchainError("no nvcc")), endingFor(OutputError("no nvcc")),
                               endingFor(std::filesystem::filesystem_error("no nvcc", std::error_code())),
                               endingFor(DatabaseError("no nvcc")), endingFor(std::bad_alloc())}) {
    EXPECT_EQ(ending.status, ExitStatus::InputAtFault);
    EXPECT_EQ(ending.message.rfind("error: ", 0), 0u) << ending.message;
  }
}

TEST(ExitStatus, WhatBreaksInsideIs) {
  Ending failure = endingFor(Failure("f:3", "two loops have one name"));
  EXPECT_EQ(static_cast<int>(failure.status), 3);
  EXPECT_EQ(failure.message, "internal error in f:3: two loops have one name");
  Ending unknown = endingFor(std::out_of_range("map::at"));
  EXPECT_EQ(static_cast<int>(unknown.status), 3);
  EXPECT_EQ(unknown.message, "internal error: map::at");
}

} // namespace
} // namespace warploom
