// The generator of strategies, phase by phase: orders, partitions, placements, candidates, and what they are
// expected to take.
#include "frontend/Reading.h"
#include "strategy/Decide.h"
#include "strategy/DefaultSchedule.h"
#include "strategy/generator/RecipeText.h"
#include "strategy/generator/Waves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <numeric>

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace warploom::strategies {
namespace {

DeviceLimits deviceOf(const std::string& name) {
  return *deviceLimits(name);
}

/// The strategies of the only region of `source`, which stays here.
struct Generated {
  explicit Generated(const std::string& source, const std::string& device = "9.0", long assumed = 1024)
      : analysed(analyseRegion(regionOf(source))), prepared(prepareRegion(analysed.region, analysed.facts)),
        state(prepared), all(generate(state, {deviceOf(device), assumed})) {}
  Generated(const Generated&) = delete;

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Partition& partition : all.partitions)
      result.push_back(partition.name);
    return result;
  }
  /// `a: global shared`, of each array of a partition.
  std::vector<std::string> placements(std::size_t partition = 0) const {
    std::vector<std::string> result;
    for (const Placement& placement : all.partitions.at(partition).placements) {
      std::string text = fmt::format("{}:", fmt::join(all.nest.arrays[placement.arrays].names, " "));
      for (Keep keep : placement.ways)
        text += std::string(" ") + nameOf(keep);
      result.push_back(text);
    }
    return result;
  }
  const Candidate& called(const std::string& name) const {
    for (const Candidate& candidate : all.candidates)
      if (candidate.name == name) return candidate;
    throw std::runtime_error("no strategy " + name);
  }

  AnalysedRegion analysed;
  PreparedRegion prepared;
  ScheduleState state;
  Strategies all;
};

std::string product(int n, const char* real = "float") {
  return fmt::format(R"({1} a[{0}][{0}], b[{0}][{0}], c[{0}][{0}];
    void gemm(void) {{
      for (int i = 0; i < {0}; i++)
        for (int j = 0; j < {0}; j++)
          for (int k = 0; k < {0}; k++)
            c[j][i] += a[k][i] * b[j][k];
    }})",
                     n, real);
}

/// Those of a product of 1024 in single precision, which several tests look at.
const Generated& ofProduct() {
  static const Generated generated(product(1024));
  return generated;
}

const char* const transposed = R"(float a[4096][4096], x[4096], t[4096];
  void tmv(void) {
    for (int i = 0; i < 4096; i++)
      for (int j = 0; j < 4096; j++)
        t[i] += a[i][j] * x[j];
  })";

// SHOWS: CH-44 CH-48 CH-50 CH-51
TEST(Orders, LoopsThatCarryDependencesGoInside) {
  const Generated& of = ofProduct();
  EXPECT_EQ(of.all.orders.all, 6u);
  EXPECT_EQ(of.all.orders.count(Rule::Dependence), 4u);
  EXPECT_EQ(of.all.orders.count(Rule::Coalescing), 1u);
  ASSERT_EQ(of.all.orders.left.size(), 1u);
  EXPECT_THAT(of.all.orders.left.front().loops, ElementsAre("i", "j", "k"));
  // Threads along y come from tiling the loop of x again, or from the other one.
  EXPECT_THAT(of.names(), ElementsAre("points", "columns", "cyclic", "tiles", "cyclic-host", "flat"));
  std::vector<std::string> lines;
  for (const Step& step : boundSteps(of.all.partitions[2], of.called("cyclic_unroll0").choice))
    lines.push_back(print(step));
  EXPECT_THAT(
      lines,
      ElementsAre(R"(permute({"i", "j", "k"}))",
                  R"(tile_by_index({"i", "j"}, {64, 64}, {l1_control="ii", l2_control="jj"}, )"
                  R"({"ii", "jj", "i", "j"}))",
                  R"(tile_by_index({"i"}, {16}, {l1_control="ri", l1_tile="ti"}, {"ti", "j", "k", "ri"}))",
                  R"(tile_by_index({"j"}, {16}, {l1_control="rj", l1_tile="tj"}, )"
                  R"({"ti", "tj", "k", "ri", "rj"}))",
                  R"(map_to_grid({"ii", "jj"}))", R"(map_to_block({"ti", "tj"}))"));
}

