// Sparse matrices: formats, products, the choice of a format, and arrays that are used wrongly.
#include "Api.h"
#include "Folder.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <set>

namespace {

using LaSparse = La;

template <class T> void everyFormat() {
  using A = Api<T>;
  Numbers numbers(7);
  for (auto [m, n, k] : {std::array{1, 1, 1}, {5, 3, 9}, {64, 33, 31}, {37, 5, 70}, {4, 1, 128}}) {
    for (int zeros : {0, 6, 9, 10}) {
      auto a = numbers.sparse<T>(m * k, zeros);
      for (int j = 0; j < k && m > 3; ++j)
        a[3 * k + j] = 1; // one long row, for the coordinates of the hybrid
      const auto b = numbers.vector<T>(k * n), x = numbers.vector<T>(k);
      typename A::Array array;
      ASSERT_EQ(A::create(a.data(), &array, m, k), RT_OK);
      EXPECT_EQ(dense<T>(array), a);
      for (int format : {RTCSR, RTBSR, RTHYB, RTSELL, RTAUTO}) {
        std::vector<T> y(static_cast<std::size_t>(m), T(99));
        ASSERT_EQ(A::spmv(y.data(), &array, x.data(), m, k, format), RT_OK);
        EXPECT_EQ(y, reference(a, x, m, 1, k)) << format;
      }
      for (int format : {RTCSR, RTBSR, RTAUTO}) {
        std::vector<T> c(static_cast<std::size_t>(m * n), T(99));
        ASSERT_EQ(A::spdmm(c.data(), &array, b.data(), m, n, k, format), RT_OK);
        EXPECT_EQ(c, reference(a, b, m, n, k)) << format;
      }
      std::vector<T> c(static_cast<std::size_t>(m * n));
      EXPECT_EQ(A::spdmm(c.data(), &array, b.data(), m, n, k, RTHYB), RT_INVALID_VALUE);
      EXPECT_EQ(A::spmv(c.data(), &array, x.data(), m, k, 17), RT_INVALID_VALUE);

      typename A::Array right, product;
      const auto sparseB = numbers.sparse<T>(k * n, 7);
      ASSERT_EQ(A::create(sparseB.data(), &right, k, n), RT_OK);
      ASSERT_EQ(A::spmm(&product, &array, &right, m, n, k, RTCSR), RT_OK);
      EXPECT_EQ(dense<T>(product), reference(a, sparseB, m, n, k));
      EXPECT_EQ(A::spmm(&product, &array, &right, m, n, k, RTBSR), RT_INVALID_VALUE);
      EXPECT_EQ(A::destroy(&array), RT_OK);
    }
  }
}

// SHOWS: RT-98 RT-99
TEST_F(LaSparse, ProductsInEveryFormat) {
  everyFormat<float>();
  everyFormat<double>();
}

/// What `Function`, a member of Api, takes.
template <class Function, class... Arguments>
constexpr bool takes = std::is_same_v<Function, RTstatus (*const)(Arguments...)>;

template <class T> void signatures() {
  using A = Api<T>;
  using Array = typename A::Array;
  using Read = const Array*;
  EXPECT_TRUE((takes<decltype(A::mm), T*, const T*, const T*, int, int, int>));
  EXPECT_TRUE((takes<decltype(A::mv), T*, const T*, const T*, int, int>));
  EXPECT_TRUE((takes<decltype(A::mt), T*, const T*, int, int>));
  EXPECT_TRUE((takes<decltype(A::vv), T*, const T*, int, const T*, int>));
  EXPECT_TRUE((takes<decltype(A::dot), const T*, const T*, int, T*>));
  EXPECT_TRUE((takes<decltype(A::create), const T*, Array*, int, int>));
  EXPECT_TRUE((takes<decltype(A::load), const char*, Array*>));
  EXPECT_TRUE((takes<decltype(A::destroy), Array*>));
  EXPECT_TRUE((takes<decltype(A::spmm), Array*, Read, Read, int, int, int, int>));
  EXPECT_TRUE((takes<decltype(A::spdmm), T*, Read, const T*, int, int, int, int>));
  EXPECT_TRUE((takes<decltype(A::spmv), T*, Read, const T*, int, int, int>));
}

// The 24 functions of the original: these for both types, and the two that every test here calls.
// SHOWS: RT-93
TEST_F(LaSparse, FunctionsTakeWhatThoseOfTheOriginalTake) {
  signatures<float>();
  signatures<double>();
}

// The defaults of the formats, in C++; test/la/api.c has them in C.
// SHOWS: RT-96
TEST_F(LaSparse, TheExampleProgram) {
  warploom::Folder folder;
  const std::string name = folder.write(
      "example.mtx",
      "%%MatrixMarket matrix coordinate real general\n% a comment\n2 2 3\n2 1 3\n1 1 1\n1 2 2\n");
  const char* file = name.c_str();
  RTspSArray A, B, C, P;
  float DC[4] = {5, 0, 0, 7}, X[2] = {1, 10}, Y[2], D[4];
  ASSERT_EQ(RTspSArrayLoadFromFile(file, &A), RT_OK);
  ASSERT_EQ(RTspSArrayLoadFromFile(file, &B), RT_OK);
  ASSERT_EQ(RTspSArrayCreate(DC, &C, 2, 2), RT_OK);
  EXPECT_EQ(C.nnz, 2);
  ASSERT_EQ(RTspSMM(&P, &A, &B, 2, 2, 2), RT_OK);
  EXPECT_EQ(dense<float>(P), (std::vector<float>{7, 2, 3, 6})); // not the transpose: rows are rows
  ASSERT_EQ(RTspdSMM(D, &A, DC, 2, 2, 2), RT_OK);
  EXPECT_EQ((std::vector<float>(D, D + 4)), (std::vector<float>{5, 14, 15, 0}));
  ASSERT_EQ(RTspSMV(Y, &A, X, 2, 2), RT_OK);
  EXPECT_EQ((std::vector<float>(Y, Y + 2)), (std::vector<float>{21, 3}));
  ASSERT_EQ(RTspdSMV(Y, &A, X, 2, 2, RTBSR), RT_OK);
  EXPECT_EQ((std::vector<float>(Y, Y + 2)), (std::vector<float>{21, 3}));
  for (RTspSArray* array : {&A, &B, &C, &P})
    EXPECT_EQ(RTspSArrayDestroy(array), RT_OK);
  EXPECT_EQ(A.id, 0u);
}

TEST_F(LaSparse, ArraysUsedWronglyAreReported) {
  const std::vector<double> a = {1, 0, 0, 2, 3, 0}, x = {1, 1, 1};
  std::vector<double> y(3, 9);
  RTspDArray never{0, 0, 0, nullptr, nullptr, nullptr, 0}, array, copy, filled;
  std::memset(&filled, 0x5a, sizeof filled); // as uninitialised memory may look
  EXPECT_EQ(RTspDMV(y.data(), &never, x.data(), 2, 3), RT_INVALID_VALUE);
  EXPECT_EQ(RTspDMV(y.data(), &filled, x.data(), 2, 3), RT_INVALID_VALUE);
  EXPECT_EQ(RTspDMV(y.data(), nullptr, x.data(), 2, 3), RT_INVALID_VALUE);
  EXPECT_EQ(RTspDArrayDestroy(&never), RT_INVALID_VALUE);
  ASSERT_EQ(RTspDArrayCreate(a.data(), &array, 2, 3), RT_OK);
  copy = array;
  EXPECT_EQ(RTspDMV(y.data(), &array, x.data(), 3, 2), RT_INVALID_VALUE);
  EXPECT_NE(std::string(RTLastError()).find("2 x 3 where one of 3 x 2 belongs"), std::string::npos);
  EXPECT_EQ(RTspDMV(y.data(), &copy, x.data(), 2, 3), RT_OK);
  EXPECT_EQ(RTspDArrayDestroy(&array), RT_OK);
  EXPECT_EQ(RTspDArrayDestroy(&array), RT_INVALID_VALUE);
  EXPECT_EQ(RTspDArrayDestroy(&copy), RT_INVALID_VALUE);
  EXPECT_EQ(RTspDMV(y.data(), &copy, x.data(), 2, 3), RT_INVALID_VALUE);
  EXPECT_EQ(y, (std::vector<double>{1, 5, 9}));
  const int rows[] = {0, 1, 0}, columns[] = {0, 1, 0};
  EXPECT_EQ(RTspDArrayFromCoordinates(&array, 2, 2, 3, rows, columns, x.data()), RT_INVALID_VALUE); // twice
  EXPECT_EQ(RTspDArrayFromCoordinates(&array, 1, 2, 2, rows, columns, x.data()), RT_INVALID_VALUE); // outside
}

/// The format chosen for a matrix of m rows, the entries of row i at the columns that `fill` gives.
template <class Fill> int chosen(int m, int n, Fill fill) {
  std::vector<int> rows, columns;
  std::vector<float> values;
  for (int i = 0; i < m; ++i)
    for (int j : fill(i)) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(1);
    }
  RTspSArray array;
  int format = -1;
  EXPECT_EQ(RTspSArrayFromCoordinates(&array, m, n, static_cast<int>(rows.size()), rows.data(),
                                      columns.data(), values.data()),
            RT_OK);
  EXPECT_EQ(RTspSChooseFormat(&array, &format, nullptr), RT_OK);
  return format;
}

