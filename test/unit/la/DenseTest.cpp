// Dense operations against their definitions.
#include "Api.h"

#include <algorithm>
#include <malloc.h>
#include <thread>

namespace {

using LaDense = La;

constexpr int sizes[][3] = {{1, 1, 1},    {1, 7, 3}, {5, 1, 9}, {13, 31, 1},
                            {33, 17, 65}, {0, 4, 4}, {4, 0, 4}, {3, 4, 0}};

template <class T> void products() {
  using A = Api<T>;
  Numbers numbers(1);
  for (auto [m, n, k] : sizes) {
    const auto a = numbers.vector<T>(m * k), b = numbers.vector<T>(k * n), x = numbers.vector<T>(n);
    std::vector<T> c(static_cast<std::size_t>(m * n), T(99));
    ASSERT_EQ(A::mm(c.data(), a.data(), b.data(), m, n, k), RT_OK);
    EXPECT_EQ(c, reference(a, b, m, n, k)) << m << " " << n << " " << k;

    const auto matrix = numbers.vector<T>(m * n);
    std::vector<T> y(static_cast<std::size_t>(m), T(99));
    ASSERT_EQ(A::mv(y.data(), matrix.data(), x.data(), m, n), RT_OK);
    EXPECT_EQ(y, reference(matrix, x, m, 1, n));

    std::vector<T> t(static_cast<std::size_t>(m * n), T(99));
    ASSERT_EQ(A::mt(t.data(), matrix.data(), m, n), RT_OK); // matrix is n x m here
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        ASSERT_EQ(t[i * n + j], matrix[j * m + i]);

    const auto u = numbers.vector<T>(m);
    ASSERT_EQ(A::vv(t.data(), u.data(), m, x.data(), n), RT_OK);
    EXPECT_EQ(t, reference(u, x, m, n, 1));
  }
}

// The arguments printed for the original are right for square matrices alone, and its outer product is
// transposed (D9).
// SHOWS: RT-95
TEST_F(LaDense, ProductsTransposesAndOuterProductsOfAnyShape) {
  products<float>();
  products<double>();
}

template <class T> void vectors() {
  using A = Api<T>;
  Numbers numbers(2);
  for (int n : {0, 1, 2, 31, 1000}) {
    const auto x = numbers.vector<T>(n), y = numbers.vector<T>(n);
    T sum = -1, expected = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      expected += x[i] * y[i];
      squares += x[i] * x[i];
    }
    ASSERT_EQ(A::dot(x.data(), y.data(), n, &sum), RT_OK);
    EXPECT_EQ(sum, expected);
    ASSERT_EQ(A::nrm(x.data(), n, &sum), RT_OK);
    EXPECT_NEAR(sum, std::sqrt(squares), 1e-5 * (1 + std::sqrt(squares)));
    auto z = y;
    ASSERT_EQ(A::axpy(z.data(), T(3), x.data(), n), RT_OK);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(z[i], y[i] + 3 * x[i]);
    ASSERT_EQ(A::scal(z.data(), T(-2), n), RT_OK);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(z[i], -2 * (y[i] + 3 * x[i]));
    z = y;
    ASSERT_EQ(A::add(z.data(), T(2), x.data(), T(-1), z.data(), 1, n), RT_OK); // the result is an operand
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(z[i], 2 * x[i] - y[i]);
  }
}

template <class T> void triangles() {
  using A = Api<T>;
  Numbers numbers(3);
  for (int n : {1, 2, 9, 40})
    for (int k : {1, 3})
      for (RTtriangle triangle : {RTLOWER, RTUPPER, RTLOWER_UNIT, RTUPPER_UNIT}) {
        // Halves whose inverse is made of whole numbers: ones on the diagonal, few entries beside it.
        std::vector<T> a(static_cast<std::size_t>(n * n), T(77)), whole(a.size());
        const bool lower = triangle == RTLOWER || triangle == RTLOWER_UNIT, unit = triangle >= RTLOWER_UNIT;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            if (i == j || (lower ? j < i : j > i)) {
              whole[i * n + j] = i == j ? (unit ? T(1) : T(2)) : std::abs(i - j) == 1 ? T(2) : T(0);
              if (!(i == j && unit)) a[i * n + j] = whole[i * n + j]; // what is not read is 77
            }
        const auto x = numbers.vector<T>(n * k);
        auto b = reference(whole, x, n, k, n);
        std::vector<T> result(x.size());
        ASSERT_EQ(A::trs(result.data(), a.data(), b.data(), n, k, triangle), RT_OK);
        EXPECT_EQ(result, x);
        ASSERT_EQ(A::trs(b.data(), a.data(), b.data(), n, k, triangle), RT_OK); // in place
        EXPECT_EQ(b, x);
      }
}

