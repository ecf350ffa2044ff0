// Arrays and pointers: which object an access is to, and which of its elements.
#include "frontend/Reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// SHOWS: CR-6
TEST(Arrays, OfAnyRankGlobalLocalAndVariablyLong) {
  Region region = regionOf(R"(typedef float real;
#define N 20
static real g[N], h[N][3][2];
void f(int n, int m, double v[n][m]) {
  real l[N];
  for (int i = 0; i < n; i++) {
    g[i] = l[i] + h[i][2][1];
    v[i][m - 1] = g[i];
  }
})");
  const Statement& first = statementWith(region, "g[i] =");
  const Statement& second = statementWith(region, "v[i][m - 1] =");
  EXPECT_TRUE(touches(first, accessWith(first, "g[i]"), "{ S[i] -> g[i] }"));
  EXPECT_TRUE(touches(first, accessWith(first, "h[i][2][1]"), "{ S[i] -> h[i, 2, 1] }"));
  EXPECT_TRUE(touches(second, accessWith(second, "v[i][m - 1]"), "[m] -> { S[i] -> v[i, m - 1] }"));
  EXPECT_EQ(arrayNamed(region, "g").storage, Array::Storage::Global);
  EXPECT_EQ(arrayNamed(region, "l").storage, Array::Storage::Local);
  EXPECT_EQ(arrayNamed(region, "v").storage, Array::Storage::Pointee);
  EXPECT_THAT(arrayNamed(region, "h").extentTexts, ElementsAre("20", "3", "2"));
  EXPECT_THAT(arrayNamed(region, "v").extentTexts, ElementsAre("n", "m"));
  EXPECT_EQ(arrayNamed(region, "g").element.spelling, "real");
  EXPECT_EQ(arrayNamed(region, "g").element.bits, 32u);
}

TEST(Arrays, OfDifferentTypesInOneNest) {
  Region region = regionOf("void f(int n, float *restrict a, const double *restrict b, const signed char "
                           "*restrict c, int *restrict d) {\n"
                           "  for (int i = 0; i < n; i++) { a[i] = b[i] * c[i]; d[i] = c[i]; } }\n");
  EXPECT_EQ(arrayNamed(region, "a").element.bits, 32u);
  EXPECT_TRUE(arrayNamed(region, "a").element.isFloating());
  EXPECT_EQ(arrayNamed(region, "b").element.bits, 64u);
  EXPECT_EQ(arrayNamed(region, "c").element.bits, 8u);
  EXPECT_EQ(arrayNamed(region, "d").element.kind, Type::Kind::SignedInt);
  EXPECT_TRUE(arrayNamed(region, "b").isConst);
  EXPECT_THAT(conditions(region), IsEmpty());
}

TEST(Arrays, PointersToRowsTakeSeveralSubscripts) {
  Region region = regionOf("void f(int n, int m, float (*restrict A)[m], double B[restrict 10][4][5]) {\n"
                           "  for (int i = 0; i < n; i++) { A[i][2] = 1; B[i][1][2] = 2; } }\n");
  const Statement& rows = statementWith(region, "A[i][2]");
  EXPECT_TRUE(touches(rows, rows.accesses[0], "{ S[i] -> A[i, 2] }"));
  EXPECT_THAT(arrayNamed(region, "A").extentTexts, ElementsAre("", "m"));
  EXPECT_EQ(arrayNamed(region, "B").rank, 3);
}

// SHOWS: RT-4
TEST(Arrays, LinearisedSubscriptsGetTheirDimensionsBack) {
  Region region = regionOf(R"(void f(int n, int m, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i * m + j] = A[(i + 1) * m + j] + 1;
})");
  const Array& array = arrayNamed(region, "A");
  EXPECT_TRUE(array.recovered);
  EXPECT_THAT(array.extentTexts, ElementsAre("", "m"));
  const Statement& body = statementWith(region, "A[i * m + j] =");
  EXPECT_TRUE(touches(body, accessWith(body, "A[i * m + j]"), "{ S[i, j] -> A[i, j] }"));
  EXPECT_TRUE(touches(body, accessWith(body, "A[(i + 1) * m + j]"), "{ S[i, j] -> A[i + 1, j] }"));
  EXPECT_THAT(region.conditions, IsEmpty()); // 0 <= j < m is what the loop says
}

TEST(Arrays, RecoveredSubscriptsThatMayLeaveTheirRowAreConditions) {
  Region region = regionOf(R"(void f(int n, int m, int p, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++)
      for (int k = 0; k < 3; k++)
        A[(i * m + j) * 3 + k] = 1;
})");
  EXPECT_TRUE(arrayNamed(region, "A").recovered);
  ASSERT_FALSE(region.conditions.empty());
  EXPECT_EQ(region.conditions[0].kind, Condition::Kind::InBounds);
  EXPECT_THAT(region.conditions[0].text, HasSubstr("m >= p"));
  EXPECT_THAT(region.conditions[0].loops, ElementsAre(0, 1, 2));
}

