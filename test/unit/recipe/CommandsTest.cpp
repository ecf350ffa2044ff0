// Commands make the steps they say: in the forms of steps, and in those of CHiLL.
#include "Kitchen.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void makes(const Cooked& cooked, const std::vector<std::string>& steps) {
  EXPECT_EQ(cooked.error, "");
  EXPECT_EQ(cooked.steps, steps);
}

void refuses(const Cooked& cooked, int line, const std::string& part) {
  EXPECT_THAT(cooked.error, HasSubstr(part));
  EXPECT_EQ(cooked.line, line) << cooked.error;
}

/// A step of each kind that the product takes in this order, so that what they print is a recipe.
TEST(Commands, UnderstandWhatStepsPrint) {
  const std::vector<std::string> lines = {
      "known(\"n > 16\")",
      "reduce(\"c\", \"k\")",
      "permute({\"j\", \"i\", \"k\"})",
      "tile_by_index({\"i\", \"j\"}, {16, \"TJ\"}, {l1_control=\"ii\", l2_control=\"jj\", l2_tile=\"jt\"}, "
      "{\"ii\", \"jj\", \"i\", \"jt\", \"k\"})",
      "tile_by_index({\"k\"}, {4}, {l1_control=\"kk\"}, {}, strided)",
      "strip(\"i\", 4, \"i4\")",
      "rename_index(\"i4\", \"quads\")",
      "unroll(\"k\", 0)",
      "unroll_to_depth(1)",
      "map_to_grid({\"ii\", \"jj\"})",
      "name_kernel(\"ii\", \"product\")",
      "launch_bounds(\"ii\", 2)",
      "size(\"PX\", {usual=4, from=1, to=8})",
      "size(\"MX\", {usual=64, from=16, to=128, few=32, threads=\"TX\", items=\"PX\"})",
      "size(\"MY\", {usual=64, from=16, to=128, few=32, turned=\"MX\", threads=\"BLOCK_Y\", "
      "points=\"adjacent\"})",
      "size(\"KY\", {threads=\"BLOCK_Y\", items=\"PX\"})",
      "size(\"FX\", {usual=64, from=16, to=128, threads=\"PX\", points=\"columns\"})",
      "copy_to_texture(\"a\")"};
  std::string recipe;
  for (const std::string& line : lines)
    recipe += line + "\n";
  makes({product(), recipe}, lines);
}

TEST(Commands, EveryStepIsOneCommand) {
  const std::vector<Step> steps = {
      Tile{{"i"}, {16L}, {{"ii"}}},
      Strip{"i", "TI", "ii"},
      Shells{{"ii", "jj"}, "shell"},
      Permute{{"j", "i"}},
      Fuse{"i", "i_2"},
      Distribute{"i", {"S1"}},
      Reorder{"i", {"S1", "j"}},
      Skew{"j", "i", 2},
      Shift{{"S0"}, "i", "n - 1"},
      Scale{"i", 2},
      Nonsingular{{"i", "j"}, {{1, 1}, {0, 1}}},
      Normalise{"i"},
      RenameLoop{"i", "r"},
      Reverse{"i"},
      Split{"j", "i", "rest"},
      Peel{"i", 1, "first"},
      Unroll{"k", 4},
      UnrollToDepth{2},
      Privatise{"t", "i"},
      Expand{"t", "i"},
      Reduce{"s", "i"},
      ScanLoop{"i"},
      LevelLoop{"i"},
      RenameArray{"a", "i"},
      CarryScalar{"a", "i"},
      PlaceScalar{"s", "i"},
      TileTime{"i", 2, {16}},
      MapToGrid{{"i"}},
      MapToBlock{{"i"}},
      MapToLanes{{"k"}},
      MapToGroups{{"S1"}},
      CollapseToGrid{{"i", "j"}},
      MapToTensor{"k"},
      NameKernel{"i", "kernel"},
      LaunchBounds{"i", 2},
      DeclareSize{{"MX", 64, 16, 128, 32, "", "TX", "ITEMS_X", Points::Adjacent}},
      CallLibrary{"i", LibraryUse::Always},
      Pipeline{"kk", 3},
      Assume{"n > 0"},
      DropDependence{"S0", "S1"},
      StageShared{"kk", "a", -16, 2, 1, true},
      StageRegisters{"kk", "a"},
      StageConstant{"a", "kk"},
      StageReadOnly{"a"},
      Reschedule{Reschedule::Fusion::Least},
  };
  ASSERT_EQ(steps.size(), std::variant_size_v<Step>);
  // Each is understood: it is taken, or the step itself, printed in the same way, is refused.
  for (const Step& step : steps) {
    Cooked cooked(product(), print(step));
    if (cooked.error.empty())
      EXPECT_THAT(cooked.steps, ElementsAre(print(step)));
    else
      EXPECT_THAT(cooked.error, HasSubstr(print(step) + " is refused: "));
  }
}