// SHOWS: RT-99
TEST_F(LaSparse, TheFormatFollowsTheRows) {
  Numbers numbers(8);
  const int n = 4000;
  auto scattered = [&](int count) {
    std::set<int> columns;
    while (static_cast<int>(columns.size()) < count)
      columns.insert(numbers.below(n));
    return std::vector<int>(columns.begin(), columns.end());
  };
  // Five points of a grid: rows of one length.
  EXPECT_EQ(chosen(n, n, [](int i) { return std::set<int>{std::max(0, i - 60), i, std::min(3999, i + 60)}; }),
            RTSELL);
  // Long rows are worth several threads each.
  EXPECT_EQ(chosen(128, n, [&](int) { return scattered(250); }), RTSELL);
  EXPECT_EQ(chosen(128, n, [&](int) { return scattered(300); }), RTCSR);
  // Dense blocks of four.
  EXPECT_EQ(chosen(n, n,
                   [](int i) {
                     const int j = i / 4 * 4;
                     return std::vector<int>{j, j + 1, j + 2, j + 3};
                   }),
            RTBSR);
  // Most rows short, every hundredth long.
  EXPECT_EQ(chosen(n, n, [&](int i) { return scattered(i % 100 == 0 ? 300 : 4); }), RTHYB);
  // Lengths all over the place.
  EXPECT_EQ(chosen(n, n, [&](int) { return scattered(numbers.below(20)); }), RTCSR);
  EXPECT_EQ(chosen(n, n, [](int) { return std::vector<int>{}; }), RTCSR);
  RTrowStatistics statistics;
  const float a[] = {1, 1, 0, 0, 1, 0};
  RTspSArray array;
  ASSERT_EQ(RTspSArrayCreate(a, &array, 2, 3), RT_OK);
  ASSERT_EQ(RTspSChooseFormat(&array, nullptr, &statistics), RT_OK);
  EXPECT_EQ(statistics.shortest, 1);
  EXPECT_EQ(statistics.longest, 2);
  EXPECT_EQ(statistics.mean, 1.5);
  EXPECT_EQ(statistics.deviation, 0.5);
  EXPECT_EQ(statistics.block_fill, 3.0 / 16);
}

} // namespace
