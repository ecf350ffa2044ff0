// The linear algebra of lib/la on sparse matrices: how much memory each format takes, what a product costs in each, and how solvers do.
// Operands are where the machine has them; a product's time is that of many calls in a row, waited for once. Every product is compared with
// loops of the host, and every solution by its residual. Built with either machine's library. Prints JSON.
//
//     formats [most rows of matrices with a given share of zeros] [points along a side of grids]
#include "Backend.h"
#include "warploom_la.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using namespace warploom::la;
using backend::Buffer;

namespace {

/// The functions of the API by the type of their elements.
template <class T> struct Api;
template <> struct Api<float> {
  using Array = RTspSArray;
  static constexpr const char* name = "float";
  static constexpr auto dense = RTdSMM;
  static constexpr auto denseByVector = RTdSMV;
  static constexpr auto make = RTspSArrayFromCoordinates;
  static constexpr auto destroy = RTspSArrayDestroy;
  static constexpr auto bySparse = RTspSMM;
  static constexpr auto byDense = RTspdSMM;
  static constexpr auto byVector = RTspSMV;
  static constexpr auto choose = RTspSChooseFormat;
  static constexpr auto jacobi = RTspSJacobi, cg = RTspSCG, pcg = RTspSPCG, bicgstab = RTspSBiCGSTAB, gmres = RTspSGMRES;
};
template <> struct Api<double> {
  using Array = RTspDArray;
  static constexpr const char* name = "double";
  static constexpr auto dense = RTdDMM;
  static constexpr auto denseByVector = RTdDMV;
  static constexpr auto make = RTspDArrayFromCoordinates;
  static constexpr auto destroy = RTspDArrayDestroy;
  static constexpr auto bySparse = RTspDMM;
  static constexpr auto byDense = RTspdDMM;
  static constexpr auto byVector = RTspDMV;
  static constexpr auto choose = RTspDChooseFormat;
  static constexpr auto jacobi = RTspDJacobi, cg = RTspDCG, pcg = RTspDPCG, bicgstab = RTspDBiCGSTAB, gmres = RTspDGMRES;
};

const char* const formatNames[] = {"CSR", "BSR", "HYB", "SELL"};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Waits for the machine.
template <class T> void await(const T* result) {
  T one;
  backend::copyOut(&one, result, sizeof one);
}

/// Seconds of one of many calls of `work`, whose result is `result`; negative where one fails.
template <class T, class Work> double secondsOf(const T* result, Work work) {
  if (work() != RT_OK) return -1;
  await(result);
  double began = now();
  if (work() != RT_OK) return -1;
  await(result);
  const double once = std::max(now() - began, 1e-7);
  const int calls = std::clamp(int(0.2 / once), 1, 1000);
  began = now();
  for (int k = 0; k < calls; ++k)
    if (work() != RT_OK) return -1;
  await(result);
  return (now() - began) / calls;
}

/// Numbers that depend on nothing else.
class Numbers {
public:
  unsigned below(unsigned bound) { return unsigned((next() >> 16) % bound); }
  double share() { return double(next() >> 11) / 9007199254740992.0; }
  double centred() { return share() - 0.5; }

private:
  unsigned long long next() { return state = state * 6364136223846793005ull + 1442695040888963407ull; }
  unsigned long long state = 88172645463325252ull;
};

// Matrices, by rows.

template <class T> void endRow(Csr<T>& A) { A.offsets.push_back(int(A.columns.size())); }
template <class T> void add(Csr<T>& A, int column, double value) {
  A.columns.push_back(column);
  A.values.push_back(T(value));
}

/// n x n with that share of zeros, anywhere.
template <class T> Csr<T> withZeros(int n, double zeros) {
  Numbers numbers;
  Csr<T> A{n, n, {0}, {}, {}};
  for (int i = 0; i < n; ++i, endRow(A))
    for (int j = 0; j < n; ++j)
      if (numbers.share() >= zeros) add(A, j, numbers.centred());
  return A;
}

/// Five points of a square: diffusion, with `flow` from one side and `extra` on the diagonal.
template <class T> Csr<T> square(int side, double flow, double extra) {
  Csr<T> A{side * side, side * side, {0}, {}, {}};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x, endRow(A)) {
      const int i = y * side + x;
      if (y > 0) add(A, i - side, -1);
      if (x > 0) add(A, i - 1, -1 - flow);
      add(A, i, 4 + flow + extra);
      if (x + 1 < side) add(A, i + 1, -1);
      if (y + 1 < side) add(A, i + side, -1);
    }
  return A;
}