TEST(Commands, AreDocumented) {
  std::set<std::string> names;
  for (const Command& command : commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_TRUE(std::string(command.signature).starts_with(command.name)) << command.signature;
    EXPECT_THAT(std::string(command.documentation), testing::EndsWith(".")) << command.name;
  }
  std::ifstream in(WARPLOOM_DOCS "/recipes.md");
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr(commandReference())) << commandReference();
}

TEST(Commands, TileByLevels) {
  makes({product(), "tile(0, 2, 16)"},
        {"tile_by_index({\"j\"}, {16}, {l1_control=\"jj\"}, {\"jj\", \"i\", \"j\"}, strided)"});
  makes({product(), "TJ = 8 tile(0, 2, TJ, 2, \"jt\", \"jc\", counted)"},
        {"tile_by_index({\"j\"}, {8}, {l1_control=\"jc\", l1_tile=\"jt\"}, {\"jc\", \"jt\"})"});
  // CHiLL's own form: the method fifth, and then the alignment of tiles.
  for (const char* method : {"strided", "0", "strided, 0", "strided, 0, 1", "0, 0, 1"})
    makes({product(), fmt::format("tile(0, 2, 16, 1, {})", method)},
          {"tile_by_index({\"j\"}, {16}, {l1_control=\"jj\"}, {\"jj\", \"i\", \"j\"}, strided)"});
  for (const char* method : {"counted", "1"})
    makes({product(), fmt::format("tile(0, 2, 16, 1, {})", method)},
          {"tile_by_index({\"j\"}, {16}, {l1_control=\"jj\"}, {\"jj\", \"i\", \"j\"})"});
  refuses({product(), "\ntile(0, 2, 16, 1, strided, 3, 16)"}, 2, "cannot be aligned: an offset of 3");
  refuses({product(), "tile(0, 2, 16, 1, strided, 0, 16)"}, 1, "to multiples of 16");
  refuses({product(), "tile(0, 2, 16, 1, 2)"}, 1, "tile: argument 5 must be");
  refuses({product(), "tile(0, 2, 16, 1, \"jt\", \"jc\", \"sideways\")"}, 1, "counted or strided");
  makes({product(), "tile(0, 3, 1)"}, {"permute({\"k\", \"i\", \"j\"})"});
  makes({product(), "tile(0, 3, 0)"}, {});
  refuses({product(), "\ntile(0, 4, 8)"}, 2, "no loop at level 4");
  refuses({product(), "tile(1, 1, 8)"}, 1, "no statement 1");
  refuses({product(), "tile(0, 1, 8, 2)"}, 1, "can be at level 1 to 1");
}

TEST(Commands, TileByIndexHasTheFormsOfTheDocument) {
  makes({product(), "TI, TJ = 64, 16\ntile_by_index({\"i\",\"j\"}, {TI,TJ}, {l1_control=\"ii\", "
                    "l2_control=\"jj\"}, {\"ii\",\"jj\",\"i\",\"j\"})"},
        {"tile_by_index({\"i\", \"j\"}, {64, 16}, {l1_control=\"ii\", l2_control=\"jj\"}, {\"ii\", \"jj\", "
         "\"i\", "
         "\"j\"})"});
  refuses({product(), "tile_by_index({\"i\"}, {4}, {}, {})"}, 1, "no name for the control loop of `i`");
  refuses({product(), "tile_by_index({\"i\"}, {4}, {l2_control=\"x\", l1_control=\"y\"}, {})"}, 1,
          "`l2_control`");
  refuses({product(), "tile_by_index({\"q\"}, {4}, {l1_control=\"y\"}, {})"}, 1, "there is no loop `q`");
  refuses({product(), "tile_by_index({\"i\"}, {4.5}, {l1_control=\"y\"}, {})"}, 1, "argument 2 must be");
  refuses({product(), "tile_by_index({\"i\"}, {4}, {l1_control=\"y\"}, {}, \"sideways\")"}, 1,
          "counted or strided");
}

