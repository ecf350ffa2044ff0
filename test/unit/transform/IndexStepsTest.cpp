// Skew, shift, reverse, split, peel: each in a legal use, an illegal one, and at the edges.
#include "Trial.h"

namespace warploom {
namespace {

using testing::ElementsAre;

/// for i: a[i] = a[i - distance].
RegionBuilder chain(const std::string& distance, const std::string& i = "0 <= i < n") {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.loop("i", i);
  r.statement("a[i] = a[i-" + distance + "]");
  return r;
}

RegionBuilder seidel() {
  RegionBuilder r("n, t", "n >= 0 and t >= 0");
  r.array("a", 1);
  r.loop("s", "0 <= s < t");
  r.loop("i", "1 <= i < n - 1");
  r.statement("a[i] = a[i-1] + a[i] + a[i+1]");
  return r;
}

TEST(SkewStep, MakesTimeTilingLegal) {
  RegionBuilder r = seidel();
  Trial trial(r);
  Sizes sizes{{"n", 7}, {"t", 4}, {"T", 2}};
  trial.refuses(Tile{{"s", "i"}, {"T", "T"}, {{"ss"}, {"ii"}}}, {"at line 3", "distance (1, "});
  trial.refuses(Skew{"s", "i", 1}, {"`i` is not around `s`"});
  trial.accepts(Skew{"i", "s", 1}, sizes);
  trial.accepts(Tile{{"s", "i"}, {"T", "T"}, {{"ss"}, {"ii"}}}, sizes);
  trial.refuses(Skew{"i", "ii", 1}, {"symbolic size"});
  EXPECT_EQ(print(trial.state.history()[0]), "skew(\"i\", \"s\", 1)");
}

TEST(SkewStep, EmptyAndOneIteration) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.loop("s", "s = 2");
  r.loop("i", "0 <= i < n and n < 0");
  r.statement("a[i] = a[i-1]");
  Trial trial(r);
  trial.accepts(Skew{"i", "s", -3}, {{"n", 1}});
}

TEST(ShiftStep, LegalAndIllegal) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = 1");
  r.statement("b[i] = a[i-1]");
  Trial trial(r);
  trial.accepts(Shift{{"S0"}, "i", "1"}, {{"n", 5}});
  trial.refuses(Shift{{"S0"}, "i", "n"},
                {"flow dependence on `a`", "`a[i]` at line 2", "`a[i-1]` at line 3", "distance (1)"});
  trial.refuses(Shift{{"S0"}, "i", "n*n"}, {"`n*n` is not affine"});
  trial.refuses(Shift{{"S0"}, "i", "i"}, {"is not affine"});
  trial.refuses(Shift{{"S0"}, "i", "0)] : 1 = 0 }"}, {"is not affine"});
  trial.refuses(Shift{{"S7"}, "i", "1"}, {"no statement `S7`"});
  trial.accepts(Shift{{"S1"}, "i", "n - 1"}, {{"n", 5}});
}

TEST(ShiftStep, EmptyDomain) {
  RegionBuilder r = chain("1", "0 <= i < n and n < 0");
  Trial trial(r);
  trial.accepts(Shift{{"S0"}, "i", "3"}, {{"n", 1}});
}

TEST(ReverseStep, LegalAndIllegal) {
  RegionBuilder far("n", "n >= 0");
  far.array("a", 1);
  far.array("b", 1);
  far.loop("i", "0 <= i < n", 1);
  far.statement("a[i] = b[i]");
  Trial trial(far);
  trial.accepts(Reverse{"i"}, {{"n", 3}});
  EXPECT_THAT(replay(trial.state.tree(), {{"n", 3}}), ElementsAre("S0[2]", "S0[1]", "S0[0]"));

  RegionBuilder near = chain("2");
  Trial refused(near);
  refused.refuses(Reverse{"i"}, {"flow dependence on `a`", "line 2", "distance (2)"});
  // Within two iterations nothing depends on anything.
  refused.accepts(Strip{"i", 2L, "ii"}, {{"n", 7}});
  refused.accepts(Reverse{"i"}, {{"n", 7}});
}

TEST(ReverseStep, DescendingAndOneIteration) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.loop("i", "0 <= i < n", -1);
  r.statement("a[i] = a[i+1]");
  Trial descending(r);
  EXPECT_THAT(replay(descending.state.tree(), {{"n", 3}}), ElementsAre("S0[2]", "S0[1]", "S0[0]"));
  descending.refuses(Reverse{"i"}, {"distance (1)"});
  RegionBuilder single = chain("1", "i = 3");
  Trial one(single);
  one.accepts(Reverse{"i"}, {{"n", 3}});
}