// Table 6.2 of the thesis: loop orders, those dropped by dependences and by coalescing, and those left. All
// nine are as printed. For CP it is the dimensions of V[j * N + i] that tell along which loop threads read
// contiguously; NBody's arrays have four words for a body, so that along no loop they do, and the rule is
// relaxed, as for TMV, whose matrix is contiguous along the loop that cannot be parallel.
// SHOWS: CH-44 CH-52
TEST(Orders, OfTheNineKernels) {
  struct Row {
    const char* source;
    std::size_t all, dependence, coalescing, left;
    std::vector<std::string> order; ///< of the one that is left: what carries dependences is inside
  };
  const std::string head = R"(#include <math.h>
    #define N 1024
    #define M 512
    #define W 16
    float a[N][N], b[N][N], c[N][N], x[N], y[N], in[N + W][N + W], mask[W][W], block[W * W], out[N][N];
    float px[N], py[N], pz[N], qr[N], qi[N], kx[M], ky[M], kz[M], rr[M], ri[M], atom[4 * M], V[N * M];
    float source[4 * N], body[4 * N], force[4 * N];
    struct sample { float x, y, z, m; };
    struct sample K[M];
    void f(void) {
  )";
  const Row rows[] = {
      {"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
       "  c[j][i] += a[k][i] * b[j][k];",
       6,
       4,
       1,
       1,
       {"i", "j", "k"}},
      {"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i] += a[j][i] * x[j];",
       2,
       1,
       0,
       1,
       {"i", "j"}},
      {"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i] += a[i][j] * x[j];",
       2,
       1,
       0,
       1,
       {"i", "j"}},
      {"for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {"
       "  float e = K[i].x * px[j] + K[i].y * py[j] + K[i].z * pz[j];"
       "  qr[j] += K[i].m * cosf(e); qi[j] += K[i].m * sinf(e); }",
       2,
       1,
       0,
       1,
       {"j", "i"}},
      {"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < W; k++)"
       "  for (int l = 0; l < W; l++) out[i][j] += in[i + k][j + l] * mask[k][l];",
       24,
       22,
       1,
       1,
       {"j", "i", "k", "l"}},
      {"for (int v = 0; v < N; v++) for (int k = 0; k < M; k++) {"
       "  float e = kx[k] * px[v] + ky[k] * py[v] + kz[k] * pz[v];"
       "  qr[v] += rr[k] * cosf(e) - ri[k] * sinf(e); qi[v] += ri[k] * cosf(e) + rr[k] * sinf(e); }",
       2,
       1,
       0,
       1,
       {"v", "k"}},
      {"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < W; k++)"
       "  for (int l = 0; l < W; l++) out[i][j] += in[i + k][j + l] * block[k * W + l];",
       24,
       22,
       1,
       1,
       {"j", "i", "k", "l"}},
      {"for (int j = 0; j < M; j++) for (int i = 0; i < N; i++) for (int n = 0; n < 4 * M; n += 4) {"
       "  float dx = 0.5f * i - atom[n], dy = 0.5f * j - atom[n + 1], dz = atom[n + 2];"
       "  V[j * N + i] += atom[n + 3] / sqrtf(dx * dx + dy * dy + dz * dz); }",
       6,
       4,
       1,
       1,
       {"i", "j", "n"}},
      {"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {"
       "  float dx = source[4 * j] - body[4 * i], dy = source[4 * j + 1] - body[4 * i + 1];"
       "  float s = 1 / sqrtf(dx * dx + dy * dy + 0.25f), w = body[4 * i + 3] * s * s * s;"
       "  force[4 * i] += dx * w; force[4 * i + 1] += dy * w; }",
       2,
       1,
       0,
       1,
       {"i", "j"}}};
  for (const Row& row : rows) {
    const AnalysedRegion analysed = analyseRegion(regionOf(head + row.source + "}"));
    const PreparedRegion prepared = prepareRegion(analysed.region, analysed.facts);
    ScheduleState state(prepared);
    keepOrder(state);
    const Orders orders = loopOrders(state, state.tree().name, 1024);
    EXPECT_EQ(orders.all, row.all) << row.source;
    EXPECT_EQ(orders.count(Rule::Dependence), row.dependence) << row.source;
    EXPECT_EQ(orders.count(Rule::Coalescing), row.coalescing) << row.source;
    ASSERT_EQ(orders.left.size(), row.left) << row.source;
    EXPECT_THAT(orders.left.front().loops, testing::ElementsAreArray(row.order)) << row.source;
  }
}

// SHOWS: CH-49 CH-53
TEST(Orders, WhereNoLoopIsContiguousTheRuleIsRelaxed) {
  Generated of(transposed);
  EXPECT_TRUE(of.all.orders.relaxed);
  EXPECT_EQ(of.all.orders.count(Rule::Coalescing), 0u);
  EXPECT_THAT(of.names(), ElementsAre("line", "rows", "split", "flat", "common"));
  // The matrix is contiguous along j: in shared memory threads can read it so. The vector is small.
  EXPECT_THAT(of.placements(), ElementsAre("a: global shared texture", "x: global constant shared texture",
                                           "t: global registers"));
  EXPECT_FALSE(ofProduct().all.orders.relaxed);
}

