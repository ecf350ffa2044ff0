#include "support/Attempt.h"

#include "support/Failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;

TEST(Attempt, GivesTheValue) {
  auto result = attempt([] { return 7; });
  EXPECT_EQ(result.value, 7);
  EXPECT_EQ(result.reason, "");
}

TEST(Attempt, AViolatedInvariantIsTheReason) {
  auto result = attempt([]() -> int { throw Failure("f:3", "two of them"); });
  EXPECT_FALSE(result.value);
  EXPECT_EQ(result.reason, "internal error in f:3: two of them");
}

TEST(Attempt, AnErrorOfIslIsTheReasonAndIsForgotten) {
  auto result = attempt([] { return isl::set(islContext(), "{ [i] : i < }"); });
  EXPECT_FALSE(result.value);
  EXPECT_THAT(result.reason, HasSubstr("internal error"));
  EXPECT_EQ(isl_ctx_last_error(islContext().get()), isl_error_none);
  EXPECT_FALSE(isl::set(islContext(), "{ [i] : i < 3 }").is_empty());
}

} // namespace
} // namespace warploom
