// Unroll, map, privatise, expand, reduce: each in a legal use, an illegal one, and at the edges.
#include "Trial.h"
#include "transform/LibraryCall.h"

namespace warploom {
namespace {

using testing::HasSubstr;

RegionBuilder product(const std::string& type = "double") {
  RegionBuilder r("n", "n >= 1");
  for (const char* name : {"a", "b", "c"})
    r.array(name, 2, type).extents.back() = isl::pw_aff(islContext(), "[n] -> { [(n)] }");
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.loop("k", "0 <= k < n");
  r.statement("c[i][j] += a[i][k] * b[k][j]");
  return r;
}

TEST(UnrollStep, ByAFactorOrWhollyWhereTheCountIsKnown) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}};
  trial.accepts(Unroll{"k", 4}, sizes);
  trial.refuses(Unroll{"k", 0}, {"`k`", "not known when the kernel is compiled"});
  trial.refuses(Unroll{"k", -1}, {"not -1"});
  trial.accepts(Tile{{"i", "j"}, {"TI", 3L}, {{"ii"}, {"jj"}}}, sizes);
  trial.accepts(Unroll{"i", 0}, sizes);
  trial.accepts(Unroll{"j", 0}, sizes);
  trial.refuses(Unroll{"ii", 0}, {"how many tiles"});
  EXPECT_EQ(printed(trial.state.tree()), "ii = tiles of TI from oi\n  jj\n    i unrolled\n      j unrolled\n "
                                         "       k unrolled by 4\n          S0\n");
}

TEST(UnrollToDepthStep, AllStatementsUpToAMappedLoop) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("s", 1);
  r.loop("i", "0 <= i < 8");
  r.statement("s[i] = 0");
  r.loop("j", "0 <= j < 4");
  r.statement("s[i] += a[i][j]");
  r.end();
  r.loop("k", "0 <= k < n");
  r.statement("s[i] += a[k][i]");
  Trial trial(r);
  trial.accepts(UnrollToDepth{0}, {{"n", 3}});
  EXPECT_THAT(printed(trial.state.tree()), testing::Not(HasSubstr("unrolled")));
  Trial mapped(r);
  mapped.accepts(MapToBlock{{"i"}}, {{"n", 3}});
  mapped.accepts(UnrollToDepth{2}, {{"n", 3}});
  EXPECT_EQ(printed(mapped.state.tree()), "i on block.x\n  S0\n  j unrolled\n    S1\n  k\n    S2\n");
  trial.accepts(UnrollToDepth{2}, {{"n", 3}});
  EXPECT_EQ(printed(trial.state.tree()), "i unrolled\n  S0\n  j unrolled\n    S1\n  k\n    S2\n");
  // What is left over when a loop is split is unrolled as well.
  Trial rest(r);
  rest.accepts(Split{"j", "3", "left"}, {{"n", 3}});
  rest.accepts(UnrollToDepth{1}, {{"n", 3}});
  EXPECT_THAT(printed(rest.state.tree()), HasSubstr("j unrolled\n"));
  EXPECT_THAT(printed(rest.state.tree()), HasSubstr("left unrolled\n"));
}

TEST(LibraryStep, ProductsOnTheGridOnly) {
  RegionBuilder r = product();
  Trial trial(r);
  const Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  const Step call = CallLibrary{"i", LibraryUse::Always};
  trial.refuses(call, {"`i` is neither on the grid"});
  trial.refuses(CallLibrary{"z"}, {"`z`"});
  trial.accepts(MapToGrid{{"j", "i"}}, sizes);
  trial.refuses(CallLibrary{"j"}, {"not the outermost loop"});
  trial.accepts(call, sizes);
  EXPECT_EQ(print(call), "library(\"i\", \"always\")");
  // However the kernel is made.
  Trial tiled(r);
  tiled.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  tiled.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  tiled.accepts(CallLibrary{"ii"}, sizes);
  const auto found = libraryCall(tiled.state, "ii");
  ASSERT_TRUE(std::holds_alternative<LibraryCall>(found));
  EXPECT_EQ(std::get<LibraryCall>(found).operation, "gemm");
  Trial strict(r, true);
  strict.accepts(MapToGrid{{"j", "i"}}, sizes);
  strict.refuses(call, {"another order"});
  RegionBuilder ints = product("int");
  Trial whole(ints);
  whole.accepts(MapToGrid{{"j", "i"}}, sizes);
  whole.refuses(call, {"no library has it", "no float or double"});
}

