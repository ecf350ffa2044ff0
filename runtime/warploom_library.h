// Products that a library may compute instead of a kernel: cuBLAS and cuSPARSE under CUDA, in the CPU
// execution any CBLAS, and loops of warploom_sparse.h. The library is loaded when it is first called:
// programs are not linked with it, and run where it is not. Included by generated files that may call it,
// after warploom.h.
#pragma once

#include "warploom.h"
#include "warploom_blas.h"
#include "warploom_sparse.h"

#include <array>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace warploom {

/// When the library is called: never; where it was found to be faster than the kernel; whenever it can be.
enum class LibraryUse { Never, Auto, Always };

/// What WARPLOOM_LIBRARIES asks for; without it `compiled`.
inline LibraryUse libraryWish(LibraryUse compiled) {
  const char* text = std::getenv("WARPLOOM_LIBRARIES");
  if (!text || !*text) return compiled;
  if (std::strcmp(text, "never") == 0) return LibraryUse::Never;
  if (std::strcmp(text, "auto") == 0) return LibraryUse::Auto;
  if (std::strcmp(text, "always") == 0) return LibraryUse::Always;
  std::fprintf(stderr, "warploom: WARPLOOM_LIBRARIES is '%s'; it may be auto, always or never\n", text);
  std::exit(EXIT_FAILURE);
}

/// Elements of an array: the first, and how far they are apart along the two loops that move it, and along
/// one over several products.
template <typename T> struct Elements {
  T* first = nullptr;
  long outer = 0, inner = 0, apart = 0;

  Elements turned() const { return {first, inner, outer, apart}; }
};

/// What results begin with, where it is not themselves: by * d[i][j], or `by` alone where there is no d.
template <typename T> struct Start {
  bool isThere = false;
  T by = 0;
  Elements<const T> d{};

  Start turned() const { return {isThere, by, d.turned()}; }
};

#ifdef __CUDACC__
template <typename T>
__global__ void __launch_bounds__(256)
    beginResults(long rows, long columns, long count, Elements<T> c, Start<T> with) {
  const long all = rows * columns * count;
  for (long at = blockIdx.x * 256L + threadIdx.x; at < all; at += gridDim.x * 256L) {
    const long j = at % columns, i = at / columns % rows, p = at / columns / rows;
    c.first[i * c.outer + j * c.inner + p * c.apart] =
        with.d.first ? with.by * with.d.first[i * with.d.outer + j * with.d.inner + p * with.d.apart]
                     : with.by;
  }
}
#endif

/// Gives `count` times `rows` times `columns` results what they begin with.
template <typename T>
void giveStart(Stream stream, long rows, long columns, long count, const Elements<T>& c,
               const Start<T>& with) {
  if (c.inner != 1 && c.outer == 1) return giveStart(stream, columns, rows, count, c.turned(), with.turned());
#ifdef __CUDACC__
  const long blocks = (rows * columns * count + 255) / 256;
  beginResults<T><<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(rows, columns,
                                                                                              count, c, with);
  WARPLOOM_CHECK(cudaGetLastError());
#else
  (void)stream;
  for (long p = 0; p < count; ++p)
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < columns; ++j)
        c.first[i * c.outer + j * c.inner + p * c.apart] =
            with.d.first ? with.by * with.d.first[i * with.d.outer + j * with.d.inner + p * with.d.apart]
                         : with.by;
#endif
}

/// c[i][j] = alpha * (the sum over k of a[i][k] * b[k][j]) + beta * c[i][j] for all i below `rows`, j below
/// `columns` and k below `terms`, `count` times; without `b`, it is 1. A loop that there is not has one
/// value. Where there is a `start`, beta is 0, and it is added.
template <typename T> struct LibraryProduct {
  bool applies; ///< what is known when the program runs lets it be this product
  long rows, columns, terms, count;
  T alpha, beta;
  Elements<const T> a, b;
  Elements<T> c;
  Start<T> start{};

  using Library = Blas;
  static constexpr int ways = 1; ///< to compute it, beside the kernel
  std::array<long, 4> extents() const { return {rows, columns, terms, count}; }

  /// c transposed = b transposed * a transposed.
  LibraryProduct turned() const {
    return {applies, columns,    rows,       terms,      count,         alpha,
            beta,    b.turned(), a.turned(), c.turned(), start.turned()};
  }
  /// The same once the results have what they begin with.
  LibraryProduct begun() const {
    LibraryProduct rest = *this;
    rest.start = {};
    rest.beta = 1;
    return rest;
  }
};

