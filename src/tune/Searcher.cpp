#include "tune/Searcher.h"

#include "support/Failure.h"
#include "tune/BasicSearcher.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace warploom {

namespace {

class Exhaustive : public BasicSearcher {
public:
  using BasicSearcher::BasicSearcher;

private:
  std::optional<Point> choose() override {
    for (; number < space.count(); ++number)
      if (Point point = space.at(number); isFree(point)) return point;
    return std::nullopt;
  }
  std::uint64_t number = 0;
};

class Random : public BasicSearcher {
public:
  using BasicSearcher::BasicSearcher;

private:
  std::optional<Point> choose() override { return anyPoint(); }
};

/// Goes to the best neighbour of the best point of the climb, and where there is none begins another climb
/// anywhere. Neighbours that only a second step makes possible (a tile and the points of a thread grow
/// together) count too.
class Local : public BasicSearcher {
public:
  using BasicSearcher::BasicSearcher;

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

/// Walks from neighbour to neighbour. A better one is always gone to, a worse one the less probably the worse
/// it is and the later it comes; where none is left the walk goes on anywhere.
class Annealing : public BasicSearcher {
public:
  using BasicSearcher::BasicSearcher;

private:
  std::optional<Point> choose() override {
    for (; told < times.size(); ++told) {
      const double worse = here ? std::log(times[told].second / times[*here].second) : -1,
                   heat = 0.5 / (1 + 0.1 * static_cast<double>(told));
      if (worse <= 0 || static_cast<double>(random() % 10000) < 10000 * std::exp(-worse / heat)) here = told;
    }
    if (here) {
      std::vector<Point> near = neighbours(space, times[*here].first);
      // Tiles and the points of threads grow together.
      for (std::size_t k = 0, first = near.size(); k < first; ++k)
        if (space.refused(near[k]))
          for (Point& second : neighbours(space, near[k]))
            near.push_back(std::move(second));
      std::erase_if(near, [&](const Point& point) { return !isFree(point); });
      if (!near.empty()) return near[random() % near.size()];
    }
    here.reset();
    return anyPoint();
  }
  std::optional<std::size_t> here; ///< in `times`
  std::size_t told = 0;            ///< how many of these were looked at
};

/// Begins with points anywhere. Then each is a child of two of the better ones: every size is of one of them,
/// and now and then the next value up or down.
class Evolutionary : public BasicSearcher {
public:
  using BasicSearcher::BasicSearcher;

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

} // namespace

const std::vector<std::pair<std::string, std::string>>& searchers() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"exhaustive", "all points, in order"},
      {"random", "points anywhere"},
      {"local", "neighbours of the best, and again from elsewhere"},
      {"annealing", "from neighbour to neighbour, at first to worse ones too"},
      {"evolutionary", "children of two of the better ones"},
      {"guided", "where the measured ones let expect the least"}};
  return all;
}

std::unique_ptr<Searcher> makeSearcher(const std::string& name, const Space& space, unsigned seed) {
  if (name == "exhaustive") return std::make_unique<Exhaustive>(space, seed);
  if (name == "random") return std::make_unique<Random>(space, seed);
  if (name == "local") return std::make_unique<Local>(space, seed);
  if (name == "annealing") return std::make_unique<Annealing>(space, seed);
  if (name == "evolutionary") return std::make_unique<Evolutionary>(space, seed);
  if (name == "guided") return makeGuided(space, seed);
  throw Failure("the tuner", "there is no searcher called " + name);
}

} // namespace warploom
