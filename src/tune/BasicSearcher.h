// What searchers are made of.
#pragma once

#include "tune/Searcher.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace warploom {

/// What all searchers share: the first point is the usual one, and none comes twice.
class BasicSearcher : public Searcher {
public:
  BasicSearcher(const Space& space, unsigned seed) : space(space), random(seed) {}

  std::optional<Point> next() final {
    std::optional<Point> point = tried.empty() && !space.refused(space.usual()) ? space.usual() : choose();
    if (point) tried.insert(*point);
    return point;
  }
  void tell(const Point& point, std::optional<double> milliseconds) final {
    if (milliseconds)
      times.emplace_back(point, std::max(*milliseconds, 1e-6));
    else
      failures.push_back(point);
  }

protected:
  virtual std::optional<Point> choose() = 0;

  /// Whether `point` may be proposed now.
  bool isFree(const Point& point) const { return !tried.count(point) && !space.refused(point); }

  /// 64 bits, the same whoever compiles it.
  std::uint64_t anyNumber() {
    const std::uint64_t high = random();
    return high << 32 | random();
  }

  /// A free point, all alike probable; nothing where there is none, or so few among so many that none was
  /// found.
  std::optional<Point> anyPoint() {
    const std::uint64_t count = space.count();
    constexpr std::uint64_t listed = 20000;
    if (count <= listed) {
      std::vector<std::uint64_t> free;
      for (std::uint64_t number = 0; number < count; ++number)
        if (isFree(space.at(number))) free.push_back(number);
      if (free.empty()) return std::nullopt;
      return space.at(free[random() % free.size()]);
    }
    for (std::uint64_t attempt = 0; attempt < listed; ++attempt)
      if (Point point = space.at(anyNumber() % count); isFree(point)) return point;
    return std::nullopt;
  }

  const Space& space;
  std::mt19937 random; ///< whose numbers are the same everywhere
  std::set<Point> tried;
  std::vector<std::pair<Point, double>> times;
  std::vector<Point> failures;
};

/// The points that differ from `point` in one size, by one value up or down.
inline std::vector<Point> neighbours(const Space& space, const Point& point) {
  std::vector<Point> result;
  for (std::size_t k = 0; k < point.size(); ++k) {
    const std::vector<int>& values = space.sizes()[k].values;
    const auto here = std::find(values.begin(), values.end(), point[k]);
    if (here == values.end()) continue;
    for (int step : {-1, 1}) {
      if ((step < 0 && here == values.begin()) || (step > 0 && here + 1 == values.end())) continue;
      result.push_back(point);
      result.back()[k] = here[step];
    }
  }
  return result;
}

/// The searcher that learns: GuidedSearcher.cpp.
std::unique_ptr<Searcher> makeGuided(const Space& space, unsigned seed);

} // namespace warploom