/// 27 points of a cube.
template <class T> Csr<T> cube(int side) {
  const int n = side * side * side;
  Csr<T> A{n, n, {0}, {}, {}};
  for (int i = 0; i < n; ++i, endRow(A)) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (std::min({x + dx, y + dy, z + dz}) >= 0 && std::max({x + dx, y + dy, z + dz}) < side)
            add(A, i + (dz * side + dy) * side + dx, dx || dy || dz ? -1 : 26);
  }
  return A;
}

/// Rows of 2 to 60 entries at random places; every 500th has `long` of them.
template <class T> Csr<T> scattered(int n, int most) {
  Numbers numbers;
  Csr<T> A{n, n, {0}, {}, {}};
  std::vector<int> places;
  for (int i = 0; i < n; ++i, endRow(A)) {
    const int count = std::min(i % 500 == 499 ? most : 2 + int(numbers.below(59)), n);
    places.clear();
    for (int k = 0; k < count; ++k)
      places.push_back(int(numbers.below(unsigned(n))));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (int column : places)
      add(A, column, numbers.centred());
  }
  return A;
}

/// Dense blocks of 4 x 4, of which each row of blocks has seven.
template <class T> Csr<T> blocks(int n) {
  Numbers numbers;
  n = std::max(n / 4 * 4, 32);
  Csr<T> A{n, n, {0}, {}, {}};
  std::vector<int> places;
  for (int i = 0; i < n; ++i, endRow(A)) {
    if (i % 4 == 0) {
      places.clear();
      while (places.size() < 7) {
        const int place = int(numbers.below(unsigned(n / 4)));
        if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
      }
      std::sort(places.begin(), places.end());
    }
    for (int place : places)
      for (int j = 0; j < 4; ++j)
        add(A, 4 * place + j, numbers.centred());
  }
  return A;
}

/// The API's array of a matrix.
template <class T> class Sparse {
public:
  explicit Sparse(const Csr<T>& A) {
    const Coordinates<T> all = toCoordinates(A);
    if (Api<T>::make(&array, A.m, A.n, int(all.count()), all.rows.data(), all.columns.data(), all.values.data()) != RT_OK) std::exit(1);
  }
  ~Sparse() { Api<T>::destroy(&array); }
  typename Api<T>::Array array{};
};

/// The largest difference from A x, in units of the largest element of that.
template <class T> double error(const Csr<T>& A, const std::vector<T>& x, const T* y) {
  std::vector<T> found(std::size_t(A.m));
  backend::copyOut(found.data(), y, found.size() * sizeof(T));
  double worst = 0, largest = 1e-30;
  for (int i = 0; i < A.m; ++i) {
    double sum = 0;
    for (int k = A.offsets[std::size_t(i)]; k < A.offsets[std::size_t(i) + 1]; ++k)
      sum += double(A.values[std::size_t(k)]) * x[std::size_t(A.columns[std::size_t(k)])];
    worst = std::max(worst, std::fabs(sum - found[std::size_t(i)]));
    largest = std::max(largest, std::fabs(sum));
  }
  return worst / largest;
}
template <class T> bool isRight(double error, double terms) {
  return error <= 4 * double(std::numeric_limits<T>::epsilon()) * std::sqrt(terms) + 1e-30 || error <= (sizeof(T) == 4 ? 1e-4 : 1e-12);
}

bool first = true, allRight = true;
void begin() {
  std::printf("%s  {", first ? "" : ",\n");
  first = false;
}
void number(const char* name, double value, const char* format) {
  std::printf(", \"%s\": ", name);
  if (value < 0)
    std::printf("null");
  else
    std::printf(format, value);
}
void right(bool is) {
  allRight &= is;
  std::printf(", \"right\": %s}", is ? "true" : "false");
  std::fflush(stdout);
}

template <class T> double megabytes(const std::vector<int>& a, const std::vector<int>& b, const std::vector<T>& c) {
  return 1e-6 * double((a.size() + b.size()) * sizeof(int) + c.size() * sizeof(T));
}