TEST(Commands, VariablesArithmeticAndListsAreLua) {
  makes({product(), "sizes = {}\nfor k = 1, 2 do sizes[k] = (2 + 2) * 2 ^ k end\n"
                    "tile_by_index({\"i\", \"j\"}, sizes, {l1_control=\"ii\", l2_control=\"jj\"}, {})"},
        {"tile_by_index({\"i\", \"j\"}, {8, 16}, {l1_control=\"ii\", l2_control=\"jj\"}, {})"});
  refuses({product(), "local x = 1\n\npermute({\"j\", \"nothing\"})\n"}, 3, "there is no loop `nothing`");
}

TEST(Commands, PermuteByNamesAndLevels) {
  makes({product(), "permute(0, {\"j\", \"i\"})"}, {"permute({\"j\", \"i\"})"});
  makes({product(), "permute(0, {3, 1, 2})"}, {"permute({\"k\", \"i\", \"j\"})"});
  refuses({pair(), "permute(0, {\"j\", \"i\"})"}, 1, "distance (1, -1) would run backwards along `j`");
  refuses({pair(), "permute(7, {\"j\", \"i\"})"}, 1, "no statement 7");
}

TEST(Commands, DistributeAndFuseStatements) {
  makes({pair(), "distribute({0, 1}, 1)"}, {"distribute(\"j\", {\"S1\"})", "distribute(\"i\", {\"S1\"})"});
  makes({pair(), "distribute({0, 1}, 2)"}, {"distribute(\"j\", {\"S1\"})"});
  makes({pair(), "distribute({0, 1}, 1) fuse({0, 1}, 2)"},
        {"distribute(\"j\", {\"S1\"})", "distribute(\"i\", {\"S1\"})", "fuse(\"i\", \"i_2\")",
         "fuse(\"j\", \"j_2\")"});
  refuses({pair(), "distribute({0, 1}, 3)"}, 1, "share 2 loops");
  refuses({pair(), "fuse({0, 1}, 1)"}, 1, "share their loops already");
}

TEST(Commands, IndexChangesByLevels) {
  makes({pair(), "skew({0, 1}, 2, {1, 1})"}, {"skew(\"j\", \"i\", 1)"});
  refuses({pair(), "skew({0, 1}, 2, {1, 2})"}, 1, "use scale or reverse");
  makes({pair(), "shift({1}, 1, 1)"}, {"shift({\"S1\"}, \"i\", \"1\")"});
  refuses({pair(), "shift({1}, 1, -1)"}, 1, "would run backwards");
  makes({pair(), "scale({0, 1}, 2, 3)"}, {"scale(\"j\", 3)"});
  refuses({pair(), "scale(\"j\", 0)"}, 1, "scaled by 1 to");
  makes({product(), "reverse({0}, 1)"}, {"reverse(\"i\")"});
  refuses({product(), "reverse(0, 3)"}, 1, "would run backwards along `k`");
  makes({product(), "peel(0, 1, 2)"}, {"peel(\"i\", 2, \"i_peel\")"});
  makes({product(), "split(0, 2, \"L2 < L1\")"}, {"split(\"j\", \" i\", \"j_rest\")"});
  makes({product(), "split(0, 2, \"L2 <= 3\")"}, {"split(\"j\", \"( 3) + 1\", \"j_rest\")"});
  refuses({product(), "split(0, 2, \"L1 < 3\")"}, 1, "L2 < point");
  refuses({product(), "split(0, 2, \"L99999999999999 < 3\")"}, 1, "there is no level");
  makes({product(), "unroll(0, 3, 4)"}, {"unroll(\"k\", 4)"});
  refuses({product(), "unroll(0, 1, 0)"}, 1, "not known when the kernel is compiled");
  makes({product(), "unroll_to_level(0) unroll_to_depth(1)"}, {"unroll_to_depth(1)"});
  makes({product(), "unroll_extra(0, 3, 4)"}, {"unroll(\"k\", 4)"});
  makes({product(), "shift_to(0, 1, 5) shift_to(\"j\", 0)"},
        {"normalize_index(\"i\")", "shift({\"S0\"}, \"i\", \"5\")", "normalize_index(\"j\")"});
  refuses({product(), "shift_to(0, 1)"}, 1, "2 arguments");
  makes({product(), "pragma(0, 3, \"unroll 4\") pragma(\"j\", \"nounroll\") pragma(\"k\", \"unroll(2)\")"},
        {"unroll(\"k\", 4)", "unroll(\"j\", 1)", "unroll(\"k\", 2)"});
  refuses({product(), "pragma(0, 3, \"vector aligned\")"}, 1, "not `vector aligned`");
}

