// Tile, strip, permute, fuse, distribute, reorder: each in a legal use, an illegal one, and at the edges.
#include "Trial.h"

#include <isl/schedule.h>

namespace warploom {
namespace {

using testing::ElementsAre;

/// for i, j: c[i][j] = a[i][j], with no dependence at all.
RegionBuilder copy(const std::string& i, const std::string& j) {
  RegionBuilder r("n, m", "n >= 0 and m >= 0");
  r.array("a", 2);
  r.array("c", 2);
  r.loop("i", i);
  r.loop("j", j);
  r.statement("c[i][j] = a[i][j]");
  return r;
}

/// for t, x: g[t][x] = g[t-1][x+1]: distance (1, -1).
RegionBuilder wave() {
  RegionBuilder r("n", "n >= 1");
  r.array("g", 2);
  r.loop("t", "1 <= t < n");
  r.loop("x", "0 <= x < n");
  r.statement("g[t][x] = g[t-1][x+1]");
  return r;
}

RegionBuilder product() {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("b", 2);
  r.array("c", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.loop("k", "0 <= k < n");
  r.statement("c[i][j] += a[i][k] * b[k][j]");
  return r;
}

std::vector<std::string> namesIn(const Trial& trial) {
  return loopNames(trial.state.tree());
}

TEST(TileStep, OneLoopOfAThousandByConstantSize) {
  RegionBuilder r;
  r.array("y", 1);
  r.loop("r", "0 <= r < 1000");
  r.statement("y[r] = 1");
  Trial trial(r);
  trial.accepts(Tile{{"r"}, {64L}, {{"rr"}}, {"rr", "r"}}, {});
  ASSERT_THAT(namesIn(trial), ElementsAre("rr", "r"));
  // { [rr, r] }: sixteen tiles, the last of forty values.
  isl::union_map times = isl::manage(isl_schedule_get_map(trial.state.schedule().get()));
  isl::union_set when = times.range();
  EXPECT_TRUE(when.is_equal(
      isl::union_set(islContext(), "{ [b, r] : 0 <= r < 1000 and 64 b <= r < 64 b + 64 and 0 <= b <= 15 }")));
}

TEST(TileStep, CountedAndStrided) {
  auto range = [](Tile::Method method) {
    RegionBuilder r;
    r.array("y", 1);
    r.loop("i", "0 <= i < 40");
    r.statement("y[i] = 1");
    Trial trial(r);
    trial.accepts(Tile{{"i"}, {16L}, {{"ii"}}, {}, method}, {});
    return printed(isl::manage(isl_schedule_get_map(trial.state.schedule().get())).range().lexmax());
  };
  EXPECT_EQ(range(Tile::Method::Counted), "{ [2, 39] }");
  EXPECT_EQ(range(Tile::Method::Strided), "{ [32, 39] }");
}

TEST(TileStep, SeveralLoopsInTheOrderAsked) {
  RegionBuilder r = copy("0 <= i < n", "0 <= j < m");
  Trial trial(r);
  trial.accepts(Tile{{"i", "j"}, {4L, 3L}, {{"ii"}, {"jj"}}, {"jj", "ii", "j", "i"}}, {{"n", 7}, {"m", 5}});
  EXPECT_THAT(namesIn(trial), ElementsAre("jj", "ii", "j", "i"));
  EXPECT_THAT(replay(trial.state.tree(), {{"n", 2}, {"m", 4}}),
              ElementsAre("S0[0, 0]", "S0[1, 0]", "S0[0, 1]", "S0[1, 1]", "S0[0, 2]", "S0[1, 2]", "S0[0, 3]",
                          "S0[1, 3]"));
}

TEST(TileStep, SymbolicSizesBecomeOrigins) {
  RegionBuilder r = copy("1 <= i < n", "0 <= j < m");
  Trial trial(r);
  for (long size : {1, 2, 3, 100}) {
    RegionBuilder again = copy("1 <= i < n", "0 <= j < m");
    Trial ragged(again);
    ragged.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}},
                   {{"n", 8}, {"m", 5}, {"TI", size}, {"TJ", 2}});
  }
  trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, {{"n", 8}, {"m", 5}, {"TI", 3}, {"TJ", 2}});
  std::vector<SymbolicTile> tiles = symbolicTiles(trial.state.tree());
  EXPECT_THAT(tiles, ElementsAre(SymbolicTile{"oi", "TI", ""}, SymbolicTile{"oj", "TJ", ""}));
  // What is left for one choice of origins is the part of one tile, with no product in sight.
  EXPECT_TRUE(trial.state.schedule().domain().is_equal(isl::union_set(
      islContext(), "[n, m, oi, oj, TI, TJ] -> { S0[i, j] : 1 <= i < n and 0 <= j < m and TI >= 1 and "
                    "TJ >= 1 and oi <= i < oi + TI and oj <= j < oj + TJ }")));
}

