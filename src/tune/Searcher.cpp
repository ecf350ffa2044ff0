#include "tune/Searcher.h"

#include "support/Failure.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace warploom {

namespace {

/// What all searchers share: the first point is the usual one, and none comes twice.
class Basic : public Searcher {
public:
  Basic(const Space& space, unsigned seed) : space(space), random(seed) {}

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

class Exhaustive : public Basic {
public:
  using Basic::Basic;

private:
  std::optional<Point> choose() override {
    for (; number < space.count(); ++number)
      if (Point point = space.at(number); isFree(point)) return point;
    return std::nullopt;
  }
  std::uint64_t number = 0;
};

class Random : public Basic {
public:
  using Basic::Basic;

private:
  std::optional<Point> choose() override { return anyPoint(); }
};

/// The points that differ from `point` in one size, by one value up or down.
std::vector<Point> neighbours(const Space& space, const Point& point) {
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

/// Goes to the best neighbour of the best point of the climb, and where there is none begins another climb
/// anywhere. Neighbours that only a second step makes possible (a tile and the points of a thread grow
/// together) count too.
class Local : public Basic {
public:
  using Basic::Basic;

private:
  std::optional<Point> choose() override {
    const std::pair<Point, double>* best = nullptr;
    for (std::size_t k = climb; k < times.size(); ++k)
      if (!best || times[k].second < best->second) best = &times[k];
    if (best) {
      std::vector<Point> near = neighbours(space, best->first);
      const std::size_t first = near.size();
      for (std::size_t k = 0; k < first; ++k)
        if (space.refused(near[k]))
          for (Point& second : neighbours(space, near[k]))
            near.push_back(std::move(second));
      std::erase_if(near, [&](const Point& point) { return !isFree(point); });
      if (!near.empty()) return near[random() % near.size()];
      climb = times.size();
    }
    return anyPoint();
  }
  std::size_t climb = 0; ///< where in `times` this climb began
};

/// Begins with points anywhere. Then each is a child of two of the better ones: every size is of one of them,
/// and now and then the next value up or down.
class Evolutionary : public Basic {
public:
  using Basic::Basic;

private:
  std::optional<Point> choose() override {
    constexpr std::size_t first = 10;
    constexpr int attempts = 100;
    if (times.size() < 2 || tried.size() < first) return anyPoint();
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const Point& one = parent(); // in this order, whoever compiles it
      const Point& other = parent();
      if (Point point = child(one, other); isFree(point)) return point;
    }
    return anyPoint(); // where all that is near has been tried
  }

  /// The best of three.
  const Point& parent() {
    const std::pair<Point, double>* best = nullptr;
    for (int k = 0; k < 3; ++k)
      if (const auto& one = times[random() % times.size()]; !best || one.second < best->second) best = &one;
    return best->first;
  }

  Point child(const Point& one, const Point& other) {
    Point point = one;
    for (std::size_t k = 0; k < point.size(); ++k)
      if (random() % 2) point[k] = other[k];
    if (random() % 4 == 0 || point == one || point == other) {
      std::vector<Point> near = neighbours(space, point);
      if (!near.empty()) point = near[random() % near.size()];
    }
    return point;
  }
};

/// Expects a point to take what the measured ones near it took, distances being powers of two, and proposes
/// the one that may be least when the distance to what is known is taken for hope. A point that failed warns
/// its surroundings.
class Guided : public Basic {
public:
  using Basic::Basic;

private:
  std::optional<Point> choose() override {
    if (times.empty()) return anyPoint();
    std::vector<Point> candidates;
    constexpr std::uint64_t listed = 2000;
    const std::uint64_t count = space.count();
    for (std::uint64_t k = 0; k < std::min(count, listed); ++k) {
      Point point = space.at(count <= listed ? k : anyNumber() % count);
      if (isFree(point)) candidates.push_back(std::move(point));
    }
    for (const auto& [point, time] : times)
      for (Point& near : neighbours(space, point))
        if (isFree(near)) candidates.push_back(std::move(near));
    if (candidates.empty()) return anyPoint();
    double least = INFINITY, most = -INFINITY;
    for (const auto& [point, time] : times) {
      least = std::min(least, std::log(time));
      most = std::max(most, std::log(time));
    }
    std::optional<Point> best;
    double hope = INFINITY;
    for (Point& point : candidates)
      if (const double value = promise(point, least, most); value < hope) {
        hope = value;
        best = std::move(point);
      }
    return best;
  }

  static double squaredDistance(const Point& a, const Point& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double apart = std::log2(double(a[k])) - std::log2(double(b[k]));
      sum += apart * apart;
    }
    return sum;
  }

  /// The logarithm of the time that `point` may take, less what is hoped.
  double promise(const Point& point, double least, double most) const {
    double weights = 0, sum = 0, nearest = INFINITY;
    auto add = [&](const Point& other, double value) {
      const double distance = squaredDistance(point, other), weight = std::exp(-distance / 2) + 1e-9;
      weights += weight;
      sum += weight * value;
      nearest = std::min(nearest, distance);
    };
    for (const auto& [other, time] : times)
      add(other, std::log(time));
    for (const Point& other : failures)
      add(other, most);
    const double known = std::exp(-nearest / 2), range = std::max(most - least, 0.05);
    return sum / weights - 0.3 * range * (1 - known);
  }
};

} // namespace

const std::vector<std::pair<std::string, std::string>>& searchers() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"exhaustive", "all points, in order"},
      {"random", "points anywhere"},
      {"local", "neighbours of the best, and again from elsewhere"},
      {"evolutionary", "children of two of the better ones"},
      {"guided", "where the measured ones let expect the least"}};
  return all;
}

std::unique_ptr<Searcher> makeSearcher(const std::string& name, const Space& space, unsigned seed) {
  if (name == "exhaustive") return std::make_unique<Exhaustive>(space, seed);
  if (name == "random") return std::make_unique<Random>(space, seed);
  if (name == "local") return std::make_unique<Local>(space, seed);
  if (name == "evolutionary") return std::make_unique<Evolutionary>(space, seed);
  if (name == "guided") return std::make_unique<Guided>(space, seed);
  throw Failure("the tuner", "there is no searcher called " + name);
}

} // namespace warploom
