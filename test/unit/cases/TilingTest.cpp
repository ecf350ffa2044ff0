// Tiles of symbolic sizes: the bounds that elimination finds are those of the points, for all sizes that are
// tried.
#include "cases/Tiling.h"

#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warploom::cases;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

namespace {

Polynomial p(const std::string& text) {
  return Polynomial::parse(text);
}

AffineNest nestOf(const std::vector<std::string>& counters, const std::vector<std::string>& domain,
                  const std::vector<std::string>& facts) {
  AffineNest nest;
  nest.counters = counters;
  for (const std::string& one : domain)
    nest.domain.push_back(p(one));
  for (const std::string& one : facts)
    nest.facts.push_back({Constraint::parse(one)});
  return nest;
}

mpz_class rounded(const mpq_class& value, bool up) {
  mpz_class result;
  (up ? mpz_cdiv_q : mpz_fdiv_q)(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

using Point = std::vector<mpz_class>;

/// The points of the tiled loops in their order.
std::vector<Point> pointsOf(const Tiling& tiling, Values at) {
  std::vector<Point> found;
  std::function<void(std::size_t)> run = [&](std::size_t k) {
    if (k == tiling.loops.size() || tiling.loops[k].kind == TileLoop::Kind::Serial)
      for (const auto& [name, is] : tiling.tiled)
        at[name] = mpz_class(is.evaluate(at).get_num());
    if (k == tiling.loops.size()) {
      Point point;
      for (const auto& [name, is] : tiling.counters)
        point.push_back(mpz_class(is.evaluate(at).get_num()));
      found.push_back(point);
      return;
    }
    const TileLoop& loop = tiling.loops[k];
    std::optional<mpz_class> low, high;
    for (const TileBound& bound : loop.low) {
      const mpz_class one = rounded(mpq_class(bound.over.evaluate(at) / bound.under.evaluate(at)), true);
      low = low ? std::max(*low, one) : one;
    }
    for (const TileBound& bound : loop.high) {
      const mpz_class one = rounded(mpq_class(bound.over.evaluate(at) / bound.under.evaluate(at)), false);
      high = high ? std::min(*high, one) : one;
    }
    for (mpz_class value = *low; value <= *high; ++value) {
      at[loop.name] = value;
      run(k + 1);
    }
  };
  run(0);
  return found;
}

/// The points between -1 and `most` in each counter.
std::vector<Point> pointsOf(const AffineNest& nest, Values at, long most) {
  std::vector<Point> found;
  std::function<void(Point)> run = [&](Point point) {
    if (point.size() < nest.counters.size()) {
      for (long value = -1; value <= most; ++value) {
        Point next = point;
        next.emplace_back(value);
        run(next);
      }
      return;
    }
    for (std::size_t k = 0; k < point.size(); ++k)
      at[nest.counters[k]] = point[k];
    for (const Polynomial& one : nest.domain)
      if (one.evaluate(at) < 0) return;
    found.push_back(point);
  };
  run({});
  return found;
}

void expectSame(const Tiling& tiling, const AffineNest& nest, const Values& at, long most) {
  std::vector<Point> tiles = pointsOf(tiling, at), points = pointsOf(nest, at, most);
  std::sort(tiles.begin(), tiles.end());
  EXPECT_EQ(tiles, points) << tiling.text();
}

} // namespace

// SHOWS: MF-71
TEST(Tiling, TheProductOfPolynomialsHasThePublishedBounds) {
  const AffineNest nest = nestOf({"i", "j"}, {"i", "n - i", "j", "n - j"}, {"1 <= n", "1 <= B"});
  const Tiling tiling = tiled(nest, {{"p", p("i + j"), "B"}, {"t", p("n - j")}});
  ASSERT_EQ(tiling.loops.size(), 3u);
  EXPECT_EQ(tiling.loops[0].name, "p_block");
  EXPECT_THAT(tiling.loops[0].low, UnorderedElementsAre(TileBound{p("0")}));
  EXPECT_THAT(tiling.loops[0].high, UnorderedElementsAre(TileBound{p("2*n"), p("B")}));
  EXPECT_EQ(tiling.loops[1].name, "p_thread");
  EXPECT_THAT(tiling.loops[1].low, UnorderedElementsAre(TileBound{p("0")}));
  EXPECT_THAT(tiling.loops[1].high,
              UnorderedElementsAre(TileBound{p("B - 1")}, TileBound{p("2*n - p_block*B")}));
  EXPECT_EQ(tiling.loops[2].name, "t");
  EXPECT_THAT(tiling.loops[2].low, UnorderedElementsAre(TileBound{p("0")}, TileBound{p("n - p")}));
  EXPECT_THAT(tiling.loops[2].high, UnorderedElementsAre(TileBound{p("n")}, TileBound{p("2*n - p")}));
  ASSERT_EQ(tiling.counters.size(), 2u);
  EXPECT_EQ(tiling.counters[0].second, p("p + t - n"));
  EXPECT_EQ(tiling.counters[1].second, p("n - t"));
  for (long n = 1; n <= 8; ++n)
    for (long B = 1; B <= 6; ++B)
      expectSame(tiling, nest, {{"n", n}, {"B", B}}, n + 1);
}

// SHOWS: MF-73
TEST(Tiling, TheEightPublishedProgramsTakeNoSecond) {
  struct Program {
    const char* name;
    AffineNest nest;
    std::vector<TilingAxis> axes;
  };
  const std::vector<std::string> one = {"1 <= B"}, two = {"1 <= B0", "1 <= B1"};
  const std::vector<std::string> square = {"i", "n - 1 - i", "j", "n - 1 - j"};
  std::vector<Program> programs = {
      {"reversal", nestOf({"i"}, {"i", "n - 1 - i"}, one), {{"i", p("i"), "B"}}},
      {"1D Jacobi", nestOf({"i"}, {"i - 1", "n - 2 - i"}, one), {{"q", p("i - 1"), "B"}}},
      {"2D Jacobi",
       nestOf({"i", "j"}, {"i - 1", "n - 2 - i", "j - 1", "n - 2 - j"}, two),
       {{"q", p("i - 1"), "B0"}, {"w", p("j - 1"), "B1"}}},
      {"LU",
       nestOf({"i", "j"}, {"i - k - 1", "n - 1 - i", "j - k", "n - 1 - j"},
              {"1 <= B0", "1 <= B1", "k + 1 <= n"}),
       {{"q", p("i - k - 1"), "B0"}, {"w", p("j - k"), "B1"}}},
      {"transpose", nestOf({"i", "j"}, square, two), {{"i", p("i"), "B0"}, {"j", p("j"), "B1"}}},
      {"addition", nestOf({"i", "j"}, square, two), {{"j", p("j"), "B0"}, {"i", p("i"), "B1"}}},
      {"matrix and vector", nestOf({"i", "j"}, square, one), {{"i", p("i"), "B"}, {"j", p("j")}}},
      {"matrix product",
       nestOf({"i", "j", "k"}, {"i", "n - 1 - i", "j", "n - 1 - j", "k", "n - 1 - k"}, two),
       {{"i", p("i"), "B0"}, {"j", p("j"), "B1"}, {"k", p("k")}}}};
  for (const Program& program : programs) {
    SCOPED_TRACE(program.name);
    const auto begin = std::chrono::steady_clock::now();
    const Tiling tiling = tiled(program.nest, program.axes);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 1);
    for (long n : {0, 1, 4, 5})
      for (long B : {1, 2, 3, 7})
        expectSame(tiling, program.nest, {{"n", n}, {"B", B}, {"B0", B}, {"B1", 3}, {"k", 1}}, n);
  }
}

TEST(Tiling, WhatHasNoSuchFormIsRefused) {
  const AffineNest nest = nestOf({"i", "j"}, {"i", "n - i", "j", "n - j"}, {"1 <= n", "1 <= B"});
  auto refused = [&](const std::vector<TilingAxis>& axes, const std::string& why) {
    try {
      tiled(nest, axes);
      ADD_FAILURE() << "not refused";
    } catch (const TilingRefused& reason) {
      EXPECT_THAT(reason.what(), HasSubstr(why));
    }
  };
  refused({{"p", p("i + j"), "B"}}, "1 coordinates are given for 2 counters");
  refused({{"p", p("i + j"), "B"}, {"t", p("2*i + 2*j")}}, "do not tell the points apart");
  refused({{"p", p("i + j"), "B"}, {"t", p("i - j")}}, "coordinates leave points out");
  refused({{"p", p("i - j"), "B"}, {"t", p("j")}}, "'p' may be negative");
  refused({{"p", p("i*j"), "B"}, {"t", p("j")}}, "is not linear");
}
