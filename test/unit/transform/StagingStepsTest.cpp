// Shared memory, registers, constant and read-only memory: each in a legal use, an illegal one, and at the
// edges.
#include "Trial.h"
#include "support/IslC.h"

namespace warploom {
namespace {

/// Expects the only box of `array` in an iteration of `loop` to have these sides, each its lowest value and
/// its extent in isl's words.
void expectBox(const Trial& trial, const std::string& loop, int array,
               const std::vector<std::pair<std::string, std::string>>& sides) {
  std::vector<Box> boxes = sharedBoxes(trial.state, loop, array);
  ASSERT_EQ(boxes.size(), 1u);
  ASSERT_EQ(boxes.front().low.size(), sides.size());
  auto isSame = [](const isl::pw_aff& value, const std::string& text) {
    isl::pw_aff wanted(islContext(), "[oi, oj, ok, TI, TJ, TK, B] -> { [(" + text + ")] }");
    return value.eq_set(wanted).is_equal(isl::set(islContext(), "{ : }"));
  };
  for (std::size_t d = 0; d < sides.size(); ++d) {
    EXPECT_TRUE(isSame(boxes.front().low[d], sides[d].first)) << printed(boxes.front().low[d]);
    EXPECT_TRUE(isSame(boxes.front().extent(d), sides[d].second)) << printed(boxes.front().extent(d));
  }
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

/// Tiles of all three loops, two of them on grid and block.
void tileProduct(Trial& trial, const Sizes& sizes) {
  trial.accepts(
      Tile{{"i", "j", "k"}, {"TI", "TJ", "TK"}, {{"ii"}, {"jj"}, {"kk"}}, {"ii", "jj", "kk", "k", "i", "j"}},
      sizes);
  trial.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  trial.accepts(MapToBlock{{"j", "i"}}, sizes);
}

TEST(StageSharedStep, TheFootprintOfATile) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  tileProduct(trial, sizes);
  trial.accepts(StageShared{"kk", "a", -16}, sizes);
  trial.accepts(StageShared{"kk", "b"}, sizes);
  expectBox(trial, "kk", 0, {{"oi", "TI"}, {"ok", "TK"}});
  expectBox(trial, "kk", 1, {{"ok", "TK"}, {"oj", "TJ"}});
  EXPECT_EQ(print(trial.state.history().back()), "copy_to_shared(\"kk\", \"b\", 1)");
}

TEST(StageSharedStep, MappedLoopsGoByTheirPlaces) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  tileProduct(trial, sizes);
  EXPECT_EQ(findLoop(trial.state.tree(), "bx")->name, "jj");
  EXPECT_EQ(findLoop(trial.state.tree(), "by")->name, "ii");
  EXPECT_EQ(findLoop(trial.state.tree(), "tx")->name, "j");
  EXPECT_EQ(findLoop(trial.state.tree(), "ty")->name, "i");
  EXPECT_EQ(findLoop(trial.state.tree(), "tz"), nullptr);
  trial.accepts(StageRegisters{"bx", "c"}, sizes);
  EXPECT_EQ(trial.state.staging().back().loop, "jj");
  trial.refuses(Unroll{"tx", 2}, {"`j`"});
  trial.refuses(Unroll{"tz", 2}, {"no loop", "tz"});
}

TEST(StageSharedStep, RefusesWhatThreadsDoNotShare) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  trial.refuses(StageShared{"j", "a"}, {"how much of `a`", "not known when the kernel is compiled"});
  tileProduct(trial, sizes);
  trial.refuses(StageShared{"i", "b"}, {"do not run `i` together"});
  trial.refuses(StageShared{"kk", "d"}, {"no array `d`"});
  trial.refuses(StageShared{"q", "a"}, {"no loop", "`q`"});
  trial.refuses(StageShared{"kk", "a", 0}, {"padding"});
  trial.refuses(StageShared{"ii", "a"}, {"how much of `a`"});
  trial.accepts(StageShared{"kk", "a"}, sizes);
  trial.refuses(StageShared{"kk", "a"}, {"already"});
}