TEST(TileStep, SymbolicTileInsideATile) {
  RegionBuilder r = copy("0 <= i < n", "0 <= j < m");
  Trial trial(r);
  Sizes sizes{{"n", 11}, {"m", 2}, {"TI", 5}, {"BI", 2}};
  trial.accepts(Strip{"i", "TI", "ii"}, sizes);
  trial.accepts(Strip{"i", "BI", "si"}, sizes);
  EXPECT_THAT(symbolicTiles(trial.state.tree()),
              ElementsAre(SymbolicTile{"oi", "TI", ""}, SymbolicTile{"oi_2", "BI", "oi"}));
}

TEST(TileStep, RefusesWhereADependenceTurnsRound) {
  for (Size size : {Size(4L), Size("T")}) {
    RegionBuilder r = wave();
    Trial trial(r);
    trial.refuses(Tile{{"t", "x"}, {size, size}, {{"tt"}, {"xx"}}},
                  {"flow dependence on `g`", "from `g[t][x]` at line 3", "to `g[t-1][x+1]` at line 3",
                   "distance (1, -1)", "along `xx`"});
    // Either loop alone may be tiled where it stands.
    trial.accepts(Strip{"x", size, "xx"}, {{"n", 6}, {"T", 4}});
    trial.accepts(Strip{"t", 3L, "tt"}, {{"n", 6}, {"T", 4}});
  }
}

TEST(TileStep, NamesAreCheckedAndTileLoopsRenamed) {
  RegionBuilder r = copy("0 <= i < n", "0 <= j < m");
  Trial trial(r);
  trial.refuses(Tile{{"q"}, {4L}, {{"qq"}}}, {"no loop `q`"});
  trial.refuses(Tile{{"i"}, {4L}, {{"j"}}}, {"`j` is in use"});
  trial.refuses(Tile{{"i"}, {4L}, {{"n"}}}, {"`n` is in use"});
  trial.refuses(Tile{{"i"}, {4L}, {{"a b"}}}, {"no name"});
  trial.refuses(Tile{{"i"}, {"m"}, {{"ii"}}}, {"`m` is in use"});
  trial.refuses(Tile{{"i", "j"}, {4L, 4L}, {{"x"}, {"x"}}}, {"named twice"});
  trial.refuses(Tile{{"i"}, {0L}, {{"ii"}}}, {"size 0"});
  trial.refuses(Tile{{"i"}, {}, {{"ii"}}}, {"1 loops, 0 sizes"});
  trial.refuses(Tile{{"i"}, {4L}, {{"ii"}}, {"ii", "ii"}}, {"named twice"});
  trial.accepts(Tile{{"i"}, {4L}, {{"b", "t"}}}, {{"n", 6}, {"m", 2}});
  EXPECT_THAT(namesIn(trial), ElementsAre("b", "t", "j"));
  trial.refuses(Permute{{"i", "j"}}, {"no loop `i`"});
}

TEST(TileStep, EmptyAndOneIteration) {
  RegionBuilder none = copy("0 <= i < n and 1 = 0", "0 <= j < m");
  Trial empty(none);
  empty.accepts(Tile{{"i", "j"}, {4L, "TJ"}, {{"ii"}, {"jj"}}}, {{"n", 3}, {"m", 3}, {"TJ", 2}});
  RegionBuilder single = copy("i = 5", "0 <= j < m");
  Trial one(single);
  one.accepts(Tile{{"i", "j"}, {"TI", 7L}, {{"ii"}, {"jj"}}}, {{"n", 3}, {"m", 3}, {"TI", 2}});
}