/// x with a[i][k] * x[k][j] = what x begins with, added up over all k up to i, or from i on where `isUpper`;
/// with `isUnit` all a[i][i] are 1. For all i below `rows` and j below `columns`.
template <typename T> struct TriangularSolve {
  bool applies; ///< what is known when the program runs lets it be this
  long rows, columns;
  bool isUpper, isUnit;
  Elements<const T> a;
  Elements<T> x;
  Start<T> start{};

  using Library = Blas;
  static constexpr int ways = 1;
  std::array<long, 4> extents() const { return {rows, columns, rows, 1}; }
};

/// y[i] = alpha * (the sum over k from starts[i] to before starts[i + 1] of values[k] * x[places[k]]) + beta
/// * y[i] for all i below `rows`. There are `columns` elements of x and `entries` of values and places.
template <typename T> struct SparseProduct {
  bool applies; ///< what is known when the program runs lets it be this product
  long rows, columns, entries;
  T alpha, beta;
  const int *starts, *places;
  const T *values, *x;
  T* y;
  Start<T> start{}; ///< as in LibraryProduct

  using Library = Sparse;
  static constexpr int ways = 2;
  std::array<long, 4> extents() const { return {rows, columns, entries, 1}; }
};

/// The first way is the library, the second one launchRows.
template <typename T>
bool computeBy(Sparse* sparse, int way, const SparseProduct<T>& product, Stream stream) {
  for (long extent : product.extents())
    if (extent < 1 || extent > INT_MAX) return false;
  if (!product.applies || product.alpha == T(0)) return false;
  const bool begins = product.start.isThere;
  if (way == 1) {
    RowStart<T> start{product.beta, product.beta == T(0) ? nullptr : product.y, 1};
    if (begins) start = {product.start.by, product.start.d.first, product.start.d.outer};
    launchRows(stream, static_cast<int>(product.rows), product.alpha, product.starts, product.places,
               product.values, product.x, start, product.y);
    return true;
  }
  if (!sparse) return false;
  if (begins) giveStart(stream, product.rows, 1, 1, Elements<T>{product.y, 1, 0, 0}, product.start);
  return sparse->multiply(stream, static_cast<int>(product.rows), static_cast<int>(product.columns),
                          static_cast<int>(product.entries), product.alpha, product.starts, product.places,
                          product.values, product.x, begins ? T(1) : product.beta, product.y);
}

/// How BLAS, which knows matrices by columns, takes one: its columns, or its rows, lie `leading` apart.
struct Leading {
  bool isThere = false, transposed = false;
  int leading = 1;
};

/// `elements` as a matrix of `rows` (its outer loop) and `columns`: not there where neither its rows nor its
/// columns are contiguous, or where they overlap.
template <typename T> Leading leadingOf(const Elements<T>& elements, long rows, long columns) {
  auto lies = [](long step, long inside, long apart, long outside) {
    return (step == 1 || inside == 1) && (outside == 1 || (apart >= inside && apart <= INT_MAX));
  };
  auto by = [](long inside, long apart, long outside) {
    return static_cast<int>(outside == 1 || apart < inside ? inside : apart);
  };
  if (lies(elements.outer, rows, elements.inner, columns))
    return {true, false, by(rows, elements.inner, columns)};
  if (lies(elements.inner, columns, elements.outer, rows))
    return {true, true, by(columns, elements.outer, rows)};
  return {};
}

/// Vectors' elements may be any number apart, forwards.
inline bool isStep(long step, long count) {
  return count == 1 || (step >= 1 && step <= INT_MAX);
}
inline int stepOf(long step, long count) {
  return count == 1 ? 1 : static_cast<int>(step);
}