template <class T> void batches() {
  using A = Api<T>;
  Numbers numbers(4);
  const int m = 3, n = 5, k = 4, count = 7, gap = 2;
  const auto a = numbers.vector<T>(count * m * k), b = numbers.vector<T>(k * n);
  std::vector<T> c(static_cast<std::size_t>(count * (m * n + gap)), T(99));
  ASSERT_EQ(A::mmStrided(c.data(), m * n + gap, a.data(), m * k, b.data(), 0, m, n, k, count), RT_OK);
  std::vector<T*> results;
  std::vector<const T*> lefts, rights;
  std::vector<T> other(static_cast<std::size_t>(count * m * n));
  for (int p = 0; p < count; ++p) {
    const std::vector<T> left(a.begin() + p * m * k, a.begin() + (p + 1) * m * k);
    const auto expected = reference(left, b, m, n, k);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), c.begin() + p * (m * n + gap)));
    EXPECT_EQ(c[p * (m * n + gap) + m * n], T(99)); // what lies between stays
    results.push_back(other.data() + p * m * n);
    lefts.push_back(a.data() + p * m * k);
    rights.push_back(b.data());
  }
  ASSERT_EQ(A::mmBatched(results.data(), lefts.data(), rights.data(), m, n, k, count), RT_OK);
  for (int p = 0; p < count; ++p)
    EXPECT_TRUE(std::equal(results[p], results[p] + m * n, c.begin() + p * (m * n + gap)));

  std::vector<T> y(static_cast<std::size_t>(count * m));
  const auto x = numbers.vector<T>(count * k);
  ASSERT_EQ(A::mvStrided(y.data(), m, a.data(), m * k, x.data(), k, m, k, count), RT_OK);
  for (int p = 0; p < count; ++p) {
    const std::vector<T> left(a.begin() + p * m * k, a.begin() + (p + 1) * m * k),
        right(x.begin() + p * k, x.begin() + (p + 1) * k);
    const auto expected = reference(left, right, m, 1, k);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), y.begin() + p * m));
  }
  EXPECT_EQ(A::mmStrided(c.data(), m * n - 1, a.data(), m * k, b.data(), 0, m, n, k, count),
            RT_INVALID_VALUE);
}

template <class T> void sparseSumsAndTriangles() {
  using A = Api<T>;
  Numbers numbers(5);
  const int m = 13, n = 21;
  const auto a = numbers.sparse<T>(m * n, 7), b = numbers.sparse<T>(m * n, 7);
  typename A::Array left, right, sum, square;
  ASSERT_EQ(A::create(a.data(), &left, m, n), RT_OK);
  ASSERT_EQ(A::create(b.data(), &right, m, n), RT_OK);
  ASSERT_EQ(A::spadd(&sum, T(2), &left, T(-1), &right), RT_OK);
  const auto total = dense<T>(sum);
  for (int p = 0; p < m * n; ++p)
    ASSERT_EQ(total[p], 2 * a[p] - b[p]);

  auto triangular = numbers.sparse<T>(m * m, 6);
  for (int i = 0; i < m; ++i)
    triangular[i * m + i] = 1;
  ASSERT_EQ(A::create(triangular.data(), &square, m, m), RT_OK);
  for (RTtriangle triangle : {RTLOWER, RTUPPER, RTLOWER_UNIT, RTUPPER_UNIT}) {
    const bool lower = triangle == RTLOWER || triangle == RTLOWER_UNIT;
    auto half = triangular;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        if (lower ? j > i : j < i) half[i * m + j] = 0;
    std::vector<T> x(static_cast<std::size_t>(m));
    for (int i = 0; i < m; ++i)
      x[i] = i % 2; // small, so that sums stay exact
    const auto side = reference(half, x, m, 1, m);
    std::vector<T> result(x.size());
    ASSERT_EQ(A::sptrs(result.data(), &square, side.data(), m, triangle), RT_OK);
    EXPECT_EQ(result, x);
  }
  EXPECT_EQ(A::sptrs(std::vector<T>(21).data(), &left, std::vector<T>(21).data(), m, RTLOWER),
            RT_INVALID_VALUE);
}

