#include "tune/Campaign.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <unistd.h>

namespace warploom {

namespace {

using Clock = std::chrono::steady_clock;

double secondsOf(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

/// `value` with so many digits behind the point.
std::string fixed(double value, int digits) {
  char text[60];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// Says how a search goes: a line per candidate, or one line that changes where that can be seen.
class Progress {
public:
  Progress(std::string kernel, const SearchBudget& budget, std::uint64_t points)
      : kernel(std::move(kernel)),
        total(budget.candidates ? std::min<std::uint64_t>(budget.candidates, points) : points),
        until(budget.until), isTerminal(isatty(STDERR_FILENO) != 0), begin(Clock::now()) {}
  ~Progress() {
    if (isTerminal && shown) std::fputs("\n", stderr);
  }

  void show(const std::string& point, const Result& result, bool remembered, const Tally& tally) {
    const std::string best =
        tally.bestResult ? "best " + fixed(tally.bestResult->milliseconds, 3) + " ms" : "none yet";
    if (isTerminal) return showBar(best, tally);
    std::string what = outcomeText(result.outcome);
    if (result.outcome == Outcome::Timed)
      what = fixed(result.milliseconds, 3) + " ms, spread " + fixed(100 * result.spread, 0) + " %";
    else if (!result.detail.empty())
      what += ": " + result.detail;
    std::fprintf(stderr, "tune: %s %s: %s (%s%s)\n", kernel.c_str(), point.c_str(), what.c_str(),
                 remembered ? "known; " : "", best.c_str());
  }

private:
  void showBar(const std::string& best, const Tally& tally) {
    const std::size_t done = tally.candidates(), width = 30;
    // What was known took no time, and says nothing about what is left.
    const double seconds = secondsOf(Clock::now() - begin), all = static_cast<double>(total),
                 each = seconds / static_cast<double>(std::max<std::size_t>(done - tally.remembered, 1));
    double left = each * std::max(all - static_cast<double>(done), 0.0);
    if (until) left = std::min(left, std::max(secondsOf(*until - Clock::now()), 0.0));
    const double part = until ? seconds / std::max(seconds + left, 1e-9) : static_cast<double>(done) / all;
    const auto filled = std::min(width, static_cast<std::size_t>(part * static_cast<double>(width)));
    std::fprintf(stderr, "\r\033[K%s [%s%s] %zu of at most %llu, %s, %.1f s each, %.0f s left",
                 kernel.c_str(), std::string(filled, '#').c_str(), std::string(width - filled, '.').c_str(),
                 done, static_cast<unsigned long long>(total), best.c_str(), each, left);
    std::fflush(stderr);
    shown = true;
  }

  const std::string kernel;
  const std::uint64_t total;
  const std::optional<Clock::time_point> until;
  const bool isTerminal;
  bool shown = false;
  const Clock::time_point begin;
};

} // namespace

std::optional<CampaignBudget> budgetOf(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  if (error != std::errc() || number == 0) return std::nullopt;
  if (unit.empty()) return CampaignBudget{number, 0};
  const double factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (factor == 0) return std::nullopt;
  return CampaignBudget{0, static_cast<double>(number) * factor};
}

Point TunedKernel::winner() const {
  if (!tally.best ||
      (tally.usual && tally.usual->outcome == Outcome::Timed && !isFaster(*tally.bestResult, *tally.usual)))
    return space.usual();
  return *tally.best;
}

void TunedKernel::replace(const Point& point, const Result& result) {
  tally.best.reset();
  tally.bestResult.reset();
  for (auto& [other, of] : tried) {
    if (other == point) {
      --tally.outcomes[of.outcome];
      ++tally.outcomes[result.outcome];
      if (point == space.usual()) tally.usual = result;
      of = result;
    }
    if (of.outcome == Outcome::Timed &&
        (!tally.bestResult || of.milliseconds < tally.bestResult->milliseconds)) {
      tally.best = other;
      tally.bestResult = of;
    }
  }
}

double TunedKernel::ratio() const {
  if (!tally.usual || tally.usual->outcome != Outcome::Timed || winner() == space.usual()) return 1;
  return tally.usual->milliseconds / std::max(tally.bestResult->milliseconds, 1e-6);
}

std::size_t TunedKernel::count(Outcome outcome) const {
  const auto found = tally.outcomes.find(outcome);
  return found == tally.outcomes.end() ? 0 : found->second;
}

std::size_t TunedKernel::failed() const {
  return tally.candidates() - count(Outcome::Timed) - count(Outcome::Wrong);
}

std::vector<TunedKernel> searchKernels(const std::vector<TunableKernel>& all, const CampaignOptions& options,
                                       const Search& about, ResultStore& results,
                                       const std::function<CandidateForms(std::size_t)>& formsOf,
                                       const std::filesystem::path& folder) {
  std::vector<const TunableKernel*> kernels;
  for (const TunableKernel& kernel : all)
    if (kernel.isTunable()) kernels.push_back(&kernel);
  std::vector<TunedKernel> tuned;
  const Clock::time_point begin = Clock::now();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const TunableKernel& kernel = *kernels[k];
    SearchBudget own{options.budget.candidates, std::nullopt};
    if (options.budget.seconds > 0) {
      const std::chrono::duration<double> share(options.budget.seconds * static_cast<double>(k + 1) /
                                                static_cast<double>(kernels.size()));
      own.until = begin + std::chrono::duration_cast<Clock::duration>(share);
    }
    TunedKernel result{&kernel, Space(kernel.sizes, kernel.prefix, kernel.needs), {}, "", {}};
    if (options.device) result.space.add(capacityRules(kernel.needs, *options.device));
    result.space.share(options.worker, options.workers);
    const Space& space = result.space;
    ProgramBench bench(formsOf(kernel.file), {kernel.region, kernel.name, kernel.needs, options.device},
                       space, options.runs, folder / kernel.name);
    Search search = about;
    search.kernel = kernel.identity;
    auto searcher = makeSearcher(options.searcher, space, options.seed);
    Progress progress(kernel.name, own, space.count());
    Tuning tuning{space, *searcher, bench, results, search, own, options.jobs, nullptr};
    tuning.progress = [&](const Point& point, const Result& one, bool remembered, const Tally& tally) {
      // Where it is so at the first sizes, it is so at all.
      if (tally.candidates() == 1 && one.detail == ProgramBench::notEntered) result.skipped = one.detail;
      result.tried.emplace_back(point, one);
      if (result.skipped.empty()) progress.show(space.text(point), one, remembered, tally);
      return result.skipped.empty();
    };
    result.tally = tune(tuning);
    // Candidates that were compared at another problem: the one to be used is compared at this one.
    while (options.runs.checkArguments && result.hasWinner()) {
      const Point winner = result.winner();
      const std::optional<Result> failure = bench.confirm(winner);
      if (!failure) break;
      results.record(search, space.text(winner), *failure);
      std::fprintf(stderr, "tune: %s %s: %s: %s (at the size it was timed at)\n", kernel.name.c_str(),
                   space.text(winner).c_str(), outcomeText(failure->outcome).c_str(),
                   failure->detail.c_str());
      result.replace(winner, *failure);
    }
    tuned.push_back(std::move(result));
  }
  return tuned;
}

Result resultAt(const TunableKernel& kernel, const Space& space, const Point& point,
                const CampaignOptions& options, const Search& about, ResultStore& results,
                const CandidateForms& forms, const std::filesystem::path& folder) {
  Search search = about;
  search.kernel = kernel.identity;
  if (const std::optional<Result> known = results.find(search, space.text(point))) return *known;
  ProgramBench bench(forms, {kernel.region, kernel.name, kernel.needs, options.device}, space, options.runs,
                     folder);
  std::optional<Result> result = bench.prepare(point);
  if (!result) result = bench.time(point, std::nullopt);
  bench.discard(point);
  results.record(search, space.text(point), *result);
  return *result;
}

void printTable(const std::vector<TunedKernel>& kernels, const Search& about, const std::string& place,
                double seconds) {
  std::printf("%-20s %10s %10s %6s %6s %7s %6s %7s  %s\n", "kernel", "usual ms", "best ms", "ratio", "tried",
              "pruned", "wrong", "failed", "sizes");
  auto milliseconds = [](const std::optional<Result>& result) {
    return result && result->outcome == Outcome::Timed ? fixed(result->milliseconds, 3) : "-";
  };
  for (const TunedKernel& one : kernels) {
    if (!one.skipped.empty()) {
      std::printf("%-20s %s\n", one.kernel->name.c_str(), one.skipped.c_str());
      continue;
    }
    const bool isUsual = one.winner() == one.space.usual();
    std::printf("%-20s %10s %10s %6.2f %6zu %7llu %6zu %7zu  %s\n", one.kernel->name.c_str(),
                milliseconds(one.tally.usual).c_str(), milliseconds(one.tally.bestResult).c_str(),
                one.ratio(), one.tally.candidates(), static_cast<unsigned long long>(one.tally.pruned),
                one.count(Outcome::Wrong), one.failed(),
                !one.hasWinner() ? "none works"
                : isUsual        ? "the usual ones"
                                 : one.space.text(one.winner()).c_str());
  }
  std::printf("on %s, with %s; results are in '%s'; the search took %.1f s\n", about.device.c_str(),
              about.toolkit.c_str(), place.c_str(), seconds);
}

} // namespace warploom
