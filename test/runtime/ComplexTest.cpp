// Complex numbers as kernels compute with them, against those of the C compiler and its library.
#include "warploom.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace {

using warploom::Complex;
using ofC = double _Complex;
template <typename T> struct Kind;
template <> struct Kind<float> {
  using InC = float _Complex;
};
template <> struct Kind<double> {
  using InC = double _Complex;
};
template <typename T> using InC = typename Kind<T>::InC;

extern "C" {
ofC cexp(ofC);
ofC clog(ofC);
ofC csqrt(ofC);
ofC cpow(ofC, ofC);
ofC csinh(ofC);
ofC ccosh(ofC);
ofC ctanh(ofC);
ofC csin(ofC);
ofC ccos(ofC);
ofC ctan(ofC);
double cabs(ofC);
double carg(ofC);
}

template <typename T> InC<T> inC(Complex<T> z) {
  InC<T> result;
  __real__ result = z.re;
  __imag__ result = z.im;
  return result;
}

/// The same bits, but for what a NaN is.
template <typename T> bool isSame(T a, T b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}
template <typename T> bool isSame(Complex<T> a, InC<T> b) {
  return isSame<T>(a.re, __real__ b) && isSame<T>(a.im, __imag__ b);
}
bool isClose(double a, double b, double size) {
  return (a != a && b != b) || a == b || std::fabs(a - b) <= 1e-13 * std::max(size, 1e-290);
}
bool isClose(Complex<double> a, ofC b) {
  const double re = __real__ b, im = __imag__ b, size = std::hypot(re, im);
  return isClose(a.re, re, size) && isClose(a.im, im, size);
}

template <typename T> std::vector<T> parts() {
  const T large = std::numeric_limits<T>::max(), small = std::numeric_limits<T>::min();
  std::vector<T> all{
      0,         T(0.3), 1,         T(1.7),    T(2.5e3),     small,
      small / 8, large,  large / 3, 1 / large, T(3) * small, std::numeric_limits<T>::infinity(),
      T(1e-9)};
  for (std::size_t k = all.size(); k-- > 0;)
    all.push_back(-all[k]);
  all.push_back(std::numeric_limits<T>::quiet_NaN());
  return all;
}

template <typename T> std::vector<Complex<T>> numbers() {
  std::vector<Complex<T>> all;
  for (T re : parts<T>())
    for (T im : parts<T>())
      all.emplace_back(re, im);
  return all;
}

template <typename T> std::string text(Complex<T> z) {
  char buffer[80];
  snprintf(buffer, sizeof buffer, "(%.17g, %.17g)", static_cast<double>(z.re), static_cast<double>(z.im));
  return buffer;
}

template <typename T> class Arithmetic : public testing::Test {};
using Kinds = testing::Types<float, double>;
TYPED_TEST_SUITE(Arithmetic, Kinds);

TYPED_TEST(Arithmetic, IsWhatTheCompilerMakesOfC) {
  using T = TypeParam;
  const std::vector<Complex<T>> all = numbers<T>();
  int different = 0;
  auto expect = [&](bool holds, const char* op, Complex<T> a, Complex<T> b) {
    if (!holds && ++different <= 10) ADD_FAILURE() << text(a) << " " << op << " " << text(b);
  };
  for (Complex<T> a : all)
    for (Complex<T> b : all) {
      InC<T> x = inC(a), y = inC(b);
      expect(isSame<T>(a + b, x + y), "+", a, b);
      expect(isSame<T>(a - b, x - y), "-", a, b);
      expect(isSame<T>(a * b, x * y), "*", a, b);
      expect((a == b) == (x == y), "==", a, b);
      const Complex<T> quotient = a / b;
      InC<T> expected = x / y;
      // Where numbers are so small that digits are lost, libraries differ in the last ones.
      auto isNear = [](T one, T other) {
        return isSame(one, other) || (one != one && other != other) ||
               std::fabs(one - other) <= 4 * std::numeric_limits<T>::epsilon() * std::fabs(other) +
                                             2 * std::numeric_limits<T>::denorm_min();
      };
      // A quotient beyond the range is infinite or no number at all.
      auto isFinite = [](T re, T im) { return std::isfinite(re) && std::isfinite(im); };
      const bool leaves = isFinite(a.re, a.im) && isFinite(b.re, b.im) && b != 0 &&
                          !isFinite(__real__ expected, __imag__ expected);
      const bool asExpected =
          leaves ? !isFinite(quotient.re, quotient.im)
                 : isNear(quotient.re, __real__ expected) && isNear(quotient.im, __imag__ expected);
      expect(asExpected, "/", a, b);
    }
  for (Complex<T> a : all)
    for (T b : parts<T>()) {
      InC<T> x = inC(a);
      expect(isSame<T>(a + b, x + b) && isSame<T>(b + a, b + x), "+", a, b);
      expect(isSame<T>(a - b, x - b) && isSame<T>(b - a, b - x), "-", a, b);
      expect(isSame<T>(a * b, x * b) && isSame<T>(b * a, b * x), "*", a, b);
      expect(isSame<T>(a / b, x / b), "/", a, b);
    }
}

