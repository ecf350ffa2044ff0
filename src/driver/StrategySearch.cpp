// Strategies and sizes together: `warploom tune --strategies N`. The generator's recipes for a region, and
// what is compiled where there is none, as candidates.
#include "driver/OutputFiles.h"
#include "driver/Recipes.h"
#include "driver/TuneParts.h"
#include "strategy/generator/RecipeText.h"
#include "support/Failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <regex>

namespace warploom {

namespace fs = std::filesystem;

namespace {

using Strategy = TriedRegion::Strategy;

/// `recipe` with the sizes that it gives numbers left open, so that they are tunables of its kernels.
std::string withOpenSizes(const std::string& recipe) {
  static const std::regex line("^([A-Z][A-Z0-9_]*(, [A-Z][A-Z0-9_]*)*) = [0-9]+(, [0-9]+)*$"),
      name("[A-Z][A-Z0-9_]*");
  std::string text;
  std::istringstream lines(recipe);
  for (std::string one; std::getline(lines, one);) {
    std::smatch parts;
    if (std::regex_match(one, parts, line)) {
      const std::string names = parts[1];
      one = names + " = " + std::regex_replace(names, name, "\"$&\"");
    }
    text += one + "\n";
  }
  return text;
}

/// The generator's strategies for the regions of the files, the ones that it likes best first.
std::vector<TriedRegion> generated(const TuneOptions& options, const DeviceLimits& device) {
  FrontendOptions frontend = options.build.translate.frontend;
  frontend.cudaHeaders = cudaHeaders();
  frontend.nested = true;
  const std::vector<FileRegions> files = readFiles(frontend);
  std::vector<RecipeTarget> targets;
  for (const FileRegions& file : files)
    for (const Region& region : file.regions)
      targets.push_back({file.file, &region, {}});
  const std::set<std::string>& only = options.build.translate.onlyFunctions;
  std::vector<TriedRegion> result;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Region& region = *targets[k].region;
    const std::string name = region.name();
    if (region.loops.empty() || (!only.empty() && !only.count(name.substr(0, name.find(':'))))) continue;
    OpenedRegion opened;
    const auto made = strategiesOf(region, opened, {device, 1024});
    if (const std::string* refused = std::get_if<std::string>(&made)) {
      if (!options.build.translate.quiet)
        fmt::print(stderr, "{}: remark: no strategies for the region {}: {}\n", targets[k].file, name,
                   *refused);
      continue;
    }
    const auto& all = std::get<strategies::Strategies>(made);
    if (all.candidates.empty()) continue;
    result.push_back({name, {{"own", "", {}, "", 1, 0}}, 0});
    const strategies::RecipeFor where{sectionName(targets, k), fs::path(targets[k].file).filename().string(),
                                      device.architecture};
    for (std::size_t c = 0; c < std::min(options.strategies, all.candidates.size()); ++c) {
      const strategies::Candidate& candidate = all.candidates[c];
      result.back().strategies.push_back(
          {candidate.name,
           recipeText(all, candidate, all.partitions[candidate.partition], candidate.cost, where),
           {},
           "",
           1,
           0});
    }
  }
  return result;
}

/// A program made with a strategy for one region.
class StrategyProgram {
public:
  /// Takes `strategy`'s recipe with open sizes where that can be carried out, else as it is.
  StrategyProgram(TuneOptions& options, Strategy& strategy, const std::string& region)
      : options(options), region(region) {
    if (strategy.recipe.empty()) {
      translateWith(strategy.recipe);
    } else if (const std::string open = withOpenSizes(strategy.recipe); translateWith(open)) {
      strategy.recipe = open;
    } else {
      translateWith(strategy.recipe);
    }
    if (kernels.empty()) return;
    programs = std::make_unique<CandidatePrograms>(build, *files);
    about = searchFor(options, programs->isForCuda());
    for (const TunableKernel& kernel : kernels)
      if (kernel.isTunable())
        strategy.points = std::max<std::size_t>(strategy.points, Space(kernel.sizes, kernel.prefix).count());
  }

  bool isMapped() const { return !kernels.empty(); }

  /// What the region takes at the usual sizes.
  Result usual(Database& database) {
    const auto tunable = std::find_if(kernels.begin(), kernels.end(),
                                      [](const TunableKernel& kernel) { return kernel.isTunable(); });
    const TunableKernel& kernel = tunable == kernels.end() ? kernels.front() : *tunable;
    const Space space(kernel.isTunable() ? kernel.sizes : OpenSizes{}, kernel.prefix);
    return resultAt(kernel, space, space.usual(), options.campaign, about, database,
                    programs->forms(kernel.file), folder.path / "usual");
  }

