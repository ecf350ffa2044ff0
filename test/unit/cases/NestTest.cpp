// What blocks of MetaFork's programs need, from their text: section 5.7's programs and others.
#include "Programs.h"
#include "cases/Detile.h"
#include "cases/NestCases.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warploom;
using namespace warploom::cases;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// The tree with given registers, R and R' for granularity 1.
CaseTree treeOf(const Nest& nest, unsigned registers, unsigned withOne) {
  return discussNest(nest, {}, {"granularity", "caching"},
                     {[=](const NestForm& form) { return form.isOne ? withOne : registers; }, {}, {}});
}

std::vector<std::string> texts(const CaseTree& tree) {
  std::vector<std::string> result;
  for (const Case& one : tree.cases) {
    std::vector<std::string> conditions;
    for (const System& system : one.conditions)
      conditions.push_back(system.text());
    result.push_back(fmt::format("{}: {}", one.code->text(), fmt::join(conditions, " or ")));
  }
  return result;
}

void prove(const CaseTree& tree) {
  Questions questions(tree.discussion.facts);
  std::vector<System> all = tree.none;
  for (const Case& one : tree.cases)
    for (const System& system : one.conditions) {
      all.push_back(system);
      for (std::size_t k = 0; k < tree.discussion.counters.size(); ++k)
        EXPECT_TRUE(
            questions.implies(system, atMost(one.code->amount(k).over, tree.discussion.counters[k].limit)));
    }
  EXPECT_TRUE(questions.isCovered({}, all));
  for (std::size_t a = 0; a < all.size(); ++a) {
    EXPECT_EQ(questions.isConsistent(all[a]), true);
    for (std::size_t b = a + 1; b < all.size(); ++b)
      EXPECT_TRUE(questions.areDisjoint(all[a], all[b]));
  }
}

} // namespace

// SHOWS: MF-77 MF-97
TEST(Nest, ArrayReversal) {
  const Nest nest = nestOf(reversal);
  EXPECT_EQ(nest.elements("c").text(), "s*B"); // c[N-1-(i*B*s + k*B + j)]
  EXPECT_EQ(nest.words().text(), "2*s*B");
  EXPECT_EQ(nest.threads().text(), "B");
  EXPECT_EQ(nest.withGranularityOne().words().text(), "2*B");
  const CaseTree tree = treeOf(nest, 6, 5);
  prove(tree);
  EXPECT_THAT(texts(tree),
              ElementsAre("a, c in shared memory, s elements a thread: B <= T, 6 <= R, 2*s*B <= Z",
                          "a, c in shared memory, one element a thread: B <= T, 6 <= R, "
                          "2*B <= Z < 2*s*B or B <= T, 5 <= R < 6, 2*B <= Z",
                          "nothing in shared memory, one element a thread: B <= T, Z < 2*B, 5 <= R"));
}

// SHOWS: MF-84 MF-85 MF-95
TEST(Nest, MatrixVectorProduct) {
  const Nest nest = nestOf(matvec);
  EXPECT_EQ(nest.elements("a").text(), "s*B^2");
  EXPECT_EQ(nest.elements("b").text(), "B");
  EXPECT_EQ(nest.elements("c").text(), "s*B");
  EXPECT_EQ(nest.words().text(), "s*B^2 + s*B + B");
  EXPECT_EQ(nest.withGranularityOne().words().text(), "B^2 + 2*B");
  EXPECT_EQ(nest.uncached().words().text(), "0");
  const CaseTree tree = treeOf(nest, 9, 7);
  prove(tree);
  EXPECT_THAT(texts(tree)[0], HasSubstr("B <= T, 9 <= R, s*B^2 + s*B + B <= Z"));
  EXPECT_THAT(texts(tree)[2], HasSubstr("Z < B^2 + 2*B"));
  EXPECT_THAT(tree.none.size(), 2u);
}

