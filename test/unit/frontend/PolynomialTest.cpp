#include "frontend/Polynomial.h"

#include <climits>
#include <gtest/gtest.h>

namespace warploom {
namespace {

Polynomial n() {
  return Polynomial::parameter("n", true);
}

TEST(Polynomial, EqualProductsCancel) {
  Polynomial i = Polynomial::parameter("$0", false);
  Polynomial difference = (i + Polynomial::constant(1)) * n() - n() * i;
  EXPECT_TRUE(difference == n());
  EXPECT_TRUE(difference.asAffine().has_value());
  EXPECT_FALSE((i * n()).asAffine().has_value());
}

TEST(Polynomial, ProductsOfSizesAreSizes) {
  auto affine = (n() * n() + Polynomial::constant(2)).asAffine();
  ASSERT_TRUE(affine.has_value());
  EXPECT_NE(affineText(*affine).find("n*n"), std::string::npos);
}

TEST(Polynomial, WhatOverflowsIsLostForGood) {
  Polynomial large = n() * Polynomial::constant(1L << 61);
  EXPECT_FALSE(large.isLost());
  for (const Polynomial& lost :
       {large * Polynomial::constant(8), large + large + large, Polynomial::constant(LONG_MAX),
        Polynomial::constant(LONG_MIN) - Polynomial::constant(1)}) {
    EXPECT_TRUE(lost.isLost());
    EXPECT_FALSE(lost.asAffine().has_value());
    EXPECT_FALSE(lost.asConstant().has_value());
    EXPECT_FALSE(lost == lost);
    EXPECT_TRUE((lost - lost).isLost());
    EXPECT_FALSE(lost.substitute("n", Polynomial::constant(0)).has_value());
  }
}

TEST(Polynomial, LinearTakesAffineExpressionsApart) {
  Polynomial sum = n() * Polynomial::constant(3) + Polynomial::parameter("m", true) + Polynomial::constant(7);
  EXPECT_TRUE(Polynomial::linear(*sum.asAffine()) == sum);
  Polynomial quotient = Polynomial::linear(n().asAffine()->div(constant(2)).floor());
  EXPECT_EQ(quotient.monomials().size(), 1u);
  EXPECT_FALSE(quotient.atom(quotient.monomials().begin()->first[0]).variable);
}

} // namespace
} // namespace warploom