  /// Searches the sizes of its kernels; `strategy` has what came of it.
  void searchSizes(Strategy& strategy, Database& database) {
    const auto formsOf = [&](std::size_t file) { return programs->forms(file); };
    strategy.sizes.clear();
    for (const TunedKernel& tuned :
         searchKernels(kernels, options.campaign, about, database, formsOf, folder.path / "sizes")) {
      if (!tuned.skipped.empty() || !tuned.hasWinner()) continue;
      strategy.tried += tuned.tally.candidates() - (tuned.tally.usual ? 1 : 0);
      strategy.sizes += (strategy.sizes.empty() ? "" : "; ") + tuned.space.text(tuned.winner());
      const std::optional<Result>& of =
          tuned.winner() == tuned.space.usual() ? tuned.tally.usual : tuned.tally.bestResult;
      // Kernels are searched one after the other, the others at their usual sizes: what is certain is the
      // best.
      if (of && of->outcome == Outcome::Timed &&
          (strategy.result.outcome != Outcome::Timed || of->milliseconds < strategy.result.milliseconds))
        strategy.result = *of;
    }
  }

private:
  bool translateWith(const std::string& recipe) {
    build = options.build;
    TranslateOptions& translation = build.translate;
    translation.quiet = true;
    translation.explain = false;
    if (!recipe.empty()) {
      translation.recipe = (folder.path / "recipe.lua").string();
      writeFiles({{translation.recipe, recipe}});
    }
    try {
      files = translate(translation);
    } catch (const Failure& failure) {
      // A bug of ours, which ends one strategy and not the search.
      fmt::print(stderr, "warploom: {}\n", failure.what());
      files.reset();
    }
    kernels.clear();
    if (files) kernels = kernelsIn(*files);
    std::erase_if(kernels, [&](const TunableKernel& kernel) { return kernel.region != region; });
    return !kernels.empty();
  }

  TuneOptions& options;
  const std::string region;
  TemporaryFolder folder;
  BuildOptions build;
  std::optional<std::vector<TranslatedFile>> files;
  std::vector<TunableKernel> kernels; ///< of the region
  std::unique_ptr<CandidatePrograms> programs;
  Search about;
};

} // namespace

std::size_t TriedRegion::candidates() const {
  std::size_t sum = 0;
  for (const Strategy& strategy : strategies)
    sum += 1 + strategy.tried;
  return sum;
}

std::size_t TriedRegion::product() const {
  std::size_t sum = 0;
  for (const Strategy& strategy : strategies)
    sum += strategy.points;
  return sum;
}

std::vector<TriedRegion> searchStrategies(TuneOptions& options, Database& database) {
  const bool cuda = isForCuda(options.build);
  searchFor(options, cuda);
  const DeviceLimits device = options.campaign.device.value_or(*deviceLimits("9.0"));
  std::vector<TriedRegion> regions =
      generated(options, device.rates.multiprocessors ? device : *deviceLimits("9.0"));
  for (TriedRegion& region : regions) {
    for (std::size_t k = 0; k < region.strategies.size(); ++k) {
      Strategy& strategy = region.strategies[k];
      StrategyProgram program(options, strategy, region.region);
      if (program.isMapped()) {
        strategy.result = program.usual(database);
        if (options.joint && strategy.result.outcome == Outcome::Timed)
          program.searchSizes(strategy, database);
      } else {
        strategy.result = {Outcome::FailedToCompile, 0, 0, "the region has no kernel then"};
      }
      const Result &result = strategy.result, &best = region.strategies[region.best].result;
      fmt::print(stderr, "tune: {} {} of {}, {}: {}\n", region.region, k + 1, region.strategies.size(),
                 strategy.name,
                 result.outcome == Outcome::Timed ? fmt::format("{:.3f} ms", result.milliseconds)
                                                  : outcomeText(result.outcome) + ": " + result.detail);
      // What is compiled anyway stays unless another is faster by more than they vary.
      if (result.outcome == Outcome::Timed &&
          (best.outcome != Outcome::Timed ||
           (region.best == 0 ? isFaster(result, best) : result.milliseconds < best.milliseconds)))
        region.best = k;
    }
    Strategy& best = region.strategies[region.best];
    if (options.joint || best.result.outcome != Outcome::Timed) continue;
    StrategyProgram(options, best, region.region).searchSizes(best, database);
  }
  return regions;
}

} // namespace warploom
