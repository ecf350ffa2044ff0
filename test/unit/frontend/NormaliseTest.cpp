// Control flow that is rewritten on the way in: `switch`, jumps, loops that count.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string head = "double a[100], b[100]; int k[100]; int g(int);\nvoid f(int n, int m, int i) {\n";

Region body(const std::string& text) {
  return regionOf(head + "  for (int j = 0; j < n; j++) {\n" + text + "\n  }\n}\n");
}
std::vector<Region> function(const std::string& text) {
  return readSource(head + text + "\n}\n").regions;
}

TEST(Switches, LabelsAreConditions) {
  Region region =
      body("switch (j % 4) { case 0: a[j] = 1; break; case 1: case 2: b[j] = 2; break; default: a[j] = 3; }");
  EXPECT_THAT(region.remarks, IsEmpty());
  EXPECT_TRUE(hasDomain(statementWith(region, "a[j] = 1"), "[n] -> { S[j] : 0 <= j < n and j mod 4 = 0 }"));
  EXPECT_TRUE(
      hasDomain(statementWith(region, "b[j] = 2"), "[n] -> { S[j] : 0 <= j < n and 1 <= j mod 4 <= 2 }"));
  EXPECT_TRUE(hasDomain(statementWith(region, "a[j] = 3"), "[n] -> { S[j] : 0 <= j < n and j mod 4 = 3 }"));
}

TEST(Switches, FallingThroughRunsWhatFollows) {
  Region region =
      body("switch (j % 4) { case 0: a[j] = 1; case 1: b[j] = 2; break; case 3: if (m) break; a[j] = 4; }");
  EXPECT_THAT(region.remarks, IsEmpty());
  int twice = 0;
  for (const Statement& statement : region.statements)
    twice += statement.text.find("b[j] = 2") != std::string::npos;
  EXPECT_EQ(twice, 2);
  EXPECT_TRUE(hasDomain(statementWith(region, "a[j] = 4"),
                        "[n, m] -> { S[j] : 0 <= j < n and j mod 4 = 3 and m = 0 }"));
}

TEST(Switches, LabelsInsideOtherStatementsStay) {
  Region region = body("switch (j % 4) { case 0: do { a[j] = 1; case 1: b[j] = 2; } while (b[j] < 0); }");
  EXPECT_THAT(region.remarks, testing::Not(IsEmpty()));
}

TEST(Jumps, ForwardGotoIsTheOppositeCondition) {
  Region region = body(
      "if (j == m) goto next; a[j] = 1; if (b[j] > 0) { a[j] = 2; goto next; } b[j] = 3; next: k[j] = 4;");
  EXPECT_THAT(region.loops[0].mustStaySequential, IsEmpty());
  EXPECT_TRUE(hasDomain(statementWith(region, "a[j] = 1"), "[n, m] -> { S[j] : 0 <= j < n and j != m }"));
  EXPECT_THAT(statementWith(region, "b[j] = 3").guards, SizeIs(1));
  EXPECT_TRUE(hasDomain(statementWith(region, "k[j] = 4"), "[n] -> { S[j] : 0 <= j < n }"));
}

TEST(Jumps, BackwardGotoAndGotoOutOfTheLoopStay) {
  EXPECT_THAT(body("again: a[j] += 1; if (a[j] < m) goto again;").loops[0].mustStaySequential,
              HasSubstr("may leave"));
  EXPECT_THAT(
      regionOf(head + "for (int j = 0; j < n; j++) { if (a[j] > 0) goto out; a[j] = 1; }\nout: b[0] = 1; }\n")
          .loops[0]
          .mustStaySequential,
      HasSubstr("may leave"));
}

TEST(Jumps, ContinueAtAnyDepth) {
  Region region = body("if (j > 3) { a[j] = 1; if (j > m) continue; b[j] = 2; } k[j] = 3;");
  EXPECT_THAT(region.remarks, IsEmpty());
  EXPECT_TRUE(hasDomain(statementWith(region, "b[j] = 2"), "[n, m] -> { S[j] : 4 <= j < n and j <= m }"));
  int written = 0;
  for (const Statement& statement : region.statements)
    written += statement.text.find("k[j] = 3") != std::string::npos;
  EXPECT_EQ(written, 2);
}

TEST(Jumps, WhatIsTooLargeToRepeatAsksWhetherItWasSkipped) {
  Region region = body("if (j > 3) { a[j] = 1; if (b[j] > m) continue; b[j] = 2; }\n"
                       "for (int l = 0; l < n; l++) k[l] = 3;");
  EXPECT_THAT(region.remarks, IsEmpty());
  ASSERT_THAT(region.loops, SizeIs(2));
  EXPECT_THAT(statementWith(region, "k[l] = 3").guards, SizeIs(1));
}

TEST(CountedLoops, WhileThatCounts) {
  for (const char* text : {"i = 0; while (i < n) { a[i] = 1; i++; }", "i = 0; while (i < n) { a[i++] = 1; }",
                           "i = 0; for (;;) { if (i >= n) break; a[i] = 1; ++i; }",
                           "i = 0; while (n > i) { a[i] = 1; i += 1; }"}) {
    std::vector<Region> regions = function(text);
    ASSERT_THAT(regions, SizeIs(1)) << text;
    ASSERT_THAT(regions[0].loops, SizeIs(1)) << text;
    EXPECT_THAT(regions[0].loops[0].mustStaySequential, IsEmpty()) << text;
    EXPECT_THAT(regions[0].loops[0].inexactBounds, IsEmpty()) << text;
    EXPECT_TRUE(hasDomain(regions[0].statements[0], "[n] -> { S[i] : 0 <= i < n }")) << text;
  }
}

TEST(CountedLoops, CountingDown) {
  for (const char* text : {"i = n; while (i--) a[i] = 1;", "i = n; while (i-- > 0) a[i] = 1;",
                           "i = n; while (--i >= 0) a[i] = 1;"}) {
    std::vector<Region> regions = function(text);
    ASSERT_THAT(regions, SizeIs(1)) << text;
    const Statement& statement = statementWith(regions[0], "a[i] = 1");
    EXPECT_TRUE(touches(statement, accessWith(statement, "a[i]"), "[n] -> { S[i] -> a[i] }")) << text;
    EXPECT_TRUE(hasDomain(statement, "[n] -> { S[i] : 0 <= i < n }")) << text;
  }
}

TEST(CountedLoops, DoRunsAtLeastOnce) {
  std::vector<Region> regions = function("i = 3; do { a[i] = 1; i++; } while (i < n);");
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_TRUE(
      hasDomain(statementWith(regions[0], "a[i] = 1"), "[n] -> { S[i] : 3 <= i and (i < n or i = 3) }"));
  EXPECT_THAT(regions[0].fixedText, IsEmpty());
}

TEST(CountedLoops, WhatDoesNotCountStays) {
  for (const char* text :
       {"while (i < n) { a[i] = 1; if (b[i] > 0) i++; }", "while (i < n) { a[i] = 1; i *= 2; }",
        "while (i < n) { a[i] = 1; i++; g(i); if (a[i] > 0) i = 0; }", "do { a[i] = 1; } while (b[i] > 0);"})
    EXPECT_THAT(function(text), IsEmpty()) << text;
}

} // namespace
} // namespace warploom
