// Comprehensive optimisation of the six programs of section 5.7: words and threads are counted on their text,
// registers are the published estimates.
#include "cases/CaseTree.h"

#include "Programs.h"
#include "cases/NestCases.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warploom;
using namespace warploom::cases;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace {

enum : std::size_t { Cse1, Cse2, Granularity, Uncached };

/// One of the six programs, and its registers by form.
struct Needs {
  std::vector<int> withS, withOne; ///< by how often common subexpressions were looked for
  const char* program;
};

class Form : public Code {
public:
  explicit Form(Needs n) : needs(std::move(n)), nest(nestOf(needs.program)) {}
  Amount amount(std::size_t counter) const override {
    if (counter == 0) return {(isOne ? needs.withOne : needs.withS)[level]};
    return {nest.words()};
  }
  std::shared_ptr<const Code> applied(std::size_t strategy) const override {
    auto next = std::make_shared<Form>(*this);
    if (strategy == Cse1 || strategy == Cse2) ++next->level;
    if (strategy == Granularity) {
      next->nest = nest.withGranularityOne();
      next->isOne = true;
    }
    if (strategy == Uncached) next->nest = nest.uncached();
    return next;
  }
  std::string text() const override {
    return fmt::format("{}, s{}, cse {}", nest.cached.empty() ? "not cached" : "cached", isOne ? " = 1" : "",
                       level);
  }
  Needs needs;
  Nest nest;
  std::size_t level = 0;
  bool isOne = false;
};

Discussion discussion() {
  Discussion result;
  result.counters = {{"registers", Polynomial::symbol("R"), {Cse1, Cse2, Granularity}, "(1)", false},
                     {"words", Polynomial::symbol("Z"), {Granularity, Cse1, Cse2, Uncached}, "(4a)", false}};
  result.strategies = {{"common subexpressions", "(2)", true},
                       {"common subexpressions, once more", "(2)", true},
                       {"granularity 1", "(3b)", false},
                       {"nothing in shared memory", "(4b)", false}};
  result.keptCode = "(3a)";
  result.whenLogged = "(4a)";
  for (const char* size : {"s", "B", "B0", "B1"})
    result.facts.push_back({atMost(1, Polynomial::symbol(size))});
  return result;
}

CaseTree treeOf(const Needs& needs) {
  Discussion of = discussion();
  of.facts = nestOf(needs.program).facts;
  return discuss(of, std::make_shared<Form>(needs));
}

std::vector<std::string> logs(const Case& one) {
  std::vector<std::string> result;
  for (const auto& log : one.logs)
    result.push_back(fmt::format("{}", fmt::join(log, "")));
  return result;
}

std::string conditions(const Case& one) {
  std::vector<std::string> result;
  for (const System& system : one.conditions)
    result.push_back(system.text());
  return fmt::format("{}", fmt::join(result, " or "));
}

/// The two things that make a tree one: its leaves are possible, and there is exactly one for all values.
void prove(const CaseTree& tree) {
  Questions questions(tree.discussion.facts);
  std::vector<System> all, merged;
  for (const Leaf& leaf : tree.leaves) {
    EXPECT_EQ(questions.isConsistent(leaf.condition), true) << leaf.condition.text();
    all.push_back(leaf.condition);
  }
  EXPECT_TRUE(questions.isCovered({}, all));
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b)
      EXPECT_TRUE(questions.areDisjoint(all[a], all[b])) << all[a].text() << " | " << all[b].text();
  merged = tree.none;
  for (const Case& one : tree.cases)
    merged.insert(merged.end(), one.conditions.begin(), one.conditions.end());
  EXPECT_TRUE(questions.isCovered({}, merged));
  for (std::size_t a = 0; a < merged.size(); ++a)
    for (std::size_t b = a + 1; b < merged.size(); ++b)
      EXPECT_TRUE(questions.areDisjoint(merged[a], merged[b])) << merged[a].text() << "|" << merged[b].text();
  // What a leaf promises, its code keeps.
  for (const Leaf& leaf : tree.leaves)
    if (leaf.code)
      for (std::size_t k = 0; k < tree.discussion.counters.size(); ++k)
        EXPECT_TRUE(questions.implies(leaf.condition,
                                      atMost(leaf.code->amount(k).over, tree.discussion.counters[k].limit)));
  EXPECT_EQ(questions.open(), 0u);
  EXPECT_EQ(tree.open, 0u);
  const std::size_t w = tree.discussion.strategies.size(), n = tree.discussion.counters.size();
  EXPECT_LE(tree.height, w + (w + 1) * n);
}

