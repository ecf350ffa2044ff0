#include "tune/Tuner.h"

#include <algorithm>
#include <future>
#include <vector>

namespace warploom {

namespace {

/// Points of a space that are counted, not estimated.
constexpr std::uint64_t countable = 50'000;

/// A candidate of a round.
struct Candidate {
  Point point;
  std::optional<Result> known; ///< of an earlier search
  std::future<std::optional<Result>> prepared;
};

class Round {
public:
  explicit Round(const Tuning& tuning) : tuning(tuning) {
    tally.points = tuning.space.count();
    if (tally.points > countable) return;
    for (std::uint64_t number = 0; number < tally.points; ++number)
      tally.pruned += tuning.space.refused(tuning.space.at(number)).has_value();
  }

  Tally run() {
    for (bool goesOn = true;;) {
      std::vector<Candidate> round = draw();
      if (round.empty()) return std::move(tally);
      // Nothing else shall run while times are taken.
      std::vector<std::optional<Result>> results;
      for (Candidate& candidate : round)
        results.push_back(candidate.known ? candidate.known : candidate.prepared.get());
      for (std::size_t k = 0; k < round.size(); ++k) {
        const Point& point = round[k].point;
        const bool remembered = round[k].known.has_value();
        if (!results[k]) results[k] = tuning.bench.time(point, bestTime());
        if (!remembered) {
          tuning.bench.discard(point);
          tuning.results.record(tuning.search, tuning.space.text(point), *results[k]);
        }
        if (!note(point, *results[k], remembered)) goesOn = false;
      }
      if (!goesOn) return std::move(tally);
    }
  }

private:
  bool isOver(std::size_t drawn) const {
    const SearchBudget& budget = tuning.budget;
    return (budget.candidates > 0 && tally.candidates() + drawn >= budget.candidates) || isLate();
  }
  bool isLate() const { return tuning.budget.until && Clock::now() >= *tuning.budget.until; }

  /// How many candidates a round has. The first one stands alone: it tells whether there is anything to tune.
  /// Later ones are as many as there is time for, by what those before took.
  std::size_t roundSize() const {
    if (tally.candidates() == 0) return 1;
    const std::size_t fresh = tally.candidates() - tally.remembered,
                      jobs = std::max<std::size_t>(tuning.jobs, 1);
    if (!tuning.budget.until || fresh == 0) return jobs;
    const double each =
                     std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(fresh),
                 left = std::chrono::duration<double>(*tuning.budget.until - Clock::now()).count();
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(left, 0.0) / std::max(each, 1e-3)), 1,
                                   jobs);
  }

  std::optional<double> bestTime() const {
    return tally.bestResult ? std::optional(tally.bestResult->milliseconds) : std::nullopt;
  }

  /// The candidates that are prepared at once.
  std::vector<Candidate> draw() {
    std::vector<Candidate> round;
    const std::size_t most = roundSize();
    while (round.size() < most && !isOver(round.size())) {
      std::optional<Point> point = tuning.searcher.next();
      if (!point) break;
      Candidate candidate{*point, tuning.results.find(tuning.search, tuning.space.text(*point)), {}};
      if (!candidate.known)
        candidate.prepared =
            std::async(std::launch::async, [this, wanted = *point] { return tuning.bench.prepare(wanted); });
      round.push_back(std::move(candidate));
    }
    return round;
  }

  /// False where the search shall end.
  bool note(const Point& point, const Result& result, bool remembered) {
    ++tally.outcomes[result.outcome];
    tally.remembered += remembered;
    const bool isTimed = result.outcome == Outcome::Timed;
    if (point == tuning.space.usual()) tally.usual = result;
    if (isTimed && (!tally.bestResult || result.milliseconds < tally.bestResult->milliseconds)) {
      tally.best = point;
      tally.bestResult = result;
    }
    tuning.searcher.tell(point, isTimed ? std::optional(result.milliseconds) : std::nullopt);
    return !tuning.progress || tuning.progress(point, result, remembered, tally);
  }

  using Clock = std::chrono::steady_clock;
  const Tuning& tuning;
  Tally tally;
  const Clock::time_point begin = Clock::now();
};

} // namespace

std::size_t Tally::candidates() const {
  std::size_t sum = 0;
  for (const auto& [outcome, count] : outcomes)
    sum += count;
  return sum;
}

Tally tune(const Tuning& tuning) {
  return Round(tuning).run();
}

} // namespace warploom