/// Has `blas` compute `product` on `stream`; false where it has no function for it, and then nothing is done
/// that the kernel does not do again. Where a factor is 0, BLAS does not look at what it multiplies, which
/// may be no number.
template <typename T> bool computeBy(Blas& blas, const LibraryProduct<T>& product, Stream stream) {
  if (!product.applies || product.alpha == T(0)) return false;
  for (long extent : product.extents())
    if (extent < 1 || extent > INT_MAX) return false;
  if (product.start.isThere) {
    giveStart(stream, product.rows, product.columns, product.count, product.c, product.start);
    return computeBy(blas, product.begun(), stream);
  }
  const int rows = static_cast<int>(product.rows), columns = static_cast<int>(product.columns),
            terms = static_cast<int>(product.terms), count = static_cast<int>(product.count);
  const Elements<const T>&a = product.a, &b = product.b;
  const Elements<T>& c = product.c;
  if (!b.first) {
    if (count > 1 || columns > 1 || terms > 1 || product.beta != T(1) || !isStep(a.outer, rows) ||
        !isStep(c.outer, rows))
      return false;
    return blas.axpy(stream, rows, product.alpha, a.first, stepOf(a.outer, rows), c.first,
                     stepOf(c.outer, rows));
  }
  if (count == 1 && rows == 1 && columns == 1) {
    if (!isStep(a.inner, terms) || !isStep(b.outer, terms)) return false;
    return blas.dot(stream, terms, product.alpha, a.first, stepOf(a.inner, terms), b.first,
                    stepOf(b.outer, terms), product.beta, c.first);
  }
  if (count == 1 && rows == 1) return computeBy(blas, product.turned(), stream);
  if (count == 1 && columns == 1) {
    const Leading matrix = leadingOf(a, rows, terms);
    if (!matrix.isThere || !isStep(b.outer, terms) || !isStep(c.outer, rows)) return false;
    return blas.gemv(stream, matrix.transposed, matrix.transposed ? terms : rows,
                     matrix.transposed ? rows : terms, product.alpha, a.first, matrix.leading, b.first,
                     stepOf(b.outer, terms), product.beta, c.first, stepOf(c.outer, rows));
  }
  const Leading result = leadingOf(c, rows, columns);
  if (!result.isThere) return false;
  if (result.transposed) return computeBy(blas, product.turned(), stream);
  const Leading left = leadingOf(a, rows, terms), right = leadingOf(b, terms, columns);
  if (!left.isThere || !right.isThere) return false;
  // Results of different products must not be the same elements.
  if (count > 1 &&
      (a.apart < 0 || b.apart < 0 || c.apart < static_cast<long>(result.leading) * (columns - 1) + rows))
    return false;
  return blas.gemm(stream, left.transposed, right.transposed, rows, columns, terms, product.alpha, a.first,
                   left.leading, a.apart, b.first, right.leading, b.apart, product.beta, c.first,
                   result.leading, c.apart, count);
}

/// The same for a solve. BLAS may not look at what it multiplies by a 0 in the result, and may multiply by
/// reciprocals of the diagonal.
template <typename T> bool computeBy(Blas* blas, int, const TriangularSolve<T>& solve, Stream stream) {
  if (!blas || !solve.applies) return false;
  for (long extent : solve.extents())
    if (extent < 1 || extent > INT_MAX) return false;
  const Leading matrix = leadingOf(solve.a, solve.rows, solve.rows),
                result = leadingOf(solve.x, solve.rows, solve.columns);
  if (!matrix.isThere || !(solve.columns == 1 ? isStep(solve.x.outer, solve.rows) : result.isThere))
    return false;
  if (solve.start.isThere) giveStart(stream, solve.rows, solve.columns, 1, solve.x, solve.start);
  const int rows = static_cast<int>(solve.rows), columns = static_cast<int>(solve.columns);
  // BLAS sees a matrix by rows as its transpose.
  const BlasTriangle triangle{solve.isUpper != matrix.transposed, matrix.transposed, solve.isUnit};
  if (columns == 1)
    return blas->trsv(stream, triangle, rows, solve.a.first, matrix.leading, solve.x.first,
                      stepOf(solve.x.outer, solve.rows));
  return blas->trsm(stream, triangle, !result.transposed, rows, columns, solve.a.first, matrix.leading,
                    solve.x.first, result.leading);
}

template <typename T> bool computeBy(Blas* blas, int, const LibraryProduct<T>& product, Stream stream) {
  return blas && computeBy(*blas, product, stream);
}