/// The five sequences of programs whose registers only granularity changes.
void expectFive(const CaseTree& tree) {
  ASSERT_EQ(tree.cases.size(), 3u);
  EXPECT_THAT(logs(tree.cases[0]), ElementsAre("(1)(4a)(3a)(2)(2)"));
  EXPECT_THAT(logs(tree.cases[1]), ElementsAre("(1)(3b)(4a)(3a)(2)(2)", "(2)(2)(3b)(1)(4a)(3a)"));
  EXPECT_THAT(logs(tree.cases[2]), ElementsAre("(1)(3b)(2)(2)(4b)", "(2)(2)(3b)(1)(4b)"));
}

} // namespace

// SHOWS: MF-86 MF-87 MF-88 MF-89 MF-90 MF-92 MF-93 MF-94
TEST(CaseTree, MatrixVectorProduct) {
  const CaseTree tree = treeOf({{9, 8, 8}, {7, 7, 7}, matvec});
  prove(tree);
  ASSERT_EQ(tree.cases.size(), 3u);
  EXPECT_EQ(tree.cases[0].code->text(), "cached, s, cse 2");
  EXPECT_EQ(tree.cases[1].code->text(), "cached, s = 1, cse 2");
  EXPECT_EQ(tree.cases[2].code->text(), "not cached, s = 1, cse 2");
  EXPECT_THAT(logs(tree.cases[0]), ElementsAre("(1)(4a)(3a)(2)(2)", "(2)(1)(4a)(3a)(2)"));
  EXPECT_THAT(logs(tree.cases[1]),
              ElementsAre("(1)(3b)(4a)(3a)(2)(2)", "(2)(1)(3b)(4a)(3a)(2)", "(2)(2)(3b)(1)(4a)(3a)"));
  EXPECT_THAT(logs(tree.cases[2]),
              ElementsAre("(1)(3b)(2)(2)(4b)", "(2)(1)(3b)(2)(4b)", "(2)(2)(3b)(1)(4b)"));
  EXPECT_EQ(conditions(tree.cases[0]), "s*B^2 + s*B + B <= Z, 8 <= R");
  // Between 7 and 8 registers no words are too many for granularity 1: the printed discussion has a hole
  // there.
  EXPECT_EQ(conditions(tree.cases[1]),
            "B^2 + 2*B <= Z < s*B^2 + s*B + B, 8 <= R or 7 <= R < 8, B^2 + 2*B <= Z");
  EXPECT_EQ(conditions(tree.cases[2]), "Z < B^2 + 2*B, 7 <= R");
  ASSERT_EQ(tree.none.size(), 1u);
  EXPECT_EQ(tree.none[0].text(), "R < 7");
}

// SHOWS: MF-94
TEST(CaseTree, JacobiInOneArray) {
  const CaseTree tree = treeOf({{9, 9, 9}, {9, 9, 9}, jacobi});
  prove(tree);
  ASSERT_EQ(tree.cases.size(), 3u);
  EXPECT_THAT(logs(tree.cases[0]), ElementsAre("(1)(4a)(3a)(2)(2)"));
  EXPECT_THAT(logs(tree.cases[1]), ElementsAre("(1)(3b)(4a)(3a)(2)(2)"));
  EXPECT_THAT(logs(tree.cases[2]), ElementsAre("(1)(3b)(2)(2)(4b)"));
  EXPECT_EQ(conditions(tree.cases[0]), "9 <= R, 2*s*B + 2 <= Z");
  EXPECT_EQ(conditions(tree.cases[1]), "9 <= R, 2*B + 2 <= Z < 2*s*B + 2");
  EXPECT_EQ(conditions(tree.cases[2]), "9 <= R, Z < 2*B + 2");
  EXPECT_EQ(tree.none[0].text(), "R < 9");
}

// SHOWS: MF-94
TEST(CaseTree, MatrixAddition) {
  const CaseTree tree = treeOf({{7, 7, 7}, {6, 6, 6}, addition});
  prove(tree);
  expectFive(tree);
  EXPECT_EQ(conditions(tree.cases[0]), "7 <= R, 3*s*B0*B1 <= Z");
  EXPECT_EQ(tree.none[0].text(), "R < 6");
}

// SHOWS: MF-94
TEST(CaseTree, MatrixTranspose) {
  const CaseTree tree = treeOf({{6, 6, 6}, {5, 5, 5}, transpose});
  prove(tree);
  expectFive(tree);
  EXPECT_EQ(conditions(tree.cases[2]), "Z < 2*B0*B1, 5 <= R");
}

// SHOWS: MF-94
TEST(CaseTree, MatrixProduct) {
  const CaseTree tree = treeOf({{9, 9, 9}, {8, 8, 8}, matmul});
  prove(tree);
  expectFive(tree);
  EXPECT_EQ(conditions(tree.cases[0]), "9 <= R, s*B*B1 + s*B0*B1 + B*B0 <= Z");
  EXPECT_EQ(conditions(tree.cases[2]), "Z < B*B0 + B*B1 + B0*B1, 8 <= R");
}

