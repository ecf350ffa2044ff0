// Which strategy maps a nest, from C text.
#include "mapping/Planning.h"
#include "strategy/generator/Mapped.h"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace warploom {
namespace {

const char* const window = R"(void f(int n, int m, const float in[restrict n + 4][m + 4],
      const float mask[restrict 5][5], float out[restrict n][m]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float sum = 0;
        for (int k = 0; k < 5; k++)
          for (int l = 0; l < 5; l++) sum += in[i + k][j + l] * mask[k][l];
        out[i][j] = sum;
      }
  })";

TEST(TiledShape, AWindowHasAHaloInSharedMemory) {
  Planned of(window);
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Tiled);
  EXPECT_THAT(of.sharedTiles(), ElementsAre("in[4 + SWEEP_Y][4 + BLOCK_X]"));
  EXPECT_THAT(of.kernel().body.registers, IsEmpty());
  EXPECT_EQ(of.placement("sum"), Placement::Private);
  // All threads read the same element of the mask.
  EXPECT_EQ(of.placement("mask"), Placement::Constant);
  EXPECT_EQ(of.plan.constants.at(static_cast<int>(of.index("mask"))), "f_3_mask");
}

TEST(TiledShape, FewReadsAreLeftToTheCache) {
  Planned of(R"(void f(int n, const double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.sharedTiles(), IsEmpty());
}

/// The points of a thread along y in kernel 0, by name, where they lie below each other; else empty.
std::string stackOf(const char* source) {
  Planned of(source);
  EXPECT_EQ(of.plan.refused, "");
  if (shapeOf(of.kernel()) != Shape::Tiled) return "";
  const TiledLoop* y = of.kernel().body.onAxis(1);
  return y && y->points == Points::Adjacent && of.kernel().body.shared.empty() ? y->items : "";
}

TEST(Stacks, PointsOfASweepBelowEachOtherShareAThread) {
  EXPECT_EQ(stackOf(R"(void f(int n, const float a[restrict n][n], float b[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
  })"),
            "STACK");
  EXPECT_EQ(stackOf(R"(void f(int n, const double a[restrict n][n][n], double b[restrict n][n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j][k] + a[i][j + 1][k] +
                       a[i][j][k - 1] + a[i][j][k + 1];
  })"),
            "STACK");
  // Points that have nothing in common gain nothing, nor do those with much work; where it depends on data,
  // threads would wait for each other.
  EXPECT_EQ(stackOf(R"(void f(int n, const double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) b[i][j] = 2 * a[i][j];
  })"),
            "");
  EXPECT_EQ(stackOf(R"(void f(int n, const double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 0; k < n; k++) b[i][j] = a[i - 1][j] + a[i + 1][j] - b[i][j];
  })"),
            "");
  EXPECT_EQ(stackOf(R"(void f(int n, const double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (a[i][j] > 0) b[i][j] = a[i - 1][j] + a[i + 1][j];
  })"),
            "");
  // A loop of the host's may want all in one launch.
  EXPECT_EQ(stackOf(R"(void f(int n, int steps, double a[restrict n][n], double b[restrict n][n]) {
    for (int t = 0; t < steps; t++) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
    }
  })"),
            "");
}

TEST(Turned, ATransposeGoesThroughSharedMemory) {
  Planned read(R"(float a[8192][8192], b[8192][8192];
  void f(void) {
    for (int i = 0; i < 8192; i++)
      for (int j = 0; j < 8192; j++) b[i][j] = a[i][j] + a[j][i];
  })");
  EXPECT_THAT(read.sharedTiles(), UnorderedElementsAre("a[STACK_Y][BLOCK_X]", "a[BLOCK_X][STACK_Y]"));
  // Threads write neighbours, whichever loop is inside.
  Planned written(R"(void f(int n, int m, const float a[restrict m][n], float b[restrict n][m]) {
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++) b[i][j] = a[j][i];
  })");
  EXPECT_THAT(written.sharedTiles(), ElementsAre("a[BLOCK_X][STACK_Y]"));
  // What is read and written cannot be turned.
  Planned both(R"(void f(int n, float a[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) a[i][j] = a[j][i];
  })");
  EXPECT_EQ(both.plan.refused, "");
  EXPECT_THAT(both.sharedTiles(), IsEmpty());
}

/// A sum over what all threads read, of `call` of it.
std::string commonSum(const std::string& call) {
  return fmt::format(R"(#include <math.h>
  void f(int n, const float a[restrict n], const float b[restrict n], float c[restrict n]) {{
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) {{
        float d = a[i] - b[k];
        c[i] += 1 / {}(d * d + 1);
      }}
  }})",
                     call);
}

