// The functions of warploom_la.h by the type of their elements, and what the library's tests share.
#pragma once

#include "warploom_la.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

template <class T> struct Api;
#define LA_TEST_API(P, T)                                                                                    \
  template <> struct Api<T> {                                                                                \
    using Array = RTsp##P##Array;                                                                            \
    static constexpr auto mm = RTd##P##MM;                                                                   \
    static constexpr auto mv = RTd##P##MV;                                                                   \
    static constexpr auto mt = RTd##P##MT;                                                                   \
    static constexpr auto vv = RTd##P##VV;                                                                   \
    static constexpr auto dot = RTd##P##DOT;                                                                 \
    static constexpr auto add = RTd##P##ADD;                                                                 \
    static constexpr auto axpy = RTd##P##AXPY;                                                               \
    static constexpr auto scal = RTd##P##SCAL;                                                               \
    static constexpr auto nrm = RTd##P##NRM;                                                                 \
    static constexpr auto trs = RTd##P##TRS;                                                                 \
    static constexpr auto mmStrided = RTd##P##MMStrided;                                                     \
    static constexpr auto mmBatched = RTd##P##MMBatched;                                                     \
    static constexpr auto mvStrided = RTd##P##MVStrided;                                                     \
    static constexpr auto create = RTsp##P##ArrayCreate;                                                     \
    static constexpr auto load = RTsp##P##ArrayLoadFromFile;                                                 \
    static constexpr auto save = RTsp##P##ArraySaveToFile;                                                   \
    static constexpr auto coordinates = RTsp##P##ArrayFromCoordinates;                                       \
    static constexpr auto destroy = RTsp##P##ArrayDestroy;                                                   \
    static constexpr auto spmm = RTsp##P##MM;                                                                \
    static constexpr auto spadd = RTsp##P##ADD;                                                              \
    static constexpr auto spdmm = RTspd##P##MM;                                                              \
    static constexpr auto spmv = RTsp##P##MV;                                                                \
    static constexpr auto sptrs = RTsp##P##TRS;                                                              \
    static constexpr auto choose = RTsp##P##ChooseFormat;                                                    \
    static constexpr auto jacobi = RTsp##P##Jacobi;                                                          \
    static constexpr auto cg = RTsp##P##CG;                                                                  \
    static constexpr auto pcg = RTsp##P##PCG;                                                                \
    static constexpr auto bicgstab = RTsp##P##BiCGSTAB;                                                      \
    static constexpr auto gmres = RTsp##P##GMRES;                                                            \
  }
LA_TEST_API(S, float);
LA_TEST_API(D, double);

/// Numbers that look random and are the same everywhere.
class Numbers {
public:
  explicit Numbers(std::uint64_t seed) : state(seed * 2862933555777941757ull + 3037000493ull) {}
  std::uint64_t bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  /// Small whole numbers, so that sums are exact in any order.
  template <class T> std::vector<T> vector(int n) {
    std::vector<T> result(static_cast<std::size_t>(n));
    for (T& x : result)
      x = static_cast<T>(below(17) - 8);
    return result;
  }
  /// The same with about `zeros` of ten elements zero.
  template <class T> std::vector<T> sparse(int n, int zeros) {
    std::vector<T> result = vector<T>(n);
    for (T& x : result)
      if (below(10) < zeros) x = 0;
    return result;
  }

private:
  std::uint64_t state;
};

/// A[m x k] B[k x n], straight from the definition.
template <class T>
std::vector<T> reference(const std::vector<T>& A, const std::vector<T>& B, int m, int n, int k) {
  std::vector<T> C(static_cast<std::size_t>(m * n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        C[i * n + j] += A[i * k + l] * B[l * n + j];
  return C;
}

/// The sparse array as a dense one.
template <class T, class Array> std::vector<T> dense(const Array& array) {
  std::vector<T> result(static_cast<std::size_t>(array.m) * static_cast<std::size_t>(array.n));
  for (int p = 0; p < array.nnz; ++p)
    result[static_cast<std::size_t>(array.row_indices[p]) * static_cast<std::size_t>(array.n) +
           static_cast<std::size_t>(array.column_indices[p])] += array.values[p];
  return result;
}

/// The library is open in the tests; errors are kept instead of printed.
class La : public testing::Test {
protected:
  void SetUp() override {
    errors().clear();
    RTSetErrorHandler([](RTstatus status, const char* function, const char* cause) {
      errors().push_back(std::string(function) + ": " + RTStatusText(status) + ": " + cause);
    });
    ASSERT_EQ(RTAPIInit(), RT_OK);
  }
  void TearDown() override {
    EXPECT_EQ(RTAPIFinalize(), RT_OK);
    RTSetErrorHandler(nullptr);
  }
  static std::vector<std::string>& errors() {
    static thread_local std::vector<std::string> all;
    return all;
  }
};
