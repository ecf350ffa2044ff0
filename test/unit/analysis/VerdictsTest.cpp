// Verdicts of single loops and nests: which dependence decides, and what the user is told.
#include "RegionBuilder.h"
#include "analysis/Facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LoopVerdict verdictOf(const Region& region, const std::string& index) {
  return analyse(region).loops.at(loopNamed(region, index));
}

std::string nameOf(const Region& region, const std::string& index) {
  return verdictName(verdictOf(region, index).verdict);
}

std::vector<std::string> privates(const Region& region, const std::string& index) {
  std::vector<std::string> names;
  for (int array : verdictOf(region, index).privateArrays)
    names.push_back(region.arrays[array].name);
  return names;
}

/// A single loop over `i` with the arrays a, b, c, d of rank 1 and one statement per text.
Region single(const std::string& parameters, const std::string& bounds, const std::vector<std::string>& body,
              long step = 1, const std::string& context = "") {
  RegionBuilder r(parameters, context);
  for (const char* name : {"a", "b", "c", "d"})
    r.array(name, 1);
  r.loop("i", bounds, step);
  for (const std::string& text : body)
    r.statement(text);
  return r.region();
}

/// A nest over `i` and `j` with the arrays x, y of rank 2 and a of rank 1.
Region nest(const std::string& parameters, const std::string& outer, const std::string& inner,
            const std::vector<std::string>& body) {
  RegionBuilder r(parameters);
  r.array("x", 2);
  r.array("y", 2);
  r.array("a", 1);
  r.loop("i", outer);
  r.loop("j", inner);
  for (const std::string& text : body)
    r.statement(text);
  return r.region();
}

// SHOWS: RT-24
TEST(Verdicts, IndependentIterationsAreParallel) {
  LoopVerdict verdict = verdictOf(single("n", "0 <= i < n", {"a[i] = b[i] + c[i]"}), "i");
  EXPECT_EQ(verdict.verdict, Verdict::Parallel);
  EXPECT_EQ(verdict.reason, "");
  EXPECT_EQ(verdict.minDistance, "");
}

TEST(Verdicts, RecurrenceOfDistanceOneIsSequential) {
  LoopVerdict verdict = verdictOf(single("n", "1 <= i < n", {"a[i] = a[i-1] + b[i]"}), "i");
  EXPECT_EQ(verdict.verdict, Verdict::Sequential);
  EXPECT_EQ(verdict.minDistance, "1");
  EXPECT_EQ(verdict.reason, "`a[i-1]` at line 2 reads what line 2 wrote 1 iteration earlier");
}

TEST(Verdicts, RecurrenceOfDistanceThreeIsCarried) {
  LoopVerdict verdict = verdictOf(single("n", "3 <= i < n", {"a[i] = a[i-3] + b[i]"}), "i");
  EXPECT_EQ(verdict.verdict, Verdict::Carried);
  EXPECT_EQ(verdict.minDistance, "3");
  EXPECT_THAT(verdict.conditions, IsEmpty());
}

TEST(Verdicts, AntiDependenceOnlyNamesTheCopyThatHelps) {
  LoopVerdict verdict = verdictOf(single("n", "0 <= i < n - 1", {"a[i] = a[i+1] + b[i]"}), "i");
  EXPECT_EQ(verdict.verdict, Verdict::Sequential);
  EXPECT_EQ(verdict.reason,
            "`a[i]` at line 2 overwrites what `a[i+1]` at line 2 read 1 iteration earlier; reading "
            "from a copy of `a` would make the loop parallel");
}

// A loop that runs downwards turns the direction of the dependence around.
TEST(Verdicts, DescendingLoopKeepsItsOwnOrder) {
  Region region = single("n", "1 <= i < n", {"a[i] = a[i-2] + b[i]"}, -1);
  Facts facts = analyse(region);
  ASSERT_EQ(facts.dependences.all.size(), 1u);
  EXPECT_EQ(facts.dependences.all[0].kind, Dependence::Kind::Anti);
  EXPECT_EQ(facts.dependences.all[0].distance[0].text(), "2");
  EXPECT_EQ(facts.loops[0].verdict, Verdict::Carried);
}

TEST(Verdicts, DistancesCountIterationsNotIndexValues) {
  Region region = single("n", "0 <= i < n and i mod 4 = 0", {"a[i] = a[i-8] + b[i]"}, 4);
  EXPECT_EQ(verdictOf(region, "i").minDistance, "2");
}