/// One line for a matrix: what it takes in each format, and products in each; those with dense matrices have `columns` columns.
template <class T> void measure(const std::string& name, const Csr<T>& A, int columns, bool withDense, bool withSparse) {
  const int n = A.m;
  const Sparse<T> sparse(A);
  begin();
  std::printf("\"matrix\": \"%s\", \"type\": \"%s\", \"rows\": %d, \"entries\": %zu", name.c_str(), Api<T>::name, n, A.count());
  if (withDense) number("dense_mb", 1e-6 * double(n) * n * sizeof(T), "%.1f");
  number("csr_mb", megabytes(A.offsets, A.columns, A.values), "%.1f");
  {
    const Bsr<T> made = toBsr(A, blockSide);
    number("bsr_mb", megabytes(made.offsets, made.columns, made.values), "%.1f");
  }
  {
    const Sell<T> made = toSell(A);
    number("sell_mb", megabytes(made.offsets, made.columns, made.values), "%.1f");
  }
  {
    const Hybrid<T> made = toHybrid(A);
    number("hyb_mb",
           megabytes(made.regular.offsets, made.regular.columns, made.regular.values) +
               megabytes(made.rest.rows, made.rest.columns, made.rest.values),
           "%.1f");
  }
  int chosen = 0;
  RTrowStatistics statistics;
  Api<T>::choose(&sparse.array, &chosen, &statistics);
  std::printf(", \"auto\": \"%s\"", formatNames[chosen]);
  Numbers numbers;
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& one : x)
    one = T(numbers.centred());
  Buffer<T> dx(x), dy(static_cast<std::size_t>(n));
  bool good = true;
  const char* const times[] = {"csr_mv_us", "bsr_mv_us", "hyb_mv_us", "sell_mv_us"};
  for (int format : {RTCSR, RTBSR, RTSELL, RTHYB}) {
    backend::zero(dy.data(), dy.bytes());
    number(times[format], 1e6 * secondsOf(dy.data(), [&] { return Api<T>::byVector(dy.data(), &sparse.array, dx.data(), n, n, format); }), "%.1f");
    good &= isRight<T>(error(A, x, dy.data()), statistics.longest);
  }
  if (columns > 0) {
    // All columns are x.
    std::vector<T> many(std::size_t(n) * std::size_t(columns));
    for (std::size_t k = 0; k < many.size(); ++k)
      many[k] = x[k / std::size_t(columns)];
    Buffer<T> B(many), C(many.size());
    std::printf(", \"columns\": %d", columns);
    for (int format : {RTCSR, RTBSR}) {
      number(format == RTCSR ? "csr_mm_us" : "bsr_mm_us",
             1e6 * secondsOf(C.data(), [&] { return Api<T>::byDense(C.data(), &sparse.array, B.data(), n, columns, n, format); }), "%.1f");
      std::vector<T> result(many.size()), column(static_cast<std::size_t>(n));
      backend::copyOut(result.data(), C.data(), C.bytes());
      for (std::size_t i = 0; i < column.size(); ++i)
        column[i] = result[i * std::size_t(columns) + i % std::size_t(columns)];
      Buffer<T> picked(column);
      good &= isRight<T>(error(A, x, picked.data()), statistics.longest);
    }
  }
  if (withDense) {
    std::vector<T> full(std::size_t(n) * std::size_t(n));
    for (int i = 0; i < n; ++i)
      for (int k = A.offsets[std::size_t(i)]; k < A.offsets[std::size_t(i) + 1]; ++k)
        full[std::size_t(i) * std::size_t(n) + std::size_t(A.columns[std::size_t(k)])] = A.values[std::size_t(k)];
    Buffer<T> D(full);
    number("dense_mv_us", 1e6 * secondsOf(dy.data(), [&] { return Api<T>::denseByVector(dy.data(), D.data(), dx.data(), n, n); }), "%.1f");
    good &= isRight<T>(error(A, x, dy.data()), n);
    if (columns == n) {
      Buffer<T> C(full.size());
      number("dense_mm_us", 1e6 * secondsOf(C.data(), [&] { return Api<T>::dense(C.data(), D.data(), D.data(), n, n, n); }), "%.1f");
    }
  }
  if (withSparse) { // its result is in the host's memory: time for that is in it
    typename Api<T>::Array product{};
    const double began = now();
    const bool done = Api<T>::bySparse(&product, &sparse.array, &sparse.array, n, n, n, RTCSR) == RT_OK;
    number("sparse_by_sparse_us", done ? 1e6 * (now() - began) : -1, "%.0f");
    if (done) Api<T>::destroy(&product);
  }
  right(good);
}