TEST(Orders, ALoopThatCannotGoInsideStaysOnTheHost) {
  Generated of(R"(float g[100][1000];
    void f(void) {
      for (int t = 1; t < 100; t++)
        for (int x = 1; x < 999; x++)
          g[t][x] = g[t - 1][x - 1] + g[t - 1][x + 1];
    })");
  ASSERT_EQ(of.all.orders.left.size(), 1u);
  EXPECT_THAT(of.all.orders.left.front().loops, ElementsAre("t", "x"));
  EXPECT_EQ(of.all.orders.left.front().host, 1u);
  ASSERT_THAT(of.all.candidates, Not(IsEmpty()));
  EXPECT_EQ(of.all.candidates.front().use.launches, 99);
  EXPECT_THAT(explained(of.all, of.all.candidates.front()), Contains(HasSubstr("`t` stays on the host")));
}

TEST(Orders, ANestIsSkewedWhereNothingElseIsParallel) {
  Generated of(R"(float g[500][500];
    void f(void) {
      for (int i = 1; i < 500; i++)
        for (int j = 1; j < 500; j++)
          g[i][j] += g[i - 1][j] + g[i][j - 1];
    })");
  ASSERT_EQ(of.all.orders.before.size(), 1u);
  EXPECT_EQ(print(of.all.orders.before.front()), R"(skew("j", "i", 1))");
  ASSERT_EQ(of.all.orders.left.size(), 1u);
  EXPECT_THAT(of.all.orders.left.front().loops, ElementsAre("j", "i"));
  EXPECT_EQ(of.all.orders.left.front().host, 1u);
  EXPECT_THAT(of.all.candidates, Not(IsEmpty()));
  // Nothing helps where each iteration needs the one before.
  Generated none("float g[500]; void f(void) { for (int i = 1; i < 500; i++) g[i] += g[i - 1]; }");
  EXPECT_THAT(none.all.orders.left, IsEmpty());
  EXPECT_THAT(none.all.candidates, IsEmpty());
}

// SHOWS: CH-57
TEST(Placements, ConstantMemoryIsForWhatBlocksReadAgain) {
  Generated small(R"(float a[900][100], x[100], y[900];
    void f(void) {
      for (int i = 0; i < 900; i++)
        for (int j = 0; j < 100; j++)
          y[i] += a[i][j] * x[j];
    })");
  EXPECT_THAT(small.names(), ElementsAre("line", "rows", "split", "flat", "common"));
  EXPECT_THAT(small.placements(), Contains("x: global constant shared texture"));
  // An array of more than 64 KiB goes there by parts, each for a launch of its own.
  Generated large(R"(float a[20000][900], x[20000], y[900];
    void f(void) {
      for (int i = 0; i < 900; i++)
        for (int j = 0; j < 20000; j++)
          y[i] += a[j][i] * x[j];
    })");
  EXPECT_THAT(large.names(), ElementsAre("line", "line-host", "rows", "split", "flat", "common"));
  EXPECT_THAT(large.placements(0), Contains("x: global shared texture"));
  EXPECT_THAT(large.placements(1), Contains("x: constant"));
  const Candidate& parts = large.called("line-host_x-constant_y-registers_unroll0");
  EXPECT_EQ(large.all.partitions[1].sizes.at("TH"), 16384);
  EXPECT_EQ(parts.use.launches, 2);
  EXPECT_EQ(parts.use.constantBytes, 65536);
}

// SHOWS: CH-53 CH-54 CH-55
TEST(Placements, ByKindOfReuse) {
  const Generated& of = ofProduct();
  // Across threads: shared memory. In a thread: registers. Of what is only read, through texture too.
  EXPECT_THAT(of.placements(2),
              ElementsAre("a: global shared texture", "b: global shared texture", "c: global registers"));
  // In columns only threads of one loop share what b has.
  EXPECT_THAT(of.placements(1), ElementsAre("a: global", "b: global shared texture", "c: global registers"));
  for (const Candidate& candidate : of.all.candidates)
    for (std::size_t p = 0; p < candidate.choice.kept.size(); ++p)
      if (candidate.choice.kept[p] == Keep::SharedReadOnly) {
        EXPECT_FALSE(
            of.all.nest.arrays[of.all.partitions[candidate.partition].placements[p].arrays].isWritten);
      }
  Generated mri(R"(#include <math.h>
    struct sample { float x, y, z, m; };
    struct sample K[3072];
    float x[32768], y[32768], z[32768], Qr[32768], Qi[32768];
    void mriq(void) {
      for (int i = 0; i < 3072; i++)
        for (int j = 0; j < 32768; j++) {
          float e = K[i].x * x[j] + K[i].y * y[j] + K[i].z * z[j];
          Qr[j] += K[i].m * cosf(e);
          Qi[j] += K[i].m * sinf(e);
        }
    })");
  EXPECT_THAT(mri.placements(), ElementsAre("K.x K.y K.z K.m: global shared texture",
                                            "x y z: global registers", "Qr Qi: global registers"));
}

