// The classical dependence tests: Banerjee's bounds against all pairs of iterations, and what each test says
// of published loops.
#include "analysis/DependenceTests.h"

#include "RegionBuilder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace warploom {
namespace {

using Bounds = std::optional<std::pair<long, long>>;

Bounds bySearch(long a, long b, long first, long last, Direction direction) {
  Bounds found;
  for (long x = first; x <= last; ++x)
    for (long y = first; y <= last; ++y) {
      const Direction here = x < y ? Direction::Earlier : x == y ? Direction::Same : Direction::Later;
      if (here != direction) continue;
      const long value = a * x - b * y;
      found = found ? std::pair(std::min(found->first, value), std::max(found->second, value))
                    : std::pair(value, value);
    }
  return found;
}

// SHOWS: CR-13
TEST(DependenceTests, BanerjeesBoundsAreThoseOfAllPairs) {
  std::mt19937 random(7);
  auto pick = [&](long low, long high) { return std::uniform_int_distribution<long>(low, high)(random); };
  for (int k = 0; k < 20000; ++k) {
    const long a = pick(-6, 6), b = pick(-6, 6), first = pick(-5, 5), last = first + pick(-1, 7);
    for (Direction direction : {Direction::Earlier, Direction::Same, Direction::Later})
      ASSERT_EQ(banerjeeBounds(a, b, first, last, direction), bySearch(a, b, first, last, direction))
          << a << " " << b << " " << first << " " << last;
  }
  EXPECT_EQ(banerjeeBounds(1, -5, 0, 4, Direction::Later), Bounds({1, 19}));
}

/// "none", "same" or "carried", of each pair.
std::string answers(RegionBuilder& r, DependenceTest test) {
  static const char* const names[] = {"none", "same", "carried"};
  const Region region = r.region();
  std::string text;
  for (const ReferencePair& pair : testedPairs(region, test))
    text += (text.empty() ? "" : ", ") + std::string(names[static_cast<int>(pair.answer)]);
  return text;
}

/// The numbers of the subscripts of pair `k`.
std::vector<std::string> numbers(RegionBuilder& r, DependenceTest test, std::size_t k = 0) {
  const Region region = r.region();
  std::vector<std::string> texts;
  const ReferencePair pair = testedPairs(region, test).at(k);
  for (const auto& equation : pair.equations)
    texts.push_back(equation ? explained(region, *equation, test) : "none");
  return texts;
}

RegionBuilder shifted() {
  RegionBuilder r("");
  r.array("A", 1);
  r.loop("j", "1 <= j <= 10");
  r.statement("A[j] = A[j + 10] + 10");
  return r;
}

// SHOWS: CR-12 CR-14
TEST(DependenceTests, AnOffsetBeyondTheRange) {
  RegionBuilder r = shifted();
  EXPECT_EQ(answers(r, DependenceTest::Gcd), "carried");
  EXPECT_EQ(answers(r, DependenceTest::Banerjee), "none");
  EXPECT_EQ(answers(r, DependenceTest::Exact), "none");
  EXPECT_EQ(numbers(r, DependenceTest::Banerjee),
            std::vector<std::string>{"10; j: < -9..-1, = 0..0, > 1..9"});
}

// SHOWS: CR-12
TEST(DependenceTests, EvenElementsFromOddOnes) {
  RegionBuilder r("");
  r.array("a", 1);
  r.loop("j", "1 <= j <= 10");
  r.statement("a[2j] = a[4j + 3]");
  EXPECT_EQ(answers(r, DependenceTest::Gcd), "none");
  EXPECT_EQ(answers(r, DependenceTest::Banerjee), "carried");
  EXPECT_EQ(answers(r, DependenceTest::Exact), "none");
  EXPECT_EQ(numbers(r, DependenceTest::Gcd), std::vector<std::string>{"2 does not divide 5"});
}

// SHOWS: CR-14
TEST(DependenceTests, ConstantDistancesHaveOneDirectionInEachLoop) {
  RegionBuilder r("");
  r.array("X", 2);
  r.array("Y", 2);
  r.loop("i", "3 <= i <= 23");
  r.loop("j", "5 <= j <= 20");
  r.statement("X[i + 5][j + 1] = Y[i - 1][j - 2] + X[i][j - 1]");
  r.statement("Y[i + 2][j + 2] = X[i + 2][j - 1] + 10");
  const Region region = r.region();
  int strict = 0;
  for (const ReferencePair& pair : testedPairs(region, DependenceTest::Banerjee)) {
    EXPECT_EQ(pair.answer, DependenceAnswer::Carried);
    for (std::size_t d = 0; d < 2; ++d) {
      const SubscriptEquation& equation = pair.equations[d].value();
      const SubscriptEquation::Term& term = equation.terms[d];
      EXPECT_EQ(*banerjeeBounds(term.a, term.b, 0, *term.last, Direction::Earlier),
                (d == 0 ? std::pair(-20L, -1L) : std::pair(-15L, -1L)));
      EXPECT_EQ(*banerjeeBounds(term.a, term.b, 0, *term.last, Direction::Later),
                (d == 0 ? std::pair(1L, 20L) : std::pair(1L, 15L)));
      for (Direction direction : {Direction::Earlier, Direction::Same, Direction::Later}) {
        const auto [low, high] = *banerjeeBounds(term.a, term.b, 0, *term.last, direction);
        const bool fits = low <= equation.constant && equation.constant <= high;
        EXPECT_EQ(fits, direction == Direction::Earlier);
        strict += fits;
      }
    }
  }
  EXPECT_EQ(strict, 6); // three pairs, two loops
}

// SHOWS: CR-14
TEST(DependenceTests, VariableDistances) {
  RegionBuilder r("");
  r.array("X", 2);
  r.array("Y", 2);
  r.loop("i", "1 <= i <= 21");
  r.loop("j", "1 <= j <= 21");
  r.statement("X[3i + 5][2j + 4] = Y[2i - 2][j + 2] + 23");
  r.statement("Y[3i + 4][3j + 4] = X[i - 1][j + 4]");
  using Texts = std::vector<std::string>;
  EXPECT_EQ(numbers(r, DependenceTest::Banerjee, 0),
            (Texts{"-8; i: < -20..37, = 0..40, > 3..60", "-1; j: < -20..18, = 0..20, > 2..40"}));
  EXPECT_EQ(numbers(r, DependenceTest::Banerjee, 1),
            (Texts{"-7; i: < -40..17, = 0..20, > 3..60", "-4; j: < -20..37, = 0..40, > 3..60"}));
}

// What a pair of iterations shows no test denies: that references meet, and that they do in different ones.
// SHOWS: CR-17
TEST(DependenceTests, NeverDenyWhatAllPairsOfIterationsShow) {
  std::mt19937 random(17);
  auto pick = [&](long low, long high) { return std::uniform_int_distribution<long>(low, high)(random); };
  auto subscript = [](long i, long j, long c) { return fmt::format("{}*i + {}*j + {}", i, j, c); };
  std::map<DependenceTest, int> denied;
  int carried = 0;
  for (int k = 0; k < 400; ++k) {
    struct Subscript {
      long i, j, c;
      long at(long x, long y) const { return i * x + j * y + c; }
    };
    Subscript written[2], read[2];
    const long rows = pick(1, 5), columns = pick(1, 5), rank = pick(1, 2);
    std::string to = "A", from = "A";
    for (long d = 0; d < rank; ++d) {
      written[d] = {pick(-3, 3), pick(-3, 3), pick(-4, 4)};
      read[d] = {pick(-3, 3), pick(-3, 3), pick(-4, 4)};
      to += "[" + subscript(written[d].i, written[d].j, written[d].c) + "]";
      from += "[" + subscript(read[d].i, read[d].j, read[d].c) + "]";
    }
    RegionBuilder r("");
    r.array("A", static_cast<unsigned>(rank));
    r.array("B", 2);
    r.loop("i", fmt::format("0 <= i <= {}", rows - 1));
    r.loop("j", fmt::format("0 <= j <= {}", columns - 1));
    r.statement(to + " = B[i][j]");
    r.statement("B[i][j] = " + from);
    bool same = false, others = false;
    for (long x = 0; x < rows * columns; ++x)
      for (long y = 0; y < rows * columns; ++y) {
        bool meet = true;
        for (long d = 0; d < rank; ++d)
          meet &= written[d].at(x / columns, x % columns) == read[d].at(y / columns, y % columns);
        (x == y ? same : others) |= meet;
      }
    carried += others;
    const Region region = r.region();
    for (DependenceTest test : {DependenceTest::Gcd, DependenceTest::Banerjee, DependenceTest::Exact})
      for (const ReferencePair& pair : testedPairs(region, test)) {
        if (region.arrays[pair.first.in(region).array].name != "A" || !pair.second.in(region).reads())
          continue;
        if (pair.answer == DependenceAnswer::None) EXPECT_FALSE(same || others) << to << " " << from;
        if (pair.answer == DependenceAnswer::SameIteration) EXPECT_FALSE(others) << to << " " << from;
        denied[test] += pair.answer == DependenceAnswer::None;
      }
  }
  EXPECT_GT(carried, 100);
  for (DependenceTest test : {DependenceTest::Gcd, DependenceTest::Banerjee, DependenceTest::Exact})
    EXPECT_GT(denied[test], 20);
}

TEST(DependenceTests, LoopsThatOneReferenceHasAndSymbols) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1);
  r.loop("i", "0 <= i < n");
  r.statement("a[2i] = a[2i + 1]");
  EXPECT_EQ(answers(r, DependenceTest::Gcd), "none");
  EXPECT_EQ(answers(r, DependenceTest::Banerjee), "carried");
  EXPECT_EQ(answers(r, DependenceTest::Exact), "none");
  RegionBuilder same("n", "n >= 1");
  same.array("a", 1);
  same.loop("i", "0 <= i < n");
  same.statement("a[i] = a[i] + 1");
  EXPECT_EQ(answers(same, DependenceTest::Exact), "same");
  EXPECT_EQ(answers(same, DependenceTest::Gcd), "carried");
}

} // namespace
} // namespace warploom
