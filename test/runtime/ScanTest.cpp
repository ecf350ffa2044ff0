// Scans of every kind of function, over any number of tiles, against a loop.
#include "warploom.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace {

constexpr int threads = 64, items = 4;

/// What each of `in` begins with, where the first begins with `initial`; and what the last leaves, in `last`.
template <typename State>
__global__ void scanAll(const typename State::Item* __restrict__ in, typename State::Value* __restrict__ out,
                        typename State::Value* __restrict__ last, int n, State initial,
                        warploom::TileBoard<State> board) {
  const long tile = warploom::nextTile(board);
  const int start = static_cast<int>(tile) * threads * items,
            here = warploom::itemsFrom(start, n, threads * items);
  typename State::Item own[items];
  typename State::Value values[items], value;
  warploom::clear<State>(own);
  warploom::eachItem<items, threads * items>(here,
                                             [&](int item, int place) { own[item] = in[start + place]; });
  warploom::scanTile<threads>(own, values, tile, tile == 0 ? initial : State::identity(), board);
  warploom::eachItem<items, threads * items>(here, [&](int item, int place) {
    out[start + place] = values[item];
    value = State::after(values[item], in[start + place]);
  });
  if (start + here == n && warploom::hasItem<items>(here - 1)) *last = value;
}

/// The same for a row that one warp takes, `Items` at a time in each lane.
template <typename State, int Items>
__global__ void scanRow(const typename State::Item* __restrict__ in, typename State::Value* __restrict__ out,
                        int n, State before) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int from = 0; from < n; from += 32 * Items) {
    typename State::Item own[Items];
    typename State::Value values[Items];
    for (int item = 0; item < Items; ++item) {
      const int i = from + item * 32 + lane;
      own[item] = i < n ? in[i] : State::none();
    }
    warploom::scanWarp<1>(own, values, before);
    for (int item = 0; item < Items; ++item)
      if (const int i = from + item * 32 + lane; i < n) out[i] = values[item];
  }
}

/// What is compared of a value.
template <typename T> T seen(T value) {
  return value;
}
template <typename T, typename U, typename Others>
U seen(const warploom::With<T, warploom::With<U, Others>>& value) {
  return value.others.value;
}

/// The values that the iterations of `make` begin with, one after the other, are those that `next` makes of
/// `first`; odd and even numbers of items go different ways through shared memory.
template <typename State, typename T, typename Make, typename Next>
void check(State initial, T first, Make make, Next next) {
  using Value = typename State::Value;
  for (int n : {0, 1, 31, 32, 33, 255, 256, 257, 5000, 20011}) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<typename State::Item> all;
    std::vector<Value> grid(size), last(1), rows[3] = {grid, grid, grid};
    for (int i = 0; i < n; ++i)
      all.push_back(make(i));
    const unsigned tiles = warploom::tiles(n, threads * items);
    warploom::launch({dim3(tiles), dim3(threads)}, scanAll<State>, all.data(), grid.data(), last.data(), n,
                     initial, warploom::TileMemory<State>(tiles, warploom::Stream()));
    warploom::launch({dim3(1), dim3(32)}, scanRow<State, 4>, all.data(), rows[0].data(), n, initial);
    warploom::launch({dim3(1), dim3(32)}, scanRow<State, 15>, all.data(), rows[1].data(), n, initial);
    warploom::launch({dim3(1), dim3(32)}, scanRow<State, 6>, all.data(), rows[2].data(), n, initial);
    T x = first;
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(seen(grid[i]), x) << i << " of " << n;
      for (const std::vector<Value>& row : rows)
        ASSERT_EQ(seen(row[i]), x) << i << " of " << n;
      x = next(x, static_cast<int>(i));
    }
    if (n > 0) {
      ASSERT_EQ(seen(last[0]), x) << n;
    }
  }
}
template <typename State, typename T, typename Make, typename Next>
void check(T first, Make make, Next next) {
  check<State>(State::constant(first), first, make, next);
}

TEST(Scan, EveryKindOfFunction) {
  using namespace warploom;
  auto value = [](int i) { return (i * 37 + 11) % 101 - 50; };
  check<Folded<Sum, int>>(7, [&](int i) { return value(i); }, [&](int x, int i) { return x + value(i); });
  check<Folded<Maximum, double>>(
      -60.0, [&](int i) { return value(i) * 1.0 + i / 100; },
      [&](double x, int i) { return std::fmax(x, value(i) * 1.0 + i / 100); });
  // Whole numbers wrap around.
  check<Affine<int>>(
      3, [&](int i) { return Line<int>{value(i), i}; },
      [&](int x, int i) {
        return static_cast<int>(static_cast<unsigned>(value(i)) * static_cast<unsigned>(x) +
                                static_cast<unsigned>(i));
      });
  check<Last<long>>(
      -1L, [&](int i) { return i % 97 == 13 ? Last<long>::constant(i) : Last<long>::identity(); },
      [&](long x, int i) { return i % 97 == 13 ? long(i) : x; });
  // Powers of two are exact whatever the order.
  check<Affine<double>>(
      1.0, [&](int i) { return Line<double>{i % 2 ? 0.5 : 2.0, 0.0}; },
      [&](double x, int i) { return x * (i % 2 ? 0.5 : 2.0); });
}

TEST(Scan, TheBestAndWhereItIs) {
  using namespace warploom;
  using Best = Chosen<Greater, double, With<int, Alone>>;
  auto value = [](int i) { return i % 5 ? i * 131 % 1009 - 300.0 : std::nan(""); };
  double best = -1e9;
  check<Best>(
      Best{{-1e9, 1}, {-1, {}}}, -1,
      [&](int i) {
        Candidate<double> candidate = Candidate<double>::none();
        if (value(i) > candidate) candidate = value(i);
        return Best{candidate, {i, {}}};
      },
      [&](int at, int i) {
        if (i == 0) best = -1e9;
        if (!(value(i) > best)) return at;
        best = value(i);
        return i;
      });
}

TEST(Scan, AProductOfFactorsMayBeBeyondTheRangeOfTheType) {
  using namespace warploom;
  // From 2^-900 to 2^900 and back.
  auto factor = [](int i) { return i % 1000 < 100 ? 1.0 : i / 1000 % 2 ? 0.25 : 4.0; };
  check<Affine<double>>(
      std::ldexp(1.0, -900), [&](int i) { return Line<double>{factor(i), 0.0}; },
      [&](double x, int i) { return x * factor(i); });
  check<Affine<float>>(0.0f, [&](int) { return Line<float>{16.0f, 0.0f}; }, [](float, int) { return 0.0f; });
  check<Affine<float>>(
      std::ldexp(1.0f, -100), [&](int i) { return Line<float>{i < 100 ? 4.0f : 1.0f, 0.0f}; },
      [](float x, int i) { return i < 100 ? x * 4.0f : x; });
}

} // namespace
