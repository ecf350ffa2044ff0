// Time that is spent: isl gives up, and only as long as it must.
#include "support/Budget.h"

#include "support/Attempt.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

bool islWorks() {
  return limited([] { return isl::set(islContext(), "{ [i] : 0 <= i < 10 }").is_empty(); }).has_value();
}

TEST(Budget, OnceSpentIslGivesUpUntilItEnds) {
  ASSERT_TRUE(islWorks());
  {
    Budget region(Budget::For::Region, 5);
    EXPECT_TRUE(region.isSpent());
    EXPECT_FALSE(islWorks());
    auto result = attempt([] { return isl::set(islContext(), "{ [i] : i > 0 }").is_empty(); });
    EXPECT_FALSE(result.value);
    EXPECT_EQ(result.reason,
              "it did not fit into the 5 s of processor time that a region gets; --effort gives more");
  }
  EXPECT_TRUE(islWorks());
  EXPECT_EQ(Budget::reason(), "");
}

TEST(Budget, WhatEarlierStagesTookCounts) {
  Budget region(Budget::For::Region, 4.5);
  EXPECT_FALSE(region.isSpent());
  EXPECT_GE(region.seconds(), 4.5);
  const std::clock_t start = std::clock();
  while (!region.isSpent() && std::clock() - start < 4 * CLOCKS_PER_SEC) {
  }
  EXPECT_TRUE(region.isSpent());
  EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC);
}

TEST(Budget, AnInnerOneThatEndsDoesNotBringBackTheOuter) {
  Budget file(Budget::For::File, 60);
  {
    Budget region(Budget::For::Region);
    EXPECT_TRUE(region.isSpent()) << "the file's is";
    EXPECT_NE(Budget::reason().find("60 s of processor time that all regions of a file"), std::string::npos);
    {
      Budget search(Budget::For::Search);
    }
    EXPECT_FALSE(islWorks());
  }
  EXPECT_TRUE(islWorks()) << "between regions";
}

TEST(Budget, AnInnerOneThatIsSpentLeavesTheRestOfTheOuter) {
  Budget region(Budget::For::Region);
  {
    Budget search(Budget::For::Search, 5);
    EXPECT_FALSE(islWorks());
  }
  EXPECT_TRUE(islWorks());
  EXPECT_FALSE(region.isSpent());
}

TEST(Budget, EffortScalesThem) {
  setEffort(2);
  {
    Budget region(Budget::For::Region, 9);
    EXPECT_FALSE(region.isSpent());
  }
  setEffort(0.5);
  {
    Budget region(Budget::For::Region, 3);
    EXPECT_TRUE(region.isSpent());
    EXPECT_NE(Budget::reason().find("2.5 s"), std::string::npos);
  }
  setEffort(1);
}

} // namespace
} // namespace warploom
