// Scalars, induction variables, widths and wrap-around.
#include "frontend/Reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Scalars, DeclaredInsideALoopAreFreshInEveryIteration) {
  Region region = regionOf("double a[100];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) { double t = "
                           "a[i]; a[i] = t * t; } }\n");
  EXPECT_EQ(arrayNamed(region, "t").declaredIn, 0);
  EXPECT_FALSE(arrayNamed(region, "t").liveAfter);
}

// SHOWS: RT-25
TEST(Scalars, DeclaredOutsideAreLiveAfterOnlyWhenUsed) {
  std::string loop = "double a[100];\ndouble f(int n) { double t, u = 0;\n  for (int i = 0; i < n; i++) { t "
                     "= a[i]; u = t; a[i] = t; }\n  return u; }\n";
  Region region = regionOf(loop);
  EXPECT_FALSE(arrayNamed(region, "t").liveAfter);
  EXPECT_TRUE(arrayNamed(region, "u").liveAfter);
  EXPECT_EQ(arrayNamed(region, "t").declaredIn, -1);
}

TEST(Scalars, InductionVariablesBecomeClosedForms) {
  Region region = regionOf("double a[100];\nint f(int n) { int k = 3;\n  for (int i = 0; i < n; i++) { a[k] "
                           "= 1; k += 2; }\n  return k; }\n");
  const Statement& body = statementWith(region, "a[k]");
  EXPECT_TRUE(touches(body, accessWith(body, "a[k]"), "{ S[i] -> a[2i + 3] }"));
  EXPECT_THAT(region.closedForms, ElementsAre("k"));
}

TEST(Scalars, InductionThroughTwoLoops) {
  Region region = regionOf("double a[1000];\nvoid f(int n) { int k = 0;\n  for (int i = 0; i < n; i++) for "
                           "(int j = 0; j < 10; j++) a[k++] = 1; }\n");
  const Statement& body = statementWith(region, "a[k++]");
  EXPECT_TRUE(touches(body, accessWith(body, "a[k++]"), "{ S[i, j] -> a[10i + j] }"));
}

TEST(Scalars, WrapAroundVariablesAreThePreviousIndex) {
  Region region = regionOf("double a[100], b[100];\nvoid f(int n) { int w = 99;\n  for (int i = 0; i < n; "
                           "i++) { a[i] = b[w]; w = i; } }\n");
  const Statement& body = statementWith(region, "a[i] =");
  EXPECT_TRUE(touches(body, accessWith(body, "b[w]"), "{ S[i] -> b[i - 1] : i > 0; S[0] -> b[99] }"));
}

TEST(Scalars, CastsKeepTheirTypes) {
  Region region = regionOf("double a[100]; int k[100];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) { "
                           "k[i] = (int)(float)a[i]; a[(long)i] = 1; } }\n");
  const Statement& body = statementWith(region, "k[i]");
  const Expr& outer = *body.body->operands[1];
  EXPECT_EQ(outer.kind, Expr::Kind::Cast);
  EXPECT_EQ(outer.type.spelling, "int");
  EXPECT_EQ(outer.operands[0]->type.spelling, "float");
  const Statement& wide = statementWith(region, "a[(long)i]");
  EXPECT_TRUE(touches(wide, wide.accesses.back(), "{ S[i] -> a[i] }"));
}

TEST(Scalars, UnsignedWrapAroundIsACondition) {
  Region region = regionOf("double a[100];\nvoid f(unsigned n, unsigned m) {\n  for (unsigned i = 0; i < n; "
                           "i++) a[i + m] = 1; }\n");
  ASSERT_FALSE(region.conditions.empty());
  EXPECT_EQ(region.conditions[0].kind, Condition::Kind::NoWrap);
  isl::set bad(islContext(), "[n, m] -> { : n = 10 and m = 4294967290 }");
  isl::set good(islContext(), "[n, m] -> { : n = 10 and m = 100 }");
  EXPECT_TRUE(region.conditions[0].holds->intersect(bad).is_empty());
  EXPECT_FALSE(region.conditions[0].holds->intersect(good).is_empty());
}

TEST(Scalars, SignedOverflowIsUndefinedAndNoCondition) {
  Region region =
      regionOf("double a[100];\nvoid f(int n, int m) {\n  for (int i = 0; i < n; i++) a[i + m] = 1; }\n");
  EXPECT_THAT(region.conditions, IsEmpty());
}

TEST(Scalars, NarrowIndicesHoldOnlyWhatFits) {
  Region region = regionOf("double a[1000];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) { unsigned char "
                           "k = i; a[k] = 1; } }\n");
  ASSERT_FALSE(region.conditions.empty());
  EXPECT_EQ(region.conditions[0].kind, Condition::Kind::NoWrap);
  EXPECT_THAT(region.conditions[0].text, HasSubstr("256"));
}

// The index has a value before the loop and one after it; only where the first is used is it a parameter.
TEST(Scalars, AnIndexThatOutlivesItsLoopIsNoParameter) {
  auto names = [](const Region& region) {
    std::vector<std::string> texts;
    for (const Parameter& parameter : region.parameters)
      texts.push_back(parameter.text);
    return texts;
  };
  EXPECT_THAT(names(regionOf("int f(int n, int *a) {\n  int i;\n  for (i = 0; i < n; i++) a[i] = i;\n  "
                             "return i; }\n")),
              testing::ElementsAre("n"));
  EXPECT_THAT(
      names(regionOf("int f(int n, int i, int *a) {\n  for (; i < n; i++) a[i] = i;\n  return i; }\n")),
      testing::UnorderedElementsAre("n", "i"));
}

TEST(Scalars, SizesInMemoryAreParametersWhereNothingChangesThem) {
  Region region = regionOf("struct grid { int nx; double *u; };\nvoid f(struct grid *g) {\n  for (int i = 0; "
                           "i < g->nx; i++) g->u[i] = 1; }\n");
  ASSERT_FALSE(region.parameters.empty());
  EXPECT_EQ(region.parameters[0].text, "g->nx");
  EXPECT_THAT(region.loops[0].inexactBounds, IsEmpty());
}

} // namespace
} // namespace warploom
