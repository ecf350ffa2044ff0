// The search for one kernel: candidates are prepared side by side, checked, timed one at a time, and kept.
#pragma once

#include "tune/Search.h"
#include "tune/Searcher.h"
#include "tune/Space.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace warploom {

/// Makes and runs candidates of one kernel.
class Bench {
public:
  virtual ~Bench() = default;
  /// Compiles `point` and compares what it computes with what the original loops compute; what is wrong with
  /// it, nothing when it may be timed. Called by several threads at once.
  virtual std::optional<Result> prepare(const Point& point) = 0;
  /// Times `point`, which has been prepared. `best`: the least time of others so far. Called by one thread,
  /// while nothing else runs.
  virtual Result time(const Point& point, std::optional<double> best) = 0;
  /// `point` is done with.
  virtual void discard(const Point& point) = 0;
};

/// When a search ends, whichever is first. Results that were known already count as candidates, so that
/// a search that was interrupted ends where it would have ended.
struct SearchBudget {
  std::size_t candidates = 0; ///< 0: no limit
  std::optional<std::chrono::steady_clock::time_point> until;
};

/// How a search stands.
struct Tally {
  std::map<Outcome, std::size_t> outcomes; ///< of the candidates so far, remembered ones included
  std::size_t remembered = 0;              ///< how many of them were known
  std::uint64_t points = 0;                ///< of the space
  std::uint64_t pruned = 0;    ///< of these, how many cannot be; 0 where they are too many to count
  std::optional<Result> usual; ///< what the usual sizes gave
  std::optional<Point> best;   ///< the fastest so far
  std::optional<Result> bestResult;
  std::size_t candidates() const;
};

struct Tuning {
  const Space& space;
  Searcher& searcher;
  Bench& bench;
  ResultStore& results;
  Search search;
  SearchBudget budget;
  std::size_t jobs = 1; ///< candidates that are prepared at once
  /// Called after each candidate; the search ends where it says false. May be empty.
  std::function<bool(const Point&, const Result&, bool remembered, const Tally&)> progress;
};

/// Searches until nothing or no budget is left. Throws what keeping results throws; whatever a candidate does
/// is its outcome.
Tally tune(const Tuning& tuning);

} // namespace warploom