TEST(Placements, StagingTilesLieBetweenBlocksAndThreads) {
  const Generated& of = ofProduct();
  const Candidate& candidate = of.called("cyclic_a-shared_b-shared_c-registers_unroll0");
  std::vector<std::string> lines;
  for (const Step& step : boundSteps(of.all.partitions[2], candidate.choice))
    lines.push_back(print(step));
  EXPECT_THAT(lines,
              Contains(R"(tile_by_index({"k"}, {16}, {l1_control="kk"}, {"kk", "i", "j", "k"}, strided))"));
  EXPECT_THAT(lines, Contains(HasSubstr(R"(copy_to_shared("kk", "b")")));
  EXPECT_THAT(lines, Contains(R"(copy_to_registers("jj", "c"))"));
  // A short loop is staged as a whole.
  Generated window(R"(float in[1004][1004], mask[5][5], out[1000][1000];
    void conv(void) {
      for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1000; j++)
          for (int k = 0; k < 5; k++)
            for (int l = 0; l < 5; l++)
              out[i][j] += in[i + k][j + l] * mask[k][l];
    })");
  EXPECT_FALSE(window.all.partitions.front().slab);
  EXPECT_THAT(window.placements(), Contains("mask: global constant shared texture"));
  // 32 by 8 points and a halo of 4.
  EXPECT_EQ(window.called("points_in-shared_unroll0").use.sharedBytes, 36 * 12 * 4);
}

// SHOWS: CH-59
TEST(Candidates, AreAllCombinationsTimesThreeDepths) {
  const Generated& of = ofProduct();
  // Registers or not, and three ways for a and b each; once more with two copies where both are shared.
  EXPECT_EQ(choicesOf(of.all.partitions[2]).size(), (2 * 3 * 3 + 2) * 3u);
  std::size_t combinations = 0;
  for (const Partition& partition : of.all.partitions)
    combinations += choicesOf(partition).size();
  EXPECT_EQ(of.all.combinations, combinations);
  EXPECT_EQ(of.all.combinations, of.all.candidates.size() + of.all.dropped.size());
}

// SHOWS: CH-62
TEST(Candidates, AreDroppedByCapacity) {
  const DeviceLimits small = deviceOf("1.3");
  KernelUse use;
  use.threads = 256;
  EXPECT_FALSE(refusedCapacity(use, small));
  auto rule = [&](auto change) {
    KernelUse other = use;
    change(other);
    return refusedCapacity(other, small).value().rule;
  };
  EXPECT_EQ(rule([](KernelUse& one) { one.threads = 1024; }), Rule::Threads);
  EXPECT_EQ(rule([](KernelUse& one) { one.sharedBytes = 16385; }), Rule::Shared);
  EXPECT_EQ(rule([](KernelUse& one) { one.constantBytes = 65537; }), Rule::Constant);
  EXPECT_EQ(rule([](KernelUse& one) { one.registers = 125; }), Rule::Registers);
  EXPECT_EQ(rule([](KernelUse& one) { one.registers = 70; }),
            Rule::Registers); // 256 of them: more than 16384
  // A product in double precision, 64 by 64 elements of it: 4 by 4 for a thread are too many for the first of
  // these, and none is too large for the other.
  Generated old(product(1024, "double"), "1.3");
  EXPECT_GT(old.all.count(Rule::Registers), 0u);
  EXPECT_EQ(ofProduct().all.count(Rule::Registers), 0u);
}

// Lanes can share what a loop adds to one element, not to three: no step by itself says so.
TEST(Candidates, AreDroppedWhereAllStepsTogetherMakeNoKernel) {
  Generated one("float a[64][64], y[64]; void f(void) { for (int i = 0; i < 64; i++) for (int j = 0; j < 64; "
                "j++) y[i] += a[i][j]; }"),
      three("float a[64][64], y[192]; void f(void) { for (int i = 0; i < 64; i++) for (int j = 0; j < 64; "
            "j++) { y[3 * i] += a[i][j]; y[3 * i + 1] += 2 * a[i][j]; y[3 * i + 2] -= a[i][j]; } }");
  auto hasRows = [](const Generated& of) {
    return std::any_of(of.all.candidates.begin(), of.all.candidates.end(),
                       [](const Candidate& candidate) { return candidate.name.starts_with("rows"); });
  };
  EXPECT_TRUE(hasRows(one));
  EXPECT_THAT(three.names(), Contains("rows"));
  EXPECT_FALSE(hasRows(three));
  EXPECT_TRUE(std::any_of(three.all.dropped.begin(), three.all.dropped.end(), [](const Dropped& dropped) {
    return dropped.what.starts_with("rows") && dropped.why.starts_with("lanes cannot combine");
  }));
}

