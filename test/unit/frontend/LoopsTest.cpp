// `for` loops: forms, steps, bounds, nests.
#include "frontend/Reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The region of one loop `header` around `a[i] = 1`.
Region loop(const std::string& header, const std::string& before = "") {
  return regionOf(
      fmt::format("double a[1000];\nvoid f(int n, int m) {{ {}\n  {}\n    a[i] = 1;\n}}\n", before, header));
}

struct Form {
  const char* header;
  const char* domain;
  long step;
};

class Forms : public testing::TestWithParam<Form> {};

// SHOWS: CR-2 CR-3 CR-4 CR-5 RT-12
TEST_P(Forms, BecomeTheirIterations) {
  Region region = loop(GetParam().header);
  const Statement& body = statementWith(region, "a[i] = 1");
  EXPECT_TRUE(hasDomain(body, GetParam().domain));
  EXPECT_EQ(region.loops[0].step, GetParam().step);
  EXPECT_THAT(region.loops[0].inexactBounds, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Headers, Forms,
    testing::Values(
        Form{"for (int i = 0; i < n; i++)", "[n] -> { S[i] : 0 <= i < n }", 1},
        Form{"for (int i = 2; i <= n; ++i)", "[n] -> { S[i] : 2 <= i <= n }", 1},
        Form{"for (int i = n; i > 0; i--)", "[n] -> { S[i] : 0 < i <= n }", -1},
        Form{"for (int i = n - 1; i >= 3; --i)", "[n] -> { S[i] : 3 <= i < n }", -1},
        Form{"for (int i = 1; i < n; i += 3)", "[n] -> { S[i] : 1 <= i < n and (i - 1) mod 3 = 0 }", 3},
        Form{"for (int i = 3; i <= 49; i += 5)",
             "{ S[3]; S[8]; S[13]; S[18]; S[23]; S[28]; S[33]; S[38]; S[43]; S[48] }", 5},
        Form{"for (int i = n; i > m; i -= 2)", "[n, m] -> { S[i] : m < i <= n and (n - i) mod 2 = 0 }", -2},
        Form{"for (int i = 0; i < n; i = i + 2)", "[n] -> { S[i] : 0 <= i < n and i mod 2 = 0 }", 2},
        Form{"for (int i = n; i-- > 0;)", "[n] -> { S[i] : 0 <= i < n }", -1},
        Form{"for (int i = 0; n > i; i++)", "[n] -> { S[i] : 0 <= i < n }", 1},
        Form{"for (int i = 0; i < 10 && i < n; i++)", "[n] -> { S[i] : 0 <= i < n and i < 10 }", 1},
        Form{"for (int i = n; i < n; i++)", "[n] -> { S[i] : false }", 1},
        Form{"for (int i = m; i < (m < n ? m : n) + 5; i++)",
             "[n, m] -> { S[i] : m <= i < m + 5 and i < n + 5 }", 1},
        Form{"for (int i = m > n ? m : n; i < 100; i++)", "[n, m] -> { S[i] : m <= i < 100 and n <= i }", 1},
        Form{"for (int i = 0; i < 2 * n - m / 4; i++)",
             "[n, m] -> { S[i] : 0 <= i and (m >= 0 and i < 2n - floor(m/4) or m < 0 and i < 2n + "
             "floor(-m/4)) }",
             1}));

TEST(Loops, NotEqualCountsUpToItsBoundIfThatIsMet) {
  Region region = loop("for (int i = 0; i != n; i++)");
  EXPECT_TRUE(hasDomain(statementWith(region, "a[i]"), "[n] -> { S[i] : 0 <= i < n }"));
  EXPECT_THAT(conditions(region), ElementsAre("n >= 0"));
}

TEST(Loops, IndexDeclaredBeforeIsLeftWithItsLastValue) {
  Region region = regionOf(
      "double a[100];\nint f(int n) { int i;\n  for (i = 0; i < n; i += 2) a[i] = 1;\n  return i; }\n");
  const Statement& last = region.statements.back();
  ASSERT_EQ(last.kind, Statement::Kind::Assign);
  EXPECT_EQ(region.arrays[last.accesses.front().array].name, "i");
  EXPECT_EQ(last.accesses.front().kind, Access::Kind::Write);
  EXPECT_TRUE(region.arrays[last.accesses.front().array].liveAfter);
  isl::pw_aff expected(islContext(), "[n] -> { " + last.name + "[] -> [(2 * floor((n + 1)/2))] : n > 0; " +
                                         last.name + "[] -> [(0)] : n <= 0 }");
  isl::set differ = last.body->operands[1]->value->ne_set(expected);
  EXPECT_TRUE(differ.is_empty()) << printed(*last.body->operands[1]->value);
}

// SHOWS: CH-3 CH-4 CR-7 CR-10
TEST(Loops, TriangularAndImperfectNestsKeepEveryStatementInOrder) {
  Region region = regionOf(R"(double a[50], b[50][60];
void f(int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 0;
    for (int j = 0; j <= i + 2; j++) {
      b[i][j] = 1;
      a[i] += b[i][j];
    }
    a[i] = a[i] / 2;
  }
})");
  ASSERT_EQ(region.statements.size(), 4u);
  EXPECT_TRUE(hasDomain(region.statements[0], "[n] -> { S[i] : 0 <= i < n }"));
  EXPECT_TRUE(hasDomain(region.statements[1], "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i + 2 }"));
  EXPECT_THAT(region.statements[0].position, ElementsAre(0, 0));
  EXPECT_THAT(region.statements[1].position, ElementsAre(0, 1, 0));
  EXPECT_THAT(region.statements[2].position, ElementsAre(0, 1, 1));
  EXPECT_THAT(region.statements[3].position, ElementsAre(0, 2));
  EXPECT_EQ(region.loops[1].parent, 0);
  EXPECT_EQ(region.loops[1].depth, 2);
}