TEST(StageSharedStep, NeighboursMakeAHalo) {
  RegionBuilder r("n", "n >= 3");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "1 <= i < n - 1");
  r.statement("b[i] = a[i-1] + a[i] + a[i+1]");
  Trial trial(r);
  Sizes sizes{{"n", 9}, {"B", 4}};
  trial.accepts(Strip{"i", "B", "ii"}, sizes);
  trial.accepts(StageShared{"ii", "a"}, sizes);
  expectBox(trial, "ii", 0, {{"oi - 1", "B + 2"}});
  // What is kept stays possible: in a block nobody would run `ii` together.
  trial.refuses(MapToBlock{{"ii"}}, {"`a` is kept close to the threads", "do not run `ii` together"});
  trial.accepts(MapToGrid{{"ii"}}, sizes);
  trial.accepts(MapToBlock{{"i"}}, sizes);
}

TEST(StageSharedStep, AWindowAddsItsLoops) {
  RegionBuilder r("n", "n >= 1");
  r.array("in", 2);
  r.array("mask", 2);
  r.array("out", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.loop("k", "0 <= k < 5");
  r.loop("l", "0 <= l < 3");
  r.statement("out[i][j] += in[i+k][j-2l+7] * mask[k][l]");
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  trial.accepts(StageShared{"jj", "in"}, sizes);
  expectBox(trial, "jj", 0, {{"oi", "TI + 4"}, {"oj + 3", "TJ + 4"}});
  expectBox(trial, "jj", 1, {{"0", "5"}, {"0", "3"}});
}

/// `statement` in loops over i and j, in tiles of which the points are threads.
struct TiledNest {
  explicit TiledNest(const std::string& statement, const std::string& further = "")
      : builder(made(statement, further)), trial(builder) {
    trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
    trial.accepts(MapToGrid{{"jj", "ii"}}, sizes);
    trial.accepts(MapToBlock{{"j", "i"}}, sizes);
  }
  static RegionBuilder made(const std::string& statement, const std::string& further) {
    RegionBuilder r("n", "n >= 1");
    r.array("a", 2);
    r.array("b", 2);
    r.loop("i", "0 <= i < n");
    r.loop("j", "0 <= j < n");
    r.statement(statement);
    if (!further.empty()) r.statement(further);
    return r;
  }
  const Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  RegionBuilder builder;
  Trial trial;
};

TEST(StageSharedStep, WrittenArraysInAnyDirection) {
  TiledNest interchanged("b[j][i] = a[i][j]");
  interchanged.trial.accepts(StageShared{"jj", "b", -16}, interchanged.sizes);
  expectBox(interchanged.trial, "jj", 1, {{"oj", "TJ"}, {"oi", "TI"}});
  TiledNest turned("b[n-1-i][n-1-j] += a[i][j]");
  turned.trial.accepts(StageShared{"jj", "b"}, turned.sizes);
  std::vector<Box> boxes = sharedBoxes(turned.trial.state, "jj", 1);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes.front().accesses.size(), 2u);
  isl::pw_aff low(islContext(), "[n, oi, TI] -> { [(n - oi - TI)] }");
  EXPECT_TRUE(boxes.front().low[0].eq_set(low).is_equal(isl::set(islContext(), "{ : }")));
}

TEST(StageSharedStep, WrittenArraysInBoxesThatAreApart) {
  TiledNest rows("b[i][j] = a[i][j]", "a[i][j] = b[i][j] + b[i][j+n]");
  rows.trial.accepts(StageShared{"jj", "b"}, rows.sizes);
  EXPECT_EQ(sharedBoxes(rows.trial.state, "jj", 1).size(), 2u);
}

TEST(StageSharedStep, RefusesWritesThatAreNotExactlyKnown) {
  TiledNest rows("b[i][j] = a[i][j]", "a[i][j] = b[i][j] + b[i][j+n]");
  rows.trial.accepts(StageShared{"jj", "a"}, rows.sizes);
  rows.trial.refuses(StageRegisters{"jj", "a"}, {"`a` is kept so already"});
  // What threads combine is nobody's alone.
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("s", 1);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("s[i] += a[i][j]");
  Trial sums(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  sums.accepts(Reduce{"s", "j"}, sizes);
  sums.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  sums.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  sums.accepts(MapToBlock{{"j", "i"}}, sizes);
  sums.refuses(StageShared{"jj", "s"}, {"several blocks may combine values in one element of `s`"});
}

TEST(StageSharedStep, TwoCopiesOverlap) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  tileProduct(trial, sizes);
  trial.refuses(StageShared{"kk", "a", 1, 9}, {"9 copies"});
  trial.refuses(StageShared{"kk", "c", 1, 2}, {"line 4 writes `c`"});
  trial.accepts(StageShared{"kk", "a", -16, 2}, sizes);
  trial.refuses(StageShared{"kk", "b"}, {"`a` has another number of copies in `kk`"});
  trial.accepts(StageShared{"kk", "b", 1, 2}, sizes);
  EXPECT_EQ(print(trial.state.history().back()), "copy_to_shared(\"kk\", \"b\", 1, 2)");
  // The tiles of a grid are nobody's one after another.
  TiledNest nest("b[i][j] = a[i][j]");
  nest.trial.refuses(StageShared{"jj", "a", 1, 2}, {"`jj` is no loop", "one iteration after another"});
}