// What `compile` chooses among is ranked with the rest, and the best of it is what it takes.
TEST(Ranking, WaysOfCompileAreAmongTheCandidates) {
  Generated of("float a[4096][4096], b[4096][4096]; void f(void) { for (int i = 1; i < 4095; i++) for (int j "
               "= 1; j < 4095; j++) b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]; }");
  EXPECT_THAT(of.names(), ElementsAre("points", "columns", "cyclic", "strips", "flat", "stacks"));
  const Candidate* best = nullptr;
  for (const Candidate& candidate : of.all.candidates)
    if (!best && of.all.partitions[candidate.partition].shape == Partition::Shape::Own) best = &candidate;
  ASSERT_NE(best, nullptr);
  EXPECT_EQ(best->name, "stacks");
  std::vector<std::string> lines;
  for (const Step& step : of.all.steps(*best))
    lines.push_back(print(step));
  const RegionPlan plan = planRegion(of.analysed.region, of.analysed.facts, {});
  EXPECT_EQ(lines, plan.recipe);
}

// One parallel loop around two that add up: `compile` leaves one of these to the host, and asks no further.
TEST(Ranking, EndsWhereTheHostKeepsALoop) {
  Generated of(
      "float x[512], a[512][64][128]; void f(void) { for (int i = 0; i < 512; i++) for (int t = 0; t < "
      "64; t++) for (int k = 0; k < 128; k++) x[i] += a[i][t][k]; }");
  EXPECT_FALSE(of.all.candidates.empty());
}

// What the user does not want, the generator's strategies do not do either.
TEST(Ranking, CompileTakesNoSharedMemoryWhereNoneIsWanted) {
  const Region region = regionOf(R"(float s[4000], b[4000], f[4000];
    void g(void) {
      for (int i = 0; i < 4000; i++)
        for (int j = 0; j < 4000; j++) {
          f[i] += s[j] / (b[i] - s[j]);
          f[i] -= s[j] * b[i];
        }
    })");
  const Facts facts = analyse(region);
  PlanOptions options;
  const RegionPlan with = planRegion(region, facts, options);
  options.sharedMemory = false;
  const RegionPlan without = planRegion(region, facts, options);
  EXPECT_THAT(with.recipe, Contains(HasSubstr("copy_to_shared")));
  EXPECT_THAT(without.recipe, Not(Contains(HasSubstr("copy_to_shared"))));
}

/// The known-good shape of a matrix product: a tile for a block, what it reads in shared memory by parts of
/// k, two copies of these, read several elements at once, a tile in registers for a thread, unrolled.
TEST(Ranking, AProductIsTiledStagedAndUnrolled) {
  struct Case {
    int n;
    const char *real, *device;
  };
  for (const Case& one :
       {Case{4096, "float", "9.0"}, Case{2048, "float", "8.0"}, Case{2048, "double", "9.0"}}) {
    Generated of(product(one.n, one.real), one.device);
    std::vector<std::string> first;
    for (std::size_t k = 0; k < 2; ++k)
      first.push_back(of.all.candidates[k].name);
    // With sizes that stay names: elements are read several at once. Cyclic tiles do not do that.
    EXPECT_THAT(first, Contains("tiles_a-shared_b-shared_c-registers_twice_unroll0"))
        << one.n << " " << one.real << " on " << one.device;
    if (one.n == 4096) {
      EXPECT_EQ(first.front(), "tiles_a-shared_b-shared_c-registers_twice_unroll0");
    }
    EXPECT_LE(of.all.tunedCost.seconds, of.all.candidates.front().cost.seconds);
    // No faster than the arithmetic units of the device.
    const DeviceLimits::Rates rates = deviceOf(one.device).rates;
    const double peak =
        rates.multiprocessors * rates.clock * 2 * (of.all.nest.isDouble ? rates.doubles : rates.singles);
    EXPECT_GT(of.all.tunedCost.seconds, 2.0 * one.n * one.n * one.n / peak);
  }
}

/// The same where extents are no numbers, of which the model takes 1024 then: it is checked on the schedule
/// that recipes make, in which a thread keeps its points whatever the extents are.
TEST(Ranking, AProductOfUnknownExtentsIsTiledStagedAndUnrolled) {
  const char* const source =
      R"(void gemm(int n, int m, int p, float* restrict c, const float* restrict a, const float* restrict b) {
        for (int i = 0; i < n; i++)
          for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
              c[i * m + j] += a[i * p + k] * b[k * m + j];
      })";
  Generated of(source);
  std::vector<std::string> first;
  for (std::size_t k = 0; k < 2; ++k)
    first.push_back(of.all.candidates[k].name);
  EXPECT_THAT(first, Contains("tiles_a-shared_b-shared_c-registers_twice_unroll0"));
  EXPECT_THAT(first, Contains("cyclic_a-shared_b-shared_c-registers_twice_unroll0"));
  // No thread would keep all of a block's tile.
  for (const Dropped& one : of.all.dropped)
    EXPECT_THAT(one.why, Not(HasSubstr("a thread would keep"))) << one.what;
}