/// What was found out about one kernel and the library that may stand in for it: by the order of magnitude of
/// the product's extents, which of them, or of the library's ways, is the fastest.
class LibraryChoice {
public:
  LibraryChoice(const char* kernel, LibraryUse compiled) : kernel(kernel), use(libraryWish(compiled)) {}
  LibraryChoice(const LibraryChoice&) = delete;
  LibraryChoice& operator=(const LibraryChoice&) = delete;
  ~LibraryChoice() {
    if (RegionTimes::wanted())
      std::fprintf(stderr, "warploom: kernel %s: %ld of %ld calls by the library\n", kernel, taken, calls);
  }

  /// Gives the stream of `region` the work of `product`: by the library, or by what `launch` launches.
  template <typename Product, typename Launch>
  void run(Region& region, const Product& product, Launch&& launch) {
    using Library = typename Product::Library;
    constexpr int ways = Product::ways + 1; // the first one is the kernel
    static_assert(ways <= Trial::most);
    const std::lock_guard<std::mutex> lock(mutex);
    ++calls;
    auto byLibrary = [&](int way) {
      Library* library = Library::loaded();
      const bool done =
          region.call([&](Stream stream) { return computeBy(library, way - 1, product, stream); });
      taken += done;
      return done;
    };
    // Graphs are recorded once and cannot be timed.
    if (use == LibraryUse::Never || region.isRecording()) return launch();
    if (use == LibraryUse::Always) {
      for (int way = 1; way < ways; ++way)
        if (byLibrary(way)) return;
      return launch();
    }
    std::array<int, 4> magnitude{};
    const std::array<long, 4> extents = product.extents();
    for (std::size_t k = 0; k < extents.size(); ++k)
      magnitude[k] = std::ilogb(double(extents[k]));
    Trial& trial = trials.try_emplace(magnitude, ways).first->second;
    if (trial.isDecided()) {
      const int best = trial.best();
      if (best == 0 || !byLibrary(best)) launch();
      return;
    }
    auto seconds = [&](auto&& work) {
      synchronize(region.stream());
      const double began = secondsNow();
      work();
      synchronize(region.stream());
      return secondsNow() - began;
    };
    if (const int way = trial.next(); way > 0 && isWorthLoading<Library>()) {
      bool done = false;
      const double took = seconds([&] { done = byLibrary(way); });
      if (done) return trial.note(way, took);
      trial.giveUp(way);
    }
    const double took = seconds(launch);
    trial.note(0, took);
    spent.store(spent.load() + took);
  }

private:
  /// The times of all ways for products of one order of magnitude. They take turns; the first time of each is
  /// not looked at, of the other two the better one.
  struct Trial {
    struct Way {
      int runs = 0;
      double seconds = HUGE_VAL;
    };
    static constexpr int most = 3, enough = 3;
    explicit Trial(int ways) : ways(ways) {}

    int ways;
    Way all[most];

    int next() const {
      int least = 0;
      for (int way = 1; way < ways; ++way)
        if (all[way].runs < all[least].runs) least = way;
      return least;
    }
    bool isDecided() const { return all[next()].runs >= enough; }
    int best() const {
      int best = 0;
      for (int way = 1; way < ways; ++way)
        if (all[way].seconds < all[best].seconds) best = way;
      return best;
    }
    void note(int way, double seconds) {
      if (all[way].runs++ > 0 && seconds < all[way].seconds) all[way].seconds = seconds;
    }
    void giveUp(int way) { all[way] = {enough, HUGE_VAL}; }
  };

  /// Whether kernels for which there is a library have taken so long that it may be loaded, which takes as
  /// long.
  template <typename Library> static bool isWorthLoading() {
#ifdef __CUDACC__
    constexpr double secondsToLoad = 0.1;
#else
    constexpr double secondsToLoad = 0;
#endif
    return Library::isLoaded() || spent.load() > secondsToLoad;
  }

  const char* kernel;
  LibraryUse use;
  std::mutex mutex;
  std::map<std::array<int, 4>, Trial> trials;
  long calls = 0, taken = 0;
  static inline std::atomic<double> spent{0}; ///< seconds, by kernels for which there is a library
};

} // namespace warploom