// SHOWS: RT-101
TEST_F(LaDense, AdditionAxpyScalingTriangularSolvesAndBatches) {
  vectors<float>();
  vectors<double>();
  triangles<float>();
  triangles<double>();
  batches<float>();
  batches<double>();
  sparseSumsAndTriangles<float>();
  sparseSumsAndTriangles<double>();
}

TEST_F(LaDense, WrongArgumentsAreReportedAndLeaveResultsAlone) {
  std::vector<double> a(12, 1), c(12, 5);
  EXPECT_EQ(RTdDMM(c.data(), a.data(), a.data(), -1, 2, 2), RT_INVALID_VALUE);
  EXPECT_EQ(RTdDMM(nullptr, a.data(), a.data(), 2, 2, 2), RT_INVALID_VALUE);
  EXPECT_EQ(RTdDMM(c.data(), nullptr, a.data(), 2, 2, 2), RT_INVALID_VALUE);
  EXPECT_EQ(RTdDMM(a.data() + 1, a.data(), c.data(), 2, 2, 2), RT_INVALID_VALUE); // the result overlaps A
  EXPECT_EQ(RTdDMT(a.data(), a.data(), 3, 4), RT_INVALID_VALUE);
  EXPECT_EQ(RTdDTRS(c.data(), a.data(), a.data(), 2, 1, 9), RT_INVALID_VALUE);
  EXPECT_EQ(RTdDMM(nullptr, nullptr, nullptr, 0, 0, 0), RT_OK);
  // A result of a batch may be nobody else's operand, nor result.
  double* results[] = {c.data(), a.data() + 4};
  const double *lefts[] = {a.data(), a.data() + 4}, *rights[] = {a.data() + 8, a.data() + 8};
  EXPECT_EQ(RTdDMMBatched(results, lefts, rights, 2, 2, 2, 2), RT_INVALID_VALUE);
  results[1] = c.data() + 2;
  EXPECT_EQ(RTdDMMBatched(results, lefts, rights, 2, 2, 2, 2), RT_INVALID_VALUE);
  EXPECT_EQ(c, std::vector<double>(12, 5));
  EXPECT_EQ(errors().size(), 8u);
  EXPECT_EQ(errors()[0], "RTdDMM: invalid value: a negative size");
  EXPECT_STREQ(RTLastError(), "RTdDMMBatched error: the result overlaps an operand");
}

