// What is rewritten on the way in: `switch`, jumps, loops that count, calls that fill and copy memory.
#include "frontend/Reading.h"

#include <fmt/format.h>
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

TEST(CountedLoops, TheLastValueOfTheIndexInAStepOfTwo) {
  for (const char* step : {"j = i++", "n--, j = i++"}) {
    std::vector<Region> regions =
        function(fmt::format("int j = 9; for (i = 0; i < 99; {}) a[i] = b[j];", step));
    ASSERT_THAT(regions, SizeIs(1)) << step;
    EXPECT_THAT(regions[0].fixedText, IsEmpty()) << step;
    EXPECT_TRUE(hasDomain(statementWith(regions[0], "a[i] = b[j]"), "{ S[i] : 0 <= i < 99 }")) << step;
  }
}

TEST(CountedLoops, WhatDoesNotCountStays) {
  for (const char* text :
       {"while (i < n) { a[i] = 1; if (b[i] > 0) i++; }", "while (i < n) { a[i] = 1; i *= 2; }",
        "while (i < n) { a[i] = 1; i++; g(i); if (a[i] > 0) i = 0; }", "do { a[i] = 1; } while (b[i] > 0);"})
    EXPECT_THAT(function(text), IsEmpty()) << text;
}

/// The region of a loop over `j` around `call`, of memset and memcpy.
Region filling(const std::string& call) {
  return regionOf("#include <string.h>\n"
                  "double a[100], b[100], c[10][8], d[10][8]; int k[100]; unsigned char t[100];\n"
                  "void f(int n, int m, size_t w, double *restrict x, const double *restrict y, float *z) {\n"
                  "  for (int j = 0; j < n; j++) {\n" +
                  call + "\n  }\n}\n");
}

TEST(MemoryCalls, AreLoopsOverWholeElements) {
  Region region = filling("memset(x + j * m, 0, m * sizeof *x);");
  EXPECT_THAT(region.remarks, IsEmpty());
  ASSERT_THAT(region.loops, SizeIs(2));
  const Statement& zero = region.statements.back();
  EXPECT_EQ(zero.accesses.back().kind, Access::Kind::Write);
  EXPECT_EQ(region.arrays[zero.accesses.back().array].rank, 2);
  for (const char* call :
       {"memcpy(c[j], d[j], sizeof c[j]);", "memcpy(x + j * m, y + j * m, sizeof(double) * m);",
        "memset(c, 0, sizeof c);", "memset(k + 3, -1, (size_t)m * 4);", "memset(t, j, w);",
        "(void)memcpy(x, b + j, 3 * m * sizeof(*x));", "if (m) memset(x, 0, 8); else memset(k, 1, sizeof k);",
        "memcpy(x + j * w, y + j * w, w * sizeof *x);"}) {
    Region one = filling(call);
    EXPECT_THAT(one.remarks, IsEmpty()) << call;
    EXPECT_GT(one.loops.size(), 1U) << call;
  }
}

TEST(MemoryCalls, OfPartsOfElementsStay) {
  for (const char* call : {"memset(x, 0, m);", "memset(x, 1, m * sizeof *x);", "memcpy(x, z, m * sizeof *x);",
                           "memset(x + k[j], 0, m * sizeof *x);", "memmove(x, x + 1, m * sizeof *x);",
                           "k[j] = memset(x, 0, m * sizeof *x) != 0;", "memcpy(x, (void*)k, m * sizeof *x);",
                           "memset((char*)x + j, 0, m);"})
    EXPECT_THAT(filling(call).loops, SizeIs(1)) << call;
}

// No subscript says that it stays in its row.
TEST(MemoryCalls, MayGoOnInTheNextRow) {
  Region region = filling("memset(c[j], 0, m * sizeof(double));");
  ASSERT_THAT(region.conditions, SizeIs(1));
  EXPECT_EQ(region.conditions[0].kind, Condition::Kind::InBounds);
  EXPECT_THAT(filling("memset(c[j], 0, sizeof c[j]);").conditions, IsEmpty());
}

TEST(MemoryCalls, InFunctionsThatAreCalledAreLoopsToo) {
  Region region =
      regionOf("#include <string.h>\nstatic void clear(double *x, int m) { memset(x, 0, m * sizeof *x); }\n"
               "void f(int n, int m, double *x) { for (int j = 0; j < n; j++) clear(x + j * m, m); }\n");
  EXPECT_THAT(region.remarks, IsEmpty());
  EXPECT_THAT(region.loops, SizeIs(2));
}

} // namespace
} // namespace warploom