// SHOWS: MF-78 MF-97
TEST(Nest, JacobiInTwoHalvesOfOneArray) {
  const Nest nest = nestOf(jacobi);
  EXPECT_EQ(nest.words().text(), "2*s*B + 2");
  EXPECT_EQ(nest.withGranularityOne().words().text(), "2*B + 2");
}

// SHOWS: MF-97
TEST(Nest, MatrixAdditionAndTranspose) {
  EXPECT_EQ(nestOf(addition).words().text(), "3*s*B0*B1");
  EXPECT_EQ(nestOf(addition).threads().text(), "B0*B1");
  EXPECT_EQ(nestOf(transpose).words().text(), "2*s*B0*B1");
  EXPECT_EQ(nestOf(transpose).withGranularityOne().words().text(), "2*B0*B1");
}

// SHOWS: MF-96
TEST(Nest, MatrixProduct) {
  const Nest nest = nestOf(matmul);
  EXPECT_EQ(nest.elements("a").text(), "B*B0");
  EXPECT_EQ(nest.elements("b").text(), "s*B*B1");
  EXPECT_EQ(nest.elements("c").text(), "s*B0*B1");
  EXPECT_EQ(nest.words(), Polynomial::parse("s*B0*B1 + s*B*B1 + B0*B"));
  const CaseTree tree = treeOf(nest, 9, 8);
  prove(tree);
  EXPECT_EQ(tree.cases.size(), 3u);
  // B is known to be the smaller one of B0 and B1.
  Questions questions(tree.discussion.facts);
  EXPECT_TRUE(questions.implies({}, Constraint::parse("B <= B0")));
  EXPECT_TRUE(questions.isCovered(
      {}, {System{{Constraint::parse("B0 <= B")}}, System{{Constraint::parse("B1 <= B")}}}));
}

TEST(Nest, FormsAreWhatStrategiesSay) {
  const Nest nest = nestOf(matvec);
  ASSERT_TRUE(nest.granularity);
  EXPECT_EQ(nest.granularity->block, "v");
  EXPECT_EQ(nest.granularity->counter, "k");
  EXPECT_EQ(nest.granularity->size.text(), "s");
  const Nest one = nest.withGranularityOne();
  EXPECT_FALSE(one.granularity);
  // As many elements as before: more blocks.
  EXPECT_EQ(one.loop("v")->bound, Polynomial::parse("s*dim0"));
  bool isSeen = false;
  for (const NestAccess& access : one.accesses)
    if (access.array == "c") {
      EXPECT_EQ(access.subscripts[0], Polynomial::parse("v*B + u"));
      isSeen = true;
    }
  EXPECT_TRUE(isSeen);
  EXPECT_LT(one.registers(), nest.registers());
  EXPECT_FALSE(one.uncached().cached.size());
}

// SHOWS: MF-82
TEST(Nest, ParametersAreOfDataOrOfTheProgram) {
  const Nest nest = nestOf(matvec);
  EXPECT_THAT(nest.dataParameters, ElementsAre("N"));
  EXPECT_THAT(nest.programParameters, ElementsAre("B", "dim0", "dim1", "s"));
}

TEST(Nest, HalosAndSizesOfElementsCount) {
  const Nest nest = nestOf(R"(
void smooth(int n, int B0, int B1, double a[n][n], char b[n][n]) {
  int d0 = (n - 2) / B0, d1 = (n - 2) / B1;
  meta_schedule cache(a, b) {
    meta_for (int v0 = 0; v0 < d0; v0++)
      meta_for (int v1 = 0; v1 < d1; v1++)
        meta_for (int u0 = 0; u0 < B0; u0++)
          meta_for (int u1 = 0; u1 < B1; u1++) {
            int p = v0 * B0 + u0, w = v1 * B1 + u1;
            b[p + 1][w + 1] = a[p][w + 1] + a[p + 2][w + 1] + a[p + 1][w] + a[p + 1][w + 2] > 0;
          }
  }
})");
  EXPECT_FALSE(nest.granularity);
  EXPECT_EQ(nest.elements("a"), Polynomial::parse("(B0 + 2)*(B1 + 2)"));
  EXPECT_EQ(nest.elements("b"), Polynomial::parse("B0*B1"));
  EXPECT_EQ(nest.words(), Polynomial::parse("2*(B0 + 2)*(B1 + 2) + B0*B1/4"));
}

