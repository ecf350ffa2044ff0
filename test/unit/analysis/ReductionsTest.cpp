// Which loops are reductions, in all the ways C programs write one, and which only look like it.
#include "RegionBuilder.h"
#include "analysis/Facts.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

/// "+ s", "min m, + s", ... for a reduction; else the verdict's name.
std::string describe(const Region& region, const std::string& index) {
  LoopVerdict verdict = analyse(region).loops.at(loopNamed(region, index));
  if (verdict.verdict != Verdict::Reduction) return verdictName(verdict.verdict);
  std::string text;
  for (const Reduction& reduction : verdict.reductions)
    text += (text.empty() ? "" : ", ") + reduction.op + " " + region.arrays[reduction.array].name;
  return text;
}

/// The verdict on a loop over `i` with scalars s, m, t (double), k (int) and arrays a, b (double), c (int).
std::string loopOf(const std::vector<std::string>& body, const std::vector<std::string>& guards = {}) {
  RegionBuilder r("n");
  for (const char* name : {"s", "m", "t"})
    r.array(name, 0).liveAfter = true;
  r.array("k", 0, "int").liveAfter = true;
  r.array("a", 1);
  r.array("b", 1);
  r.array("c", 1, "int");
  r.loop("i", "1 <= i < n");
  for (const std::string& text : body)
    r.statement(text, {"", guards});
  return describe(r.region(), "i");
}

TEST(Reductions, EveryOperatorAndSpelling) {
  EXPECT_EQ(loopOf({"s += a[i]"}), "+ s");
  EXPECT_EQ(loopOf({"s -= a[i]"}), "+ s");
  EXPECT_EQ(loopOf({"s = s + a[i] * b[i]"}), "+ s");
  EXPECT_EQ(loopOf({"s = a[i] + s"}), "+ s");
  EXPECT_EQ(loopOf({"s = s - a[i]"}), "+ s");
  EXPECT_EQ(loopOf({"s = s + a[i] + b[i]"}), "+ s");
  EXPECT_EQ(loopOf({"s = a[i] + (b[i] + s)"}), "+ s");
  EXPECT_EQ(loopOf({"s *= a[i]"}), "* s");
  EXPECT_EQ(loopOf({"s = a[i] * s"}), "* s");
  EXPECT_EQ(loopOf({"k &= c[i]"}), "& k");
  EXPECT_EQ(loopOf({"k = k | c[i]"}), "| k");
  EXPECT_EQ(loopOf({"k ^= c[i]"}), "^ k");
  EXPECT_EQ(loopOf({"k = k && c[i] > 3"}), "&& k");
  EXPECT_EQ(loopOf({"k = c[i] == 0 || k"}), "|| k");
}

TEST(Reductions, MinimumAndMaximum) {
  EXPECT_EQ(loopOf({"m = fmin(m, a[i])"}), "min m");
  EXPECT_EQ(loopOf({"m = fmaxf(a[i], m)"}), "max m");
  EXPECT_EQ(loopOf({"m = a[i] < m ? a[i] : m"}), "min m");
  EXPECT_EQ(loopOf({"m = m < a[i] ? a[i] : m"}), "max m");
  EXPECT_EQ(loopOf({"m = m > a[i] ? m : a[i]"}), "max m");
  EXPECT_EQ(loopOf({"m = a[i]"}, {"a[i] < m"}), "min m");
  EXPECT_EQ(loopOf({"m = a[i]"}, {"m >= a[i]"}), "min m");
  EXPECT_EQ(loopOf({"m = a[i]"}, {"m < a[i]"}), "max m");
  EXPECT_EQ(loopOf({"m = a[i] * b[i]"}, {"a[i] * b[i] > m"}), "max m");
}

TEST(Reductions, GuardedAndSeveralAtOnce) {
  EXPECT_EQ(loopOf({"s += a[i]"}, {"a[i] > 0"}), "+ s");
  EXPECT_EQ(loopOf({"s = a[i] > 0 ? s + a[i] : s"}), "+ s");
  EXPECT_EQ(loopOf({"s += a[i]", "m = fmax(m, a[i])"}), "+ s, max m");
  EXPECT_EQ(loopOf({"s += a[i]", "s += b[i]"}), "+ s");
}

