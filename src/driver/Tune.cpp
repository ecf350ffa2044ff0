// `warploom tune`: the sizes with which each kernel of a program is fastest, found by trying them.
#include "driver/Bundle.h"
#include "driver/Commands.h"
#include "driver/OutputFiles.h"
#include "driver/Sizes.h"
#include "driver/TuneParts.h"
#include "tune/Ablation.h"
#include "tune/Machine.h"
#include "tune/Report.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace warploom {

namespace fs = std::filesystem;

namespace {

/// Where results are kept. Throws ToolchainError.
fs::path databasePath(const TuneOptions& options) {
  const std::optional<fs::path> path =
      options.database.empty() ? usualDatabase() : std::optional<fs::path>(options.database);
  if (!path) throw ToolchainError("there is no place for the tuning database; --db can name one");
  if (path->has_parent_path()) fs::create_directories(path->parent_path());
  return *path;
}

/// What a kernel takes at its chosen sizes without something that its steps do: `without` says what, and is
/// empty where nothing is left out.
struct Ablation {
  std::string without;
  Result result;
};

/// By kernel, in the order of those that were tuned. `recipe` makes the kernels that were.
using Ablations = std::vector<std::vector<Ablation>>;

/// The time of `tuned`'s winner with kernels that `recipe` makes.
Result timeOf(const TuneOptions& options, const TunedKernel& tuned, const std::string& recipe) {
  TemporaryFolder folder;
  const fs::path path = folder.path / "recipe.lua";
  writeFiles({{path, recipe}});
  BuildOptions build = options.build;
  build.translate.recipe = path.string();
  build.translate.emitRecipe.clear();
  build.translate.quiet = true;
  build.translate.explain = false;
  const auto files = translate(build.translate);
  if (!files) return {Outcome::FailedToCompile, 0, 0, "the other steps need it"};
  CandidatePrograms programs(build, *files);
  ProgramBench bench(programs.forms(tuned.kernel->file), {tuned.kernel->region, tuned.kernel->name},
                     tuned.space, options.campaign.runs, folder.path / "candidates");
  const Point point = tuned.winner();
  if (const std::optional<Result> failed = bench.prepare(point)) return *failed;
  return bench.time(point, std::nullopt);
}

Ablations ablationsOf(const TuneOptions& options, const std::vector<TunedKernel>& tuned,
                      const std::string& recipe) {
  Ablations result(tuned.size());
  for (std::size_t k = 0; k < tuned.size(); ++k) {
    if (!tuned[k].hasWinner()) continue;
    result[k].push_back({"", timeOf(options, tuned[k], recipe)});
    for (const auto& [what, text] : ablations(recipe, tuned[k].kernel->region))
      result[k].push_back({what, timeOf(options, tuned[k], text)});
  }
  return result;
}

void printAblations(const std::vector<TunedKernel>& tuned, const Ablations& ablations) {
  for (std::size_t k = 0; k < ablations.size(); ++k)
    for (const Ablation& one : ablations[k]) {
      const Result& all = ablations[k].front().result;
      const bool isTimed = one.result.outcome == Outcome::Timed && all.outcome == Outcome::Timed;
      fmt::print("{:<20} {:<24} {}\n", tuned[k].kernel->name,
                 one.without.empty() ? "all of it" : "without " + one.without,
                 isTimed ? fmt::format("{:>10.3f} ms {:>6.2f}", one.result.milliseconds,
                                       one.result.milliseconds / std::max(all.milliseconds, 1e-6))
                         : outcomeText(one.result.outcome) + ": " + one.result.detail);
    }
}

/// Writes the page that `--html` asks for.
void writeReport(const TuneOptions& options, const Search& about,
                 const std::vector<ReportedKernel>& kernels) {
  if (!options.html.empty())
    writeFiles({{options.html, tuneReport(about, kernels, cardCalled(about.device))}});
}

/// The sizes that were chosen as definitions, for who compiles the text of `compile --tunables kernel` alone.
std::string headerText(const std::vector<TunedKernel>& kernels, const Search& about) {
  std::string text = fmt::format("/* Sizes of kernels for {}{}{}; found by warploom tune. */\n", about.device,
                                 about.sizes.empty() ? "" : ", ", about.sizes);
  for (const TunedKernel& one : kernels) {
    if (!one.hasWinner()) continue;
    const Point winner = one.winner();
    for (std::size_t k = 0; k < winner.size(); ++k)
      text += fmt::format("#define WARPLOOM_{} {}\n", one.space.sizes()[k].name, winner[k]);
  }
  return text;
}

std::vector<ReportedKernel> reported(const std::vector<TunedKernel>& kernels) {
  std::vector<ReportedKernel> result;
  for (const TunedKernel& one : kernels) {
    if (!one.skipped.empty()) continue;
    ReportedKernel kernel{one.kernel->name,
                          one.space.text(one.space.usual()),
                          one.hasWinner() ? one.space.text(one.winner()) : "",
                          {}};
    for (const auto& [point, of] : one.tried)
      kernel.candidates.push_back({one.space.text(point), of});
    result.push_back(std::move(kernel));
  }
  return result;
}

nlohmann::ordered_json jsonOf(const std::vector<TunedKernel>& kernels, const Ablations& ablations) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const TunedKernel& one : kernels) {
    nlohmann::ordered_json entry = {{"kernel", one.kernel->name},
                                    {"region", one.kernel->region},
                                    {"fingerprint", one.kernel->identity.kernel},
                                    {"points", one.tally.points},
                                    {"pruned", one.tally.pruned},
                                    {"tried", one.tally.candidates()},
                                    {"known", one.tally.remembered}};
    for (const auto& [outcome, count] : one.tally.outcomes)
      entry["outcomes"][outcomeText(outcome)] = count;
    if (!one.skipped.empty()) entry["skipped"] = one.skipped;
    auto add = [&](const char* name, const Result& result) {
      entry[name] = {{"milliseconds", result.milliseconds}, {"spread", result.spread}};
      const Resources& use = result.resources;
      if (use.registers > 0) entry[name]["registers"] = use.registers;
      if (use.sharedBytes > 0) entry[name]["sharedBytes"] = use.sharedBytes;
      if (use.spilledBytes > 0) entry[name]["spilledBytes"] = use.spilledBytes;
      if (use.occupancy > 0) entry[name]["occupancy"] = use.occupancy;
    };
    if (one.tally.usual && one.tally.usual->outcome == Outcome::Timed) add("usual", *one.tally.usual);
    if (one.tally.bestResult) add("best", *one.tally.bestResult);
    entry["ratio"] = one.ratio();
    if (one.hasWinner()) {
      const Point winner = one.winner();
      for (std::size_t k = 0; k < winner.size(); ++k)
        entry["sizes"]["WARPLOOM_" + one.space.sizes()[k].name] = winner[k];
    }
    if (!ablations.empty())
      for (const Ablation& ablation : ablations[all.size()])
        entry["ablation"].push_back({{"without", ablation.without},
                                     {"outcome", outcomeText(ablation.result.outcome)},
                                     {"milliseconds", ablation.result.milliseconds}});
    all.push_back(entry);
  }
  return all;
}