TEST(Commands, MatricesGiveLoopsNewValues) {
  makes({product(), "nonsingular({{0, 1}, {1, 0}})"}, {"nonsingular({\"i\", \"j\"}, {{0, 1}, {1, 0}})"});
  makes({product(), "nonsingular({\"j\", \"k\"}, {{1, 1, -3}, {0, 2, 0}})"},
        {"nonsingular({\"j\", \"k\"}, {{1, 1, -3}, {0, 2, 0}})"});
  refuses({product(), "nonsingular({\"j\", \"k\"}, {{1, 0}, {0, -1}})"}, 1, "would run backwards");
  refuses({product(), "nonsingular({\"i\", \"k\"}, {{0, 1}, {1, 0}})"}, 1, "`k` is not right inside `i`");
  refuses({product(), "nonsingular({{1, 2}, {2, 4}})"}, 1, "would have the same values");
  refuses({product(), "nonsingular({{1, 2}, {2}})"}, 1, "2 rows of 2 numbers");
  refuses({product(), "nonsingular({{1, 2}, 3})"}, 1, "a list of lists");
  refuses({product(), "nonsingular({{1}, {1}, {1}, {1}})"}, 1, "4 rows for the 3 loops");
  refuses({product(), "nonsingular({{1048577}})"}, 1, "at most 1048576");
  refuses({product(), "tile_by_index({\"i\"}, {\"T\"}, {l1_control=\"ii\"}, {}) nonsingular({{1}})"}, 1,
          "symbolic size");
}

TEST(Commands, NormalisedLoopsBeginAtZero) {
  Cooked cooked(
      pair(), "tile_by_index({\"i\"}, {16}, {l1_control=\"ii\"}, {})\nnormalize_index(\"i\")\nprint_code()");
  EXPECT_EQ(cooked.error, "");
  EXPECT_THAT(cooked.printed, HasSubstr("S0(16 * c0 + c1"));
  Cooked bounds(product(), "strip(\"j\", 16, \"jj\") normalize_index(\"j\") print(hard_loop_bounds(\"j\"))");
  EXPECT_EQ(bounds.printed, "0\t15\n") << bounds.error;
}

TEST(Commands, CudaizeMapsAndNames) {
  const std::string tiled =
      "tile_by_index({\"i\", \"j\"}, {\"TI\", \"TJ\"}, {l1_control=\"ii\", l2_control=\"jj\"}, "
      "{\"ii\", \"jj\", \"i\", \"j\"})\n";
  const std::string cudaize = "cudaize(\"gemm\", {a=100}, {block={\"ii\", \"jj\"}, thread={\"i\", \"j\"}})\n";
  Cooked cooked(product(), tiled + cudaize +
                               "print(table.concat(block_indices()), table.concat(thread_indices()), "
                               "table.concat(cur_indices(0), \" \"), block_dims())");
  EXPECT_EQ(cooked.error, "");
  EXPECT_EQ(cooked.printed, "iijj\tij\tii jj i j k\tTI\tTJ\n");
  EXPECT_EQ(cooked.steps.size(), 4U);
  EXPECT_EQ(cooked.steps.back(), "name_kernel(\"ii\", \"gemm\")");
  refuses({product(), "cudaize(\"x\", {}, {block={\"k\"}})"}, 1, "is carried by `k`");
  refuses({product(), "cudaize(\"x\", {}, {thread={\"i\"}})"}, 1, "no loop is for blocks");
  refuses({product(), "cudaize(\"x\", {q=1}, {block={\"i\"}})"}, 1, "there is no array `q`");
  refuses({product(), "cudaize(\"for\", {}, {block={\"i\"}})"}, 1, "no kernel can be called `for`");
  refuses({product(), "cudaize(\"x\", {}, {block={\"i\"}, warp={\"j\"}})"}, 1, "neither block nor thread");
}