TEST(TileStep, SymbolicTilesAreNotTiledAgain) {
  RegionBuilder r = copy("0 <= i < n", "0 <= j < m");
  Trial trial(r);
  trial.accepts(Strip{"i", "TI", "ii"}, {{"n", 5}, {"m", 2}, {"TI", 2}});
  trial.refuses(Strip{"ii", "TT", "iii"}, {"tiles of symbolic size `TI`"});
}

/// g[t][x] needs g[t-2][x-3] and g[t-3][x-2].
RegionBuilder twoBack() {
  RegionBuilder r("n", "n >= 1");
  r.array("g", 2);
  r.loop("t", "3 <= t < n");
  r.loop("x", "3 <= x < n");
  r.statement("g[t][x] = g[t-2][x-3] + g[t-3][x-2]");
  return r;
}

TEST(ShellsStep, LegalAndIllegal) {
  const Sizes sizes{{"n", 12}};
  RegionBuilder r = twoBack();
  Trial trial(r);
  trial.refuses(Shells{{}, "s"}, {"no loops"});
  trial.refuses(Shells{{"t", "x"}, "s"}, {"do not tell their iterations apart"});
  trial.refuses(Shells{{"t"}, "x"}, {"`x` is in use"});
  trial.accepts(Strip{"t", 2L, "tt"}, sizes);
  trial.accepts(Strip{"x", 2L, "xx"}, sizes);
  trial.accepts(Shells{{"tt", "xx"}, "s"}, sizes);
  EXPECT_THAT(namesIn(trial), ElementsAre("s", "t", "x"));
  EXPECT_TRUE(trial.state.isParallel("t").value_or(false));
  EXPECT_TRUE(trial.state.isParallel("x").value_or(false));
  // Iterations of a shell that depend on each other are still in order; where shells are not, there are none.
  Trial wide(r);
  wide.accepts(Strip{"t", 3L, "tt"}, sizes);
  wide.accepts(Strip{"x", 3L, "xx"}, sizes);
  wide.accepts(Shells{{"tt", "xx"}, "s"}, sizes);
  EXPECT_FALSE(wide.state.isParallel("t").value_or(true));
  RegionBuilder other = wave();
  Trial turned(other);
  turned.accepts(Strip{"t", 2L, "tt"}, {{"n", 6}});
  turned.accepts(Strip{"x", 2L, "xx"}, {{"n", 6}});
  turned.refuses(Shells{{"tt", "xx"}, "s"}, {"flow dependence on `g`"});
  turned.refuses(Shells{{"tt", "q"}, "s"}, {"no loop `q`"});
}

TEST(ShellsStep, EmptyAndOneLoop) {
  RegionBuilder none = copy("0 <= i < n and 1 = 0", "0 <= j < m");
  Trial empty(none);
  empty.accepts(Strip{"i", 4L, "ii"}, {{"n", 3}, {"m", 3}});
  empty.accepts(Strip{"j", 4L, "jj"}, {{"n", 3}, {"m", 3}});
  empty.accepts(Shells{{"ii", "jj"}, "s"}, {{"n", 3}, {"m", 3}});
  RegionBuilder r = copy("0 <= i < n", "0 <= j < m");
  Trial one(r);
  one.accepts(Strip{"j", 4L, "jj"}, {{"n", 3}, {"m", 7}});
  one.accepts(Shells{{"jj"}, "s"}, {{"n", 3}, {"m", 7}});
  EXPECT_THAT(namesIn(one), ElementsAre("i", "s", "j"));
}

TEST(PermuteStep, LegalAndIllegal) {
  RegionBuilder r = product();
  Trial trial(r);
  trial.accepts(Permute{{"k", "i", "j"}}, {{"n", 3}});
  EXPECT_THAT(namesIn(trial), ElementsAre("k", "i", "j"));
  EXPECT_EQ(print(trial.state.history().back()), "permute({\"k\", \"i\", \"j\"})");
  // Two of three: they change places with each other only.
  trial.accepts(Permute{{"j", "k"}}, {{"n", 3}});
  EXPECT_THAT(namesIn(trial), ElementsAre("j", "i", "k"));

  RegionBuilder w = wave();
  Trial refused(w);
  refused.refuses(Permute{{"x", "t"}}, {"flow dependence", "at line 3", "distance (1, -1)", "along `x`"});
  refused.refuses(Permute{{"x", "x"}}, {"named twice"});
}