void printJson(const std::vector<TunedKernel>& kernels, const Search& search, double seconds,
               const Ablations& ablations) {
  fmt::print("{}\n", nlohmann::ordered_json{{"device", search.device},
                                            {"toolkit", search.toolkit},
                                            {"sizes", search.sizes},
                                            {"seconds", seconds},
                                            {"kernels", jsonOf(kernels, ablations)}}
                         .dump(2));
}

void printJson(const std::vector<TunedProblem>& problems, const std::vector<ServedKernel>& served,
               double seconds) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array(), sets = nlohmann::ordered_json::array();
  for (const TunedProblem& problem : problems)
    all.push_back({{"sizes", problem.about.sizes}, {"kernels", jsonOf(problem.kernels, {})}});
  for (const ServedKernel& one : served)
    for (const ServingPoint& point : one.points) {
      nlohmann::ordered_json at = nlohmann::ordered_json::array();
      for (const std::size_t p : point.problems)
        at.push_back({{"problem", problemText(one.problems.names, one.problems.all[p].sizes)},
                      {"loss", lossAt(one.problems.all[p], point.point)}});
      sets.push_back({{"kernel", one.kernel->name}, {"sizes", point.point}, {"at", at}});
    }
  const Search& about = problems.front().about;
  fmt::print("{}\n", nlohmann::ordered_json{{"device", about.device},
                                            {"toolkit", about.toolkit},
                                            {"seconds", seconds},
                                            {"problems", all},
                                            {"sets", sets}}
                         .dump(2));
}

