// `if`, `break`, `continue`, `while` and what else makes control leave its straight path.
#include "frontend/Reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Region body(const std::string& text) {
  return regionOf(
      "double a[100], b[100]; int g(int);\nvoid f(int n, int m) {\n  for (int i = 0; i < n; i++) {\n" + text +
      "\n  }\n}\n");
}

TEST(Control, AffineConditionsGoIntoTheDomain) {
  Region region = body("if (i < m && i != 7) a[i] = 1; else b[i] = 2;");
  EXPECT_TRUE(
      hasDomain(statementWith(region, "a[i]"), "[n, m] -> { S[i] : 0 <= i < n and i < m and i != 7 }"));
  EXPECT_TRUE(
      hasDomain(statementWith(region, "b[i]"), "[n, m] -> { S[i] : 0 <= i < n and (i >= m or i = 7) }"));
  EXPECT_THAT(statementWith(region, "a[i]").guards, IsEmpty());
  EXPECT_EQ(statementWith(region, "a[i]").accesses[0].kind, Access::Kind::Write);
}

TEST(Control, DataDependentConditionsAreGuards) {
  Region region = body("if (b[i] > 0) { a[i] = 1; b[i] = 2; } else a[i] = 3;");
  const Statement& test = statementWith(region, "b[i] > 0");
  EXPECT_EQ(test.kind, Statement::Kind::Predicate);
  const Statement& yes = statementWith(region, "a[i] = 1");
  const Statement& no = statementWith(region, "a[i] = 3");
  ASSERT_THAT(yes.guards, SizeIs(1));
  ASSERT_THAT(no.guards, SizeIs(1));
  EXPECT_EQ(yes.guards[0]->kind, Expr::Kind::Access);
  EXPECT_EQ(no.guards[0]->text, "!");
  EXPECT_EQ(accessWith(yes, "a[i]").kind, Access::Kind::MayWrite);
  EXPECT_TRUE(hasDomain(yes, "[n] -> { S[i] : 0 <= i < n }"));
}

TEST(Control, ContinueIsTheRestOfTheIterationUnderTheOtherCondition) {
  Region region = body("if (i == m) continue; a[i] = 1; if (b[i] < 0) continue; b[i] = 2;");
  EXPECT_TRUE(hasDomain(statementWith(region, "a[i]"), "[n, m] -> { S[i] : 0 <= i < n and i != m }"));
  EXPECT_THAT(statementWith(region, "b[i] = 2").guards, SizeIs(1));
  EXPECT_THAT(region.loops[0].mustStaySequential, IsEmpty());
}

TEST(Control, WhatLeavesALoopKeepsItsIterationsInOrder) {
  struct {
    const char *text, *reason;
  } cases[] = {{"if (a[i] == 0) break; a[i] = 1;", "`break` may end the loop (line 4)"},
               {"if (a[i] == 0) return; a[i] = 1;", "control may leave the loop"},
               {"out: a[i] += 1; if (a[i] < 0) goto out;", "control may leave the loop"},
               {"a[i] = g(i);", "`g` is called, whose effects are not known"},
               {"__asm__(\"\"); a[i] = 1;", "inline assembly may do anything"}};
  for (const auto& c : cases) {
    Region region = body(c.text);
    EXPECT_THAT(region.loops[0].mustStaySequential, HasSubstr(c.reason)) << c.text;
  }
}

// SHOWS: RT-2
TEST(Control, WhileIsAnOpaqueStatementWithItsCode) {
  Region region = body("int k = i; while (k > 0) { a[k] = b[i]; k /= 2; }");
  const Statement& loop = statementWith(region, "while");
  EXPECT_EQ(loop.kind, Statement::Kind::Opaque);
  EXPECT_EQ(loop.hostOnly, "");
  EXPECT_TRUE(loop.code);
  bool mayWrite = false, reads = false;
  for (const Access& access : loop.accesses) {
    mayWrite |= access.kind == Access::Kind::MayWrite && region.arrays[access.array].name == "a";
    reads |= access.reads() && region.arrays[access.array].name == "b";
  }
  EXPECT_TRUE(mayWrite);
  EXPECT_TRUE(reads);
}

TEST(Control, LoopsInsideWhatIsNotLookedIntoAreRegionsOfTheirOwn) {
  FileRegions file = readSource(
      "double a[100];\nvoid f(int n) {\n  while (a[n] > 0)\n    for (int i = 0; i < n; i++) a[i] = n;\n"
      "  switch (n) { case 1: for (int j = 0; j < 9; j++) a[j] = 1; }\n}\n");
  ASSERT_THAT(file.regions, SizeIs(2));
  EXPECT_EQ(file.regions[0].range.line, 4u);
  EXPECT_EQ(file.regions[1].range.line, 5u);
}

TEST(Control, AnAssignmentUnderOneConditionStaysTogether) {
  Region region = body("if (a[i] > b[0]) b[0] = a[i];");
  ASSERT_THAT(region.statements, SizeIs(1));
  EXPECT_THAT(region.statements[0].guards, SizeIs(1));
}

TEST(Predicates, ConditionsThatChangeThingsAreReadWithoutAnError) {
  FileRegions file = readSource("int a[9], b, g(void);\nvoid f(int n) {\n"
                                "  for (int i = 0; i < n; i++) { if ((b = a[i])) a[i] = 2; else b ^= 1; }\n"
                                "  for (int i = 0; i < n; i++) { if (g() && (b += i)) a[i] = 3; } }\n");
  for (const Region& region : file.regions)
    EXPECT_THAT(region.fixedText, IsEmpty());
  ASSERT_FALSE(file.regions.empty());
  const Region& region = file.regions[0];
  EXPECT_EQ(region.statements[0].kind, Statement::Kind::Opaque);
  EXPECT_THAT(region.statements[0].hostOnly, Not(IsEmpty()));
  EXPECT_EQ(region.statements[1].kind, Statement::Kind::Predicate);
}

} // namespace
} // namespace warploom