// Rows of C consist of `heads` shorter ones. That `size` is C / heads is not looked at: where C is no
// product, the launcher finds out.
TEST(Arrays, RowsOfShorterRowsAreOneMoreDimension) {
  Region region = regionOf(R"(void f(int n, int C, int heads, float *x) {
  int size = C / heads;
  for (int t = 0; t < n; t++)
    for (int h = 0; h < heads; h++)
      for (int i = 0; i < size; i++)
        x[t * 3 * C + C + h * size + i] = 1;
})");
  const Array& array = arrayNamed(region, "x");
  EXPECT_TRUE(array.recovered);
  EXPECT_THAT(array.extentTexts, ElementsAre("", "heads", "size"));
  const Statement& body = statementWith(region, "x[t");
  EXPECT_TRUE(touches(body, body.accesses.back(), "{ S[t, h, i] -> x[3t + 1, h, i] }"));
  ASSERT_EQ(region.conditions.size(), 1u);
  EXPECT_EQ(region.conditions[0].kind, Condition::Kind::InBounds);
  EXPECT_EQ(region.conditions[0].text, "heads*size == C");
}

// Nothing shows which of the two consists of the other.
TEST(Arrays, RowsWithoutAnInnerIndexAreNotTakenApart) {
  Region region = regionOf(R"(void f(int p, int q, int n, int m, float *x) {
  for (int i = 0; i < p; i++)
    for (int j = 0; j < q; j++)
      x[i * n + j * m] = 1;
})");
  EXPECT_FALSE(arrayNamed(region, "x").recovered);
}

TEST(Arrays, PointerArithmeticIsFollowed) {
  Region region = regionOf(R"(void f(int n, double *restrict a, double *restrict b) {
  double *p = b + 2;
  for (int i = 0; i < n; i++) {
    *(a + i) = p[i];
    double *q = &a[i];
    q[3] = 1;
  }
})");
  const Statement& first = statementWith(region, "*(a + i)");
  EXPECT_TRUE(touches(first, first.accesses.back(), "{ S[i] -> a[i] }"));
  const Statement& last = statementWith(region, "q[3]");
  EXPECT_TRUE(touches(last, accessWith(last, "q[3]"), "{ S[i] -> a[i + 3] }"));
}

TEST(Arrays, AWalkingPointerIsItsClosedForm) {
  Region region = regionOf(
      "void f(int n, double *restrict a) {\n  double *p = a;\n  for (int i = 0; i < n; i++) *p++ = i;\n}\n");
  const Statement& body = statementWith(region, "*p++ = i");
  EXPECT_THAT(body.accesses.back().kind, Access::Kind::Write);
  EXPECT_TRUE(body.accesses.back().exact);
  EXPECT_THAT(region.closedForms, Contains("p"));
}

// SHOWS: CH-9
TEST(Arrays, FieldsOfStructsAreArraysOfTheirOwn) {
  Region region = regionOf(R"(struct p { float x, y; float v[4]; };
void f(int n, struct p *restrict s, struct p g[10]) {
  for (int i = 0; i < n; i++) {
    s[i].x = s[i].y;
    (s + i)->v[2] = g[i].x;
  }
})");
  const Statement& first = statementWith(region, "s[i].x =");
  const Access& write = accessWith(first, "s[i].x");
  EXPECT_EQ(region.arrays[write.array].name, "s.x");
  EXPECT_EQ(region.arrays[write.array].rank, 1);
  EXPECT_TRUE(write.exact);
  EXPECT_NE(first.accesses[0].array, first.accesses[1].array);
  EXPECT_EQ(arrayNamed(region, "s.v").rank, 2);
}

// SHOWS: CR-8
TEST(Arrays, SubscriptsThatAreNotAffineAreMayAccesses) {
  Region region = regionOf(
      "void f(int n, double *restrict a, const int *restrict k, int m) {\n  for (int i = 0; i < n; i++) {\n"
      "    a[k[i]] = 1;\n    a[i * i] = 2;\n    a[3 * i + m] = 3;\n  } }\n");
  const Statement& indirect = statementWith(region, "a[k[i]]");
  const Access& write = accessWith(indirect, "a[k[i]]");
  EXPECT_EQ(write.kind, Access::Kind::MayWrite);
  EXPECT_FALSE(write.exact);
  EXPECT_THAT(write.inexactReason, HasSubstr("k[i]"));
  EXPECT_TRUE(touches(indirect, write, "{ S[i] -> a[x] }"));
  EXPECT_EQ(accessWith(statementWith(region, "a[i * i]"), "a[i * i]").kind, Access::Kind::MayWrite);
  EXPECT_EQ(accessWith(statementWith(region, "a[3 * i + m]"), "a[3 * i + m]").kind, Access::Kind::Write);
}

