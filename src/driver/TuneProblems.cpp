// Several sizes of a problem: `warploom tune --problem`. The search at each, and which few sets of sizes
// serve at all of them.
#include "driver/TuneParts.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace warploom {

namespace {

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

} // namespace

std::vector<TunedProblem> searchProblems(TuneOptions& options, const std::vector<TunableKernel>& kernels,
                                         CandidatePrograms& programs, Database& database,
                                         const std::filesystem::path& folder) {
  const auto formsOf = [&](std::size_t file) { return programs.forms(file); };
  std::vector<TunedProblem> result;
  std::vector<CampaignOptions> campaigns;
  for (const std::string& problem : options.problems) {
    options.campaign.runs.arguments = wordsOf(problem);
    const auto begin = std::chrono::steady_clock::now();
    result.push_back({searchFor(options, programs.isForCuda()), {}, 0});
    campaigns.push_back(options.campaign);
    campaigns.back().budget.seconds /= static_cast<double>(options.problems.size());
    fmt::print(stderr, "tune: at {}\n", result.back().about.sizes);
    result.back().kernels =
        searchKernels(kernels, campaigns.back(), result.back().about, database, formsOf, folder);
    result.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  for (std::size_t k = 0; k < result.front().kernels.size(); ++k) {
    std::set<Point> winners;
    for (const TunedProblem& problem : result)
      if (problem.kernels[k].hasWinner()) winners.insert(problem.kernels[k].winner());
    for (std::size_t p = 0; p < result.size(); ++p) {
      TunedKernel& tuned = result[p].kernels[k];
      if (!tuned.skipped.empty()) continue;
      // What wins elsewhere is compared at this problem, as its own winner was.
      campaigns[p].runs.checkArguments.reset();
      for (const Point& point : winners) {
        if (std::any_of(tuned.tried.begin(), tuned.tried.end(),
                        [&](const auto& one) { return one.first == point; }))
          continue;
        const Result of = resultAt(*tuned.kernel, tuned.space, point, campaigns[p], result[p].about, database,
                                   formsOf(tuned.kernel->file), folder / (tuned.kernel->name + "-elsewhere"));
        fmt::print(stderr, "tune: {} {} at {}: {}\n", tuned.kernel->name, tuned.space.text(point),
                   result[p].about.sizes,
                   of.outcome == Outcome::Timed ? fmt::format("{:.3f} ms", of.milliseconds)
                                                : outcomeText(of.outcome) + ": " + of.detail);
        tuned.tried.emplace_back(point, of);
      }
    }
  }
  return result;
}

std::vector<ServedKernel> servedKernels(const std::vector<TunedProblem>& tuned, Database& database) {
  std::vector<ServedKernel> result;
  for (std::size_t k = 0; k < tuned.front().kernels.size(); ++k) {
    const TunedKernel& of = tuned.front().kernels[k];
    Search wanted = tuned.front().about;
    wanted.kernel = of.kernel->identity;
    std::vector<Entry> entries = database.entries(wanted.kernel.shape, wanted.device);
    std::erase_if(entries, [&](const Entry& entry) { return !of.space.parse(entry.point); });
    MeasuredProblems problems = measuredProblems(entries, wanted, of.kernel->problem);
    if (problems.all.size() < 2) continue;
    std::vector<ServingPoint> points = fewestPoints(problems.all, of.space.text(of.space.usual()));
    result.push_back({of.kernel, std::move(problems), std::move(points)});
  }
  return result;
}

void printServed(const std::vector<ServedKernel>& kernels) {
  for (const ServedKernel& one : kernels) {
    fmt::print("{}: {} of sizes for {} problems\n", one.kernel->name,
               one.points.size() == 1 ? "one set" : fmt::format("{} sets", one.points.size()),
               one.problems.all.size());
    for (const ServingPoint& point : one.points)
      for (const std::size_t p : point.problems)
        fmt::print("  {:<40} {:<30} {:.2f} times the best\n", point.point,
                   problemText(one.problems.names, one.problems.all[p].sizes),
                   lossAt(one.problems.all[p], point.point));
  }
}

} // namespace warploom
