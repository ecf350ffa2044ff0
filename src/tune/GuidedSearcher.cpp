// The searcher that learns: what a point may take is expected by those that are known, by a Gaussian process
// over the logarithms of sizes, threads and shared memory, and by what blocks are usually good.
#include "tune/BasicSearcher.h"

#include <cmath>
#include <map>

namespace warploom {

namespace {

using Vector = std::vector<double>;

// What the process is taken to be, in logarithms of times and powers of two of sizes. Found by replaying
// recorded spaces: bench/tuning.
constexpr double ofThreads = 0.5, ofShared = 0.3; ///< what a doubling counts, beside that of a size
constexpr double variance = 0.3, length = 1.5;    ///< of what nearby points have in common
constexpr double slope = 0.02;                    ///< of trends, which also hold far away
constexpr double noise = 1e-3;                    ///< of measurements
constexpr double curvature = 0.05,
                 usualThreads = 7; ///< blocks of other sizes than 2^7 threads are expected to be worse
constexpr double failure = 0.3;    ///< how much worse than the worst it is not to work
/// How many deviations are hoped for: few at first, when the trend of a few points shows where to go, then
/// these in turn.
constexpr std::size_t first = 8;
constexpr double hopes[] = {0.3, 1, 2};

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += a[k] * b[k];
  return sum;
}

/// What two points have in common: their distance, and the trends that they share.
double covariance(const Vector& a, const Vector& b) {
  double apart = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    apart += (a[k] - b[k]) * (a[k] - b[k]);
  return variance * std::exp(-apart / (2 * length * length)) + slope * dot(a, b);
}

/// The triangular root of a symmetric matrix that is positive, and what solves by it.
class Root {
public:
  /// Adds a row of the matrix, up to the diagonal.
  void add(const Vector& row) {
    Vector next = forward({row.begin(), row.end() - 1});
    next.push_back(std::sqrt(std::max(row.back() - dot(next, next), 1e-9)));
    rows.push_back(std::move(next));
  }
  /// x with L x = b.
  Vector forward(Vector b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        b[i] -= rows[i][j] * b[j];
      b[i] /= rows[i][i];
    }
    return b;
  }

private:
  std::vector<Vector> rows;
};

class Guided : public BasicSearcher {
public:
  using BasicSearcher::BasicSearcher;

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
    learn();
    const Point* best = nullptr;
    double least = INFINITY;
    for (const Point& point : candidates)
      // Of equals any.
      if (const double value = promise(point) + 1e-6 * double(random() % 1000) / 1000; value < least) {
        least = value;
        best = &point;
      }
    return *best;
  }

  /// What is known of a point without measuring it.
  struct Expected {
    Vector features; ///< the logarithms of all that a time may depend on, around usual ones
    double value;    ///< by how much it is expected to be worse for its threads
  };
  Expected lookAt(const Point& point) const {
    Vector features;
    for (std::size_t k = 0; k < point.size(); ++k)
      features.push_back(std::log2(double(point[k]) / space.sizes()[k].usual));
    const auto log = [&](const std::string& expression, double least) {
      return std::log2(std::max(double(space.value(expression, point).value_or(0)), least));
    };
    const double threads = log(space.needs().threads, 1);
    features.push_back(ofThreads * (threads - usualThreads));
    features.push_back(ofShared * (log(space.needs().sharedBytes, 256) - 14));
    const bool isKnown = !space.needs().threads.empty();
    return {features, isKnown ? curvature * std::pow(threads - usualThreads, 2) : 0};
  }

  const Expected& of(const Point& point) {
    const auto found = seen.find(point);
    return found != seen.end() ? found->second : seen.emplace(point, lookAt(point)).first->second;
  }

  /// Takes all that was told, the best of it where that is much.
  void learn() {
    // So many that it takes no time.
    constexpr std::size_t most = 80;
    std::vector<std::pair<Point, double>> all;
    double worst = -INFINITY;
    for (const auto& [point, time] : times) {
      all.emplace_back(point, std::log(time));
      worst = std::max(worst, all.back().second);
    }
    for (const Point& point : failures)
      all.emplace_back(point, worst + failure);
    if (all.size() > most) {
      std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
      all.resize(most);
    }
    root = Root();
    known.clear();
    level = 0;
    Vector values;
    for (const auto& [point, value] : all) {
      const auto& [features, expected] = of(point);
      known.push_back(features);
      values.push_back(value - expected);
      level += values.back() / double(all.size());
      Vector row;
      for (const Vector& other : known)
        row.push_back(covariance(features, other));
      row.back() += noise;
      root.add(row);
    }
    for (double& value : values)
      value -= level;
    weights = root.forward(values);
  }

  /// The logarithm of the time that `point` may take, less what is hoped.
  double promise(const Point& point) {
    const auto& [features, expected] = of(point);
    Vector row;
    for (const Vector& other : known)
      row.push_back(covariance(features, other));
    const Vector part = root.forward(row);
    const double rest = std::max(covariance(features, features) - dot(part, part), 0.0);
    const double hope = hopes[known.size() < first ? 0 : known.size() % 3];
    return expected + level + dot(part, weights) - hope * std::sqrt(rest);
  }

  std::map<Point, Expected> seen;
  Root root;
  std::vector<Vector> known;
  Vector weights; ///< the values, solved by the root
  double level = 0;
};

} // namespace

std::unique_ptr<Searcher> makeGuided(const Space& space, unsigned seed) {
  return std::make_unique<Guided>(space, seed);
}

} // namespace warploom