TEST(Commands, CopiesAreWhereCudaChillPutsThem) {
  const std::string kernel =
      "tile_by_index({\"i\", \"j\", \"k\"}, {\"TI\", \"TJ\", \"TK\"}, {l1_control=\"ii\", l2_control=\"jj\", "
      "l3_control=\"kk\"}, {\"ii\", \"jj\", \"kk\", \"k\", \"i\", \"j\"})\n"
      "cudaize(\"gemm\", {}, {block={\"jj\", \"ii\"}, thread={\"j\", \"i\"}})\n";
  Cooked shared(product(), kernel + "copy_to_shared(\"k\", \"b\", -16) copy_to_registers(\"kk\", \"c\")");
  EXPECT_EQ(shared.error, "");
  EXPECT_THAT(shared.steps, testing::IsSupersetOf(
                                {"copy_to_shared(\"kk\", \"b\", -16)", "copy_to_registers(\"jj\", \"c\")"}));
  Cooked raw(product(),
             kernel + "datacopy(0, 4, \"b\") datacopy_privatized(0, \"kk\", \"c\", {\"tx\", \"ty\"})");
  EXPECT_EQ(raw.error, "");
  EXPECT_THAT(raw.steps, testing::IsSupersetOf(
                             {"copy_to_shared(\"kk\", \"b\", 1)", "copy_to_registers(\"jj\", \"c\")"}));
  refuses({product(), kernel + "datacopy_privatized(0, \"kk\", \"c\", {\"k\"})"}, 3, "`k` is not mapped");
  refuses({product(), kernel + "copy_to_texture(\"c\")"}, 3, "c");
  refuses({product(), kernel + "copy_to_constant(\"a\")"}, 3, "a");
  refuses({product(), kernel + "copy_to_shared(\"kk\", \"none\", 1)"}, 3, "none");
  refuses({product(), kernel + "copy_to_shared(\"kk\", \"a\", 0)"}, 3, "a padding of 0");
}