TEST(Common, WhatAllThreadsReadGoesThroughSharedMemory) {
  Planned of(commonSum("sqrtf"));
  EXPECT_THAT(of.sharedTiles(), ElementsAre("b[TILE_K]"));
  ASSERT_EQ(of.kernel().body.tiles.size(), 1u);
  EXPECT_EQ(of.kernel().body.tiles[0].threads, "LINE");
  // Where threads wait for their arithmetic, too.
  Planned costly(commonSum("cosf"));
  EXPECT_EQ(costly.plan.refused, "");
  EXPECT_THAT(costly.sharedTiles(), ElementsAre("b[TILE_K]"));
}

TEST(Choice, IsTheModelsAndItsWords) {
  Planned of(R"(void f(int n, const float a[restrict n][n], float b[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
  })");
  EXPECT_THAT(of.plan.explanations,
              testing::Contains(testing::MatchesRegex(
                  ".*; nest 'i' as stacks, of what is expected to take strips .*s, flat .*s, stacks .*s")));
}

// The same nest by the steps of three strategies: what they share out, and what that takes.
TEST(Choice, RestsOnWhatStepsSay) {
  const Region region = regionOf(R"(float a[8192][8192], b[8192][8192];
  void f(void) {
    for (int i = 1; i < 8191; i++)
      for (int j = 1; j < 8191; j++) b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j];
  })");
  const Facts facts = analyse(region);
  const ScheduleState state(region, facts);
  const strategies::Nest nest = strategies::nestOf(state, "i", 1024);
  auto useOf = [&](const std::vector<Step>& steps) {
    const auto mapped = strategies::mappedBy(steps, nest);
    return strategies::useOf(nest, mapped.value().partition, mapped->choice, *deviceLimits("9.0"));
  };
  auto tiled = [](const char* y, const char* x) {
    return std::vector<Step>{Tile{{"i", "j"}, {std::string(y), std::string(x)}, {{"ii"}, {"jj"}}, {}},
                             MapToGrid{{"jj", "ii"}}, MapToBlock{{"j", "i"}}};
  };
  const auto flat = useOf({MapToGrid{{"j", "i"}}});
  const auto stacks = useOf(tiled("STACK_Y", "BLOCK_X"));
  const auto strips = useOf(tiled("BLOCK_Y", "STRIP_X"));
  EXPECT_EQ(flat.threads, 256);
  EXPECT_EQ(flat.blocks, 256 * 1024);
  EXPECT_EQ(stacks.threads, 256);
  EXPECT_EQ(stacks.blocks, 256 * 128);
  EXPECT_EQ(strips.blocks, 64 * 1024);
  // Eight points below each other read ten elements, and not 24. Neighbours in a thread have nothing in
  // common here, and those of a warp lie apart.
  EXPECT_NEAR(stacks.sectors / flat.sectors, (10.0 + 8) / (24 + 8), 0.01);
  EXPECT_GT(strips.sectors, 2 * flat.sectors);
  auto staged = tiled("SWEEP_Y", "BLOCK_X");
  staged.push_back(StageShared{"jj", "a", 1, 2});
  EXPECT_EQ(useOf(staged).sharedBytes, 34.0 * 32 * 4);
  EXPECT_EQ(useOf(staged).copies, 2);
  // The model has no word for these.
  EXPECT_FALSE(strategies::mappedBy({CollapseToGrid{{"i", "j"}}}, nest));
  EXPECT_FALSE(strategies::mappedBy({MapToGrid{{"i"}}, MapToLanes{{"j"}}}, nest));
}

/// How many neighbours a thread has in kernel 0, by name; empty: it is not made of strips.
std::string neighboursOf(const char* source) {
  Planned of(source);
  EXPECT_EQ(of.plan.refused, "");
  if (shapeOf(of.kernel()) != Shape::Tiled) return "";
  const TiledLoop* x = of.kernel().body.onAxis(0);
  return x && x->points == Points::Adjacent ? x->items : "";
}

