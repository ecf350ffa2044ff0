// The functions of warploom_la.h: they check their arguments, bring operands to the machine and results back.
#include "Context.h"
#include "MatrixMarket.h"
#include "Solvers.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace warploom::la {

namespace {

using backend::Before;
using backend::Input;
using backend::Output;

std::size_t area(int m, int n) {
  return static_cast<std::size_t>(m) * static_cast<std::size_t>(n);
}

/// A user's operand: where, and how many elements. Sizes are not negative, and no operand with elements is
/// null.
template <class T> struct Operand {
  Operand(T* p, std::size_t n) : pointer(p), count(n) { require(n == 0 || p, "a null pointer"); }

  T* pointer;
  std::size_t count;
};
template <class T> void apart(const Operand<T>& result, const Operand<const T>& other) {
  const auto a = reinterpret_cast<std::uintptr_t>(result.pointer),
             b = reinterpret_cast<std::uintptr_t>(other.pointer);
  require(result.count == 0 || other.count == 0 || a + result.count * sizeof(T) <= b ||
              b + other.count * sizeof(T) <= a,
          "the result overlaps an operand");
}
/// Either the very same elements, or none in common.
template <class T> void sameOrApart(const Operand<T>& result, const Operand<const T>& other) {
  if (result.pointer != other.pointer) apart(result, other);
}
template <class... Sizes> void notNegative(Sizes... sizes) {
  require(((sizes >= 0) && ...), "a negative size");
}

template <class T> void mm(T* C, const T* A, const T* B, int m, int n, int k) {
  notNegative(m, n, k);
  Operand<T> c(C, area(m, n));
  Operand<const T> a(A, area(m, k)), b(B, area(k, n));
  apart(c, a);
  apart(c, b);
  Input<T> left(A, a.count), right(B, b.count);
  Output<T> out(C, c.count);
  backend::gemm<T>(out, left, right, m, n, k);
  out.finish();
}

template <class T> void mv(T* C, const T* A, const T* B, int m, int n) {
  notNegative(m, n);
  Operand<T> c(C, area(m, 1));
  Operand<const T> a(A, area(m, n)), b(B, area(n, 1));
  apart(c, a);
  apart(c, b);
  Input<T> left(A, a.count), right(B, b.count);
  Output<T> out(C, c.count);
  backend::gemv<T>(out, left, right, m, n);
  out.finish();
}

template <class T> void mt(T* C, const T* A, int m, int n) {
  notNegative(m, n);
  Operand<T> c(C, area(m, n));
  Operand<const T> a(A, area(m, n));
  apart(c, a);
  Input<T> in(A, a.count);
  Output<T> out(C, c.count);
  backend::transpose<T>(out, in, m, n);
  out.finish();
}

template <class T> void dot(const T* C, const T* A, int n, T* r) {
  notNegative(n);
  require(r, "a null pointer");
  Operand<const T> c(C, area(n, 1)), a(A, area(n, 1));
  Input<T> left(C, c.count), right(A, a.count);
  const T sum = backend::dot<T>(left, right, n);
  backend::copyOut(r, &sum, sizeof sum);
}

template <class T> void norm(const T* X, int n, T* r) {
  notNegative(n);
  require(r, "a null pointer");
  Operand<const T> x(X, area(n, 1));
  Input<T> in(X, x.count);
  const T length = backend::norm<T>(in, n);
  backend::copyOut(r, &length, sizeof length);
}

template <class T> void add(T* C, T alpha, const T* A, T beta, const T* B, int m, int n) {
  notNegative(m, n);
  Operand<T> c(C, area(m, n));
  Operand<const T> a(A, c.count), b(B, c.count);
  sameOrApart(c, a);
  sameOrApart(c, b);
  Input<T> left(A, a.count), right(B, b.count);
  Output<T> out(C, c.count);
  backend::add<T>(out, alpha, left, beta, right, m, n);
  out.finish();
}

template <class T> void axpy(T* Y, T alpha, const T* X, int n) {
  notNegative(n);
  Operand<T> y(Y, area(n, 1));
  Operand<const T> x(X, area(n, 1));
  sameOrApart(y, x);
  Input<T> in(X, x.count);
  Output<T> out(Y, y.count, Before::Read);
  backend::axpy<T>(out, alpha, in, n);
  out.finish();
}

template <class T> void scale(T* X, T alpha, int n) {
  notNegative(n);
  Operand<T> x(X, area(n, 1));
  Output<T> out(X, x.count, Before::Read);
  backend::scale<T>(out, alpha, n);
  out.finish();
}

RTtriangle halfOf(int triangle) {
  require(triangle >= RTLOWER && triangle <= RTUPPER_UNIT, "no such half of a matrix");
  return static_cast<RTtriangle>(triangle);
}

template <class T> void trs(T* X, const T* A, const T* B, int n, int k, int triangle) {
  notNegative(n, k);
  const RTtriangle half = halfOf(triangle);
  Operand<T> x(X, area(n, k));
  Operand<const T> a(A, area(n, n)), b(B, area(n, k));
  apart(x, a);
  sameOrApart(x, b);
  Input<T> matrix(A, a.count), side(B, b.count);
  Output<T> out(X, x.count);
  backend::copy(out, side, x.count * sizeof(T));
  backend::solveTriangle<T>(out, matrix, n, k, half);
  out.finish();
}

/// How many elements `count` operands of `size` at distances of `stride` reach over.
std::size_t reach(std::size_t size, long long stride, int count) {
  if (count == 0 || size == 0) return 0;
  require(stride >= 0, "a negative stride");
  require(count == 1 || static_cast<unsigned long long>(stride) <=
                            (SIZE_MAX / 16 - size) / static_cast<unsigned>(count),
          "a stride that is too large");
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(count - 1) + size;
}

template <class T>
void mmStrided(T* C, long long strideC, const T* A, long long strideA, const T* B, long long strideB, int m,
               int n, int k, int count) {
  notNegative(m, n, k, count);
  require(count <= 1 || strideC >= static_cast<long long>(area(m, n)), "the results overlap each other");
  Operand<T> c(C, reach(area(m, n), strideC, count));
  Operand<const T> a(A, reach(area(m, k), strideA, count)), b(B, reach(area(k, n), strideB, count));
  apart(c, a);
  apart(c, b);
  if (c.count == 0) return;
  Input<T> left(A, a.count), right(B, b.count);
  Output<T> out(C, c.count, Before::Read); // what lies between the results stays
  backend::gemmStrided<T>(out, strideC, left, strideA, right, strideB, m, n, k, count);
  out.finish();
}

/// The columns of a batch of vectors: y[m] = A[m x n] x[n] is a product with one column.
template <class T>
void mvStrided(T* C, long long strideC, const T* A, long long strideA, const T* B, long long strideB, int m,
               int n, int count) {
  mmStrided(C, strideC, A, strideA, B, strideB, m, 1, n, count);
}

template <class T>
void mmBatched(T* const* C, const T* const* A, const T* const* B, int m, int n, int k, int count) {
  notNegative(m, n, k, count);
  require(count == 0 || (C && A && B), "a null pointer");
  std::vector<std::unique_ptr<Input<T>>> inputs;
  std::vector<std::unique_ptr<Output<T>>> outputs;
  std::vector<T*> results;
  std::vector<const T*> lefts, rights;
  std::vector<std::tuple<const T*, std::size_t, bool>> ranges; // the last: it is a result
  for (int p = 0; p < count; ++p) {
    Operand<T> c(C[p], area(m, n));
    Operand<const T> a(A[p], area(m, k)), b(B[p], area(k, n));
    ranges.emplace_back(a.pointer, a.count, false);
    ranges.emplace_back(b.pointer, b.count, false);
    ranges.emplace_back(c.pointer, c.count, true);
    inputs.push_back(std::make_unique<Input<T>>(A[p], a.count));
    lefts.push_back(*inputs.back());
    inputs.push_back(std::make_unique<Input<T>>(B[p], b.count));
    rights.push_back(*inputs.back());
    outputs.push_back(std::make_unique<Output<T>>(C[p], c.count));
    results.push_back(*outputs.back());
  }
  // Every result is apart from all operands and from the others.
  std::sort(ranges.begin(), ranges.end());
  const T *end = nullptr, *endOfResults = nullptr;
  for (const auto& [begin, elements, isResult] : ranges) {
    if (elements == 0) continue;
    require(begin >= (isResult ? end : endOfResults), "the result overlaps an operand");
    end = std::max(end, begin + elements);
    if (isResult) endOfResults = std::max(endOfResults, begin + elements);
  }
  backend::gemmBatched<T>(results, lefts, rights, m, n, k);
  for (auto& out : outputs)
    out->finish();
}

/// Makes `array` the user's view of a new matrix.
template <class T, class Array> void publish(Array* array, Coordinates<T> coordinates) {
  auto matrix = std::make_shared<Matrix<T>>(std::move(coordinates));
  const Coordinates<T>& c = matrix->coordinates;
  Array view{c.m, c.n, static_cast<int>(c.count()), c.rows.data(), c.columns.data(), c.values.data(), 0};
  view.id = enrol<T>(matrix);
  *array = view;
}

template <class T, class Array> std::shared_ptr<Matrix<T>> given(const Array* array) {
  require(array, "a null pointer");
  return matrixOf<T>(array->id);
}

template <class T, class Array> void create(const T* A, Array* array, int m, int n) {
  notNegative(m, n);
  require(array, "a null pointer");
  Operand<const T> a(A, area(m, n));
  std::vector<T> host;
  const T* dense = A;
  if (a.count && backend::oneAtATime()) { // the operand may lie on the device
    host.resize(a.count);
    backend::copyOut(host.data(), A, a.count * sizeof(T));
    dense = host.data();
  }
  Coordinates<T> result;
  result.m = m;
  result.n = n;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      if (const T value = dense[area(i, n) + static_cast<std::size_t>(j)]; value != 0) {
        if (result.count() == 0x7fffffff) throw Error(RT_NOT_SUPPORTED, "2^31 entries or more");
        result.rows.push_back(i);
        result.columns.push_back(j);
        result.values.push_back(value);
      }
  publish(array, std::move(result));
}

template <class T, class Array>
void fromCoordinates(Array* array, int m, int n, int nnz, const int* rows, const int* columns,
                     const T* values) {
  notNegative(m, n, nnz);
  require(array && (nnz == 0 || (rows && columns && values)), "a null pointer");
  Coordinates<T> result{m, n, {rows, rows + nnz}, {columns, columns + nnz}, {values, values + nnz}};
  sortCoordinates(result);
  publish(array, std::move(result));
}

template <class T, class Array> void load(const char* filename, Array* array) {
  require(filename && array, "a null pointer");
  publish(array, readMatrixMarket<T>(filename));
}

template <class T, class Array> void save(const char* filename, const Array* array) {
  require(filename, "a null pointer");
  writeMatrixMarket(filename, given<T>(array)->coordinates);
}

template <class T, class Array> void destroy(Array* array) {
  require(array, "a null pointer");
  strike<T>(array->id);
  *array = Array{0, 0, 0, nullptr, nullptr, nullptr, 0};
}

/// The matrix of `array`, which is to be m x n.
template <class T, class Array> std::shared_ptr<Matrix<T>> sized(const Array* array, int m, int n) {
  auto matrix = given<T>(array);
  const Coordinates<T>& c = matrix->coordinates;
  if (c.m != m || c.n != n)
    throw Error(RT_INVALID_VALUE, "a sparse array of " + std::to_string(c.m) + " x " + std::to_string(c.n) +
                                      " where one of " + std::to_string(m) + " x " + std::to_string(n) +
                                      " belongs");
  return matrix;
}

template <class T, class Array>
void spmm(Array* C, const Array* A, const Array* B, int m, int n, int k, int format) {
  notNegative(m, n, k);
  require(C, "a null pointer");
  require(format == RTCSR || format == RTAUTO, "products of two sparse matrices take RTCSR");
  auto left = sized<T>(A, m, k), right = sized<T>(B, k, n);
  publish(C, toCoordinates(backend::product(left->csr(), right->csr())));
}

template <class T, class Array> void spadd(Array* C, T alpha, const Array* A, T beta, const Array* B) {
  require(C, "a null pointer");
  auto left = given<T>(A), right = given<T>(B);
  const Coordinates<T>&a = left->coordinates, &b = right->coordinates;
  sized<T>(B, a.m, a.n);
  Coordinates<T> c;
  c.m = a.m;
  c.n = a.n;
  if (a.count() + b.count() > 0x7fffffff) throw Error(RT_NOT_SUPPORTED, "2^31 entries or more");
  for (std::size_t p = 0, q = 0; p < a.count() || q < b.count();) {
    const bool haveA = p < a.count(), haveB = q < b.count();
    const auto order = [](const Coordinates<T>& x, std::size_t at) {
      return std::pair(x.rows[at], x.columns[at]);
    };
    const bool takeA = haveA && (!haveB || order(a, p) <= order(b, q)),
               takeB = haveB && (!haveA || order(b, q) <= order(a, p));
    c.rows.push_back(takeA ? a.rows[p] : b.rows[q]);
    c.columns.push_back(takeA ? a.columns[p] : b.columns[q]);
    c.values.push_back((takeA ? alpha * a.values[p] : T(0)) + (takeB ? beta * b.values[q] : T(0)));
    p += takeA;
    q += takeB;
  }
  publish(C, std::move(c));
}

template <class T, class Array>
void spdmm(T* C, const Array* A, const T* B, int m, int n, int k, int format) {
  notNegative(m, n, k);
  require(format == RTCSR || format == RTBSR || format == RTAUTO,
          "products with a dense matrix take RTCSR, RTBSR or RTAUTO");
  auto matrix = sized<T>(A, m, k);
  Operand<T> c(C, area(m, n));
  Operand<const T> b(B, area(k, n));
  apart(c, b);
  if (c.count == 0) return;
  if (format == RTAUTO) format = chooseFormat(rowStatistics(matrix->csr())) == RTBSR ? RTBSR : RTCSR;
  Input<T> right(B, b.count);
  Output<T> out(C, c.count);
  matrix->in(static_cast<RTformat>(format)).multiplyDense(out, right, n);
  out.finish();
}

template <class T, class Array> void spmv(T* C, const Array* A, const T* B, int m, int n, int format) {
  notNegative(m, n);
  require(format >= RTCSR && format <= RTAUTO, "no such format");
  auto matrix = sized<T>(A, m, n);
  Operand<T> c(C, area(m, 1));
  Operand<const T> b(B, area(n, 1));
  apart(c, b);
  if (c.count == 0) return;
  Input<T> right(B, b.count);
  Output<T> out(C, c.count);
  matrix->in(static_cast<RTformat>(format)).multiply(out, right);
  out.finish();
}

template <class T, class Array> void sptrs(T* X, const Array* A, const T* B, int n, int triangle) {
  notNegative(n);
  const RTtriangle half = halfOf(triangle);
  auto matrix = sized<T>(A, n, n);
  Operand<T> x(X, area(n, 1));
  Operand<const T> b(B, area(n, 1));
  sameOrApart(x, b);
  if (n == 0) return;
  Input<T> side(B, b.count);
  Output<T> out(X, x.count);
  matrix->solver(half).solve(out, side);
  out.finish();
}

template <class T, class Array> void choose(const Array* A, int* format, RTrowStatistics* statistics) {
  auto matrix = given<T>(A);
  const RTrowStatistics found = rowStatistics(matrix->csr());
  if (format) *format = chooseFormat(found);
  if (statistics) *statistics = found;
}

template <class T, class Array>
void solveWith(Method method, T* X, const Array* A, const T* B, int n, const RTsolverOptions* options,
               RTsolverReport* report) {
  notNegative(n);
  auto matrix = sized<T>(A, n, n);
  Operand<T> x(X, area(n, 1));
  Operand<const T> b(B, area(n, 1));
  apart(x, b);
  Input<T> side(B, b.count);
  Output<T> out(X, x.count, Before::Read);
  RTsolverReport own{0, 0, 0};
  auto finish = [&] {
    out.finish();
    if (report) *report = own;
  };
  try {
    solve<T>(method, out, *matrix, side, n, options ? *options : RTsolverOptions{}, own);
  } catch (const Error& error) {
    if (error.status == RT_NOT_CONVERGED) finish();
    throw;
  }
  finish();
}

} // namespace

} // namespace warploom::la