/// Points as far apart as there are threads: a thread keeps its four by four of them, however many iterations
/// the loop has that adds them up.
TEST(Commands, ThreadsKeepTheirPointsOfProductsOfUnknownExtents) {
  RegionBuilder r("n, m, p", "n >= 1 and m >= 1 and p >= 1");
  for (const char* name : {"a", "b", "c"})
    r.array(name, 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < m");
  r.loop("k", "0 <= k < p");
  r.statement("c[i][j] = c[i][j] + a[i][k] * b[k][j]");
  const std::string tiled =
      "tile_by_index({\"i\", \"j\"}, {64, 64}, {l1_control=\"ii\", l2_control=\"jj\"}, {\"ii\", \"jj\", "
      "\"i\", \"j\"})\n"
      "tile_by_index({\"i\"}, {16}, {l1_control=\"ri\", l1_tile=\"ti\"}, {\"ti\", \"j\", \"k\", \"ri\"})\n"
      "tile_by_index({\"j\"}, {16}, {l1_control=\"rj\", l1_tile=\"tj\"}, {\"ti\", \"tj\", \"k\", \"ri\", "
      "\"rj\"})\n"
      "map_to_grid({\"ii\", \"jj\"})\nmap_to_block({\"ti\", \"tj\"})\n";
  Cooked cooked(r.region(), tiled + "copy_to_registers(\"jj\", \"c\")");
  EXPECT_EQ(cooked.error, "");
  // A thread needs all of a row of `a`, which is as long as `p`.
  refuses({r.region(), tiled + "copy_to_registers(\"jj\", \"a\")"}, 6,
          "is not known when the kernel is compiled");
}

TEST(Commands, KnownConditionsTakeDependencesAway) {
  RegionBuilder r("n, m", "n >= 1 and m >= 0");
  r.array("a", 1);
  r.loop("i", "0 <= i < n");
  r.statement("a[i] = a[i+m] + 1");
  Region region = r.region();
  refuses({region, "reverse(\"i\")"}, 1, "would run backwards");
  makes({region, "known(\"m >= n\") reverse(\"i\")"}, {"known(\"m >= n\")", "reverse(\"i\")"});
  makes({region, "known({\"m == 0 || m >= n\"}) reverse(\"i\")"},
        {"known(\"m == 0 || m >= n\")", "reverse(\"i\")"});
  refuses({region, "known(\"m < 0\")"}, 1, "no sizes satisfy");
  refuses({region, "known(\"m } ; {\")"}, 1, "no affine condition");
  refuses({region, "known(\"q > 1\")"}, 1, "no affine condition");
}

TEST(Commands, OnlyAssumedDependencesAreRemoved) {
  RegionBuilder r("n", "n >= 1");
  for (const char* name : {"a", "b"})
    r.array(name, 1);
  r.array("idx", 1, "int");
  r.loop("i", "0 <= i < n");
  r.statement("a[idx[i]] = b[i]");
  Region indirect = r.region();
  refuses({indirect, "reverse(\"i\")"}, 1, "assumed");
  makes({indirect, "remove_dep(0, 0) reverse(\"i\")"}, {"remove_dep(\"S0\", \"S0\")", "reverse(\"i\")"});
  refuses({product(), "remove_dep(0, 0)"}, 1, "is known to be there");
  refuses({pair(), "remove_dep(1, 0)"}, 1, "nothing makes `S0` wait for `S1`");
}

TEST(Commands, ShowSpacesDependencesAndCode) {
  Cooked cooked(pair(), "print_space() print_dep() print_code()");
  EXPECT_THAT(cooked.printed, HasSubstr("S0[i, j]"));
  EXPECT_THAT(cooked.printed, HasSubstr("flow dependence on `z`"));
  EXPECT_THAT(cooked.printed, HasSubstr("for (int"));
  EXPECT_TRUE(cooked.steps.empty());
}

TEST(Commands, OriginalBeginsAnew) {
  makes({product(), "reverse(\"i\") original() reverse(\"j\")"}, {"reverse(\"j\")"});
}

TEST(Commands, ARefusedStepLeavesTheStateAsItWas) {
  makes({pair(), "scale(\"j\", 2)\nlocal ok, why = pcall(permute, {\"j\", \"i\"})\nassert(not ok)\n"
                 "print(why) permute(0, {1, 2})"},
        {"scale(\"j\", 2)", "permute({\"i\", \"j\"})"});
  refuses({pair(), "\nassert(false)"}, 2, "assertion failed!");
}

/// Every command has something that it refuses, and then leaves everything as it was.
TEST(Commands, EveryOneRefuses) {
  const std::map<std::string, std::string> refused = {
      {"init", R"(init("input.c", "g", 0))"},
      {"region", R"(region("none"))"},
      {"original", "original(1)"},
      {"tile_by_index", R"(tile_by_index({"z"}, {4}, {l1_control="zz"}, {"zz", "z"}))"},
      {"tile", "tile(0, 9, 4)"},
      {"strip", R"(strip("z", 4, "zz"))"},
      {"shells", R"(shells({"i", "z"}, "x"))"},
      {"reorder", R"(reorder("i", {"z"}))"},
      {"permute", R"(permute({"k", "z"}))"},
      {"fuse", R"(fuse("i", "k"))"},
      {"distribute", R"(distribute("z"))"},
      {"skew", R"(skew("j", "z", 1))"},
      {"shift", R"(shift({"S9"}, "i", "1"))"},
      {"scale", R"(scale("i", 0))"},
      {"reverse", R"(reverse("k"))"},
      {"normalize_index", R"(normalize_index("z"))"},
      {"rename_index", R"(rename_index("i", "j"))"},
      {"peel", R"(peel("z", 1))"},
      {"split", R"(split("i", "q"))"},
      {"unroll", R"(unroll("i", -1))"},
      {"unroll_to_depth", "unroll_to_depth(-1)"},
      {"unroll_to_level", "unroll_to_level(-1)"},
      {"reschedule", R"(reschedule("x"))"},
      {"nonsingular", "nonsingular({{1, 0}, {0, 0}})"},
      {"unroll_extra", "unroll_extra(\"i\", -1)"},
      {"shift_to", "shift_to(\"z\", 0)"},
      {"pragma", "pragma(\"i\", \"ivdep\")"},
      {"omp_for", "omp_for(0, 1)"},
      {"prefetch", "prefetch(0, 1, \"a\")"},
      {"source", "source(\"other.c\")"},
      {"procedure", "procedure(\"g\")"},
      {"loop", "loop(0)"},
      {"cudaize", R"(cudaize("x", {}, {block={"k"}}))"},
      {"map_to_grid", R"(map_to_grid({"k"}))"},
      {"map_to_block", R"(map_to_block({"k"}))"},
      {"map_to_lanes", R"(map_to_lanes({"k"}))"},
      {"warp", R"(warp({"k"}))"},
      {"vectorize", R"(vectorize("k", {"a"}))"},
      {"launch_bounds", R"(launch_bounds("k", 2))"},
      {"size", R"(size("a", {usual=2, from=1, to=4}))"},
      {"pipeline", R"(pipeline("k", 2))"},
      {"library", R"(library("k", "sometimes"))"},
      {"map_to_tensor", R"(map_to_tensor("k"))"},
      {"map_to_groups", R"(map_to_groups({"S0"}))"},
      {"collapse_to_grid", R"(collapse_to_grid({"k"}))"},
      {"name_kernel", R"(name_kernel("z", "x"))"},
      {"copy_to_shared", R"(copy_to_shared("k", "none"))"},
      {"copy_to_registers", R"(copy_to_registers("k", "none"))"},
      {"copy_to_constant", R"(copy_to_constant("c"))"},
      {"copy_to_constant_no_tile", R"(copy_to_constant_no_tile("c"))"},
      {"copy_to_texture", R"(copy_to_texture("c"))"},
      {"datacopy", R"(datacopy(0, 2, "none"))"},
      {"datacopy_privatized", R"(datacopy_privatized(0, "k", "c", {"k"}))"},
      {"privatise", R"(privatise("c", "k"))"},
      {"expand", R"(expand("c", "k"))"},
      {"reduce", R"(reduce("a", "k"))"},
      {"scan", R"(scan("k"))"},
      {"levels", R"(levels("i"))"},
      {"rename", R"(rename("a", "i"))"},
      {"carry", R"(carry("a", "i"))"},
      {"in_place", R"(in_place("a", "i"))"},
      {"time_tiles", R"(time_tiles("i", 2, {16}))"},
      {"known", R"(known("n < 0"))"},
      {"remove_dep", "remove_dep(0, 0)"},
      {"print_code", "print_code(1, 2)"},
      {"print_space", "print_space(1, 2)"},
      {"print_dep", "print_dep(1, 2)"},
      {"cur_indices", "cur_indices(9)"},
      {"num_statements", "num_statements(1)"},
      {"block_indices", "block_indices(1)"},
      {"thread_indices", "thread_indices(1)"},
      {"block_dims", "block_dims(1)"},
      {"thread_dims", "thread_dims(1)"},
      {"hard_loop_bounds", R"(hard_loop_bounds("z"))"},
      {"is_parallel", R"(is_parallel("z"))"},
      {"does_exist", "does_exist()"},
      {"arrays", "arrays(1)"},
      {"add_sync", R"(add_sync(0, "i"))"},
  };
  for (const Command& command : commands()) {
    const auto call = refused.find(command.name);
    ASSERT_NE(call, refused.end()) << command.name;
    Cooked cooked(product(), "strip(\"i\", 4, \"ii\")\n" + call->second);
    EXPECT_NE(cooked.error, "") << command.name;
    EXPECT_EQ(cooked.line, 2) << command.name;
    Cooked caught(product(), "strip(\"i\", 4, \"ii\")\nprint(pcall(function() " + call->second +
                                 " end))\nunroll(\"k\", 2)");
    EXPECT_EQ(caught.error, "") << command.name;
    EXPECT_THAT(caught.printed, testing::StartsWith("false")) << command.name;
    EXPECT_THAT(caught.steps, testing::ElementsAre("strip(\"i\", 4, \"ii\")", "unroll(\"k\", 2)"))
        << command.name;
  }
}

TEST(Commands, SelectRegions) {
  makes({product(), "init(\"input.c\", \"f\", 0) reverse(\"i\")"}, {"reverse(\"i\")"});
  makes({product(), "region(\"f:1\", \"input.c\") reverse(\"i\")"}, {"reverse(\"i\")"});
  refuses({product(), "\ninit(\"input.c\", \"g\", 0)"}, 2, "there is no function `g`");
  refuses({product(), "init(\"input.c\", \"f\", 1)"}, 1, "has 1 outermost loops");
  refuses({product(), "region(\"f:3\")"}, 1, "there are \"f:1\"");
  makes({product(), "source(\"input.c\") procedure(\"f\") loop(0) reverse(\"i\")"}, {"reverse(\"i\")"});
  makes({product(), "procedure(\"f\") loop(0, 0) reverse(\"i\")"}, {"reverse(\"i\")"});
  refuses({product(), "procedure(\"f\")\nloop(1)"}, 2, "has 1 outermost loops");
  refuses({product(), "source(\"input.c\")\nloop(0)"}, 2, "Say procedure");
  refuses({product(), "source(\"output.c\")"}, 1, "no region is in 'output.c'");
}

} // namespace
} // namespace warploom