TEST(Reductions, OnesThatOnlyLookLikeIt) {
  EXPECT_EQ(loopOf({"s += a[i]", "b[i] = s"}), "sequential") << "prefix sum";
  EXPECT_EQ(loopOf({"s = a[i] - s"}), "sequential") << "the accumulator is subtracted";
  EXPECT_EQ(loopOf({"s += s * a[i]"}), "sequential") << "the accumulator occurs twice";
  EXPECT_EQ(loopOf({"s += a[i]", "s *= b[i]"}), "sequential") << "two operations";
  EXPECT_EQ(loopOf({"s += a[i]"}, {"s < 100"}), "sequential") << "the guard reads the accumulator";
  EXPECT_EQ(loopOf({"m = b[i]"}, {"a[i] < m"}), "sequential") << "compares one thing and stores another";
  EXPECT_EQ(loopOf({"m = a[i] < m ? m : b[i]"}), "sequential") << "selects something else";
  EXPECT_EQ(loopOf({"s /= a[i]"}), "sequential") << "division";
  EXPECT_EQ(loopOf({"a[i] += a[i-1]"}), "sequential") << "reads a neighbour";
  EXPECT_EQ(loopOf({"k += a[i]"}), "sequential") << "an integer accumulator rounds every sum";
}

// The value of the accumulator in the last iteration only: still one order.
TEST(Reductions, AccumulatorReadInTheLastIteration) {
  RegionBuilder r("n");
  r.array("s", 0);
  r.array("a", 1);
  r.array("last", 1);
  r.loop("i", "0 <= i < n");
  r.statement("s += a[i]");
  r.statement("last[0] = s", {"i = n - 1", {}});
  EXPECT_EQ(describe(r.region(), "i"), "sequential");
}

TEST(Reductions, ArrayAccumulator) {
  RegionBuilder r("n, m");
  r.array("y", 1);
  r.array("A", 2);
  r.array("x", 1);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < m");
  r.statement("y[j] += A[i][j] * x[i]");
  Region region = r.region();
  EXPECT_EQ(describe(region, "i"), "+ y");
  EXPECT_EQ(describe(region, "j"), "parallel");
}

// SHOWS: RT-27
TEST(Reductions, Histogram) {
  EXPECT_EQ(loopOf({"a[c[i]] += 1"}), "+ a");
  EXPECT_EQ(loopOf({"a[c[i]] = a[c[i]] + b[i]"}), "+ a");
  EXPECT_EQ(loopOf({"a[c[i]] += a[i]"}), "unknown") << "reads what it may have changed";
  EXPECT_EQ(loopOf({"a[c[i]] = b[i]"}), "unknown") << "a scatter is not one";
  EXPECT_EQ(loopOf({"a[c[i]] = a[c[i]] + a[c[i+1]]"}), "unknown")
      << "reads another element it may have changed";
  EXPECT_EQ(loopOf({"a[c[i]] = a[c[i-1]] + 1"}), "unknown")
      << "two subscripts about which nothing is known differ";
}

TEST(Reductions, AccumulatorSetInEveryIterationOfTheOuterLoop) {
  RegionBuilder r("n");
  r.array("s", 0);
  r.array("A", 2);
  r.array("y", 1);
  r.loop("i", "0 <= i < n");
  r.statement("s = 0");
  r.loop("j", "0 <= j < n");
  r.statement("s += A[i][j]");
  r.end();
  r.statement("y[i] = s");
  Region region = r.region();
  EXPECT_EQ(describe(region, "i"), "parallel");
  EXPECT_EQ(describe(region, "j"), "+ s");
}

TEST(Reductions, ConditionalReductionKeepsItsAccumulators) {
  RegionBuilder r("n");
  r.array("s", 0);
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "0 <= i < n");
  r.statement("s += a[i]");
  r.statement("b[i] = a[i]");
  Region region = r.region();
  region.conditions.push_back({Condition::Kind::NoOverlap, "`a` and `b` do not overlap", {1, 2}, {}, {}, {}});
  LoopVerdict verdict = analyse(region).loops.at(0);
  EXPECT_EQ(verdict.verdict, Verdict::Conditional);
  ASSERT_EQ(verdict.reductions.size(), 1u);
  EXPECT_EQ(verdict.reductions[0].op, "+");
}

} // namespace
} // namespace warploom