/// The same of results that came from elsewhere: a kernel for each search.
std::vector<ReportedKernel> reported(const std::vector<Entry>& entries) {
  std::vector<ReportedKernel> result;
  std::map<std::string, std::vector<Entry>> groups;
  for (const Entry& entry : entries) {
    const Search& of = entry.search;
    groups[fmt::format("kernel {} on {}{}{}, with {}", of.kernel.kernel.substr(0, 8), of.device,
                       of.sizes.empty() ? "" : " for ", of.sizes, of.toolkit)]
        .push_back(entry);
  }
  for (const auto& [name, group] : groups) {
    const std::optional<Entry> best = chosen(group, group.front().search, "");
    ReportedKernel kernel{name, "", best ? best->point : "", {}};
    for (const Entry& entry : group)
      kernel.candidates.push_back({entry.point, entry.result});
    result.push_back(std::move(kernel));
  }
  return result;
}

/// Takes the results of a bundle.
ExitStatus collectResults(const TuneOptions& options) {
  const Collected collected = resultsIn(options.collected);
  const fs::path path = databasePath(options);
  Database database(path, Database::Access::Write);
  std::set<std::string> kernels, devices;
  for (const Entry& entry : collected.entries) {
    database.record(entry.search, entry.point, entry.result);
    kernels.insert(entry.search.kernel.kernel);
    devices.insert(entry.search.device);
  }
  if (!collected.entries.empty())
    writeReport(options, collected.entries.front().search, reported(collected.entries));
  fmt::print("tune: {} results of {} kernels on {} are in '{}' now\n", collected.entries.size(),
             kernels.size(), fmt::join(devices, ", "), path.string());
  if (collected.others > 0)
    fmt::print(stderr, "tune: warning: {} lines of '{}' are no results\n", collected.others,
               options.collected);
  return ExitStatus::Done;
}

/// Searches here.
ExitStatus tuneHere(TuneOptions& options, const std::vector<TranslatedFile>& files,
                    const std::vector<TunableKernel>& kernels, const std::string& recipe) {
  const fs::path path = databasePath(options);
  Database database(path, Database::Access::Write);
  CandidatePrograms programs(options.build, files);
  const Search about = searchFor(options, programs.isForCuda());
  const auto formsOf = [&](std::size_t file) { return programs.forms(file); };
  const auto begin = std::chrono::steady_clock::now();
  TemporaryFolder folder;
  const std::vector<TunedKernel> tuned =
      searchKernels(kernels, options.campaign, about, database, formsOf, folder.path);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  writeReport(options, about, reported(tuned));
  if (!options.header.empty()) writeFiles({{options.header, headerText(tuned, about)}});
  const Ablations ablations = options.ablate ? ablationsOf(options, tuned, recipe) : Ablations{};
  if (options.json) {
    printJson(tuned, about, seconds, ablations);
  } else {
    printTable(tuned, about, path.string(), seconds);
    std::fflush(stdout);
    printAblations(tuned, ablations);
  }
  return ExitStatus::Done;
}

/// Searches here, at several problems.
ExitStatus tuneProblems(TuneOptions& options, const std::vector<TranslatedFile>& files,
                        const std::vector<TunableKernel>& kernels) {
  const fs::path path = databasePath(options);
  Database database(path, Database::Access::Write);
  CandidatePrograms programs(options.build, files);
  const auto begin = std::chrono::steady_clock::now();
  TemporaryFolder folder;
  const std::vector<TunedProblem> tuned = searchProblems(options, kernels, programs, database, folder.path);
  const std::vector<ServedKernel> served = servedKernels(tuned, database);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (options.json) {
    printJson(tuned, served, seconds);
    return ExitStatus::Done;
  }
  for (const TunedProblem& problem : tuned) {
    fmt::print("at {}\n", problem.about.sizes);
    std::fflush(stdout);
    printTable(problem.kernels, problem.about, path.string(), problem.seconds);
  }
  std::fflush(stdout);
  printServed(served);
  return ExitStatus::Done;
}