// What the host's loops fix is not a loop of the product: each launch of the kernel is one.
TEST(LibraryStep, OneProductForEachIterationOfTheHost) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("x", 1);
  r.array("y", 1);
  r.loop("t", "0 <= t < n");
  r.loop("i", "0 <= i < n");
  r.statement("y[i] += a[t][i] * x[t]");
  Trial trial(r);
  trial.accepts(MapToGrid{{"i"}}, {{"n", 5}});
  // What multiplies it is in memory: BLAS takes it from the host.
  trial.refuses(CallLibrary{"i"}, {"no library has it"});
}

/// What `statement` in loops over k, i and j is for a library, with `end` after the loop over j, or what it
/// is not.
static std::string solved(const char* rows, const char* terms, const char* statement,
                          const char* end = nullptr) {
  RegionBuilder r("n", "n >= 4");
  for (const char* name : {"a", "x"})
    r.array(name, 2).extents.back() = isl::pw_aff(islContext(), "[n] -> { [(n)] }");
  r.loop("k", "0 <= k < n");
  r.loop("i", rows);
  r.loop("j", terms);
  r.statement(statement);
  r.end();
  if (end) r.statement(end);
  Trial trial(r);
  trial.accepts(MapToGrid{{"k"}}, {{"n", 6}});
  const auto found = libraryCall(trial.state, "k");
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return refused->reason;
  const auto& call = std::get<LibraryCall>(found);
  return call.operation + (call.triangle->isUpper ? ", upper" : ", lower") +
         (call.triangle->isUnit ? ", ones" : "");
}

// By what their statements reach, and when.
TEST(LibraryStep, TriangularSolves) {
  const char *sum = "x[i][k] -= a[i][j] * x[j][k]", *back = "x[n-1-i][k] -= a[n-1-i][j] * x[j][k]";
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", sum), "trsm, lower, ones");
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", sum, "x[i][k] = x[i][k] / a[i][i]"), "trsm, lower");
  EXPECT_EQ(solved("0 <= i < n", "n-i <= j < n", back, "x[n-1-i][k] = x[n-1-i][k] / a[n-1-i][n-1-i]"),
            "trsm, upper");
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", "x[i][k] -= a[j][i] * x[j][k]"), "trsm, lower, ones");
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", "x[k][i] -= a[i][j] * x[k][j]"), "trsm, lower, ones");
  // Rows of which others are not there yet.
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < n-1-i", back), "results are read before they are there");
  EXPECT_EQ(solved("0 <= i < n", "i < j < n", sum), "results are read before they are there");
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", "x[j][k] -= a[i][j] * x[i][k]"),
            "results are read before they are there");
  // Other parts of a matrix.
  const std::string other = "what is read of the matrix is no triangle without its diagonal";
  EXPECT_EQ(solved("0 <= i < n", "0 <= j <= i", sum), other);
  EXPECT_EQ(solved("2 <= i < n", "i-2 <= j < i", sum), other);
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", sum, "x[i][k] = x[i][k] / a[i][0]"),
            "what is divided by is not the diagonal");
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", sum, "x[i][k] = x[i][k] / a[i][i] + 1"),
            "`x[i][k] / a[i][i]` is neither a number nor an element of an array");
  EXPECT_EQ(solved("0 <= i < n", "0 <= j < i", "x[i][k] += a[i][j] * x[j][k]"),
            "what other sums made is added, and not subtracted");
}