TEST(PipelineStep, AllTilesOfALoopInSeveralCopies) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  tileProduct(trial, sizes);
  trial.refuses(Pipeline{"kk", 3}, {"nothing is in shared memory for an iteration of `kk`"});
  trial.accepts(StageShared{"kk", "a"}, sizes);
  trial.accepts(StageShared{"kk", "b", -16}, sizes);
  trial.refuses(Pipeline{"q", 3}, {"no loop", "`q`"});
  trial.refuses(Pipeline{"kk", 1}, {"1 copies of a tile"});
  trial.refuses(Pipeline{"kk", 9}, {"9 copies of a tile"});
  trial.accepts(Pipeline{"kk", 3}, sizes);
  for (const Staging& staging : trial.state.staging())
    EXPECT_EQ(staging.copies, 3);
  EXPECT_EQ(print(trial.state.history().back()), "pipeline(\"kk\", 3)");
  // What is written would be read before it is there; and all of this is refused together.
  RegionBuilder w = product();
  Trial written(w);
  tileProduct(written, sizes);
  written.accepts(StageShared{"kk", "a"}, sizes);
  written.accepts(StageShared{"kk", "c"}, sizes);
  written.refuses(Pipeline{"kk", 2}, {"line 4 writes `c`"});
  for (const Staging& staging : written.state.staging())
    EXPECT_EQ(staging.copies, 1);
  TiledNest nest("b[i][j] = a[i][j]");
  nest.trial.accepts(StageShared{"jj", "a"}, nest.sizes);
  nest.trial.refuses(Pipeline{"jj", 2}, {"`jj` is no loop", "one iteration after another"});
}

TEST(LaunchBoundsStep, IsAboutKernels) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  tileProduct(trial, sizes);
  trial.refuses(LaunchBounds{"kk", 2}, {"`kk` is not on the grid"});
  trial.refuses(LaunchBounds{"q", 2}, {"no loop", "`q`"});
  trial.refuses(LaunchBounds{"ii", 0}, {"0 blocks"});
  trial.refuses(LaunchBounds{"ii", 33}, {"33 blocks"});
  trial.accepts(LaunchBounds{"ii", 2}, sizes);
  EXPECT_EQ(print(trial.state.history().back()), "launch_bounds(\"ii\", 2)");
}

TEST(StageRegistersStep, OneElementPerPoint) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}, {"TK", 2}};
  tileProduct(trial, sizes);
  trial.refuses(StageRegisters{"jj", "a"}, {"`a[i][k]` at line 4 is not one element per thread"});
  trial.refuses(StageRegisters{"jj", "d"}, {"no array `d`"});
  trial.accepts(StageRegisters{"jj", "c"}, sizes);
  auto kept = std::get<RegisterSet>(registerSet(trial.state, "jj", 2));
  EXPECT_TRUE(kept.load && kept.store);
  EXPECT_EQ(print(trial.state.history().back()), "copy_to_registers(\"jj\", \"c\")");
}

TEST(StageRegistersStep, LoadsAndStoresOnlyWhatIsNeeded) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("d", 2);
  r.array("c", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("c[i][j] = 0");
  r.loop("k", "0 <= k < n");
  r.statement("c[i][j] += a[i][k] * d[i][j]");
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  trial.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  trial.accepts(MapToBlock{{"j", "i"}}, sizes);
  auto written = std::get<RegisterSet>(registerSet(trial.state, "jj", 2));
  EXPECT_FALSE(written.load);
  EXPECT_TRUE(written.store);
  auto read = std::get<RegisterSet>(registerSet(trial.state, "jj", 1));
  EXPECT_TRUE(read.load);
  EXPECT_FALSE(read.store);
}