TEST(NonsingularStep, LegalAndIllegal) {
  RegionBuilder r = seidel();
  Trial trial(r);
  const Sizes sizes{{"n", 7}, {"t", 4}};
  trial.refuses(Nonsingular{{"s", "i"}, {{0, 1}, {1, 0}}}, {"at line 3", "distance (1, "});
  // As Lamport has it: points along 2 s + i do not depend on each other.
  trial.accepts(Nonsingular{{"s", "i"}, {{2, 1}, {1, 0}}}, sizes);
  EXPECT_TRUE(trial.state.isParallel("i").value_or(false));
  EXPECT_EQ(print(trial.state.history()[0]), "nonsingular({\"s\", \"i\"}, {{2, 1}, {1, 0}})");
  // Values that are left out, and values that are moved.
  trial.accepts(Nonsingular{{"s", "i"}, {{3, 0, -5}, {0, -2, 1}}}, sizes);
  trial.refuses(Nonsingular{{"s", "i"}, {{1, 0}, {3, 0}}}, {"the same values"});
  trial.refuses(Nonsingular{{"i"}, {{1, 2, 3}}}, {"1 rows of 1 numbers"});
  trial.refuses(Nonsingular{{"i", "s"}, {{1, 0}, {0, 1}}}, {"`s` is not right inside `i`"});
}

TEST(NonsingularStep, PermutesAndReverses) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 2);
  r.loop("i", "0 <= i < 2");
  r.loop("j", "0 <= j < 2");
  r.statement("a[i][j] = 1");
  Trial trial(r);
  trial.accepts(Nonsingular{{"i", "j"}, {{0, 1}, {-1, 0}}}, {{"n", 1}});
  EXPECT_THAT(replay(trial.state.tree(), {{"n", 1}}),
              ElementsAre("S0[1, 0]", "S0[0, 0]", "S0[1, 1]", "S0[0, 1]"));
}

TEST(SplitStep, AtAPointAndAtALoopAround) {
  RegionBuilder r("n", "n >= 2");
  r.array("a", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("a[i][j] = a[i][j-1]");
  Trial trial(r);
  trial.accepts(Split{"j", "i", "above"}, {{"n", 4}});
  EXPECT_THAT(loopNames(trial.state.tree()), ElementsAre("i", "j", "above"));
  trial.accepts(Split{"i", "n/2", "low"}, {{"n", 5}});
  EXPECT_EQ(printed(trial.state.tree()),
            "i\n  j\n    S0\n  above\n    S0\nlow\n  j_2\n    S0\n  above_2\n    S0\n");
  trial.refuses(Split{"j", "j", "x"}, {"`j` is not affine"});
  trial.refuses(Split{"i", "n + 7", "x"}, {"would be empty"});
  trial.refuses(Split{"i", "0", "x"}, {"would be empty"});
}

TEST(SplitStep, RefusesWhereTheHalvesDependOnEachOther) {
  // Reversed inside its tile, the loop may not be cut across tiles.
  RegionBuilder r = chain("2");
  Trial trial(r);
  trial.accepts(Strip{"i", 2L, "ii"}, {{"n", 7}});
  trial.accepts(Permute{{"ii", "i"}}, {{"n", 7}});
  RegionBuilder w("n", "n >= 4");
  w.array("g", 2);
  w.loop("t", "1 <= t < n");
  w.loop("x", "0 <= x < n");
  w.statement("g[t][x] = g[t-1][x+1]");
  Trial wave(w);
  // All of the left half first, for one t: fine. With x outside it would turn round, whatever is split.
  wave.accepts(Split{"x", "2", "right"}, {{"n", 5}});
  wave.refuses(Distribute{"t"}, {"flow dependence on `g`", "line 3", "distance (1, -1)"});
}

TEST(PeelStep, FirstAndLastIterations) {
  RegionBuilder r = chain("1", "3 <= i < n");
  Trial trial(r);
  Sizes sizes{{"n", 9}};
  trial.accepts(Peel{"i", 2, "head"}, sizes);
  EXPECT_EQ(printed(trial.state.tree()), "head\n  S0\ni\n  S0\n");
  trial.accepts(Peel{"i", -1, "tail"}, sizes);
  EXPECT_EQ(printed(trial.state.tree()), "head\n  S0\ni\n  S0\ntail\n  S0\n");
  EXPECT_TRUE(
      instances(*findLoop(trial.state.tree(), "head"))
          .is_equal(isl::union_set(islContext(), "[n] -> { S0[i] : 3 <= i < n and i <= 4 and n >= 0 }")));
  trial.refuses(Peel{"i", 0, "x"}, {"not 0"});
  trial.refuses(Peel{"head", 2, "x"}, {"would be empty"});
  EXPECT_EQ(print(trial.state.history()[1]), "peel(\"i\", -1, \"tail\")");
}

TEST(PeelStep, InnerLoopOfATriangleWithStride) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "i <= j < n and (j - i) mod 3 = 0", 3);
  r.statement("a[i][j] = 1");
  Trial trial(r);
  trial.accepts(Peel{"j", 1, "first"}, {{"n", 8}});
  EXPECT_TRUE(instances(*findLoop(trial.state.tree(), "first"))
                  .is_equal(isl::union_set(islContext(), "[n] -> { S0[i, i] : 0 <= i < n }")));
}

TEST(PeelStep, NotInsideSymbolicTiles) {
  RegionBuilder r = chain("1");
  Trial trial(r);
  trial.accepts(Strip{"i", "TI", "ii"}, {{"n", 5}, {"TI", 2}});
  trial.refuses(Peel{"i", 1, "x"}, {"peel before tiling"});
  trial.refuses(Reverse{"ii"}, {"symbolic size `TI`"});
}

} // namespace
} // namespace warploom