TEST(PermuteStep, TriangleAndImperfectNest) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 2);
  r.array("s", 1);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j <= i");
  r.statement("a[i][j] = 1");
  Trial triangle(r);
  triangle.accepts(Permute{{"j", "i"}}, {{"n", 4}});
  RegionBuilder imperfect("n", "n >= 0");
  imperfect.array("a", 2);
  imperfect.array("s", 1);
  imperfect.loop("i", "0 <= i < n");
  imperfect.statement("s[i] = 0");
  imperfect.loop("j", "0 <= j < n");
  imperfect.statement("s[i] += a[i][j]");
  Trial trial(imperfect);
  trial.refuses(Permute{{"j", "i"}}, {"`i` and `j` are not perfectly nested"});
  // Distributed, it is.
  trial.accepts(Distribute{"i"}, {{"n", 3}});
  EXPECT_THAT(namesIn(trial), ElementsAre("i", "i_2", "j"));
  trial.accepts(Permute{{"j", "i_2"}}, {{"n", 3}});
}

/// for i: p[i] = q[i]; for i: z[i] = p[i + ahead].
RegionBuilder twoLoops(const std::string& ahead, const std::string& i = "0 <= i < n") {
  RegionBuilder r("n", "n >= 0");
  r.array("p", 1);
  r.array("q", 1);
  r.array("z", 1);
  r.loop("i", i);
  r.statement("p[i] = q[i]");
  r.end();
  r.loop("i", i);
  r.statement("z[i] = p[i" + ahead + "]");
  return r;
}

TEST(FuseStep, LegalAndIllegal) {
  RegionBuilder r = twoLoops("-1");
  Trial trial(r);
  EXPECT_THAT(namesIn(trial), ElementsAre("i", "i_2"));
  trial.accepts(Fuse{"i", "i_2"}, {{"n", 4}});
  EXPECT_EQ(printed(trial.state.tree()), "i\n  S0\n  S1\n");
  trial.accepts(Distribute{"i"}, {{"n", 4}});
  EXPECT_EQ(printed(trial.state.tree()), "i\n  S0\ni_3\n  S1\n");

  RegionBuilder ahead = twoLoops("+1");
  Trial refused(ahead);
  refused.refuses(Fuse{"i", "i_2"}, {"flow dependence on `p`", "line 2", "line 4", "along `i`"});
  refused.refuses(Fuse{"i_2", "i"}, {"does not follow"});
  // Shifted by one, they fit.
  refused.accepts(Shift{{"S1"}, "i_2", "1"}, {{"n", 4}});
  refused.accepts(Fuse{"i", "i_2"}, {{"n", 4}});
}

TEST(FuseStep, EmptyAndDifferentExtents) {
  RegionBuilder none = twoLoops("", "0 <= i < n and n < 0");
  Trial empty(none);
  empty.accepts(Fuse{"i", "i_2"}, {{"n", 4}});
  RegionBuilder single = twoLoops("", "i = 3");
  Trial one(single);
  one.accepts(Fuse{"i", "i_2"}, {{"n", 4}});
}

TEST(DistributeStep, RefusesACycle) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = b[i-1]");
  r.statement("b[i] = a[i]");
  Trial trial(r);
  trial.refuses(Distribute{"i"},
                {"flow dependence on `b`", "`b[i]` at line 3", "`b[i-1]` at line 2", "distance (1)"});
  RegionBuilder single("n", "n >= 0");
  single.array("a", 1);
  single.loop("i", "1 <= i < n");
  single.statement("a[i] = 1");
  Trial one(single);
  one.refuses(Distribute{"i"}, {"one piece"});
}

