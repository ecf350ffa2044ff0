// Scans as steps: what a loop hands on no longer keeps its iterations in order; elements of arrays are
// carried in scalars; and what is refused.
#include "Trial.h"

namespace warploom {
namespace {

RegionBuilder prefix(const char* change = "s += a[i]") {
  RegionBuilder r("n", "n >= 1");
  r.array("s", 0).liveAfter = true;
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "0 <= i < n");
  r.statement(change);
  r.statement("b[i] = s");
  return r;
}

TEST(ScanStep, WhatIsFoundByAScanDoesNotOrderIterations) {
  RegionBuilder r = prefix();
  Trial trial(r);
  EXPECT_FALSE(trial.state.isParallel("i").value());
  trial.refuses(MapToGrid{{"i"}}, {"flow dependence on `s`"});
  for (long n : {1, 2, 7}) {
    Trial one(r);
    one.accepts(ScanLoop{"i"}, {{"n", n}});
    one.accepts(MapToGrid{{"i"}}, {{"n", n}});
  }
  ASSERT_FALSE(trial.state.take(ScanLoop{"i"}));
  EXPECT_TRUE(trial.state.isParallel("i").value());
  EXPECT_EQ(print(trial.state.history().back()), "scan(\"i\")");
}

TEST(ScanStep, IsRefusedForOtherFunctionsAndInStrictFloatingPoint) {
  RegionBuilder squares = prefix("s = s * s + a[i]");
  Trial trial(squares);
  trial.refuses(ScanLoop{"i"}, {"not known before those before it have run"});
  trial.refuses(ScanLoop{"j"}, {"there is no loop `j`"});
  RegionBuilder sums = prefix();
  Trial strict(sums, true);
  strict.refuses(ScanLoop{"i"}, {"`s` may round differently"});
}

RegionBuilder recurrence(const char* statement, const char* range = "1 <= i < n") {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1).liveAfter = true;
  r.array("b", 1);
  r.loop("i", range);
  r.statement(statement);
  return r;
}

TEST(CarryStep, AnElementIsHandedOnInAScalar) {
  RegionBuilder r = recurrence("a[i] = a[i - 1] * b[i] + b[i]");
  Trial trial(r);
  ASSERT_FALSE(trial.state.take(CarryScalar{"a", "i"}));
  EXPECT_FALSE(trial.state.finalCheck());
  EXPECT_EQ(trial.state.region().arrays.back().name, "a_last");
  EXPECT_EQ(trial.state.region().statements.size(), 3u); // what it begins with, what is handed on, the store
  EXPECT_EQ(print(trial.state.history().front()), "carry(\"a\", \"i\")");
  ASSERT_FALSE(trial.state.take(ScanLoop{"i"}));
  EXPECT_TRUE(trial.state.isParallel("i").value());
}

// `c[i]` needs the element before, too, when the next one is there: `a_now` is computed beside `a_last`.
TEST(CarryStep, AnElementThatIsNeededAfterTheNextIsThereHasAScalarBesideIt) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1).liveAfter = true;
  r.array("b", 1);
  r.array("c", 1).liveAfter = true;
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = a[i - 1] * b[i]");
  r.statement("c[i] = a[i - 1] + b[i]");
  Trial trial(r);
  ASSERT_FALSE(trial.state.take(CarryScalar{"a", "i"}));
  EXPECT_FALSE(trial.state.finalCheck());
  const Region& region = trial.state.region();
  EXPECT_EQ(region.arrays[region.arrays.size() - 2].name, "a_last");
  EXPECT_EQ(region.arrays.back().name, "a_now");
  ASSERT_EQ(region.statements.size(), 5u);
  EXPECT_EQ(region.statements.back().text, "a_last = a_now");
  // Elements that differ at first are no one value.
  RegionBuilder other("n", "n >= 1");
  other.array("a", 1).liveAfter = true;
  other.array("c", 1).liveAfter = true;
  other.loop("i", "1 <= i < n");
  other.statement("a[i] = a[i - 1] + 1");
  other.statement("c[i] = a[i - 2]");
  Trial far(other);
  far.refuses(CarryScalar{"a", "i"}, {"more than one iteration before"});
}

// What the first read finds is from before the loop, but by then the scalar has been given other elements.
TEST(CarryStep, IsRefusedWhereTheLoopHasWrittenBeforeTheFirstRead) {
  for (bool late : {false, true}) {
    RegionBuilder r("n", "n >= 1");
    r.array("a", 1).liveAfter = true;
    r.array("c", 1).liveAfter = true;
    r.loop("i", "1 <= i < n");
    if (!late) r.statement("c[i] = a[i - 1]", {"i >= 5"});
    r.statement("a[i] = c[i] + 1", {"i < 4 or i > 4"});
    if (late) r.statement("c[i] = a[i - 1]", {"i >= 5"});
    Trial trial(r);
    trial.refuses(CarryScalar{"a", "i"}, {"when the loop has written elsewhere"});
  }
}

TEST(CarryStep, IsRefusedForOtherDistancesAndAfterOtherSteps) {
  RegionBuilder two = recurrence("a[i] = a[i - 2] + b[i]", "2 <= i < n");
  Trial far(two);
  far.refuses(CarryScalar{"a", "i"}, {"more than one iteration before"});
  far.refuses(CarryScalar{"b", "i"}, {"nothing in the loop writes `b`"});
  far.refuses(CarryScalar{"z", "i"}, {"there is no array `z`"});
  RegionBuilder none = recurrence("a[i] = b[i] * 2");
  Trial nothing(none);
  nothing.refuses(CarryScalar{"a", "i"}, {"no iteration reads"});
  RegionBuilder next = recurrence("a[i] = a[i - 1] + b[i]");
  Trial late(next);
  ASSERT_FALSE(late.state.take(Strip{"i", 4L, "ii"}));
  late.refuses(CarryScalar{"a", "i"}, {"before all other steps"});
}

} // namespace
} // namespace warploom