// Of one right-hand side the solve is the host's loop with its kernel, or neither is anything.
TEST(LibraryStep, ALoopOfTheHostIsASolve) {
  RegionBuilder r("n", "n >= 4");
  r.array("a", 2).extents.back() = isl::pw_aff(islContext(), "[n] -> { [(n)] }");
  r.array("x", 1);
  r.loop("j", "0 <= j < n");
  r.loop("i", "j < i < n");
  r.statement("x[i] -= a[i][j] * x[j]");
  Trial trial(r);
  const Sizes sizes{{"n", 6}};
  trial.refuses(CallLibrary{"j"}, {"neither on the grid of a kernel nor around kernels"});
  trial.accepts(MapToGrid{{"i"}}, sizes);
  trial.refuses(CallLibrary{"i"}, {"no library has it"});
  trial.accepts(CallLibrary{"j"}, sizes);
  trial.refuses(CallLibrary{"i"}, {"a library may stand in for `j` around it"});
  trial.accepts(CallLibrary{"j", LibraryUse::Never}, sizes);
  EXPECT_EQ(std::get<LibraryCall>(libraryCall(trial.state, "j")).operation, "trsv");
}

// A loop of the host with a product in it is none: each launch is one.
TEST(LibraryStep, ALoopOfTheHostIsNoProduct) {
  RegionBuilder r = product();
  Trial trial(r);
  const Sizes sizes{{"n", 5}};
  trial.accepts(MapToGrid{{"j"}}, sizes);
  trial.refuses(CallLibrary{"i"}, {"`i` is around the kernels of a product"});
  trial.accepts(CallLibrary{"j"}, sizes);
}

TEST(MapStep, ParallelLoopsOnly) {
  RegionBuilder r = product();
  Trial trial(r);
  Sizes sizes{{"n", 5}, {"TI", 2}, {"TJ", 3}};
  trial.refuses(MapToGrid{{"k"}}, {"dependence on `c`", "`c[i][j]` at line 4", "distance (0, 0, 1",
                                   "carried by `k`, whose iterations run at the same time"});
  trial.refuses(MapToBlock{{"i", "k"}}, {"carried by `k`"});
  trial.accepts(Tile{{"i", "j"}, {"TI", "TJ"}, {{"ii"}, {"jj"}}}, sizes);
  trial.accepts(MapToGrid{{"jj", "ii"}}, sizes);
  trial.accepts(MapToBlock{{"j", "i"}}, sizes);
  trial.refuses(MapToBlock{{"i"}}, {"mapped already"});
  trial.refuses(Strip{"i", 4L, "x"}, {"mapped already"});
  trial.refuses(MapToGrid{{"k"}}, {"`jj` and `k` would both run along the same dimension"});
  EXPECT_EQ(trial.state.isParallel("i"), true);
  EXPECT_EQ(trial.state.isParallel("k"), false);
}

TEST(MapStep, LaterStepsKeepMappedLoopsParallel) {
  RegionBuilder r("n", "n >= 1");
  r.array("g", 2);
  r.loop("t", "1 <= t < n");
  r.loop("x", "1 <= x < n");
  r.statement("g[t][x] = g[t-1][x-1]");
  Trial trial(r);
  trial.accepts(MapToBlock{{"x"}}, {{"n", 4}});
  trial.refuses(Permute{{"x", "t"}}, {"distance (1, 1)", "carried by `x`"});
  RegionBuilder single("n", "n >= 1");
  single.array("g", 1);
  single.loop("i", "i = 4");
  single.statement("g[i] = g[i-1]");
  Trial one(single);
  one.accepts(MapToGrid{{"i"}}, {{"n", 4}});
}

