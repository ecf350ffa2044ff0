// Regions that are large or hard: the analysis answers in time, and says so where it gives up.
#include "RegionBuilder.h"
#include "analysis/Facts.h"

#include <ctime>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

/// Far more processor time than any of these takes, and far less than a hang.
constexpr double patience = 30.0;

/// Seconds of processor time that analysing `region` takes.
double seconds(const Region& region, Facts* facts) {
  std::clock_t start = std::clock();
  *facts = analyse(region);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Effort, SixtyStatementsOnOneArray) {
  RegionBuilder r("n");
  r.array("a", 2);
  r.array("t", 0);
  r.loop("i", "60 <= i < n");
  r.loop("j", "60 <= j < n");
  for (int k = 0; k < 60; ++k)
    r.statement(fmt::format("a[i][j-{}] = a[i-1][j+{}] + t", k % 7, k % 5));
  Facts facts;
  EXPECT_LT(seconds(r.region(), &facts), patience);
  EXPECT_NE(facts.loops[0].verdict, Verdict::Parallel);
}

TEST(Effort, SixtyStatementsInSequence) {
  RegionBuilder r("n");
  for (int k = 0; k <= 60; ++k)
    r.array(fmt::format("a{}", k), 1);
  r.loop("i", "1 <= i < n");
  for (int k = 0; k < 60; ++k)
    r.statement(fmt::format("a{}[i] = a{}[i] + a{}[i]", k + 1, k, k / 2));
  Facts facts;
  EXPECT_LT(seconds(r.region(), &facts), patience);
  EXPECT_EQ(facts.loops[0].verdict, Verdict::Parallel);
}

TEST(Effort, NestTwelveDeep) {
  RegionBuilder r("n");
  r.array("a", 12);
  std::string here, before;
  for (int k = 0; k < 12; ++k) {
    r.loop(fmt::format("i{}", k), fmt::format("1 <= i{} < n", k));
    here += fmt::format("[i{}]", k);
    before += k == 5 ? "[i5-1]" : fmt::format("[i{}]", k);
  }
  r.statement("a" + here + " = a" + before);
  Facts facts;
  EXPECT_LT(seconds(r.region(), &facts), patience);
  for (int k = 0; k < 12; ++k)
    EXPECT_EQ(facts.loops[k].verdict, k == 5 ? Verdict::Sequential : Verdict::Parallel) << k;
}

// Subscripts that fold twelve indices and two moduli into one: whatever isl makes of it, no hang and nothing
// claimed.
TEST(Effort, HardSubscripts) {
  RegionBuilder r("n, m");
  r.array("a", 1);
  std::string one = "0", other = "0";
  for (int k = 0; k < 6; ++k) {
    r.loop(fmt::format("i{}", k), fmt::format("{} <= i{} < n + m", k ? fmt::format("i{}", k - 1) : "0", k));
    one += fmt::format(" + {}*i{}", 3 * k + 1, k);
    other += fmt::format(" + {}*i{}", 5 * k + 2, k);
  }
  r.statement(fmt::format("a[{}] = a[{}]", one, other));
  Facts facts;
  EXPECT_LT(seconds(r.region(), &facts), patience);
  EXPECT_NE(facts.loops[0].verdict, Verdict::Parallel);
}

// Once too many questions were given up, the rest is not even asked; what is left is sound.
TEST(Effort, GivingUpIsUnknownWithThatReason) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("a[i] = b[j]");
  Region region = r.region();
  Effort effort;
  auto costly = [&] {
    for (int k = 0; k < 1'000'000; ++k)
      isl::set(islContext(), "{ [i] : 0 <= i < 10 }");
    return true;
  };
  int failures = 0;
  for (int k = 0; k < 100; ++k)
    failures += !effort.ask(Effort::Kind::Pairs, costly);
  EXPECT_EQ(failures, 100);

  Dependences everything = dependences(region, effort);
  LoopVerdict verdict = verdicts(region, everything, effort).at(0);
  EXPECT_EQ(verdict.verdict, Verdict::Unknown);
  EXPECT_THAT(verdict.reason, testing::HasSubstr("too expensive"));
  EXPECT_EQ(everything.all.at(0).distance.at(0).text(), "1..*");
  EXPECT_EQ(everything.all.at(0).distance.at(1).text(), "*..*");
}

TEST(Effort, TooManyPairsOfAccessesAreNotCompared) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.loop("i", "200 <= i < n");
  for (int k = 0; k < 120; ++k)
    r.statement(fmt::format("a[i-{}] = a[i]", k));
  Facts facts;
  EXPECT_LT(seconds(r.region(), &facts), 1.0);
  EXPECT_EQ(facts.loops[0].verdict, Verdict::Unknown);
  EXPECT_THAT(facts.loops[0].reason, testing::HasSubstr("pairs of accesses"));
  EXPECT_FALSE(facts.gaveUp.empty());
}

TEST(Effort, ABrokenInvariantMakesOneRegionUnknown) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.loop("i", "0 <= i < n");
  r.statement("a[i] = a[i]");
  Region sound = r.region(), broken = sound;
  broken.statements[0].accesses[0].map = isl::map(islContext(), "{ Other[x, y, z] -> b[] }");
  Facts facts = analyse(broken);
  EXPECT_EQ(facts.loops[0].verdict, Verdict::Unknown);
  EXPECT_THAT(facts.loops[0].reason, testing::HasSubstr("internal error"));
  EXPECT_EQ(facts.gaveUp, facts.loops[0].reason);
  EXPECT_TRUE(facts.arrays[0].written);
  // isl goes on as if nothing had happened.
  facts = analyse(sound);
  EXPECT_EQ(facts.loops[0].verdict, Verdict::Parallel);
  EXPECT_TRUE(facts.gaveUp.empty());
}

} // namespace
} // namespace warploom