TEST(DistributeStep, CutsOnlyWhereItIsTold) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = b[i-1]");
  r.statement("a[i] = a[i]");
  r.statement("b[i] = a[i-1]");
  r.statement("b[i] = b[i]");
  Trial trial(r);
  trial.refuses(Distribute{"i", {"S9"}}, {"`S9` is not in the body of `i`"});
  trial.refuses(Distribute{"i", {"S0"}}, {"nothing of the body of `i` is in front of the cut"});
  trial.refuses(Distribute{"i", {"S2"}}, {"flow dependence on `b`"});
  RegionBuilder apart("n", "n >= 0");
  apart.array("a", 1);
  apart.array("b", 1);
  apart.loop("i", "1 <= i < n");
  for (const char* statement : {"a[i] = 1", "a[i] = a[i]", "b[i] = a[i]", "b[i] = b[i]"})
    apart.statement(statement);
  Trial cut(apart);
  cut.accepts(Distribute{"i", {"S2"}}, {{"n", 4}});
  EXPECT_EQ(printed(cut.state.tree()), "i\n  S0\n  S1\ni_2\n  S2\n  S3\n");
  EXPECT_EQ(print(cut.state.history().back()), "distribute(\"i\", {\"S2\"})");
}

TEST(DistributeStep, CutsInFrontOfLoops) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 2);
  r.array("b", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("a[i][j] = 1");
  r.end();
  r.loop("j", "0 <= j < n");
  r.statement("b[i][j] = 1");
  Trial cut(r);
  cut.refuses(Distribute{"i", {"i"}}, {"`i` is not in the body of `i`"});
  cut.accepts(Distribute{"i", {"j_2"}}, {{"n", 3}});
  EXPECT_EQ(printed(cut.state.tree()), "i\n  j\n    S0\ni_2\n  j_2\n    S1\n");
}

TEST(ReorderStep, PutsPartsInOrder) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.array("b", 1);
  r.array("c", 2);
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = b[i-1]");
  r.loop("j", "0 <= j < n");
  r.statement("c[i][j] = 1");
  r.end();
  r.statement("b[i] = a[i]");
  Trial trial(r);
  trial.refuses(Reorder{"i", {"S2", "S0"}}, {"flow dependence on `a`", "would run backwards"});
  trial.refuses(Reorder{"i", {"j", "S9"}}, {"`S9` is no part of the body of `i`"});
  trial.refuses(Reorder{"i", {"j", "j"}}, {"`j` is named twice"});
  trial.refuses(Reorder{"i", {}}, {"no parts are named"});
  trial.refuses(Reorder{"j", {"S1"}}, {"one piece"});
  trial.refuses(Reorder{"x", {"S1"}}, {"there is no loop `x`"});
  // Those that are not named come after.
  trial.accepts(Reorder{"i", {"j", "S0"}}, {{"n", 4}});
  EXPECT_EQ(printed(trial.state.tree()), "i\n  j\n    S1\n  S0\n  S2\n");
  trial.accepts(Reorder{"i", {"S0", "S2"}}, {{"n", 4}});
  EXPECT_EQ(printed(trial.state.tree()), "i\n  j\n    S1\n  S0\n  S2\n");
  EXPECT_EQ(print(trial.state.history().front()), "reorder(\"i\", {\"j\", \"S0\"})");
}

TEST(StepHistory, ReplaysToTheSameSchedule) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}, {"ii", "jj", "i", "j"}}, sizes);
  trial.accepts(Tile{{"k"}, {2L}, {{"kk"}}, {"ii", "jj", "kk", "i", "j", "k"}, Tile::Method::Strided}, sizes);
  trial.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  ScheduleState again(trial.region, trial.facts);
  for (const Step& step : trial.state.history())
    ASSERT_FALSE(again.take(step));
  EXPECT_EQ(printed(again.tree()), printed(trial.state.tree()));
  EXPECT_EQ(printed(again.schedule()), printed(trial.state.schedule()));
  EXPECT_EQ(print(trial.state.history()[1]), "tile_by_index({\"k\"}, {2}, {l1_control=\"kk\"}, {\"ii\", "
                                             "\"jj\", \"kk\", \"i\", \"j\", \"k\"}, strided)");
}

TEST(StripStep, ALoopThatNeverRunsHasNoTiles) {
  RegionBuilder r = copy("0 <= i < n and n < 0", "0 <= j < m");
  Trial trial(r);
  trial.refuses(Strip{"i", 4L, "ii", {2, 7}}, {"`i` never runs"});
}

} // namespace
} // namespace warploom