TEST(Loops, BoundsThatAreNotAffineMakeTheIterationsASuperset) {
  Region region =
      regionOf("double a[100]; int k[10];\nvoid f(int n) {\n  for (int i = 0; i * i < n; i++) a[i] = 1; }\n");
  EXPECT_THAT(region.loops[0].inexactBounds, HasSubstr("not affine"));
  EXPECT_EQ(statementWith(region, "a[i]").accesses[0].kind, Access::Kind::MayWrite);
}

TEST(Loops, BoundsReadFromMemoryAreEvaluatedByAPredicate) {
  Region region = regionOf(R"(double a[100]; int row[10];
void f(int n) {
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++) a[j] = 1;
})");
  EXPECT_THAT(region.loops[1].inexactBounds, Not(IsEmpty()));
  EXPECT_THAT(region.loops[0].inexactBounds, IsEmpty());
  EXPECT_EQ(region.statements[0].kind, Statement::Kind::Predicate);
}

// SHOWS: RT-11 CR-2
TEST(Loops, WhatHasNoIndexIsRefusedWithAReasonAtItsLine) {
  struct {
    const char *loop, *reason;
  } cases[] = {{"for (double x = 0; x < n; x++) a[1] = x;", "not an integer"},
               {"for (int i = 0; i < n; i++) { a[i] = 1; i++; }", "changes its index"},
               {"for (int i = 0; i < n; i *= 2) a[i] = 1;", ""},
               {"for (;;) a[0] += 1;", "no condition"}};
  for (const auto& c : cases) {
    Region region = regionOf(fmt::format(
        "double a[100];\nvoid f(int n) {{\n  for (int k = 0; k < n; k++) {{\n    {}\n  }}\n}}\n", c.loop));
    if (std::string(c.reason).empty()) {
      EXPECT_THAT(region.loops[1].inexactBounds, Not(IsEmpty())) << c.loop;
      continue;
    }
    ASSERT_FALSE(region.remarks.empty()) << c.loop;
    EXPECT_THAT(region.remarks[0].text, HasSubstr(c.reason)) << c.loop;
    EXPECT_EQ(region.remarks[0].range.line, 4u) << c.loop;
    EXPECT_EQ(region.statements[0].kind, Statement::Kind::Opaque) << c.loop;
  }
}

} // namespace
} // namespace warploom