// SHOWS: CR-15 CR-18 CR-19
TEST(Verdicts, DependenceTestCorpus) {
  EXPECT_EQ(nameOf(single("", "1 <= i <= 10", {"a[i] = a[i+10]"}), "i"), "parallel") << 1;
  EXPECT_EQ(nameOf(single("", "1 <= i <= 10", {"a[2*i] = a[4*i+3]"}), "i"), "parallel") << 2;
  LoopVerdict crossing = verdictOf(single("", "1 <= i <= 9", {"a[i] = a[10-i]"}), "i");
  EXPECT_EQ(crossing.verdict, Verdict::Carried) << 3;
  EXPECT_EQ(crossing.minDistance, "2") << 3;
  EXPECT_EQ(nameOf(single("", "1 <= i <= 9", {"a[i] = a[i]"}), "i"), "parallel") << 4;
  Region five = nest("", "1 <= i <= 10", "1 <= j <= 9", {"x[i+1][j] = x[i][j+1]"});
  EXPECT_EQ(nameOf(five, "i"), "sequential") << 5;
  EXPECT_EQ(nameOf(five, "j"), "parallel") << 5;
  Region six = nest("", "1 <= i <= 7", "i <= j <= 7", {"x[i+1][j] = x[i][j]"});
  EXPECT_EQ(nameOf(six, "i"), "sequential") << 6;
  EXPECT_EQ(nameOf(six, "j"), "parallel") << 6;
  Region seven = single("", "2 <= i <= 20", {"a[i] = b[i]", "b[i] = a[i-1] + a[i] + a[i+1]"});
  EXPECT_EQ(nameOf(seven, "i"), "sequential") << 7;
  Region eight = nest("", "2 <= i <= 100", "1 <= j <= i - 1", {"x[i][j] = x[j][i]"});
  EXPECT_EQ(nameOf(eight, "i"), "parallel") << 8;
  EXPECT_EQ(nameOf(eight, "j"), "parallel") << 8;
  LoopVerdict nine = verdictOf(single("", "2 <= i <= 10", {"a[2*i+2] = a[2*i-2]"}), "i");
  EXPECT_EQ(nine.minDistance, "2") << 9;
  Region ten = nest("", "1 <= i <= 20", "2 <= j <= 10", {"a[i+2*j] = a[i+2*j-1]"});
  EXPECT_EQ(nameOf(ten, "i"), "sequential") << 10;
  EXPECT_EQ(nameOf(ten, "j"), "parallel") << 10;
  Region eleven = nest("", "0 <= i <= 20", "i <= j <= 20", {"a[j] = a[2*i+1]"});
  EXPECT_EQ(nameOf(eleven, "i"), "sequential") << 11;
  EXPECT_EQ(nameOf(single("", "0 <= i <= 99", {"a[i+100] = 2 * a[i]"}), "i"), "parallel") << 12;
  RegionBuilder r;
  r.array("z", 3);
  for (const char* index : {"i", "j", "k"})
    r.loop(index, std::string("1 <= ") + index + " <= 10");
  r.statement("z[i+2][2*j+4][3*k-1] = z[2*i-1][j][2*k+1]");
  EXPECT_NE(nameOf(r.region(), "i"), "parallel") << 13;
}

// SHOWS: CR-16
TEST(Verdicts, EveryReadIsComparedWithTheWriteOnItsOwn) {
  // No instance conflicts with both reads at once, but each read conflicts by itself.
  LoopVerdict verdict = verdictOf(single("", "0 <= i < 20", {"a[i] = a[i-7] + a[i+30]"}), "i");
  EXPECT_EQ(verdict.minDistance, "7");
}

TEST(Verdicts, SymbolicDistanceIsStatedAndTheSafeValuesToo) {
  Region region = single("n, k", "1 <= i <= n", {"a[i+k] = b[i] - 1", "b[i+k] = a[i] + c[i]"}, 1, "k >= 1");
  LoopVerdict verdict = verdictOf(region, "i");
  EXPECT_EQ(verdict.minDistance, "k");
  EXPECT_EQ(verdict.verdict, Verdict::Conditional);
  EXPECT_THAT(verdict.conditions, ElementsAre("k >= n"));
}

TEST(Verdicts, ConditionOnParametersWhereTheNestStaysWhole) {
  Region region = single("n, m", "0 <= i < n", {"a[i] = a[i+m] + b[i]"}, 1, "m >= 1");
  LoopVerdict verdict = verdictOf(region, "i");
  EXPECT_EQ(verdict.verdict, Verdict::Conditional);
  EXPECT_THAT(verdict.conditions, ElementsAre("m >= n"));
}

TEST(Verdicts, ConditionThatForcesAFewIterationsIsNoCondition) {
  // Parallel for m <= 3, which is of no use to anybody.
  Region region = nest("n, m", "1 <= i < n", "3 <= j < m", {"x[i][j] = x[i-1][j-3]"});
  EXPECT_EQ(nameOf(region, "i"), "sequential");
  EXPECT_EQ(nameOf(region, "j"), "parallel");
}

