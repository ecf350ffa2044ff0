// Calls whose body is in sight become that body; assertions; tests of pointers that stay as they are.
#include "frontend/Reading.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// Why parts of the region stay on the host.
std::vector<std::string> hostOnly(const Region& region) {
  std::vector<std::string> reasons;
  for (const Statement& statement : region.statements)
    if (!statement.hostOnly.empty()) reasons.push_back(statement.hostOnly);
  return reasons;
}

/// The region of `loops`, in a function over `n`, `m`, the pointers `a` and `b`, and the struct `g`, after
/// `helpers`.
Region with(const std::string& helpers, const std::string& loops) {
  FileRegions read = readSource(
      "typedef struct { int rows, stride; double *data; } Grid;\n" + helpers +
      "\nvoid work(int n, int m, double *restrict a, double *restrict b, Grid *g) {\n" + loops + "\n}\n");
  for (Region& region : read.regions)
    if (region.function == "work") return std::move(region);
  ADD_FAILURE() << "no region";
  return {};
}

TEST(Inlining, ValuesOfMemoryAreAccesses) {
  Region region = with("static double left(const double *u, int i) { return u[i - 1]; }",
                       "for (int i = 1; i < n; i++) a[i] = left(b, i);");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  const Statement& statement = statementWith(region, "a[i] = left(b, i)");
  ASSERT_EQ(statement.accesses.size(), 2U);
  EXPECT_TRUE(touches(statement, statement.accesses[0], "[n] -> { S[i] -> b[i - 1] }"));
}

TEST(Inlining, AccessorsAreFollowed) {
  Region region =
      with("static double *at(const Grid *g, int i, int j) { return g->data + i * g->stride + j; }",
           "for (int i = 0; i < g->rows; i++) for (int j = 0; j < g->stride; j++) *at(g, i, j) = 1;");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  const Statement& statement = statementWith(region, "*at(g, i, j) = 1");
  const Access& write = statement.accesses.back();
  EXPECT_TRUE(write.exact);
  EXPECT_EQ(region.arrays[write.array].name, "g.data");
  EXPECT_EQ(region.arrays[write.array].rank, 2);
}

TEST(Inlining, WritesThroughParametersAreAccesses) {
  Region region = with("static void put(double *p, double v) { *p = v; }",
                       "for (int i = 0; i < n; i++) put(&a[i], b[i]);");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  EXPECT_THAT(region.statements.back().accesses.back().kind, Access::Kind::Write);
}

TEST(Inlining, StatementsStandBeforeTheirCall) {
  Region region = with("static double sum(const double *p, int n) {\n"
                       "  double s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }",
                       "for (int i = 0; i < n; i++) a[i] = sum(b + i * m, m);");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  ASSERT_EQ(region.loops.size(), 2U);
  EXPECT_EQ(region.loops[1].parent, 0);
  EXPECT_TRUE(std::any_of(region.statements.begin(), region.statements.end(), [](const Statement& one) {
    return one.loops.size() == 2 && one.accesses.size() == 3;
  }));
}

TEST(Inlining, BranchesThatReturnAreCases) {
  Region region = with("static int wrap(int k, int n) { if (k < 0) return k + n;\n"
                       "  if (k >= n) return k - n; return k; }",
                       "for (int i = 0; i < n; i++) a[i] = b[wrap(i - 1, n)];");
  const Statement& statement = statementWith(region, "a[i] = ");
  EXPECT_TRUE(
      touches(statement, statement.accesses[0], "[n] -> { S[i] -> b[i - 1] : i >= 1; S[0] -> b[n - 1] }"));
}

