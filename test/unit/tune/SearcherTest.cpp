// Searchers on spaces whose times are known.
#include "tune/Searcher.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace warploom {
namespace {

Space product() {
  return {openSizes("", {"TILE_X", "TILE_Y", "TILE_K", "ITEMS_X", "ITEMS_Y", "THREADS_X", "THREADS_Y"},
                    {"THREADS_X * THREADS_Y"}),
          ""};
}

/// A time with one best point, 64 32 16 8 4, in log distance.
double smooth(const Point& point) {
  const Point best = {64, 32, 16, 8, 4};
  double sum = 1;
  for (std::size_t k = 0; k < point.size(); ++k)
    sum += std::pow(std::log2(double(point[k]) / best[k]), 2);
  return sum;
}

/// How many points `searcher` proposes until it has one that takes at most `goal`; `most` when it does not.
std::size_t needed(Searcher& searcher, double goal, std::size_t most) {
  for (std::size_t k = 1; k <= most; ++k) {
    const std::optional<Point> point = searcher.next();
    if (!point) return most;
    if (smooth(*point) <= goal) return k;
    searcher.tell(*point, smooth(*point));
  }
  return most;
}

TEST(Searchers, ProposeEveryPossiblePointExactlyOnce) {
  const Space space(openSizes("", {"TILE_X", "ITEMS_X", "BLOCK_Y", "THREADS_X"}, {"THREADS_X * BLOCK_Y"}),
                    "");
  std::size_t possible = 0;
  for (std::uint64_t k = 0; k < space.count(); ++k)
    possible += !space.refused(space.at(k));
  ASSERT_LT(possible, space.count());
  for (const auto& [name, meaning] : searchers()) {
    auto searcher = makeSearcher(name, space, 3);
    std::set<Point> all;
    while (auto point = searcher->next()) {
      if (all.empty()) EXPECT_EQ(*point, space.usual()) << name;
      EXPECT_TRUE(all.insert(*point).second) << name;
      EXPECT_FALSE(space.refused(*point)) << name;
      // Some fail, and some answers come late.
      if (all.size() % 3)
        searcher->tell(*point, all.size() % 5 ? std::optional(double((*point)[0])) : std::nullopt);
    }
    EXPECT_EQ(all.size(), possible) << name;
  }
}

TEST(Searchers, AreTheSameForTheSameSeed) {
  const Space space = product();
  for (const auto& [name, meaning] : searchers()) {
    auto one = makeSearcher(name, space, 7), other = makeSearcher(name, space, 7);
    for (int k = 0; k < 20; ++k) {
      const auto point = one->next();
      EXPECT_EQ(point, other->next()) << name;
      one->tell(*point, smooth(*point));
      other->tell(*point, smooth(*point));
    }
  }
}

TEST(Searchers, ThatLearnNeedFewerPointsThanChance) {
  const Space space = product();
  auto sum = [&](const std::string& name) {
    std::size_t all = 0;
    for (unsigned seed = 1; seed <= 10; ++seed)
      all += needed(*makeSearcher(name, space, seed), 1, 800);
    return all;
  };
  const std::size_t random = sum("random");
  EXPECT_LT(3 * sum("local"), random);
  EXPECT_LT(3 * sum("guided"), random);
  EXPECT_LT(3 * sum("evolutionary"), random);
  EXPECT_LT(2 * sum("annealing"), random);
}

TEST(Searchers, LiveWithNothingButFailures) {
  const Space space = product();
  for (const auto& [name, meaning] : searchers()) {
    auto searcher = makeSearcher(name, space, 1);
    for (int k = 0; k < 30; ++k) {
      const auto point = searcher->next();
      ASSERT_TRUE(point) << name;
      searcher->tell(*point, std::nullopt);
    }
  }
}

} // namespace
} // namespace warploom