TEST(CollapseStep, BoxesOfParallelLoopsOnly) {
  RegionBuilder r("n, m", "n >= 1 and m >= 1");
  r.array("a", 3);
  r.loop("i", "0 <= i < n");
  r.loop("j", "3 <= j < m and j mod 2 = 0");
  r.loop("k", "0 <= k < 4");
  r.statement("a[i][j][k] = 1");
  Trial trial(r);
  Sizes sizes{{"n", 3}, {"m", 8}};
  trial.refuses(CollapseToGrid{{"i"}}, {"two or more"});
  trial.refuses(CollapseToGrid{{"i", "k"}}, {"`k` is not right inside `i`"});
  trial.refuses(CollapseToGrid{{"k", "j"}}, {"`j` is not right inside `k`"});
  trial.refuses(CollapseToGrid{{"i", "l"}}, {"`l`"});
  trial.accepts(CollapseToGrid{{"i", "j", "k"}}, sizes);
  EXPECT_EQ(print(trial.state.history().back()), "collapse_to_grid({\"i\", \"j\", \"k\"})");
  trial.refuses(MapToGrid{{"k"}}, {"`k`"});

  RegionBuilder triangle("n", "n >= 1");
  triangle.array("a", 2);
  triangle.loop("i", "0 <= i < n");
  triangle.loop("j", "0 <= j <= i");
  triangle.statement("a[i][j] = 1");
  Trial(triangle).refuses(CollapseToGrid{{"i", "j"}}, {"`j`", "depends on other loops"});

  RegionBuilder carried("n", "n >= 1");
  carried.array("a", 2);
  carried.loop("i", "1 <= i < n");
  carried.loop("j", "0 <= j < 4");
  carried.statement("a[i][j] = a[i - 1][j]");
  Trial(carried).refuses(CollapseToGrid{{"i", "j"}}, {"carried by `i`"});
}

TEST(MapStep, HostOnlyStatementsStay) {
  RegionBuilder r("n", "n >= 1");
  r.array("g", 1);
  r.loop("i", "0 <= i < n");
  r.statement("g[i] = 1").hostOnly = "it calls `rand`";
  Trial trial(r);
  trial.refuses(MapToGrid{{"i"}}, {"line 2", "must run on the host: it calls `rand`"});
}

/// for i: t = a[i]; b[i] = t * t.
RegionBuilder temporary() {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.array("b", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("t = a[i]");
  r.statement("b[i] = t * t");
  return r;
}

TEST(PrivatiseStep, MakesTheLoopParallel) {
  RegionBuilder r = temporary();
  Trial trial(r);
  trial.refuses(MapToGrid{{"i"}}, {"dependence on `t`", "line 2", "line 3", "distance (1"});
  trial.accepts(Privatise{"t", "i"}, {{"n", 4}});
  trial.accepts(MapToGrid{{"i"}}, {{"n", 4}});
  EXPECT_EQ(print(trial.state.history()[0]), "privatise(\"t\", \"i\")");
}

TEST(PrivatiseStep, RefusedWhereValuesCross) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("a[i] = t");
  r.statement("t = a[i] + 1");
  Trial trial(r);
  trial.refuses(Privatise{"t", "i"},
                {"`t` is not private", "flow dependence on `t`", "line 3", "line 2", "distance (1)"});
  trial.refuses(Expand{"t", "i"}, {"`t` is not private"});
  trial.refuses(Privatise{"u", "i"}, {"no array `u`"});
  trial.refuses(Privatise{"t", "q"}, {"no loop `q`"});
}

TEST(ExpandStep, AllowsDistributionWherePrivateDoesNot) {
  RegionBuilder r = temporary();
  Trial trial(r);
  trial.refuses(Distribute{"i"}, {"dependence on `t`", "distance (1"});
  trial.accepts(Privatise{"t", "i"}, {{"n", 4}});
  // One copy per iteration is not enough memory once all are written before the first is read.
  trial.refuses(Distribute{"i"}, {"`t` is private", "expand `t`"});
  trial.accepts(Expand{"t", "i"}, {{"n", 4}});
  trial.accepts(Distribute{"i"}, {{"n", 4}});
}