TEST(Inlining, ConversionsOfParametersStay) {
  Region region = with("static double half(double v, const double *p) { return v / 2 + p[0]; }",
                       "for (int i = 0; i < n; i++) a[i] = half(i, b);");
  std::function<bool(const Expr&)> hasCast = [&](const Expr& expr) {
    return (expr.kind == Expr::Kind::Cast && expr.type.kind == Type::Kind::Float) ||
           std::any_of(expr.operands.begin(), expr.operands.end(),
                       [&](const ExprPtr& operand) { return hasCast(*operand); });
  };
  EXPECT_TRUE(hasCast(*statementWith(region, "half").body));
}

TEST(Inlining, LeavesWhatItCannotWrite) {
  const std::vector<std::string> helpers = {
      "static double f(double *p, int i) { return i < 2 ? p[i] : f(p, i - 1); }",             // recursion
      "static double f(double *p, int i) { static int k; k++; return p[i]; }",                // keeps
      "static double f(double *p, int i) { for (;;) switch (i++) { case 4: return p[i]; } }", // jumps out
      "double f(double *p, int i);",                                                          // no body
      "static double f(double *p, int i, ...) { return p[i]; }",                              // any number
      "static int n;\nstatic double f(double *p, int i) { return p[i + n]; }",                // hidden name
  };
  for (const std::string& helper : helpers)
    EXPECT_FALSE(hostOnly(with(helper, "for (int i = 0; i < n; i++) a[i] = f(b, i);")).empty()) << helper;
  // Not certain to be called, and more than a value.
  EXPECT_FALSE(hostOnly(with("static double f(double *p, int n) { double s = 0;\n"
                             "  for (int k = 0; k < n; k++) s += p[k]; return s; }",
                             "for (int i = 0; i < n; i++) a[i] = i > m ? f(b, i) : 0;"))
                   .empty());
}

TEST(Inlining, ReturnsFromLoopsAreResultsAndBreaks) {
  const std::vector<std::string> helpers = {
      "static int f(const double *p, int n) {\n"
      "  for (int k = 0; k < n; k++) if (p[k] > 3) return k; return -1; }",
      "static int f(const double *p, int n) { int low = 0, high = n;\n"
      "  while (low < high) { int mid = (low + high) / 2; if (p[mid] == 3) return mid;\n"
      "    if (p[mid] < 3) low = mid + 1; else high = mid; } return low; }",
      "static int f(const double *p, int n) { if (n > 9) { for (int k = 0; k < n; k++) for (int l = 0; l < "
      "k; l++)\n"
      "  { if (p[k] == p[l]) return k; if (p[k] > 4) { return l; } } n--; } return n; }",
      "static int f(const double *p, int n) { int k = 0; do { if (p[k] > 3) return k; k++; } while (p[k] "
      "> 0 && k < n); return k; }",
      "static int f(const double *p, int n) { if (p[0] > 1) { if (p[1] > 1) return 1; n -= 3; } return n; }",
  };
  for (const std::string& helper : helpers) {
    Region region = with(helper, "for (int i = 0; i < n; i++) a[i] = f(b + i * m, m);");
    EXPECT_THAT(hostOnly(region), IsEmpty()) << helper;
    EXPECT_THAT(region.loops.at(0).mustStaySequential, IsEmpty()) << helper;
  }
  // What follows the loop is done where nothing has returned.
  Region region = with(helpers[0], "for (int i = 0; i < n; i++) a[i] = f(b + i * m, m);");
  EXPECT_TRUE(std::any_of(region.statements.begin(), region.statements.end(),
                          [](const Statement& one) { return !one.guards.empty(); }));
}

TEST(Inlining, AnArgumentIsTakenBeforeItsVariableChanges) {
  Region region = with("static void twice(double *p, double q) { *p = *p + q; *p += q; }",
                       "for (int i = 0; i < n; i++) twice(&a[i], a[i]);");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  // A variable has what the argument was.
  EXPECT_NO_FATAL_FAILURE(arrayNamed(region, "twice_q"));
}