TEST(Strips, NeighbouringPointsOfSmallElementsShareAThread) {
  EXPECT_EQ(neighboursOf(R"(void f(int n, const float a[restrict n], float b[restrict n]) {
    for (int i = 0; i < n; i++) b[i] += 2 * a[i];
  })"),
            "VECTOR");
  EXPECT_EQ(neighboursOf(R"(void f(int n, int m, const short a[restrict n][m], char b[restrict n][m]) {
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++) b[i][j] = a[i][j] / 256;
  })"),
            "VECTOR");
  // Large elements fill an access alone; what lies apart gains nothing; nor does a point with much work, or
  // one whose work depends on data; a loop of the host's may want all in one launch.
  EXPECT_EQ(neighboursOf(R"(void f(int n, const double a[restrict n], double b[restrict n]) {
    for (int i = 0; i < n; i++) b[i] += 2 * a[i];
  })"),
            "");
  EXPECT_EQ(neighboursOf(R"(void f(int n, const float a[restrict n], float b[restrict n]) {
    for (int i = 0; i < n; i++) b[n - 1 - i] = a[i];
  })"),
            "");
  EXPECT_EQ(neighboursOf(R"(void f(int n, const float a[restrict 2 * n], float b[restrict n]) {
    for (int i = 0; i < n; i++) b[i] = a[2 * i];
  })"),
            "");
  EXPECT_EQ(neighboursOf(R"(void f(int n, int m, const float a[restrict m], float b[restrict n]) {
    for (int i = 0; i < n; i++)
      for (int k = 0; k < m; k++) b[i] = b[i] * a[k] + 1;
  })"),
            "");
  EXPECT_EQ(neighboursOf(R"(void f(int n, const float a[restrict n], float b[restrict n]) {
    for (int i = 0; i < n; i++) if (a[i] > 0) b[i] = a[i];
  })"),
            "");
  EXPECT_EQ(neighboursOf(R"(void f(int n, int t, float a[restrict n], float b[restrict n]) {
    for (int k = 0; k < t; k++) {
      for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
      for (int i = 1; i < n - 1; i++) a[i] = b[i];
    }
  })"),
            "");
}

TEST(Recipe, StepsDecideAboutGridBlockAndMemory) {
  Planned of(R"(void f(int n, const double a[restrict n], double b[restrict n]) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];
  })",
             false,
             {Strip{"i", "B", "ii"}, MapToGrid{{"ii"}}, MapToBlock{{"i"}}, StageShared{"ii", "a"},
              StageReadOnly{"a"}});
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Tiled);
  EXPECT_THAT(of.sharedTiles(), ElementsAre("a[2 + B]"));
  ASSERT_EQ(of.kernel().body.tiles.size(), 1u);
  EXPECT_EQ(of.kernel().body.tiles[0].threads, "B");
  EXPECT_EQ(of.plan.readOnly.size(), 1u);
  EXPECT_THAT(of.plan.recipe,
              ElementsAre("strip(\"i\", \"B\", \"ii\")", "map_to_grid({\"ii\"})", "map_to_block({\"i\"})",
                          "copy_to_shared(\"ii\", \"a\", 1)", "copy_to_texture(\"a\")"));
}

TEST(Recipe, WhatCannotBeDoneIsRefusedWithItsStep) {
  const char* const sum = R"(void f(int n, double a[restrict n]) {
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
  })";
  Planned carried(sum, false, {MapToGrid{{"i"}}});
  EXPECT_THAT(carried.plan.refused, HasSubstr("map_to_grid({\"i\"}) is refused: the flow dependence on `a`"));
  const char* const scale = R"(void f(int n, double a[restrict n]) {
    for (int i = 0; i < n; i++) a[i] *= 2;
  })";
  Planned tiles(scale, false, {Strip{"i", "T", "ii"}, MapToGrid{{"ii"}}});
  EXPECT_THAT(tiles.plan.refused, HasSubstr("no loop inside it is on the block"));
  Planned staged(scale, false, {MapToGrid{{"i"}}, StageShared{"i", "a"}});
  EXPECT_THAT(staged.plan.refused, HasSubstr("copy_to_shared(\"i\", \"a\")"));
}

/// A product of matrices of `type`.
std::string productOf(const std::string& type) {
  std::string source = R"(void f(int n, int m, int p, T A[restrict n][p], T B[restrict p][m],
      T C[restrict n][m]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
          C[i][j] += A[i][k] * B[k][j];
  })";
  for (std::size_t at; (at = source.find("T ")) != std::string::npos;)
    source.replace(at, 1, type);
  return source;
}