/// The shapes that `compile` has for rows and columns of matrices are among the candidates, and win: threads
/// share the loop that combines values, along which a row is contiguous, or across columns.
TEST(Ranking, ThreadsShareTheSumsOfMatricesTimesVectors) {
  for (const auto& [element, first] : {std::pair{"a[i][j]", "rows_y-registers_unroll0"},
                                       std::pair{"a[j][i]", "split_y-registers_unroll0"}}) {
    Generated of(std::string("float a[4096][4096], x[4096], y[4096];\nvoid f(void) {\n"
                             "for (int i = 0; i < 4096; i++) for (int j = 0; j < 4096; j++) y[i] += ") +
                 element + " * x[j]; }");
    ASSERT_THAT(of.all.candidates, Not(IsEmpty()));
    EXPECT_EQ(of.all.candidates.front().name, first);
    EXPECT_GT(of.called("line_y-registers_unroll0").cost.seconds, 3 * of.all.candidates.front().cost.seconds);
  }
}

/// A thread that takes points of a column in a row reads what they have in common once; points as far apart
/// as there are threads have nothing in common.
TEST(Ranking, SweepsRunDownColumns) {
  Generated of(R"(float a[4096][4096], b[4096][4096];
    void f(void) {
      for (int i = 1; i < 4095; i++)
        for (int j = 1; j < 4095; j++)
          b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j - 1] +
                    a[i - 1][j + 1] + a[i + 1][j - 1] + a[i + 1][j + 1];
    })");
  ASSERT_THAT(of.all.candidates, Not(IsEmpty()));
  EXPECT_THAT(of.all.candidates.front().name, testing::StartsWith("columns"));
  // Each comes from memory once, whoever asks for it again.
  const double once = 2.0 * 4096 * 4096 * 4;
  EXPECT_NEAR(of.all.candidates.front().use.memoryBytes, once, 0.1 * once);
}

// SHOWS: CH-74
TEST(Ranking, OtherDevicesHaveOtherWinners) {
  std::set<std::string> winners;
  for (const char* device : {"2.0", "9.0"}) {
    Generated of(R"(float a[1024][1024], b[1024][1024], c[1024][1024];
    void gemm(void) {
      for (int i = 0; i < 1024; i++)
        for (int j = 0; j < 1024; j++)
          for (int k = 0; k < 1024; k++) c[i][j] += a[i][k] * b[k][j];
    })",
                 device, 1024);
    ASSERT_THAT(of.all.candidates, Not(IsEmpty()));
    winners.insert(of.all.candidates.front().name);
  }
  EXPECT_EQ(winners.size(), 2u);
}

TEST(Ranking, AProductAsEverybodyWritesItIsDistributed) {
  Generated of(R"(void matmul(int n, const float* restrict a, const float* restrict b, float* restrict c) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
  })",
               "9.0", 4096);
  std::vector<std::string> lines;
  for (const Step& step : of.all.before)
    lines.push_back(print(step));
  EXPECT_THAT(lines, Contains(R"(distribute("i"))"));
  EXPECT_EQ(of.all.nest.loops.size(), 3u);
  ASSERT_THAT(of.all.candidates, Not(IsEmpty()));
  EXPECT_THAT(of.all.candidates.front().name,
              testing::MatchesRegex("tiles_.*a-shared_b-shared_twice_unroll0"));
  EXPECT_THAT(of.all.candidates.front().name, HasSubstr("sum-registers"));
  lines.clear();
  for (const Step& step : of.all.steps(of.all.candidates.front()))
    lines.push_back(print(step));
  EXPECT_THAT(lines, Contains(R"(copy_to_shared("kk", "a", 1, 2, 4, "transposed"))"));
}