TEST(Complex, QuotientsHaveTheBitsOfTheLibrarys) {
  unsigned seed = 1;
  auto next = [&] {
    return (static_cast<double>((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23)) - 1;
  };
  for (int k = 0; k < 100000; ++k) {
    const Complex<double> a(next(), next()), b(next(), next());
    ASSERT_TRUE(isSame<double>(a / b, inC(a) / inC(b))) << text(a) << " / " << text(b);
    const Complex<float> c(a), d(b);
    ASSERT_TRUE(isSame<float>(c / d, inC(c) / inC(d))) << text(c) << " / " << text(d);
  }
}

TEST(Complex, FunctionsAreThoseOfTheMathLibrary) {
  std::vector<Complex<double>> all;
  for (double re : {-1e3, -709.9, -350.0, -40.0, -2.5, -1.0, -0.6, -1e-5, -0.0, 0.0, 1e-9, 0.8, 1.0, 3.0,
                    44.5, 360.0, 709.2, 710.3})
    for (double im : {-1e6, -30.0, -3.2, -1.0, -1e-8, -0.0, 0.0, 1e-300, 0.6, 1.5, 100.0})
      all.emplace_back(re, im);
  int different = 0;
  auto expect = [&](const char* name, Complex<double> got, ofC wanted, Complex<double> at) {
    if (!isClose(got, wanted) && ++different <= 20)
      ADD_FAILURE() << name << text(at) << " is " << text(got) << ", not (" << __real__ wanted << ", "
                    << __imag__ wanted << ")";
  };
  for (Complex<double> z : all) {
    expect("cexp", cexp(z), cexp(inC(z)), z);
    expect("clog", clog(z), clog(inC(z)), z);
    expect("csqrt", csqrt(z), csqrt(inC(z)), z);
    expect("csinh", csinh(z), csinh(inC(z)), z);
    expect("ccosh", ccosh(z), ccosh(inC(z)), z);
    expect("ctanh", ctanh(z), ctanh(inC(z)), z);
    expect("csin", csin(z), csin(inC(z)), z);
    expect("ccos", ccos(z), ccos(inC(z)), z);
    expect("ctan", ctan(z), ctan(inC(z)), z);
    expect("cpow", cpow(z, Complex<double>(0.5, 0.25)), cpow(inC(z), inC(Complex<double>(0.5, 0.25))), z);
    EXPECT_TRUE(isClose(cabs(z), cabs(inC(z)), cabs(inC(z))));
    EXPECT_TRUE(isClose(carg(z), carg(inC(z)), 1));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (Complex<double> z : numbers<double>()) {
    EXPECT_TRUE(isClose(csqrt(z), csqrt(inC(z)))) << text(z);
    if (std::isnan(z.re) || std::isnan(z.im)) continue;
    if (z.im != infinity && z.im != -infinity) {
      EXPECT_TRUE(isClose(cexp(z), cexp(inC(z)))) << text(z);
    }
  }
}

} // namespace