TEST(TiledShape, MatrixProduct) {
  Planned of(productOf("float").c_str());
  ASSERT_EQ(of.plan.refused, "");
  ASSERT_EQ(of.plan.kernels.size(), 1u);
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Tiled);
  EXPECT_THAT(of.hostLoops(), IsEmpty());
  EXPECT_THAT(of.sharedTiles(), UnorderedElementsAre("A[TILE_Y][TILE_K]", "B[TILE_K][TILE_X]"));
  // Threads read neighbours in both: of A, whose rows lie along k, the tile is turned.
  for (const SharedTile& tile : of.kernel().body.shared)
    EXPECT_EQ(tile.transposed, of.nameOf(tile.array) == "A");
  ASSERT_EQ(of.kernel().body.registers.size(), 1u);
  const RegisterTile& tile = of.kernel().body.registers.front();
  EXPECT_EQ(of.nameOf(tile.array), "C");
  EXPECT_TRUE(tile.elements.load && tile.elements.store);
  // Threads x follow the contiguous subscript; tile sizes are symbols.
  const std::vector<TiledLoop>& loops = of.kernel().body.tiles;
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].loop, "i");
  EXPECT_EQ(loops[0].axis, 1);
  EXPECT_EQ(loops[0].size, "TILE_Y");
  EXPECT_EQ(loops[1].loop, "j");
  EXPECT_EQ(loops[1].axis, 0);
  EXPECT_EQ(loops[1].size, "TILE_X");
  for (const TiledLoop& loop : loops) {
    EXPECT_EQ(loop.points, Points::Grouped);
    EXPECT_EQ(loop.group, 4); // 16 bytes
  }
}

// Of doubles tensor cores make the same, added in another order.
TEST(TiledShape, MatrixProductOnTensorCores) {
  auto tensors = [](const Planned& of) {
    int found = 0;
    forEachNode(of.plan.kernels.front().body.nodes,
                [&](const MappedNode& node) { found += std::holds_alternative<TensorNode>(node.is); });
    return found;
  };
  Planned of(productOf("double").c_str());
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(tensors(of), 2); // whole tiles and edges
  EXPECT_THAT(of.sharedTiles(), UnorderedElementsAre("A[TENSOR_Y][TENSOR_K]", "B[TENSOR_K][TENSOR_X]"));
  for (const TiledLoop& loop : of.kernel().body.tiles)
    EXPECT_THAT(loop.points, testing::AnyOf(Points::Columns, Points::Rows));
  Planned strict(productOf("double").c_str(), true);
  EXPECT_EQ(tensors(strict), 0);
  EXPECT_EQ(tensors(Planned(productOf("float").c_str())), 0);
}

TEST(TiledShape, WhatIsSetFirstIsNotLoadedAndWhatNobodyNeedsIsNotStored) {
  Planned set(R"(void f(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        C[i][j] = 0;
        for (int k = 0; k < n; k++)
          C[i][j] += A[i][k] * B[k][j];
      }
  })");
  ASSERT_EQ(set.plan.refused, "");
  ASSERT_EQ(shapeOf(set.kernel()), Shape::Tiled);
  EXPECT_FALSE(set.kernel().body.registers.at(0).elements.load);
  EXPECT_TRUE(set.kernel().body.registers.at(0).elements.store);

  Planned sum(R"(void f(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    double s;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        s = 0;
        for (int k = 0; k < n; k++)
          s += A[i][k] * B[k][j];
        C[i][j] = s;
      }
  })");
  ASSERT_EQ(sum.plan.refused, "");
  ASSERT_EQ(shapeOf(sum.kernel()), Shape::Tiled);
  // `C` is written once, where the sums are done: its elements take no registers meanwhile.
  ASSERT_EQ(sum.kernel().body.registers.size(), 1u);
  const RegisterTile& tile = sum.kernel().body.registers.front();
  EXPECT_EQ(sum.nameOf(tile.array), "s");
  EXPECT_FALSE(tile.elements.load || tile.elements.store);
}

TEST(TiledShape, NotForAShortSumNorForNoneAtAll) {
  Planned few(R"(void f(int n, double A[restrict n][8], double B[restrict 8][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < 8; k++)
          C[i][j] += A[i][k] * B[k][j];
  })");
  ASSERT_EQ(few.plan.refused, "");
  EXPECT_THAT(few.sharedTiles(), IsEmpty());
  EXPECT_THAT(few.kernel().body.registers, IsEmpty());

  // Empty for every n: whatever is planned for the rest of the region must stand.
  Planned none(R"(void f(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        C[i][j] = 0;
        for (int k = 5; k < 3; k++)
          C[i][j] += A[i][k] * B[k][j];
      }
  })");
  EXPECT_EQ(none.plan.refused, "");
  EXPECT_NE(shapeOf(none.kernel()), Shape::Tiled);
}

// Floating point as written: a tile adds up in the order of the source.
TEST(TiledShape, KeepsTheOrderOfASum) {
  Planned of(R"(void f(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          C[i][j] += A[i][k] * B[k][j];
  })",
             true);
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Tiled);
  EXPECT_THAT(of.plan.recipe, testing::Not(testing::Contains(HasSubstr("reduce("))));
}