void printStrategies(const std::vector<TriedRegion>& regions, const TuneOptions& options, double seconds) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const TriedRegion& region : regions) {
    const double pruned =
        100 - 100 * static_cast<double>(region.candidates()) / static_cast<double>(region.product());
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < region.strategies.size(); ++k) {
      const TriedRegion::Strategy& one = region.strategies[k];
      const bool isTimed = one.result.outcome == Outcome::Timed;
      rows.push_back({{"name", one.name},
                      {"outcome", outcomeText(one.result.outcome)},
                      {"milliseconds", one.result.milliseconds},
                      {"points", one.points},
                      {"tried", 1 + one.tried},
                      {"sizes", one.sizes}});
      if (!options.json)
        fmt::print("{:<20} {} {:<60} {}\n", region.region, k == region.best ? '*' : ' ', one.name,
                   !isTimed ? outcomeText(one.result.outcome)
                   : one.sizes.empty()
                       ? fmt::format("{:.3f} ms", one.result.milliseconds)
                       : fmt::format("{:.3f} ms with {}", one.result.milliseconds, one.sizes));
    }
    const TriedRegion::Strategy& best = region.strategies[region.best];
    if (!options.json)
      fmt::print("{:<20}   {} strategies and {} other sizes: {} candidates of {}, {:.1f} % fewer\n",
                 region.region, region.strategies.size(), region.candidates() - region.strategies.size(),
                 region.candidates(), region.product(), pruned);
    all.push_back({{"region", region.region},
                   {"best", best.name},
                   {"candidates", region.candidates()},
                   {"product", region.product()},
                   {"pruned", pruned},
                   {"strategies", rows}});
  }
  if (options.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"seconds", seconds}, {"regions", all}}.dump(2));
  else
    fmt::print("the search took {:.1f} s\n", seconds);
}

/// Searches strategies and sizes; the recipe of the best goes where `--emit-recipe` says.
ExitStatus tuneStrategies(TuneOptions& options) {
  const std::string wanted = std::exchange(options.build.translate.emitRecipe, "");
  const auto begin = std::chrono::steady_clock::now();
  Database database(databasePath(options), Database::Access::Write);
  const std::vector<TriedRegion> regions = searchStrategies(options, database);
  printStrategies(regions, options,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (regions.empty()) {
    fmt::print("tune: there are no strategies for the loops of this file\n");
    return ExitStatus::Done;
  }
  std::string recipe;
  for (const TriedRegion& region : regions)
    // What is compiled anyway needs no recipe.
    if (region.best > 0) recipe += region.strategies[region.best].recipe;
  if (!wanted.empty()) writeFiles({{wanted, recipe}});
  return ExitStatus::Done;
}

ExitStatus tuneProgram(TuneOptions& options) {
  if (!options.collected.empty()) return collectResults(options);
  setFlags(options.build, withSizes(options.flags, options.sizes));
  BuildOptions& build = options.build;
  if (build.translate.frontend.files.empty()) throw ToolchainError("there is no file to tune");
  if (build.sanitize) throw ToolchainError("--sanitize is for `verify`; a tuned kernel is one that is fast");
  for (const std::string& flag : build.translate.frontend.compilerFlags)
    if (isTunable(flag)) throw ToolchainError(fmt::format("{} sets a size that tuning is to find", flag));
  build.translate.mode = HostMode::Verify;
  build.translate.forTuning = true;
  build.translate.tunablesPerKernel = true;
  if (!options.html.empty()) checkOutput(options.html, build.translate.frontend.files);
  if (!options.header.empty()) checkOutput(options.header, build.translate.frontend.files);
  if (options.strategies > 0) return tuneStrategies(options);
  TemporaryFolder folder;
  const std::string wanted = build.translate.emitRecipe;
  if (options.ablate && wanted.empty()) build.translate.emitRecipe = (folder.path / "recipe.lua").string();
  auto files = translate(build.translate);
  if (!files) return ExitStatus::InputAtFault;
  const std::vector<TunableKernel> kernels = kernelsIn(*files);
  if (std::none_of(kernels.begin(), kernels.end(), [](const auto& kernel) { return kernel.isTunable(); })) {
    fmt::print("tune: there is nothing to tune, since {}\n",
               kernels.empty() ? "no region was mapped" : "no kernel has sizes of its own");
    return ExitStatus::Done;
  }
  if (!options.problems.empty()) return tuneProblems(options, *files, kernels);
  if (options.bundle.empty()) {
    std::string recipe;
    for (const TranslatedFile& file : *files)
      recipe += file.recipe;
    return tuneHere(options, *files, kernels, recipe);
  }
  writeBundle(options.bundle, build, *files,
              {options.budget, problemOf(options), toolkitSuffix(options),
               build.translate.strictFloatingPoint, build.target != Target::Cpu,
               options.campaign.runs.arguments, options.campaign.runs.checkArguments, kernels});
  fmt::print(
      "tune: '{}' is written: {}/tune searches where the GPU is, and `warploom tune --collect {}` takes "
      "the results\n",
      options.bundle, options.bundle, options.bundle);
  return ExitStatus::Done;
}

} // namespace

