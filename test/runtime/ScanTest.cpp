// Scans of every kind of function, over any number of tiles, against a loop.
#include "warploom.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace {

constexpr int threads = 64, items = 4;

/// Each function replaced by that of all before it, and what `initial` then is.
template <typename State>
__global__ void scanAll(const State* __restrict__ in, State* __restrict__ out, int n, State initial,
                        warploom::TileBoard<State> board) {
  const long tile = warploom::nextTile(board);
  State own[items];
  for (int item = 0; item < items; ++item) {
    const long i = tile * (threads * items) + warploom::itemNumber<items>(item);
    own[item] = i < n ? in[i] : State::identity();
  }
  warploom::scanTile<threads>(own, tile, tile == 0 ? initial : State::identity(), board);
  for (int item = 0; item < items; ++item) {
    const long i = tile * (threads * items) + warploom::itemNumber<items>(item);
    if (i < n) out[i] = own[item];
  }
}

/// The same for a row that one warp takes.
template <typename State>
__global__ void scanRow(const State* __restrict__ in, State* __restrict__ out, int n, State before) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int from = 0; from < n; from += 32 * items) {
    State own[items];
    for (int item = 0; item < items; ++item) {
      const int i = from + item * 32 + lane;
      own[item] = i < n ? in[i] : State::identity();
    }
    warploom::scanWarp<1>(own, before);
    for (int item = 0; item < items; ++item)
      if (const int i = from + item * 32 + lane; i < n) out[i] = own[item];
  }
}

/// The values that the functions `all` begin with, one after the other, are those that `next` makes of
/// `first`.
template <typename State, typename T, typename Make, typename Next>
void check(T first, Make make, Next next) {
  for (int n : {0, 1, 31, 32, 33, 255, 256, 257, 5000, 20011}) {
    std::vector<State> all, grid(static_cast<std::size_t>(n)), row(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      all.push_back(make(i));
    const unsigned tiles = warploom::tiles(n, threads * items);
    warploom::launch({dim3(tiles), dim3(threads)}, scanAll<State>, all.data(), grid.data(), n,
                     State::constant(first), warploom::TileMemory<State>(tiles, warploom::Stream()));
    warploom::launch({dim3(1), dim3(32)}, scanRow<State>, all.data(), row.data(), n, State::constant(first));
    T x = first;
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(grid[static_cast<std::size_t>(i)].value(), x) << i << " of " << n;
      ASSERT_EQ(row[static_cast<std::size_t>(i)].value(), x) << i << " of " << n;
      x = next(x, i);
    }
  }
}

TEST(Scan, EveryKindOfFunction) {
  using namespace warploom;
  auto value = [](int i) { return (i * 37 + 11) % 101 - 50; };
  check<Folded<Sum, int>>(
      7, [&](int i) { return Folded<Sum, int>{value(i)}; }, [&](int x, int i) { return x + value(i); });
  check<Folded<Maximum, double>>(
      -60.0, [&](int i) { return Folded<Maximum, double>{value(i) * 1.0 + i / 100}; },
      [&](double x, int i) { return std::fmax(x, value(i) * 1.0 + i / 100); });
  // Whole numbers wrap around.
  check<Affine<int>>(
      3, [&](int i) { return Affine<int>{value(i), i}; },
      [&](int x, int i) {
        return static_cast<int>(static_cast<unsigned>(value(i)) * static_cast<unsigned>(x) +
                                static_cast<unsigned>(i));
      });
  check<Last<long>>(
      -1L, [&](int i) { return i % 97 == 13 ? Last<long>::constant(i) : Last<long>::identity(); },
      [&](long x, int i) { return i % 97 == 13 ? long(i) : x; });
  // Powers of two are exact whatever the order.
  check<Affine<double>>(
      1.0, [&](int i) { return Affine<double>{i % 2 ? 0.5 : 2.0, 0.0, 0}; },
      [&](double x, int i) { return x * (i % 2 ? 0.5 : 2.0); });
}

TEST(Scan, TheBestAndWhereItIs) {
  using namespace warploom;
  using Best = Chosen<Greater, double, With<int, Alone>>;
  // `value()` and `constant` for what is looked at: where the best is.
  struct At : Best {
    static At identity() { return {Best::identity()}; }
    static At constant(int at) { return {Best{{-1e9, 1}, {at, {}}}}; }
    At then(const At& next) const { return {Best::then(next)}; }
    int value() const { return riders.value; }
  };
  auto value = [](int i) { return i % 5 ? i * 131 % 1009 - 300.0 : std::nan(""); };
  double best = -1e9;
  check<At>(
      -1,
      [&](int i) {
        Candidate<double> candidate = Candidate<double>::none();
        if (value(i) > candidate) candidate = value(i);
        return At{Best{candidate, {i, {}}}};
      },
      [&](int at, int i) {
        if (i == 0) best = -1e9;
        if (!(value(i) > best)) return at;
        best = value(i);
        return i;
      });
}

TEST(Scan, AProductOfFactorsMayBeBeyondTheRangeOfTheType) {
  using warploom::Affine;
  // From 2^-900 to 2^900 and back.
  auto factor = [](int i) { return i % 1000 < 100 ? 1.0 : i / 1000 % 2 ? 0.25 : 4.0; };
  check<Affine<double>>(
      std::ldexp(1.0, -900), [&](int i) { return Affine<double>{factor(i), 0.0, 0}; },
      [&](double x, int i) { return x * factor(i); });
  check<Affine<float>>(
      0.0f, [&](int) { return Affine<float>{16.0f, 0.0f, 0}; }, [](float, int) { return 0.0f; });
  check<Affine<float>>(
      std::ldexp(1.0f, -100), [&](int i) { return Affine<float>{i < 100 ? 4.0f : 1.0f, 0.0f, 0}; },
      [](float x, int i) { return i < 100 ? x * 4.0f : x; });
}

} // namespace