const char* const matrixVector = R"(void f(int m, int n, double A[restrict m][n], double x[restrict n],
      double y[restrict m]) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        y[i] += A[i][j] * x[j];
  })";

TEST(RowsShape, LanesShareTheContiguousSumOfARow) {
  Planned of(matrixVector);
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Rows);
  EXPECT_THAT(of.mapped(), ElementsAre("i"));
  EXPECT_THAT(of.kernel().lanes, ElementsAre("j"));
  ASSERT_EQ(of.kernel().reductions.size(), 1u);
  EXPECT_EQ(of.nameOf(of.kernel().reductions.front().array), "y");
  EXPECT_THAT(of.plan.recipe, testing::Contains("reduce(\"y\", \"j\")"));
}

TEST(RowsShape, NotWithStrictFloatingPoint) {
  Planned of(matrixVector, true);
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Flat);
  EXPECT_THAT(of.kernel().reductions, IsEmpty());
  EXPECT_THAT(of.plan.recipe, testing::Not(testing::Contains(HasSubstr("reduce("))));
}

TEST(RowsShape, NotForRowsShorterThanHalfAWarp) {
  Planned of(R"(void f(int m, double A[restrict m][15], double x[restrict 15], double y[restrict m]) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < 15; j++)
        y[i] += A[i][j] * x[j];
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Flat);
}

TEST(ColumnsShape, TransposedMatrixVector) {
  const char* source = R"(void f(int m, int n, double A[restrict m][n], double x[restrict m],
      double y[restrict n]) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        y[j] += A[i][j] * x[i];
  })";
  Planned of(source);
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Columns);
  EXPECT_THAT(of.mapped(), ElementsAre("j", "i"));
  EXPECT_EQ(of.placement("y"), Placement::Partial);

  Planned strict(source, true);
  ASSERT_EQ(strict.plan.refused, "");
  EXPECT_EQ(shapeOf(strict.kernel()), Shape::Flat);
  EXPECT_THAT(strict.mapped(), ElementsAre("j"));
}

TEST(FlatShape, ThreadsFollowTheContiguousLoop) {
  Planned asWritten(R"(void f(int n, int m, double a[restrict n][m], double b[restrict n][m]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] = 2 * b[i][j];
  })");
  ASSERT_EQ(asWritten.plan.refused, "");
  EXPECT_EQ(shapeOf(asWritten.kernel()), Shape::Flat);
  EXPECT_THAT(asWritten.mapped(), ElementsAre("i", "j"));

  Planned otherWay(R"(void f(int n, int m, double a[restrict n][m], double b[restrict n][m]) {
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++)
        a[i][j] = 2 * b[i][j];
  })");
  ASSERT_EQ(otherWay.plan.refused, "");
  EXPECT_THAT(otherWay.mapped(), ElementsAre("i", "j"));
}

TEST(FlatShape, NothingIsStagedWhereNothingIsReused) {
  Planned of(R"(void f(int n, double c[restrict n][n], double a[restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        c[i][j] = a[i][j];
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Flat);
  EXPECT_EQ(of.placement("c"), Placement::Device);
  EXPECT_THAT(of.kernel().body.shared, IsEmpty());
  EXPECT_THAT(of.kernel().body.registers, IsEmpty());
}

// The first loop runs for no n at all, the second for large n only.
TEST(FlatShape, EmptyLoopsAreNoObstacle) {
  Planned of(R"(void f(int n, double a[restrict n]) {
    for (int i = 7; i < 7; i++) a[i] = 1;
    for (int i = 100; i < n; i++) a[i] = 2;
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel(of.plan.kernels.size() - 1)), Shape::Flat);
}

// Alone, 500 chains are slower than the host; beside what is on the device anyway they are faster than one
// thread.
TEST(Chains, AFewAreEnoughBesideOthers) {
  EXPECT_NE(Planned(R"(void f(int n, int a[restrict n + 500]) {
    for (int i = 0; i < n; i++) a[500 + i] = a[i];
  })")
                .plan.refused,
            "");
  Planned of(R"(void f(int n, int a[restrict n + 500], int b[restrict n + 500]) {
    for (int i = 0; i < n; i++) {
      a[500 + i] = a[i];
      b[500 + i] = 0;
    }
  })");
  ASSERT_EQ(of.plan.refused, "");
  for (std::size_t k = 0; k < of.plan.kernels.size(); ++k)
    EXPECT_FALSE(of.kernel(k).isSingle());
}

} // namespace
} // namespace warploom