TEST(ExpandStep, DeclaredInTheLoop) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 2);
  r.array("b", 2);
  r.array("t", 0).declaredIn = 1;
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("t = a[i][j]");
  r.statement("b[i][j] = t");
  Trial trial(r);
  trial.accepts(Permute{{"j", "i"}}, {{"n", 3}});
  trial.refuses(Distribute{"i"}, {"expand `t`"});
  trial.refuses(Expand{"t", "i"}, {"declared inside `j`"});
  trial.accepts(Expand{"t", "j"}, {{"n", 3}});
  trial.accepts(Distribute{"i"}, {{"n", 3}});
}

TEST(ExpandStep, CopiesAreSharedByTheLoopsAround) {
  // Along j alone: iterations of i with equal j use the same copy, and stay in order.
  RegionBuilder r("n", "n >= 2");
  r.array("a", 2);
  r.array("b", 2);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("t = a[i][j]");
  r.statement("b[i][j] = t");
  Trial trial(r);
  trial.accepts(Expand{"t", "j"}, {{"n", 3}});
  trial.accepts(MapToGrid{{"j"}}, {{"n", 3}});
  trial.refuses(MapToGrid{{"i"}}, {"would both run"});
  trial.refuses(MapToBlock{{"i"}}, {"a grid cannot be inside a block"});
  EXPECT_EQ(trial.state.isParallel("i"), false);
  // One of a thread's own would stand for all of these.
  trial.refuses(Privatise{"t", "i"}, {"a copy for each iteration of `j` already"});
}

TEST(ReduceStep, AllowsAnyOrderOfAccumulations) {
  RegionBuilder r = product();
  Trial trial(r);
  trial.refuses(Reverse{"k"}, {"dependence on `c`", "distance (0, 0, 1"});
  trial.accepts(Reduce{"c", "k"}, {{"n", 3}});
  trial.accepts(Reverse{"k"}, {{"n", 3}});
  trial.accepts(MapToBlock{{"k"}}, {{"n", 3}});
}

TEST(ReduceStep, StrictFloatingPoint) {
  RegionBuilder r = product();
  Trial strict(r, true);
  strict.refuses(Reduce{"c", "k"}, {"`c` by `+`", "strict floating point"});
  RegionBuilder whole = product("int");
  Trial integers(whole, true);
  integers.accepts(Reduce{"c", "k"}, {{"n", 3}});
}

TEST(ReduceStep, ReadersStillWaitForEveryAccumulation) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 2);
  r.array("y", 1);
  r.array("s", 0);
  r.loop("i", "0 <= i < n");
  r.statement("s = 0");
  r.loop("j", "0 <= j < n");
  r.statement("s += a[i][j]");
  r.end();
  r.statement("y[i] = s");
  Trial trial(r);
  trial.accepts(Reduce{"s", "j"}, {{"n", 3}});
  // The value flows from the last accumulation only, but the first must not come after the reader either.
  const auto& all = trial.state.constraints();
  isl::union_map flow = isl::union_map::empty(islContext());
  for (const Constraint& constraint : all)
    if (constraint.kind == Constraint::Kind::Flow) flow = flow.unite(constraint.relation);
  EXPECT_TRUE(isl::union_map(islContext(), "[n] -> { S1[i, j] -> S2[i] : 0 <= i < n and 0 <= j < n }")
                  .is_subset(flow));
  trial.refuses(Reduce{"y", "i"}, {"does not combine values into `y`"});
}

TEST(SequentialLoops, StayInOrderWhateverTheDataSays) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.loop("i", "0 <= i < n").mustStaySequential = "control may leave the loop (line 2)";
  r.statement("a[i] = 1");
  Trial trial(r);
  trial.refuses(Reverse{"i"},
                {"order of line 2 and line 2", "distance (1..*)", "control may leave the loop"});
  trial.accepts(Strip{"i", 4L, "ii"}, {{"n", 6}});
}

} // namespace
} // namespace warploom
