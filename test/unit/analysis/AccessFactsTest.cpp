// Strides, reuse, footprints, and which arrays a region reads, writes, needs and leaves behind.
#include "RegionBuilder.h"
#include "analysis/Facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void setExtents(Array& array, const std::vector<std::string>& texts, const std::string& parameters) {
  for (std::size_t k = 0; k < texts.size(); ++k) {
    array.extents[k] = isl::pw_aff(islContext(), "[" + parameters + "] -> { [(" + texts[k] + ")] }");
    array.extentTexts[k] = texts[k];
  }
}

Region matrixProduct() {
  RegionBuilder r("n, m");
  setExtents(r.array("A", 2), {"n", "m"}, "n, m");
  setExtents(r.array("B", 2), {"m", "100"}, "n, m");
  setExtents(r.array("C", 2), {"n", "100"}, "n, m");
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < 100");
  r.loop("k", "0 <= k < m");
  r.statement("C[i][j] += A[i][k] * B[k][2*j]");
  return r.region();
}

std::vector<std::string> stridesOf(const AccessFacts& facts) {
  std::vector<std::string> texts;
  for (const Stride& stride : facts.strides)
    texts.push_back(stride.print());
  return texts;
}

TEST(AccessFacts, StridesInElementsPerIteration) {
  Facts facts = analyse(matrixProduct());
  EXPECT_THAT(stridesOf(facts.arrays[0].accesses[0]), ElementsAre("m", "0", "1"));
  EXPECT_THAT(stridesOf(facts.arrays[1].accesses[0]), ElementsAre("0", "2", "100"));
  EXPECT_THAT(stridesOf(facts.arrays[2].accesses[0]), ElementsAre("100", "1", "0"));
}

// SHOWS: CH-8
TEST(AccessFacts, ReuseFootprintAndUseOfEveryArray) {
  Facts facts = analyse(matrixProduct());
  const ArrayFacts &a = facts.arrays[0], &c = facts.arrays[2];
  EXPECT_TRUE(a.readOnly());
  EXPECT_FALSE(c.readOnly());
  EXPECT_THAT(a.accesses[0].temporalReuse, ElementsAre(1)); // j
  EXPECT_THAT(a.accesses[0].spatialReuse, ElementsAre(2));  // k
  EXPECT_THAT(a.fastestIndices, ElementsAre(2));
  EXPECT_THAT(c.accesses[0].temporalReuse, ElementsAre(2)); // k
  EXPECT_TRUE(
      a.footprint->is_equal(isl::set(islContext(), "[n, m] -> { A[i, k] : 0 <= i < n and 0 <= k < m }")));
  EXPECT_TRUE(facts.arrays[1].footprint->is_equal(isl::set(
      islContext(), "[n, m] -> { B[k, j] : n > 0 and 0 <= k < m and 0 <= j < 200 and j mod 2 = 0 }")));
}

TEST(AccessFacts, DescendingAndStridedLoops) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.loop("i", "0 <= i < n and i mod 2 = 0", -2);
  r.statement("a[i] = 0");
  EXPECT_THAT(stridesOf(analyse(r.region()).arrays[0].accesses[0]), ElementsAre("-2"));
}

TEST(AccessFacts, UnknownWhereTheSubscriptIs) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "0 <= i < n");
  r.statement("b[i] = a[b[i]]");
  Facts facts = analyse(r.region());
  EXPECT_THAT(stridesOf(facts.arrays[0].accesses[0]), ElementsAre("unknown"));
  EXPECT_THAT(facts.arrays[0].accesses[0].temporalReuse, IsEmpty());
}

TEST(AccessFacts, LiveInAndLiveOut) {
  RegionBuilder r("n");
  r.array("in", 1);
  r.array("out", 1);
  r.array("scratch", 1).liveAfter = false;
  r.array("overwritten", 1);
  r.loop("i", "0 <= i < n");
  r.statement("scratch[i] = in[i]");
  r.statement("out[i] = scratch[i]");
  r.statement("overwritten[i] = 1");
  Facts facts = analyse(r.region());
  auto lives = [&](int k) { return std::make_pair(facts.arrays[k].liveIn, facts.arrays[k].liveOut); };
  EXPECT_EQ(lives(0), std::make_pair(true, false));
  EXPECT_EQ(lives(1), std::make_pair(false, true));
  EXPECT_EQ(lives(2), std::make_pair(false, false));
  EXPECT_EQ(lives(3), std::make_pair(false, true));
}

} // namespace
} // namespace warploom