// SHOWS: MF-94
TEST(CaseTree, ArrayReversal) {
  const CaseTree tree = treeOf({{6, 6, 6}, {5, 5, 5}, reversal});
  prove(tree);
  expectFive(tree);
  EXPECT_EQ(conditions(tree.cases[0]), "6 <= R, 2*s*B <= Z");
}

// SHOWS: MF-98
TEST(CaseTree, MatrixAdditionOfTheIntroduction) {
  // Two elements a thread need 14 registers, one needs 10.
  const Nest nest = nestOf(R"(
void add(int N, int B0, int B1, int a[N][N], int b[N][N], int c[N][N]) {
  int dim0 = N / B0, dim1 = N / (2 * B1);
  meta_schedule {
    meta_for (int v = 0; v < dim0; v++)
      meta_for (int p = 0; p < dim1; p++)
        meta_for (int u = 0; u < B0; u++)
          meta_for (int q = 0; q < B1; q++)
            for (int k = 0; k < 2; k++) {
              int i = v * B0 + u, j = (p * 2 + k) * B1 + q;
              c[i][j] = a[i][j] + b[i][j];
            }
  }
})");
  const CaseTree tree = discussNest(nest, {}, {"granularity"},
                                    {[](const NestForm& form) { return form.isOne ? 10u : 14u; }, {}, {}});
  prove(tree);
  ASSERT_EQ(tree.cases.size(), 2u);
  EXPECT_EQ(conditions(tree.cases[0]), "B0*B1 <= T, 14 <= R");
  EXPECT_EQ(conditions(tree.cases[1]), "B0*B1 <= T, 10 <= R < 14");
  EXPECT_EQ(tree.none.size(), 2u);
  // The second is the one with twice the blocks.
  EXPECT_EQ(static_cast<const NestCode&>(*tree.cases[1].code).form.nest.loop("p")->bound.text(), "2*dim1");
}

TEST(CaseTree, MeasuresAreReachedFromBelow) {
  // A measure is good where it is large: 1/2 at first, 3/4 after the strategy, which costs registers.
  class Slow : public Code {
  public:
    Amount amount(std::size_t counter) const override {
      if (counter == 0) return {isFast ? 20 : 10};
      return {isFast ? 3 : 1, isFast ? 4 : 2};
    }
    std::shared_ptr<const Code> applied(std::size_t) const override {
      auto next = std::make_shared<Slow>();
      next->isFast = true;
      return next;
    }
    std::string text() const override { return isFast ? "fast" : "slow"; }
    bool isFast = false;
  };
  Discussion of;
  of.counters = {{"registers", Polynomial::symbol("R"), {}, "", false},
                 {"occupancy", Polynomial::symbol("P"), {0}, "", true}};
  of.strategies = {{"faster", "", false}};
  const CaseTree tree = discuss(of, std::make_shared<Slow>());
  Questions questions;
  ASSERT_EQ(tree.cases.size(), 1u); // P is whole here: 0 or 1
  of.counters[1].limit = Polynomial(mpq_class(5, 8));
  const CaseTree more = discuss(of, std::make_shared<Slow>());
  ASSERT_EQ(more.cases.size(), 1u);
  EXPECT_EQ(more.cases[0].code->text(), "fast");
  EXPECT_EQ(conditions(more.cases[0]), "20 <= R");
}

// SHOWS: MF-105
TEST(CaseTree, OfADeviceHasConditionsOnSizesAlone) {
  Discussion of = discussion();
  of.counters[0].limit = Polynomial(255);
  of.counters[1].limit = Polynomial(12288);
  const CaseTree tree = discuss(of, std::make_shared<Form>(Needs{{9, 8, 8}, {7, 7, 7}, matvec}));
  prove(tree);
  ASSERT_EQ(tree.cases.size(), 3u);
  EXPECT_EQ(conditions(tree.cases[0]), "s*B^2 + s*B + B <= 12288");
  EXPECT_TRUE(tree.none.empty());
}

TEST(CaseTree, ThatExplodesEnds) {
  // Twenty strategies, each of which takes one word off.
  class Many : public Code {
  public:
    explicit Many(int n) : taken(n) {}
    Amount amount(std::size_t counter) const override {
      return {Polynomial(1000 - taken - static_cast<long>(counter))};
    }
    std::shared_ptr<const Code> applied(std::size_t) const override {
      return std::make_shared<Many>(taken + 1);
    }
    std::string text() const override { return fmt::format("{}", taken); }
    int taken;
  };
  Discussion of;
  for (std::size_t k = 0; k < 12; ++k) {
    of.counters.push_back({fmt::format("c{}", k), Polynomial::symbol(fmt::format("R{}", k)), {}, "", false});
    of.strategies.push_back({"", "", false});
  }
  for (Counter& counter : of.counters)
    for (std::size_t k = 0; k < 12; ++k)
      counter.strategies.push_back(k);
  of.mostNodes = 150;
  EXPECT_THROW(discuss(of, std::make_shared<Many>(0)), TreeTooLarge);
}