TEST(Arrays, DivisionAndRemainderByConstantsAreAffine) {
  Region region = regionOf("double a[100];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) { a[i / 4] = 1; "
                           "a[i % 8] = 2; a[i >> 1] = 3; a[i & 7] = 4; } }\n");
  auto is = [&](const char* text, const char* map) {
    const Statement& statement = statementWith(region, text);
    return touches(statement, accessWith(statement, text), map);
  };
  EXPECT_TRUE(is("a[i / 4]", "{ S[i] -> a[floor(i/4)] }"));
  EXPECT_TRUE(is("a[i % 8]", "{ S[i] -> a[i mod 8] }"));
  EXPECT_TRUE(is("a[i >> 1]", "{ S[i] -> a[floor(i/2)] }"));
  EXPECT_TRUE(is("a[i & 7]", "{ S[i] -> a[i mod 8] }"));
}

TEST(Arrays, NumbersThatOverflowAreNotAffine) {
  Region region = regionOf("void f(long n, double *restrict a) {\n  for (long i = 0; i < n; i++) {\n"
                           "    a[i * 4611686018427387904 * 4] = 1;\n    a[i + 9223372036854775807] = 2;\n"
                           "    a[i * 4611686018427387904 + i * 4611686018427387904] = 3;\n  } }\n");
  for (const Statement& statement : region.statements) {
    EXPECT_FALSE(statement.accesses.back().exact) << statement.text;
    EXPECT_EQ(statement.accesses.back().kind, Access::Kind::MayWrite) << statement.text;
  }
}

// SHOWS: RT-5
TEST(Arrays, PointersMayOverlapUnlessRestrictOrTheirOriginsSayOtherwise) {
  auto overlap = [](const std::string& source) { return conditions(readSource(source).regions.front()); };
  std::string body = " {\n  for (int i = 0; i < n; i++) a[i] = b[i];\n}\n";
  EXPECT_THAT(overlap("void f(int n, double *a, double *b)" + body),
              ElementsAre("`b` and `a` do not overlap"));
  EXPECT_THAT(overlap("void f(int n, double *restrict a, const double *restrict b)" + body), IsEmpty());
  EXPECT_THAT(overlap("void f(int n, double *__restrict__ a, const double *b)" + body), IsEmpty());
  EXPECT_THAT(overlap("void f(int n, double *a, int *b)" + body), IsEmpty());
  EXPECT_THAT(overlap("double x[9], y[9];\nstatic void f(int n, double *a, double *b)" + body +
                      "void g(void) { f(9, x, y); }\n"),
              IsEmpty());
  // A promise that a call in the same file breaks is not believed.
  EXPECT_THAT(overlap("double x[9];\nvoid f(int n, double *restrict a, const double *restrict b)" + body +
                      "void g(void) { f(8, x + 1, x); }\n"),
              ElementsAre("`b` and `a` do not overlap"));
}

// SHOWS: RT-29
TEST(Arrays, ExtentsComeFromDeclarations) {
  Region region = regionOf("void f(int n, int m, double a[n][m]) {\n  double t[2 * 8];\n  for (int i = 0; i "
                           "< n; i++) { t[i] = 1; a[i][0] = t[i]; } }\n");
  const Array& a = arrayNamed(region, "a");
  ASSERT_TRUE(a.extents[0] && a.extents[1]);
  EXPECT_TRUE(a.extents[1]->ne_set(isl::pw_aff(islContext(), "[m] -> { [(m)] }")).is_empty());
  EXPECT_THAT(arrayNamed(region, "t").extentTexts, ElementsAre("16"));
}

TEST(Arrays, ChainedAssignmentsAreOneStatementEach) {
  Region region = regionOf("double a[100], b[100]; float c[100];\nvoid f(int n) {\n  for (int i = 0; i < n; "
                           "i++) a[i] = c[i] = b[i] * 2; }\n");
  ASSERT_EQ(region.statements.size(), 2u);
  EXPECT_EQ(exprText(*region.statements[0].body), "c[i] = b[i] * 2");
  EXPECT_EQ(exprText(*region.statements[1].body), "a[i] = c[i]");
}

TEST(Arrays, AnInnerTargetThatCountsIsNotReadTwice) {
  Region region = regionOf("double a[100], b[100];\nvoid f(int n) { int k = 0;\n  for (int i = 0; i < n; "
                           "i++) a[i] = b[k++] = 1; }\n");
  EXPECT_EQ(statementWith(region, "a[i]").kind, Statement::Kind::Opaque);
}

} // namespace
} // namespace warploom
