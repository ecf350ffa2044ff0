// Complex numbers of C, as the model has them.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;

/// The body of `statement` in `for (i) { statement }` of a function with arrays of complex numbers.
ExprPtr bodyIn(const std::string& statement) {
  Region region =
      regionOf("#include <complex.h>\n"
               "void f(int n, double complex *z, float complex *w, double *x, double complex c) {\n"
               "  for (int i = 0; i < n; i++) {\n    " +
               statement + "\n  }\n}\n");
  for (const Statement& one : region.statements)
    if (one.kind == Statement::Kind::Assign && one.body) return one.body;
  return nullptr;
}
std::string textIn(const std::string& statement) {
  ExprPtr body = bodyIn(statement);
  return body ? exprText(*body) : "";
}

TEST(Complex, NumbersAreValuesOfTheirOwnKind) {
  ExprPtr body = bodyIn("z[i] = z[i] * c;");
  ASSERT_TRUE(body);
  EXPECT_EQ(body->type.kind, Type::Kind::Complex);
  EXPECT_EQ(body->type.bits, 128U);
  EXPECT_FALSE(body->type.isFloating());
  EXPECT_TRUE(body->type.isRounded());
  EXPECT_EQ(bodyIn("w[i] = -w[i];")->type.bits, 64U);
}

TEST(Complex, ImaginaryNumbersHaveTheTypeTheyAreUsedIn) {
  EXPECT_EQ(textIn("z[i] = x[i] * I;"), "z[i] = x[i] * warploom::imaginary(1.0)");
  EXPECT_EQ(textIn("w[i] = 0.25f * I;"), "w[i] = 0.25f * warploom::imaginary(1.0f)");
}

TEST(Complex, ConversionsThatCppWouldNotMakeStandInTheBody) {
  EXPECT_THAT(textIn("x[i] = z[i];"), HasSubstr("(double)z[i]"));
  EXPECT_THAT(textIn("z[i] = w[i] * x[i];"), HasSubstr("(_Complex double)w[i] * x[i]"));
  // In double, and then rounded: 0.1 is no float.
  EXPECT_EQ(textIn("w[i] *= 0.1;"), "w[i] = (_Complex float)((_Complex double)w[i] * 0.1)");
  EXPECT_EQ(textIn("z[i] *= 0.1;"), "z[i] *= 0.1");
  EXPECT_EQ(textIn("x[i] += z[i];"), "x[i] = (double)((_Complex double)x[i] + z[i])");
}

TEST(Complex, PartsAreCalls) {
  EXPECT_EQ(textIn("x[i] = __real__ z[i] + cimag(z[i]);"), "x[i] = creal(z[i]) + cimag(z[i])");
  EXPECT_EQ(textIn("z[i] = CMPLX(x[i], 1);"), "z[i] = __builtin_complex((double)x[i], (double)1)");
  EXPECT_EQ(textIn("__real__ z[i] = 1;"), ""); // a part alone is not written
}

TEST(Complex, NumbersShareMemoryWithTheirParts) {
  Region region = regionOf("void f(int n, double _Complex *z, double *x, float *y) {\n"
                           "  for (int i = 0; i < n; i++) { z[i] = x[i] + y[i]; }\n}\n");
  ASSERT_EQ(region.conditions.size(), 1U);
  EXPECT_THAT(region.conditions[0].text, HasSubstr("`x` and `z`"));
}

} // namespace
} // namespace warploom