// SHOWS: RT-94
TEST(LaLifetime, CallsOutsideInitAndFinalizeAreReported) {
  static std::vector<RTstatus> statuses;
  statuses.clear();
  RTSetErrorHandler([](RTstatus status, const char*, const char*) { statuses.push_back(status); });
  float a = 2, b = 3, c = 9;
  RTspSArray array;
  EXPECT_EQ(RTdSMM(&c, &a, &b, 1, 1, 1), RT_NOT_INITIALISED);
  EXPECT_EQ(RTspSArrayCreate(&a, &array, 1, 1), RT_NOT_INITIALISED);
  EXPECT_EQ(RTAPIFinalize(), RT_NOT_INITIALISED);
  EXPECT_EQ(c, 9);
  EXPECT_EQ(statuses.size(), 3u);
  ASSERT_EQ(RTAPIInit(), RT_OK);
  ASSERT_EQ(RTAPIInit(), RT_OK); // a library of the program's that uses this one too
  ASSERT_EQ(RTspSArrayCreate(&a, &array, 1, 1), RT_OK);
  EXPECT_EQ(RTAPIFinalize(), RT_OK);
  EXPECT_EQ(RTdSMM(&c, &a, &b, 1, 1, 1), RT_OK);
  EXPECT_EQ(c, 6);
  EXPECT_EQ(RTspSMV(&c, &array, &b, 1, 1), RT_OK);
  EXPECT_EQ(RTAPIFinalize(), RT_OK); // releases `array` too
  EXPECT_EQ(RTspSMV(&c, &array, &b, 1, 1), RT_NOT_INITIALISED);
  ASSERT_EQ(RTAPIInit(), RT_OK);
  EXPECT_EQ(RTspSMV(&c, &array, &b, 1, 1), RT_INVALID_VALUE); // and it stays released
  EXPECT_EQ(RTAPIFinalize(), RT_OK);
  EXPECT_EQ(statuses.size(), 5u);
  RTSetErrorHandler(nullptr);
}

// SHOWS: RT-103
TEST(LaLifetime, ErrorsAreReadable) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(RTdSDOT(nullptr, nullptr, 0, nullptr), RT_NOT_INITIALISED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "RTdSDOT error: called outside RTAPIInit and RTAPIFinalize\n");
  for (int status = RT_OK; status <= RT_NOT_SUPPORTED; ++status)
    EXPECT_STRNE(RTStatusText(static_cast<RTstatus>(status)), "unknown status");
  EXPECT_STREQ(RTStatusText(static_cast<RTstatus>(15)), "unknown status");
}

// SHOWS: RT-100
TEST_F(LaDense, ManyThreadsAtOnce) {
  Numbers numbers(6);
  const int n = 60;
  const auto a = numbers.sparse<double>(n * n, 8), x = numbers.vector<double>(n);
  const auto expected = reference(a, x, n, 1, n);
  RTspDArray shared;
  ASSERT_EQ(RTspDArrayCreate(a.data(), &shared, n, n), RT_OK);
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 50; ++round) {
        std::vector<double> y(n);
        RTspDArray own;
        wrong[t] += RTAPIInit() != RT_OK;
        wrong[t] += RTspDMV(y.data(), &shared, x.data(), n, n, round % 5) != RT_OK || y != expected;
        wrong[t] += RTspDArrayCreate(a.data(), &own, n, n) != RT_OK;
        wrong[t] += RTspDMV(y.data(), &own, x.data(), n, n, RTCSR) != RT_OK || y != expected;
        wrong[t] += RTspDArrayDestroy(&own) != RT_OK;
        wrong[t] += RTAPIFinalize() != RT_OK;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8));
}

// SHOWS: RT-100
TEST_F(LaDense, NothingIsLeftBehind) {
  Numbers numbers(7);
  const int n = 60;
  const auto a = numbers.sparse<double>(n * n, 5), x = numbers.vector<double>(n);
  const auto once = [&] {
    std::vector<double> y(n);
    RTspDArray array, square;
    ASSERT_EQ(RTAPIInit(), RT_OK);
    ASSERT_EQ(RTspDArrayCreate(a.data(), &array, n, n), RT_OK);
    for (int format : {RTCSR, RTBSR, RTHYB, RTSELL})
      ASSERT_EQ(RTspDMV(y.data(), &array, x.data(), n, n, format), RT_OK);
    ASSERT_EQ(RTspDMM(&square, &array, &array, n, n, n), RT_OK);
    ASSERT_EQ(RTspDArrayDestroy(&array), RT_OK);
    ASSERT_EQ(RTspDArrayDestroy(&square), RT_OK);
    ASSERT_EQ(RTAPIFinalize(), RT_OK);
  };
  const auto inUse = [] {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  once(); // what the library keeps for itself is there now
  const std::size_t before = inUse();
  for (int k = 0; k < 50; ++k)
    once();
  EXPECT_LT(inUse(), before + a.size() * sizeof(double));
}

} // namespace