TEST(Nest, ScalarsAreFollowedOnlyAsFarAsTheyAreKnown) {
  const char* text = R"(
void f(int n, int B, int a[n], int b[n]) {
  int d = n / B;
  meta_schedule cache(a) {
    meta_for (int v = 0; v < d; v++)
      meta_for (int u = 0; u < B; u++) {
        int p = v * B + u;
        for (int j = 0; j < 3; j++) {
          b[p] += %s;
          p = p + 1;
        }
      }
  }
})";
  auto with = [&](const std::string& what) {
    std::string result = text;
    return result.replace(result.find("%s"), 2, what);
  };
  EXPECT_THROW(nestOf(with("a[p]")).words(), NestRefused);
  EXPECT_THROW(nestOf(with("a[b[0]]")).words(), NestRefused);
  EXPECT_THROW(nestOf(with("a[u * u]")).words(), NestRefused);
  EXPECT_THROW(nestOf(with("a[(n - B) * u]")).words(), NestRefused);
  EXPECT_EQ(nestOf(with("a[2 * (v * B + u)]")).words().text(), "2*B - 1");
  EXPECT_EQ(nestOf(with("a[v * B + u + j]")).words().text(), "B + 2");
  // A value that does not fit is another one.
  EXPECT_THROW(nestOf(with("({ 0; }), a[u]")), NestRefused);
}

TEST(Nest, MoreThatMayBeDone) {
  // Registers as a compiler might count them.
  const NestCounters counters{
      [](const NestForm& form) { return 40u - (form.isRolled ? 8u : 0u) - (form.isBounded ? 4u : 0u); },
      {},
      {}};
  const Nest nest = nestOf(matvec);
  EXPECT_THAT(nest.sums(), ElementsAre("c"));
  ASSERT_TRUE(nest.withHalfTiles());
  EXPECT_EQ(nest.withHalfTiles()->words(), Polynomial::parse("1/2*s*B^2 + s*B + 1/2*B"));
  EXPECT_FALSE(nestOf(reversal).withHalfTiles()); // it runs through nothing in parts
  const CaseTree tree = discussNest(nest, {}, {"unroll", "bounds", "local", "tiles"}, counters);
  prove(tree);
  std::vector<std::string> logs;
  for (const Case& one : tree.cases)
    for (const auto& log : one.logs)
      logs.push_back(fmt::format("{}", fmt::join(log, "")));
  EXPECT_THAT(logs, testing::IsSupersetOf(
                        {"(1)(4a)(3a)", "(1)(5)(6)(4a)(3a)", "(7)(1)(4a)(3a)", "(7)(8)(1)(4a)(3a)"}));
  EXPECT_THAT(texts(tree)[0], HasSubstr("40 <= R, s*B^2 + s*B + B <= Z"));
  // Their kernels are made by commands of a recipe.
  const ForkJoinSource read = source(matvec);
  NestForm form{*nest.withHalfTiles(), {}};
  form.nest.cached = {"a", "b"};
  form.local = {"c"};
  form.isHalved = form.isRolled = form.isBounded = true;
  const Detiled loops = detiled(read, read.constructs[0].nests[0], nest);
  EXPECT_THAT(recipe(loops, form, "k"),
              testing::AllOf(HasSubstr("unroll(\"j_all\", 4)\n"),
                             HasSubstr("launch_bounds(\"u_all_tile\", 2)\n"),
                             HasSubstr("copy_to_registers(\"j_all_tile\", \"c\")\n")));
  bool isSeen = false;
  for (const auto& [name, size] : sizes(loops, form, "k"))
    if (name == "k_TILE_K") {
      EXPECT_EQ(size, Polynomial::parse("1/2*B"));
      isSeen = true;
    }
  EXPECT_TRUE(isSeen);
}