TEST(Ranking, RegistersPayAndShortLoopsAreUnrolledAnyway) {
  const Generated& of = ofProduct();
  const double best = of.called("cyclic_a-shared_b-shared_c-registers_unroll0").cost.seconds;
  // To whatever depth a recipe unrolls them, the text is the same, and only the first is a strategy.
  std::vector<std::string> same;
  for (const Dropped& one : of.all.dropped)
    if (one.rule == Rule::Same) same.push_back(one.what + ": " + one.why);
  for (const char* depth : {"1", "2"})
    EXPECT_THAT(same,
                Contains(fmt::format("cyclic_a-shared_b-shared_c-registers_unroll{}: its kernel has the text "
                                     "of cyclic_a-shared_b-shared_c-registers_unroll0",
                                     depth)));
  // A loop of 1024 is not written out unless a recipe says so.
  EXPECT_THAT(same, Not(Contains(testing::StartsWith("points_unroll1:"))));
  EXPECT_GT(of.called("cyclic_a-shared_b-shared_unroll0").cost.seconds, 1.5 * best);
  EXPECT_GT(of.called("points_unroll0").cost.seconds, 4 * best);
  // Where threads read along columns, shared memory saves transactions.
  Generated rows(transposed);
  EXPECT_GT(rows.called("line_t-registers_unroll0").use.sectors,
            6 * rows.called("line_a-shared_t-registers_unroll0").use.sectors);
}

// Numbers of the thesis: 64 threads for 64 by 16 elements of a product of 1024 and 16 by 17 elements of b; 16
// by 16 threads for 64 by 64 elements of one of 3968, 16 by 65 and 64 by 17 elements; 64 by 64 blocks of 16
// by 16 threads for a convolution of 1024.
TEST(Cost, OfThePrintedRecipes) {
  const Generated& first = ofProduct();
  const Candidate& columns = first.called("columns_b-shared_c-registers_unroll0");
  EXPECT_EQ(columns.use.threads, 64);
  EXPECT_EQ(columns.use.blocks, 16 * 64);
  EXPECT_EQ(columns.use.sharedBytes, 16 * 16 * 4);
  EXPECT_EQ(columns.use.fills, 64);
  Generated second(product(3968, "double"));
  const Candidate& cyclic = second.called("cyclic_a-shared_b-shared_c-registers_unroll0");
  EXPECT_EQ(cyclic.use.threads, 256);
  EXPECT_EQ(cyclic.use.blocks, 62 * 62);
  EXPECT_EQ(cyclic.use.sharedBytes, (16 * 64 + 64 * 16) * 8);
  EXPECT_EQ(cyclic.use.arithmetic, 3968.0 * 3968 * 3968);
  // Each block reads both of its panels once: bytes of the cache are those of 62 * 62 blocks.
  EXPECT_NEAR(cyclic.use.cacheBytes, 62.0 * 62 * (2 * 3968 * 64 * 8) + 2 * 3968.0 * 3968 * 8, 1e6);
}

TEST(Cost, SectorsOfAWarp) {
  EXPECT_EQ(sectorsOfWarp(32, 1, 4, true), 4); // 128 bytes in a row
  EXPECT_EQ(sectorsOfWarp(32, 1, 8, true), 8);
  EXPECT_EQ(sectorsOfWarp(32, 0, 4, true), 1); // all read one element
  EXPECT_EQ(sectorsOfWarp(32, 4096, 4, true), 32);
  EXPECT_EQ(sectorsOfWarp(32, 4, 4, true), 16); // every fourth word
  EXPECT_EQ(sectorsOfWarp(16, 1, 4, false), 4); // two rows of 64 bytes
  EXPECT_EQ(sectorsOfWarp(16, 0, 4, false), 2);
}

TEST(Cost, BlocksHeldAreThoseOfTheOccupancyCalculator) {
  KernelUse use;
  use.threads = 96, use.registers = 72, use.blocks = 10000;
  EXPECT_EQ(costOf(use, deviceOf("9.0")).held.all(), 9);
  EXPECT_DOUBLE_EQ(costOf(use, deviceOf("9.0")).occupancy, 27.0 / 64);
  use.threads = 1024;
  EXPECT_EQ(costOf(use, deviceOf("9.0")).held.all(), 0);
}

TEST(Devices, AreATable) {
  for (const char* name : {"8.0", "9.0", "10.0", "12.0"})
    EXPECT_GT(deviceOf(name).rates.multiprocessors, 0) << name;
  // What the thesis says of its two: 515 and 1030 GF/s.
  const DeviceLimits::Rates fermi = deviceOf("2.0").rates;
  EXPECT_NEAR(fermi.multiprocessors * fermi.clock * fermi.doubles * 2, 515e9, 1e9);
  EXPECT_NEAR(fermi.multiprocessors * fermi.clock * fermi.singles * 2, 1030e9, 1e9);
  EXPECT_THROW(readDevices("name warps\n9.0 64\n"), std::runtime_error);
  EXPECT_THROW(readDevices("name warps\n9.0\n"), std::runtime_error);
}

// The test as printed drops sizes that fill their waves exactly, and may leave none; ours is what was meant.
std::vector<int> asPrinted(long problem, int multiprocessors, int most) {
  std::vector<int> kept;
  for (int tile = 32; tile <= most; tile += 32) {
    const long rest = (problem + tile - 1) / tile % multiprocessors;
    if (2 * rest > multiprocessors - 1 && rest < multiprocessors - 1) kept.push_back(tile);
  }
  return kept;
}

