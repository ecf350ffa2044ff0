// Loops as single statements, and where structs are placed.
#include "mapping/WholeLoops.h"

#include "mapping/Planning.h"

#include <gmock/gmock.h>

namespace warploom {
namespace {

using testing::HasSubstr;

TEST(WholeLoopStatements, ReplacesALoopAndAllInIt) {
  Region region = regionOf(
      "void f(int n, int m, int *a, int *p) {\n  int j;\n  for (int i = 0; i < n; i++) {\n"
      "    p[i] = 0;\n    for (j = 0; j < m; j++) {\n      for (int k = 0; k < j; k++) p[i] += a[k];\n"
      "      if (a[i * m + j]) break;\n    }\n    p[i] += j;\n  }\n"
      "  for (int i = 0; i < n; i++) a[i] = 1;\n}\n");
  ASSERT_EQ(region.wholes.size(), 1U);
  Region result = withWholeLoops(region);
  ASSERT_EQ(result.loops.size(), 2U);
  EXPECT_EQ(result.loops[1].index, "i");
  EXPECT_TRUE(result.wholes.empty());
  int opaque = 0;
  for (const Statement& statement : result.statements) {
    EXPECT_EQ(statement.afterLoop, -1) << "the loop's own last value goes with it";
    EXPECT_LE(statement.loops.size(), 1U);
    opaque += statement.kind == Statement::Kind::Opaque;
  }
  EXPECT_EQ(opaque, 1);
  EXPECT_NO_THROW(validate(result));
  // What follows the loop still does.
  isl::union_map order = originalOrder(result);
  EXPECT_TRUE(order.is_injective());
}

TEST(WholeLoopStatements, LeavesOthersAlone) {
  Region region = regionOf("void f(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j "
                           "< n; j++) a[j] += i;\n}\n");
  EXPECT_EQ(withWholeLoops(region).statements.size(), region.statements.size());
}

/// The plan for `source` once its loops are collapsed.
RegionPlan planOf(const std::string& source) {
  Region region = withWholeLoops(regionOf(source));
  return planRegion(region, analyse(region), {});
}

TEST(WholeLoopStatements, ASearchPerThreadIsParallel) {
  RegionPlan plan =
      planOf("void f(int n, int m, int a[n][m], int *restrict p) {\n  for (int i = 0; i < n; i++)\n"
             "    for (int j = 0; j < m; j++) if (a[i][j]) { p[i] = j; break; }\n}\n");
  EXPECT_EQ(plan.refused, "");
  // Where all threads search for the same thing, the first one counts.
  RegionPlan one =
      planOf("void f(int n, int m, int a[n][m], int *restrict p) {\n  for (int i = 0; i < n; i++)\n"
             "    for (int j = 0; j < m; j++) if (a[i][j]) { p[0] = j; break; }\n}\n");
  EXPECT_THAT(one.refused, HasSubstr("no loop"));
}

const std::string vec = "struct vec { double x, y; };\n";

TEST(Structs, HaveOnePlaceForAllFields) {
  Planned planned(vec + "void f(int n, struct vec *restrict a, const struct vec *restrict b) {\n"
                        "  for (int i = 0; i < n; i++) { struct vec t = b[i]; t.x += 1; a[i] = t; }\n}\n");
  ASSERT_EQ(planned.plan.refused, "");
  EXPECT_EQ(planned.placement("t"), Placement::Private);
  EXPECT_EQ(planned.placement("t.x"), Placement::Private);
  EXPECT_EQ(planned.placement("a"), Placement::Device);
}

TEST(Structs, ThatArePrivateInPartAreRefused) {
  Planned planned(vec + "void f(int n, struct vec t, struct vec *restrict a) {\n"
                        "  for (int i = 0; i < n; i++) { t.x = i; a[i] = t; }\n}\n");
  EXPECT_THAT(planned.plan.refused, HasSubstr("only parts of `t` are private"));
}

TEST(Structs, ThatAreNotWrittenAreNotPassedByValue) {
  Planned planned(vec + "void f(int n, struct vec t, struct vec *restrict a) {\n"
                        "  for (int i = 0; i < n; i++) a[i] = t;\n}\n");
  ASSERT_EQ(planned.plan.refused, "");
  EXPECT_EQ(planned.placement("t"), Placement::Device);
}

} // namespace
} // namespace warploom