TEST(Verdicts, PointersThatMayOverlapMakeItConditional) {
  Region region = single("n", "0 <= i < n", {"a[i] = b[i]"});
  region.conditions.push_back({Condition::Kind::NoOverlap, "`a` and `b` do not overlap", {0, 1}, {}, {}, {}});
  region.conditions.push_back({Condition::Kind::NoOverlap, "`b` and `c` do not overlap", {1, 2}, {}, {}, {}});
  LoopVerdict verdict = verdictOf(region, "i");
  EXPECT_EQ(verdict.verdict, Verdict::Conditional);
  EXPECT_THAT(verdict.conditions, ElementsAre("`a` and `b` do not overlap"));
}

TEST(Verdicts, InexactSubscriptIsUnknownWithItsReason) {
  LoopVerdict verdict = verdictOf(single("n", "0 <= i < n", {"a[b[i]] = a[c[i]] + a[d[i]]"}), "i");
  EXPECT_EQ(verdict.verdict, Verdict::Unknown);
  EXPECT_THAT(verdict.reason, HasSubstr("its subscript is not affine"));
}

TEST(Verdicts, GatherIsParallel) {
  EXPECT_EQ(nameOf(single("n", "0 <= i < n", {"a[i] = b[c[i]]"}), "i"), "parallel");
}

TEST(Verdicts, CertainDependenceOutweighsAnInexactOne) {
  EXPECT_EQ(nameOf(single("n", "1 <= i < n", {"a[b[i]] = 1", "c[i] = c[i-1]"}), "i"), "sequential");
}

TEST(Verdicts, LoopThatMustStayInOrderSaysWhy) {
  Region region = single("n", "0 <= i < n", {"a[i] = b[i]"});
  region.loops[0].mustStaySequential = "it is left by `break`";
  LoopVerdict verdict = verdictOf(region, "i");
  EXPECT_EQ(verdict.verdict, Verdict::Sequential);
  EXPECT_EQ(verdict.reason, "it is left by `break`");
}

// SHOWS: CH-6
TEST(Verdicts, OnlyTheReductionLoopOfAMatrixProductCarriesADependence) {
  RegionBuilder r("n");
  r.array("A", 2);
  r.array("B", 2);
  r.array("C", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("C[i][j] = 0");
  r.loop("k", "0 <= k < n");
  r.statement("C[i][j] += A[i][k] * B[k][j]");
  Region region = r.region();
  EXPECT_EQ(nameOf(region, "i"), "parallel");
  EXPECT_EQ(nameOf(region, "j"), "parallel");
  EXPECT_EQ(nameOf(region, "k"), "reduction");
}

TEST(Verdicts, TimeStepsOfAStencilAreSequentialAndSpaceIsParallel) {
  RegionBuilder r("n, T");
  r.array("A", 1);
  r.array("B", 1);
  r.loop("t", "0 <= t < T");
  r.loop("i", "1 <= i < n - 1");
  r.statement("B[i] = A[i-1] + A[i] + A[i+1]");
  r.end();
  r.loop("j", "1 <= j < n - 1");
  r.statement("A[j] = B[j]");
  Region region = r.region();
  EXPECT_EQ(nameOf(region, "t"), "sequential");
  EXPECT_EQ(nameOf(region, "i"), "parallel");
  EXPECT_EQ(nameOf(region, "j"), "parallel");
}

// SHOWS: CH-7 RT-25
TEST(Verdicts, ScalarTemporaryIsPrivate) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.array("b", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("t = b[i] * 2");
  r.statement("a[i] = t + t * t");
  Region region = r.region();
  EXPECT_EQ(nameOf(region, "i"), "parallel");
  EXPECT_THAT(privates(region, "i"), ElementsAre("t"));
}

TEST(Verdicts, LastValueOfAPrivateScalarIsRestoredWhenTheLastIterationWritesIt) {
  for (bool guarded : {false, true}) {
    RegionBuilder r("n");
    r.array("a", 1);
    r.array("b", 1);
    r.array("t", 0).liveAfter = true;
    r.loop("i", "0 <= i < n");
    r.statement("t = b[i] * 2",
                {"", guarded ? std::vector<std::string>{"b[i] > 0"} : std::vector<std::string>{}});
    r.statement("a[i] = b[i]");
    EXPECT_EQ(nameOf(r.region(), "i"), guarded ? "sequential" : "parallel");
  }
}

TEST(Verdicts, LastValueReadLaterInTheRegionCountsToo) {
  RegionBuilder r("n", "n >= 4");
  r.array("a", 1);
  r.array("t", 1).liveAfter = false;
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < 4");
  r.statement("t[j] = a[i] + j");
  r.end();
  r.statement("a[i] = t[0] + t[3]");
  r.end();
  r.statement("a[0] = t[2]");
  EXPECT_EQ(nameOf(r.region(), "i"), "parallel");
}

TEST(Verdicts, ArrayElementsThatOnlyEarlierIterationsWriteCannotBeRestored) {
  RegionBuilder r("n", "n >= 4");
  r.array("a", 1);
  r.array("t", 1); // live after the region
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n - i");
  r.statement("t[j] = a[i] + j");
  EXPECT_EQ(nameOf(r.region(), "i"), "sequential");
}

TEST(Verdicts, TemporaryArrayIsPrivate) {
  RegionBuilder r("n, m");
  r.array("x", 2);
  r.array("tmp", 1).liveAfter = false;
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < m");
  r.statement("tmp[j] = x[i][j] * 2");
  r.end();
  r.loop("k", "1 <= k < m");
  r.statement("x[i][k] = tmp[k] + tmp[k-1]");
  Region region = r.region();
  EXPECT_EQ(nameOf(region, "i"), "parallel");
  EXPECT_THAT(privates(region, "i"), ElementsAre("tmp"));
}

TEST(Verdicts, ScalarThatSurvivesAnIterationIsNotPrivate) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.array("b", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("a[i] = t");
  r.statement("t = b[i]");
  Region region = r.region();
  LoopVerdict verdict = verdictOf(region, "i");
  EXPECT_EQ(verdict.verdict, Verdict::Sequential);
  EXPECT_EQ(verdict.reason, "`t` at line 2 reads what line 3 wrote 1 iteration earlier");
}

TEST(Verdicts, GuardedWriteMayLeaveTheOldValue) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("t = a[i]", {"", {"a[i] > 0"}});
  r.statement("a[i] = t");
  EXPECT_EQ(nameOf(r.region(), "i"), "sequential");
}