/// One line for a solver.
template <class T, class Solver>
void solve(const std::string& system, const Csr<T>& A, const Sparse<T>& sparse, const char* name, int preconditioner, Solver solver) {
  const std::size_t n = std::size_t(A.m);
  std::vector<T> b(n, T(1));
  Buffer<T> db(b), dx(n);
  backend::zero(dx.data(), dx.bytes());
  RTsolverOptions options{};
  options.max_iterations = 2000;
  options.tolerance = sizeof(T) == 4 ? 1e-5 : 1e-8;
  options.preconditioner = preconditioner;
  options.format = RTAUTO;
  RTsolverReport report{};
  solver(dx.data(), &sparse.array, db.data(), A.m, &options, &report); // converts the matrix
  backend::zero(dx.data(), dx.bytes());
  const double began = now();
  const RTstatus status = solver(dx.data(), &sparse.array, db.data(), A.m, &options, &report);
  await(dx.data());
  const double seconds = now() - began;
  std::vector<T> x(n);
  backend::copyOut(x.data(), dx.data(), dx.bytes());
  double rest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      sum -= double(A.values[std::size_t(k)]) * x[std::size_t(A.columns[std::size_t(k)])];
    rest += sum * sum;
  }
  begin();
  std::printf("\"system\": \"%s\", \"type\": \"%s\", \"rows\": %d, \"entries\": %zu, \"solver\": \"%s\", \"iterations\": %d, \"converged\": %s, "
              "\"seconds\": %.4f, \"us_per_iteration\": %.1f, \"residual\": %.2e",
              system.c_str(), Api<T>::name, A.m, A.count(), name, report.iterations, report.converged ? "true" : "false", seconds,
              1e6 * seconds / std::max(report.iterations, 1), std::sqrt(rest / double(n)));
  right((status == RT_OK && std::sqrt(rest / double(n)) <= 20 * options.tolerance) || status == RT_NOT_CONVERGED);
}

template <class T> void solvers(int side) {
  for (bool flows : {false, true}) {
    const Csr<T> A = square<T>(side, flows ? 0.5 : 0, 0.05);
    const Sparse<T> sparse(A);
    const std::string system = flows ? "diffusion with a flow" : "diffusion";
    solve(system, A, sparse, "Jacobi", RTNONE, Api<T>::jacobi);
    if (!flows) {
      solve(system, A, sparse, "CG", RTNONE, Api<T>::cg);
      solve(system, A, sparse, "CG, diagonal", RTDIAGONAL, Api<T>::pcg);
      solve(system, A, sparse, "CG, ILU(0)", RTILU0, Api<T>::pcg);
    }
    solve(system, A, sparse, "BiCGSTAB", RTNONE, Api<T>::bicgstab);
    solve(system, A, sparse, "GMRES(30)", RTNONE, Api<T>::gmres);
  }
}

template <class T> void products(int most, int side) {
  for (int n = 1024; n <= most; n *= 2)
    measure("90 % zeros", withZeros<T>(n, 0.9), n <= 8192 ? n : 0, true, n <= 4096);
  for (int zeros : {25, 50, 75})
    if (most >= 8192) measure(std::to_string(zeros) + " % zeros", withZeros<T>(8192, zeros / 100.0), 8192, true, false);
  measure("5 points of a square", square<T>(side, 0, 0), 32, false, true);
  measure("27 points of a cube", cube<T>(std::max(int(std::pow(double(side) * side / 4, 1.0 / 3)), 3)), 32, false, false);
  measure("rows of 2 to 60", scattered<T>(side * side / 4, 60), 32, false, false);
  measure("rows of 2 to 60, some of 4000", scattered<T>(side * side / 4, 4000), 32, false, false);
  measure("blocks of 4 x 4", blocks<T>(side * side / 4), 32, false, false);
}

} // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 16384, side = argc > 2 ? std::atoi(argv[2]) : 1500;
  if (most < 0 || most > 32768 || side < 8 || side > 10000)
    return std::fprintf(stderr, "usage: formats [most rows of matrices with a given share of zeros] [points along a side of grids]\n"), 2;
  if (RTAPIInit() != RT_OK) return 1;
  std::printf("{\n \"products\": [\n");
  products<float>(most, side);
  products<double>(std::min(most, 8192), side);
  std::printf("\n ],\n \"solvers\": [\n");
  first = true;
  solvers<float>(side);
  solvers<double>(side);
  std::printf("\n ]\n}\n");
  RTAPIFinalize();
  return allRight ? 0 : 1;
}