void addTune(CLI::App& app, const std::vector<std::string>& compilerFlags,
             std::optional<ExitStatus>& status) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command =
      app.add_subcommand("tune", "Find the sizes of blocks and tiles with which kernels are fastest");
  addFiles(*command, options->build.translate);
  addBuildOptions(*command, options->build);
  addSizes(*command, options->sizes);
  std::vector<std::string> names, words;
  for (const auto& [name, meaning] : searchers()) {
    names.push_back(name);
    words.push_back(fmt::format("{} ({})", name, meaning));
  }
  command->add_option("--function", options->build.translate.onlyFunctions, "Only the loops of this function")
      ->type_name("F");
  command
      ->add_option("--budget", options->budget,
                   "Candidates for each kernel, or a time for all: 200, 90s, 10m, 2h")
      ->check([](const std::string& text) -> std::string {
        return budgetOf(text) ? "" : "'" + text + "' is neither a number nor a time such as 10m";
      })
      ->type_name("N|TIME")
      ->capture_default_str();
  command
      ->add_option("--searcher", options->campaign.searcher, fmt::format("How: {}", fmt::join(words, ", ")))
      ->check(CLI::IsMember(names))
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--seed", options->campaign.seed, "For what is chosen at random")->type_name("N");
  command->add_option("--jobs", options->campaign.jobs, "Candidates that are compiled at once")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--limit", options->campaign.runs.seconds,
                   "Seconds that compiling a candidate or running it may take")
      ->check(CLI::PositiveNumber)
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--db", options->database, "The database with the results")->type_name("FILE");
  command->add_option("--arg", options->campaign.runs.arguments, "An argument for the program")
      ->type_name("ARG")
      ->expected(1)
      ->take_all();
  auto* problems =
      command
          ->add_option("--problem", options->problems,
                       "The program's arguments at one of several problems, in quotes; `compile` then lets "
                       "launchers choose between few sets of sizes")
          ->type_name("\"ARG...\"")
          ->expected(1)
          ->take_all()
          ->excludes("--arg");
  command->get_option("file")->required(false);
  command
      ->add_option(
          "--check-arg", options->checkArguments,
          "An argument for the program where candidates are compared: a smaller problem; the winner is "
          "compared at that of --arg too")
      ->type_name("ARG")
      ->expected(1)
      ->take_all();
  auto* written = command
                      ->add_option("--bundle", options->bundle,
                                   "Write a folder that searches elsewhere, with compilers and a shell alone")
                      ->type_name("DIR");
  auto* collect =
      command->add_option("--collect", options->collected, "Take the results that such a folder has")
          ->type_name("DIR")
          ->excludes(written);
  command->add_option("--html", options->html, "A page with all that was tried")
      ->type_name("FILE.html")
      ->excludes(written);
  command
      ->add_flag("--ablate", options->ablate,
                 "Time the winners again without shared memory, registers and so on, each in turn")
      ->excludes(written)
      ->excludes(collect);
  command
      ->add_option("--params", options->header,
                   "A header with the sizes that were found, for the text of `compile --tunables kernel`")
      ->type_name("FILE.h")
      ->excludes(written)
      ->excludes(collect);
  auto* strategies =
      command
          ->add_option(
              "--strategies", options->strategies,
              "Try so many of the generator's strategies for each region (docs/strategies.md), then sizes of "
              "the fastest; --emit-recipe writes it")
          ->check(CLI::PositiveNumber)
          ->type_name("N")
          ->excludes(written)
          ->excludes(collect);
  for (const char* other : {"--bundle", "--collect", "--html", "--ablate", "--params", "--strategies"})
    problems->excludes(other);
  command->add_flag("--joint", options->joint, "Search the sizes of each strategy, not of the fastest alone")
      ->needs(strategies);
  command->add_flag("--json", options->json, "Print the results as JSON");
  command->footer(
      "What stands after `--` goes to the C compiler and the linker: warploom tune f.c --size N=1024 -- -lm");
  command->callback([options, &compilerFlags, &status] {
    options->flags = compilerFlags;
    options->campaign.budget = *budgetOf(options->budget);
    if (!options->checkArguments.empty()) options->campaign.runs.checkArguments = options->checkArguments;
    status = tuneProgram(*options);
  });
}

} // namespace warploom
