// Solvers against solutions that are known.
#include "Api.h"

#include <functional>

namespace {

using LaSolvers = La;

/// The five-point Laplacian of a grid of `side` points along an axis; `wind` makes it unsymmetric.
template <class T> typename Api<T>::Array laplacian(int side, T wind) {
  std::vector<int> rows, columns;
  std::vector<T> values;
  auto entry = [&](int i, int j, T value) {
    rows.push_back(i);
    columns.push_back(j);
    values.push_back(value);
  };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int i = y * side + x;
      entry(i, i, T(4));
      if (x > 0) entry(i, i - 1, T(-1) - wind);
      if (x < side - 1) entry(i, i + 1, T(-1) + wind);
      if (y > 0) entry(i, i - side, T(-1));
      if (y < side - 1) entry(i, i + side, T(-1));
    }
  typename Api<T>::Array result;
  EXPECT_EQ(Api<T>::coordinates(&result, side * side, side * side, static_cast<int>(rows.size()), rows.data(),
                                columns.data(), values.data()),
            RT_OK);
  return result;
}

/// How many iterations `method` takes to the known solution.
template <class T, class Method>
int solves(Method method, const typename Api<T>::Array& A, RTsolverOptions options = {}) {
  const int n = A.n;
  std::vector<T> expected(static_cast<std::size_t>(n)), b(expected.size()), x(expected.size());
  for (int i = 0; i < n; ++i)
    expected[i] = static_cast<T>(std::sin(i) + 2);
  EXPECT_EQ(Api<T>::spmv(b.data(), &A, expected.data(), n, n, RTCSR), RT_OK);
  RTsolverReport report{-1, -1, -1};
  EXPECT_EQ(method(x.data(), &A, b.data(), n, &options, &report), RT_OK) << RTLastError();
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.residual, sizeof(T) == 4 ? 1e-6 : 1e-10);
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = std::max(worst, static_cast<double>(std::abs(x[i] - expected[i])));
  EXPECT_LT(worst, sizeof(T) == 4 ? 2e-3 : 1e-7);
  return report.iterations;
}

template <class T> void jacobiAndGradients() {
  using A = Api<T>;
  const auto matrix = laplacian<T>(12, 0);
  RTsolverOptions many{};
  many.max_iterations = 5000;
  const int jacobi = solves<T>(A::jacobi, matrix, many), cg = solves<T>(A::cg, matrix);
  EXPECT_LT(cg, jacobi / 4);
  for (int format : {RTBSR, RTHYB, RTSELL, RTAUTO}) {
    RTsolverOptions options{};
    options.format = format;
    EXPECT_NEAR(solves<T>(A::cg, matrix, options), cg, 3);
  }
}

// SHOWS: RT-104
TEST_F(LaSolvers, JacobiAndConjugateGradientsConverge) {
  jacobiAndGradients<float>();
  jacobiAndGradients<double>();
}

template <class T> void others() {
  using A = Api<T>;
  const auto symmetric = laplacian<T>(20, 0), windy = laplacian<T>(20, T(0.4));
  RTsolverOptions diagonal{}, factors{};
  diagonal.preconditioner = RTDIAGONAL;
  factors.preconditioner = RTILU0;
  const int plain = solves<T>(A::cg, symmetric);
  EXPECT_EQ(solves<T>(A::pcg, symmetric),
            solves<T>(A::pcg, symmetric, diagonal)); // the diagonal is the default
  EXPECT_LT(solves<T>(A::pcg, symmetric, factors), plain * 2 / 3);
  EXPECT_LT(solves<T>(A::bicgstab, windy, factors), solves<T>(A::bicgstab, windy));
  const int gmres = solves<T>(A::gmres, windy);
  EXPECT_LT(solves<T>(A::gmres, windy, factors), gmres);
  solves<T>(A::gmres, windy, diagonal);
  factors.restart = 5;
  solves<T>(A::gmres, windy, factors);
}

// SHOWS: RT-105
TEST_F(LaSolvers, PreconditionedAndUnsymmetricMethodsConverge) {
  others<float>();
  others<double>();
}

TEST_F(LaSolvers, WhatCannotBeSolvedIsReported) {
  const double indefinite[] = {1, 2, 2, 1}, noDiagonal[] = {0, 1, 1, 0}, b[] = {1, 1};
  double x[] = {0, 0};
  RTspDArray A, Z;
  RTsolverReport report{};
  ASSERT_EQ(RTspDArrayCreate(indefinite, &A, 2, 2), RT_OK);
  ASSERT_EQ(RTspDArrayCreate(noDiagonal, &Z, 2, 2), RT_OK);
  const double other[] = {1, -1};
  EXPECT_EQ(RTspDCG(x, &A, other, 2, nullptr, &report), RT_NOT_CONVERGED);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(RTspDJacobi(x, &A, other, 2, nullptr, &report), RT_NOT_CONVERGED); // diverges
  EXPECT_EQ(RTspDJacobi(x, &Z, b, 2, nullptr, nullptr), RT_SINGULAR);
  RTsolverOptions options{};
  options.preconditioner = RTILU0;
  EXPECT_EQ(RTspDGMRES(x, &Z, b, 2, &options, nullptr), RT_SINGULAR);
  options.preconditioner = 8;
  EXPECT_EQ(RTspDGMRES(x, &A, b, 2, &options, nullptr), RT_INVALID_VALUE);
  options = {};
  options.max_iterations = -1;
  EXPECT_EQ(RTspDGMRES(x, &A, b, 2, &options, nullptr), RT_INVALID_VALUE);
  EXPECT_EQ(RTspDGMRES(x, &A, b, 3, nullptr, nullptr), RT_INVALID_VALUE);
  x[0] = x[1] = 0;
  EXPECT_EQ(RTspDGMRES(x, &Z, b, 2, nullptr, &report), RT_OK); // needs no diagonal
  EXPECT_NEAR(x[0], 1, 1e-9);
  const double nothing[] = {0, 0};
  x[0] = x[1] = 0;
  EXPECT_EQ(RTspDCG(x, &A, nothing, 2, nullptr, &report), RT_OK);
}

} // namespace