using namespace warploom::la;

// The functions of the header for single and double precision.
#define WARPLOOM_LA_CALL(name, call) return guarded(name, [&] { call; })
#define WARPLOOM_LA_SOLVER(P, T, Array, name)                                                                \
  RTstatus RTsp##P##name(T* X, const Array* A, const T* B, int n, const RTsolverOptions* options,            \
                         RTsolverReport* report) {                                                           \
    WARPLOOM_LA_CALL("RTsp" #P #name, solveWith<T>(Method::name, X, A, B, n, options, report));              \
  }
#define WARPLOOM_LA_API(P, T, Array)                                                                         \
  RTstatus RTd##P##MM(T* C, const T* A, const T* B, int m, int n, int k) {                                   \
    WARPLOOM_LA_CALL("RTd" #P "MM", mm(C, A, B, m, n, k));                                                   \
  }                                                                                                          \
  RTstatus RTd##P##MV(T* C, const T* A, const T* B, int m, int n) {                                          \
    WARPLOOM_LA_CALL("RTd" #P "MV", mv(C, A, B, m, n));                                                      \
  }                                                                                                          \
  RTstatus RTd##P##MT(T* C, const T* A, int m, int n) {                                                      \
    WARPLOOM_LA_CALL("RTd" #P "MT", mt(C, A, m, n));                                                         \
  }                                                                                                          \
  RTstatus RTd##P##VV(T* C, const T* A, int m, const T* B, int n) {                                          \
    WARPLOOM_LA_CALL("RTd" #P "VV", mm(C, A, B, m, n, 1));                                                   \
  }                                                                                                          \
  RTstatus RTd##P##DOT(const T* C, const T* A, int n, T* r) {                                                \
    WARPLOOM_LA_CALL("RTd" #P "DOT", dot(C, A, n, r));                                                       \
  }                                                                                                          \
  RTstatus RTd##P##ADD(T* C, T alpha, const T* A, T beta, const T* B, int m, int n) {                        \
    WARPLOOM_LA_CALL("RTd" #P "ADD", add(C, alpha, A, beta, B, m, n));                                       \
  }                                                                                                          \
  RTstatus RTd##P##AXPY(T* Y, T alpha, const T* X, int n) {                                                  \
    WARPLOOM_LA_CALL("RTd" #P "AXPY", axpy(Y, alpha, X, n));                                                 \
  }                                                                                                          \
  RTstatus RTd##P##SCAL(T* X, T alpha, int n) {                                                              \
    WARPLOOM_LA_CALL("RTd" #P "SCAL", scale(X, alpha, n));                                                   \
  }                                                                                                          \
  RTstatus RTd##P##NRM(const T* X, int n, T* r) {                                                            \
    WARPLOOM_LA_CALL("RTd" #P "NRM", norm(X, n, r));                                                         \
  }                                                                                                          \
  RTstatus RTd##P##TRS(T* X, const T* A, const T* B, int n, int k, int triangle) {                           \
    WARPLOOM_LA_CALL("RTd" #P "TRS", trs(X, A, B, n, k, triangle));                                          \
  }                                                                                                          \
  RTstatus RTd##P##MMStrided(T* C, long long strideC, const T* A, long long strideA, const T* B,             \
                             long long strideB, int m, int n, int k, int count) {                            \
    WARPLOOM_LA_CALL("RTd" #P "MMStrided", mmStrided(C, strideC, A, strideA, B, strideB, m, n, k, count));   \
  }                                                                                                          \
  RTstatus RTd##P##MMBatched(T* const* C, const T* const* A, const T* const* B, int m, int n, int k,         \
                             int count) {                                                                    \
    WARPLOOM_LA_CALL("RTd" #P "MMBatched", mmBatched<T>(C, A, B, m, n, k, count));                           \
  }                                                                                                          \
  RTstatus RTd##P##MVStrided(T* C, long long strideC, const T* A, long long strideA, const T* B,             \
                             long long strideB, int m, int n, int count) {                                   \
    WARPLOOM_LA_CALL("RTd" #P "MVStrided", mvStrided(C, strideC, A, strideA, B, strideB, m, n, count));      \
  }                                                                                                          \
  RTstatus RTsp##P##ArrayCreate(const T* A, Array* array, int m, int n) {                                    \
    WARPLOOM_LA_CALL("RTsp" #P "ArrayCreate", create(A, array, m, n));                                       \
  }                                                                                                          \
  RTstatus RTsp##P##ArrayLoadFromFile(const char* filename, Array* array) {                                  \
    WARPLOOM_LA_CALL("RTsp" #P "ArrayLoadFromFile", load<T>(filename, array));                               \
  }                                                                                                          \
  RTstatus RTsp##P##ArraySaveToFile(const char* filename, const Array* array) {                              \
    WARPLOOM_LA_CALL("RTsp" #P "ArraySaveToFile", save<T>(filename, array));                                 \
  }                                                                                                          \
  RTstatus RTsp##P##ArrayFromCoordinates(Array* array, int m, int n, int nnz, const int* rows,               \
                                         const int* columns, const T* values) {                              \
    WARPLOOM_LA_CALL("RTsp" #P "ArrayFromCoordinates",                                                       \
                     fromCoordinates(array, m, n, nnz, rows, columns, values));                              \
  }                                                                                                          \
  RTstatus RTsp##P##ArrayDestroy(Array* array) {                                                             \
    WARPLOOM_LA_CALL("RTsp" #P "ArrayDestroy", destroy<T>(array));                                           \
  }                                                                                                          \
  RTstatus RTsp##P##MM(Array* C, const Array* A, const Array* B, int m, int n, int k, int format) {          \
    WARPLOOM_LA_CALL("RTsp" #P "MM", spmm<T>(C, A, B, m, n, k, format));                                     \
  }                                                                                                          \
  RTstatus RTsp##P##ADD(Array* C, T alpha, const Array* A, T beta, const Array* B) {                         \
    WARPLOOM_LA_CALL("RTsp" #P "ADD", spadd(C, alpha, A, beta, B));                                          \
  }                                                                                                          \
  RTstatus RTspd##P##MM(T* C, const Array* A, const T* B, int m, int n, int k, int format) {                 \
    WARPLOOM_LA_CALL("RTspd" #P "MM", spdmm(C, A, B, m, n, k, format));                                      \
  }                                                                                                          \
  RTstatus RTsp##P##MV(T* C, const Array* A, const T* B, int m, int n, int format) {                         \
    WARPLOOM_LA_CALL("RTsp" #P "MV", spmv(C, A, B, m, n, format));                                           \
  }                                                                                                          \
  RTstatus RTsp##P##TRS(T* X, const Array* A, const T* B, int n, int triangle) {                             \
    WARPLOOM_LA_CALL("RTsp" #P "TRS", sptrs(X, A, B, n, triangle));                                          \
  }                                                                                                          \
  RTstatus RTsp##P##ChooseFormat(const Array* A, int* format, RTrowStatistics* statistics) {                 \
    WARPLOOM_LA_CALL("RTsp" #P "ChooseFormat", choose<T>(A, format, statistics));                            \
  }                                                                                                          \
  WARPLOOM_LA_SOLVER(P, T, Array, Jacobi)                                                                    \
  WARPLOOM_LA_SOLVER(P, T, Array, CG)                                                                        \
  WARPLOOM_LA_SOLVER(P, T, Array, PCG)                                                                       \
  WARPLOOM_LA_SOLVER(P, T, Array, BiCGSTAB)                                                                  \
  WARPLOOM_LA_SOLVER(P, T, Array, GMRES)

WARPLOOM_LA_API(S, float, RTspSArray)
WARPLOOM_LA_API(D, double, RTspDArray)