// SHOWS: CH-66 CH-67
TEST(Waves, KeepSizesThatFillTheDevice) {
  EXPECT_THAT(asPrinted(1024, 14, 512), ElementsAre(96, 128, 160));
  EXPECT_THAT(asPrinted(2048, 14, 512), ElementsAre(32, 96, 192, 224, 256, 288, 320));
  EXPECT_THAT(asPrinted(4096, 14, 512), ElementsAre(64, 160, 192, 352, 384, 416, 448, 480, 512));
  EXPECT_THAT(asPrinted(8192, 14, 512), ElementsAre(128, 160, 224, 320, 352, 384));
  EXPECT_THAT(asPrinted(1024, 30, 512), ElementsAre(64));
  EXPECT_THAT(asPrinted(2048, 30, 512), ElementsAre(96, 128));
  EXPECT_THAT(asPrinted(4096, 30, 512), ElementsAre(160, 192, 224, 256, 288));
  EXPECT_THAT(asPrinted(8192, 30, 512), ElementsAre(32, 96, 160, 320, 352, 384, 416, 448, 480, 512));
  EXPECT_THAT(asPrinted(1024, 132, 1024), IsEmpty());
  EXPECT_THAT(asPrinted(4096, 132, 1024), ElementsAre(32));
  EXPECT_THAT(asPrinted(8192, 132, 1024), ElementsAre(32, 64, 96));
  struct Machine {
    int multiprocessors, most, empty;
  };
  for (const Machine& machine : {Machine{14, 512, 10}, Machine{30, 512, 46}, Machine{132, 1024, 279}}) {
    int empty = 0, sizes = 0, dropsGood = 0;
    for (long problem = 128; problem <= 8192; problem += 7) {
      const std::vector<int> printed = asPrinted(problem, machine.multiprocessors, machine.most),
                             kept = blockTiles(problem, machine.multiprocessors, 1, machine.most);
      ++sizes;
      empty += printed.empty();
      ASSERT_FALSE(kept.empty()) << problem;
      // Multiples of a warp, up to what a block may have; with one that leaves at most half of the device
      // idle in its last wave, no other is there.
      const auto isIdle = [&](int tile) {
        const long last = (problem + tile - 1) / tile % machine.multiprocessors;
        return last != 0 && 2 * last <= machine.multiprocessors;
      };
      for (int tile : kept)
        EXPECT_TRUE(tile % 32 == 0 && tile >= 32 && tile <= machine.most) << tile;
      EXPECT_TRUE(std::none_of(kept.begin(), kept.end(), isIdle) ||
                  std::all_of(kept.begin(), kept.end(), isIdle))
          << problem;
      // Of what the printed test keeps only tiles that leave half of the device idle are lost, and what fills
      // waves exactly, or all but one multiprocessor, is kept.
      for (int tile : printed)
        if ((problem + tile - 1) / tile % machine.multiprocessors * 2 != machine.multiprocessors) {
          EXPECT_THAT(kept, Contains(tile)) << problem;
        }
      bool isGood = false;
      for (int tile = 32; tile <= machine.most; tile += 32) {
        const long blocks = (problem + tile - 1) / tile, rest = blocks % machine.multiprocessors;
        if (rest != 0 && rest != machine.multiprocessors - 1) continue;
        EXPECT_THAT(kept, Contains(tile)) << problem;
        isGood = true;
      }
      dropsGood += isGood;
    }
    EXPECT_EQ(empty, machine.empty) << machine.multiprocessors;
    EXPECT_EQ(sizes, 1153);
    if (machine.multiprocessors == 14) {
      EXPECT_EQ(dropsGood, 912);
    }
  }
  EXPECT_DOUBLE_EQ(waveEfficiency(132, 132, 1), 1);
  EXPECT_DOUBLE_EQ(waveEfficiency(133, 132, 1), 133.0 / 264);
  EXPECT_DOUBLE_EQ(waveEfficiency(133, 132, 2), 133.0 / 264);
}

// SHOWS: CH-94
TEST(Words, TellWhyLoopsAndArraysAreWhereTheyAre) {
  const Generated& of = ofProduct();
  EXPECT_THAT(
      explained(of.all, of.called("cyclic_a-shared_c-registers_unroll0")),
      ElementsAre(
          "`i` is shared out among blocks and threads along x: it carries no dependence, and threads read "
          "contiguously along it",
          "`j` is shared out among blocks and threads along y: it carries no dependence",
          "a thread runs `k`: it carries a dependence",
          "`a` in shared memory: threads along `j` read the same", "`b` stays in device memory",
          "`c` in registers: a thread uses it again along `k`"));
}

} // namespace
} // namespace warploom::strategies