TEST(Inlining, NeitherRestrictNorStructsHideWhatAnArgumentWas) {
  Region promised = with("static void twice(double *restrict p, double q) { *p = *p + q; *p += q; }",
                         "for (int i = 0; i < n; i++) twice(&a[i], a[i]);");
  EXPECT_NO_FATAL_FAILURE(arrayNamed(promised, "twice_q"));
  FileRegions read = readSource("typedef struct { float x, y; } Two;\n"
                                "static void mix(Two *p, Two q) { p->x = q.y; p->y = q.x; }\n"
                                "void work(int n, Two *t) { for (int i = 0; i < n; i++) mix(&t[i], t[i]); }");
  ASSERT_EQ(read.regions.size(), 1U);
  EXPECT_TRUE(std::any_of(read.regions[0].arrays.begin(), read.regions[0].arrays.end(),
                          [](const Array& one) { return one.name.starts_with("mix_q"); }));
}

TEST(PointerOffsets, ThatAreReadFromMemoryAreIntegers) {
  Region region = with("", "for (int i = 0; i < n; i++) {\n  const double *row = b + (int)a[i] * m;\n"
                           "  for (int k = 0; k < m; k++) g->data[i * m + k] = row[k];\n}");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  const Statement& statement = statementWith(region, "row[k]");
  EXPECT_TRUE(std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
    return region.arrays[access.array].name == "b" && !access.exact;
  }));
  EXPECT_NO_FATAL_FAILURE(arrayNamed(region, "row_at"));
}

TEST(PointerOffsets, OfPointersThatAreSetAgainStay) {
  Region region = with("", "for (int i = 0; i < n; i++) {\n  double *row = b + (int)a[i] * m; row++;\n"
                           "  for (int k = 0; k < m; k++) row[k] = 0;\n}");
  EXPECT_FALSE(hostOnly(region).empty());
}

TEST(Assertions, AreConditions) {
  Region region = with("#include <assert.h>\nstatic double get(const Grid *g, int i) {\n"
                       "  assert(i < g->rows); return g->data[i]; }",
                       "for (int i = 0; i < n; i++) a[i] = get(g, i);");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  EXPECT_THAT(conditions(region), Contains(HasSubstr("g->rows >= n")));
}

TEST(Assertions, OfDataStayOnTheHost) {
  Region region =
      with("#include <assert.h>", "for (int i = 0; i < n; i++) { assert(b[i] > 0); a[i] = b[i]; }");
  EXPECT_THAT(hostOnly(region), Contains(HasSubstr("assertion")));
}

TEST(PointerTests, AreConditionsOfTheRegion) {
  Region region = with("", "for (int i = 0; i < n; i++) a[i] = b != (void *)0 ? b[i] : 0.0;");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  const Statement& statement = statementWith(region, "a[i] =");
  EXPECT_TRUE(touches(statement, statement.accesses[0], "[n, b_given] -> { S[i] -> b[i] : b_given = 1 }"));
  EXPECT_TRUE(std::any_of(region.parameters.begin(), region.parameters.end(), [](const Parameter& one) {
    return one.name == "b_given" && one.text == "(b != 0)";
  }));
}

TEST(PointerTests, OfArraysAndOfNullAreDecided) {
  Region region =
      with("static double maybe(const double *u, int i) { return u ? u[i] : -2.0; }\ndouble c[9];",
           "for (int i = 0; i < 9; i++) a[i] = maybe(c, i) + maybe(0, i) + maybe(b + m, i);");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  EXPECT_EQ(statementWith(region, "a[i] =").accesses.size(), 3U);
}

TEST(PointerTests, GuardStatements) {
  Region region = with("", "for (int i = 0; i < n; i++) { if (b) a[i] += b[i]; if (!g) a[i] = 2; }");
  EXPECT_THAT(hostOnly(region), IsEmpty());
  EXPECT_TRUE(
      hasDomain(statementWith(region, "a[i] = 2"),
                "[n, g_given, b_given] -> { S[i] : 0 <= i < n and g_given = 0 and 0 <= b_given <= 1 }"));
}

} // namespace
} // namespace warploom
