// The isl additions of support/: limited computations, and conditions as C text.
#include "support/Isl.h"

#include <gtest/gtest.h>
#include <isl/set.h>

namespace warploom {
namespace {

isl::set set(const char* text) {
  return isl::set(islContext(), text);
}

/// A question whose answer costs isl far more than a hundred operations, and is not empty.
isl::set expensive() {
  isl::set points =
      set("[n] -> { [a, b, c] : 0 <= a, b, c < n and (a + 2b + 3c) mod 7 = 3 and a * 5 > b + c }");
  return points.subtract(set("[n] -> { [a, b, c] : 2a = b + c and exists e : 3e = a + n }")).lexmin();
}

TEST(Limited, GivesTheAnswerToACheapQuestion) {
  auto answer = limited([] { return set("{ A[i] : 0 <= i < 10 }").is_empty(); });
  ASSERT_TRUE(answer.has_value());
  EXPECT_FALSE(*answer);
}

TEST(Limited, GivesNothingForAnExpensiveQuestion) {
  EXPECT_FALSE(limited([] { return expensive(); }, 100).has_value());
}

TEST(Limited, LeavesIslWorkingAfterwards) {
  isl::set before = expensive();
  for (int round = 0; round < 3; ++round) {
    ASSERT_FALSE(limited([] { return expensive(); }, 100).has_value());
    // Neither the count of operations nor the error may linger: the same question is answered when it may
    // cost more,
    EXPECT_TRUE(expensive().is_equal(before));
    // and a small one when it may cost little.
    EXPECT_TRUE(limited([] { return set("{ [i] : 0 <= i < 10 }").is_empty(); }, 1000).has_value());
  }
}

TEST(Limited, CoversCFunctionsThatReturnNull) {
  isl::set points = set("[n] -> { [a, b, c] : 0 <= a, b, c < n and (a + 2b + 3c) mod 7 = 3 }");
  auto answer = limited([&] { return isl::manage(isl_set_lexmin(points.copy())); }, 10);
  EXPECT_FALSE(answer.has_value());
  EXPECT_FALSE(isl::manage(isl_set_lexmin(points.copy())).is_empty());
}

TEST(Limited, PassesOtherErrorsOn) {
  auto mismatch = [] { return set("{ A[i] }").unite(set("{ B[i, j] }")); };
  EXPECT_THROW(limited(mismatch), isl::exception);
  EXPECT_THROW(limited([] { return isl::manage(static_cast<isl_set*>(nullptr)); }), isl::exception_invalid);
  EXPECT_TRUE(limited([] { return set("{ A[i] }"); }).has_value());
}

TEST(Limited, NestedLimitsAreOne) {
  auto outer = limited([] { return limited([] { return expensive(); }, 1'000'000'000).has_value(); }, 100);
  // The inner question was cut off by the outer limit, although it asked for more.
  ASSERT_TRUE(outer.has_value());
  EXPECT_FALSE(*outer);
  EXPECT_FALSE(expensive().is_empty());
}

TEST(Limited, InnerLimitDoesNotLiftTheOuterOne) {
  auto outer = limited(
      [] {
        limited([] { return set("{ A[i] }"); }, 5);
        return expensive();
      },
      100);
  EXPECT_FALSE(outer.has_value());
}

TEST(ConditionText, IsACCondition) {
  EXPECT_EQ(conditionText(set("[n, m] -> { : m >= n }")), "m >= n");
  EXPECT_EQ(conditionText(set("[n] -> { : n <= 0 or n >= 10 }")), "n <= 0 || n >= 10");
  EXPECT_EQ(conditionText(set("[n, m] -> { : n >= 1 and m >= 1 }")), "n >= 1 && m >= 1");
}

TEST(ConditionText, SaysEverythingAndNothing) {
  EXPECT_EQ(conditionText(set("[n] -> { : }")), "1");
  EXPECT_EQ(conditionText(set("[n] -> { : n > 0 and n < 0 }")), "0");
}

TEST(ConditionText, HandlesDivisibility) {
  std::string text = conditionText(set("[n] -> { : exists e : n = 2e }"));
  EXPECT_EQ(text, "n % 2 == 0");
}

} // namespace
} // namespace warploom