TEST(StageRegistersStep, WhatThreadsShareIsLoadedOnceButNotWritten) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("s", 1);
  r.array("c", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("c[i][j] = a[i][j] * s[i]");
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  trial.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  trial.accepts(MapToBlock{{"j", "i"}}, sizes);
  trial.accepts(StageRegisters{"jj", "s"}, sizes);
  auto kept = std::get<RegisterSet>(registerSet(trial.state, "jj", 1));
  EXPECT_EQ(kept.along, (std::vector<std::string>{"ii"}));
  EXPECT_FALSE(kept.store);

  RegionBuilder sums("n", "n >= 1");
  sums.array("a", 2);
  sums.array("s", 1);
  sums.loop("i", "0 <= i < n");
  sums.loop("j", "0 <= j < n");
  sums.statement("s[i] += a[i][j]");
  Trial written(sums);
  written.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  written.accepts(Reduce{"s", "j"}, sizes);
  written.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  written.accepts(MapToBlock{{"j", "i"}}, sizes);
  written.refuses(StageRegisters{"jj", "s"}, {"threads along `jj` share `s[i]`"});
}

/// out[i] += in[i + k] * mask[k], with an extent of `mask`.
RegionBuilder filter(const std::string& extent, const std::string& taps) {
  RegionBuilder r("n", "n >= 1");
  r.array("in", 1);
  r.array("mask", 1).extents = {isl::pw_aff(islContext(), extent)};
  r.array("out", 1);
  r.loop("i", "0 <= i < n");
  r.loop("k", "0 <= k < " + taps);
  r.statement("out[i] += in[i+k] * mask[k]");
  return r;
}

TEST(StageConstantStep, SlicesOfALoopOfTheHostMayBelongToALargerArray) {
  auto sums = [] {
    RegionBuilder r("n, m", "n >= 1 and m >= 1");
    r.array("a", 1);
    r.array("out", 1);
    r.loop("k", "0 <= k < n");
    r.loop("i", "0 <= i < m");
    r.statement("out[i] += a[k]");
    return r;
  };
  Sizes sizes{{"n", 5}, {"m", 3}};
  RegionBuilder small = sums(), same = sums();
  Trial trial(small);
  trial.refuses(StageConstant{"a"}, {"how large `a` is, is not known"});
  trial.accepts(Tile{{"k"}, {2L}, {{"kk"}}}, sizes);
  trial.accepts(StageConstant{"a", "kk"}, sizes);
  auto slice = std::get<ConstantSlice>(constantSlice(trial.state, "kk", 0));
  EXPECT_EQ(slice.rows, 2);
  trial.accepts(MapToGrid{{"i"}}, sizes);
  trial.refuses(StageConstant{"a", "i"}, {"the host does not run `i`"});

  Trial large(same);
  large.accepts(Tile{{"k"}, {9000L}, {{"kk"}}}, sizes);
  large.refuses(StageConstant{"a", "kk"}, {"does not fit into the 65536 bytes"});
  large.refuses(StageConstant{"out", "kk"}, {"writes `out`"});
}

TEST(StageConstantStep, OnlyWhatIsReadAndFits) {
  RegionBuilder r = filter("{ [(16)] }", "16");
  Trial trial(r);
  trial.accepts(StageConstant{"mask"}, {{"n", 4}});
  EXPECT_EQ(print(trial.state.history().back()), "copy_to_constant(\"mask\")");
  trial.refuses(StageConstant{"mask"}, {"already"});
  trial.refuses(StageConstant{"out"}, {"line 3 writes `out`"});
  trial.refuses(StageConstant{"in"}, {"how large `in` is"});
  RegionBuilder large = filter("{ [(8193)] }", "16");
  Trial(large).refuses(StageConstant{"mask"}, {"`mask` does not fit into the 65536 bytes"});
  RegionBuilder beyond = filter("{ [(8)] }", "16");
  Trial(beyond).refuses(StageConstant{"mask"}, {"beyond the rows"});
}

TEST(StageReadOnlyStep, RefusesAWrittenArray) {
  RegionBuilder r = filter("{ [(16)] }", "16");
  Trial trial(r);
  trial.accepts(StageReadOnly{"in"}, {{"n", 4}});
  EXPECT_EQ(print(trial.state.history().back()), "copy_to_texture(\"in\")");
  trial.refuses(StageReadOnly{"out"}, {"line 3 writes `out`"});
}

} // namespace
} // namespace warploom