// `if (a[i] > 0) { t = b[i]; a[i] = t; }`: whenever t is read it was written just before.
TEST(Verdicts, TemporaryUnderOneConditionIsPrivate) {
  for (const char* readersGuard : {"p", "!p"}) {
    RegionBuilder r("n");
    r.array("a", 1);
    r.array("b", 1);
    r.array("t", 0);
    r.loop("i", "0 <= i < n");
    r.predicate("p", "a[i] > 0");
    r.statement("t = b[i]", {"", {"p"}});
    r.statement("a[i] = t", {"", {readersGuard}});
    EXPECT_EQ(nameOf(r.region(), "i"), readersGuard[0] == 'p' ? "parallel" : "sequential");
  }
}

TEST(Verdicts, KillEndsTheLifeOfAValue) {
  for (bool killed : {false, true}) {
    RegionBuilder r("n");
    r.array("a", 1);
    r.array("t", 0);
    r.loop("i", "0 <= i < n");
    if (killed) r.kill("t");
    r.statement("t = a[i]", {"", {"a[i] > 0"}});
    r.statement("a[i] = t");
    EXPECT_EQ(nameOf(r.region(), "i"), killed ? "parallel" : "sequential");
  }
}

TEST(Verdicts, VariableDeclaredInTheBodyIsFreshInEveryIteration) {
  RegionBuilder r("n");
  r.array("a", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("t = a[i]", {"", {"a[i] > 0"}});
  r.statement("a[i] = t");
  Region region = r.region();
  region.arrays[1].declaredIn = 0;
  EXPECT_EQ(nameOf(region, "i"), "parallel");
}

TEST(Verdicts, TemporaryInALoopOfUnknownLengthIsPrivate) {
  RegionBuilder r("n");
  r.array("y", 1);
  r.array("v", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.loop("k", "0 <= k").inexactBounds = "its bound is read from memory";
  r.statement("t = v[k] * 2");
  r.statement("y[i] += t * t");
  Region region = r.region();
  EXPECT_EQ(nameOf(region, "i"), "parallel");
  EXPECT_EQ(nameOf(region, "k"), "reduction");
}

TEST(Verdicts, WriteInALoopOfUnknownLengthMayNotHappen) {
  RegionBuilder r("n");
  r.array("y", 1);
  r.array("v", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.loop("k", "0 <= k < 10").inexactBounds = "its bound is read from memory";
  r.statement("t = v[k] * 2");
  r.end();
  r.statement("y[i] = t");
  EXPECT_EQ(nameOf(r.region(), "i"), "sequential");
}

} // namespace
} // namespace warploom
