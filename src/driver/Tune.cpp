// `warploom tune`: the sizes with which each kernel of a program is fastest, found by trying them.
#include "driver/Build.h"
#include "driver/CandidateBench.h"
#include "driver/Commands.h"
#include "driver/Sizes.h"
#include "tune/Tuner.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace warploom {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

double secondsOf(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

struct TuneOptions {
  BuildOptions build;
  CandidateRuns runs;
  std::vector<std::string> sizes, flags;
  std::string budget = "50", searcher = "guided", database;
  unsigned seed = 1;
  std::size_t jobs = 2;
  bool json = false;
};

/// `200`, candidates, or `90s`, `10m`, `2h`, a time; nothing for other texts.
struct GivenBudget {
  std::size_t candidates = 0;
  double seconds = 0;
};
std::optional<GivenBudget> budgetOf(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  if (error != std::errc() || number == 0) return std::nullopt;
  if (unit.empty()) return GivenBudget{number, 0};
  const double factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (factor == 0) return std::nullopt;
  return GivenBudget{0, static_cast<double>(number) * factor};
}

/// A kernel and how its search ended.
struct TunedKernel {
  const TranslatedKernel* kernel;
  Space space;
  Tally tally;
  std::string skipped; ///< why it was not searched; else empty

  /// The point to use: the best, unless the usual one is as good.
  Point winner() const {
    if (!tally.best ||
        (tally.usual && tally.usual->outcome == Outcome::Timed && !isFaster(*tally.bestResult, *tally.usual)))
      return space.usual();
    return *tally.best;
  }
  bool hasWinner() const { return tally.best.has_value(); }
  double ratio() const {
    if (!tally.usual || tally.usual->outcome != Outcome::Timed || winner() == space.usual()) return 1;
    return tally.usual->milliseconds / std::max(tally.bestResult->milliseconds, 1e-6);
  }
  std::size_t count(Outcome outcome) const {
    const auto found = tally.outcomes.find(outcome);
    return found == tally.outcomes.end() ? 0 : found->second;
  }
  std::size_t failed() const { return tally.candidates() - count(Outcome::Timed) - count(Outcome::Wrong); }
};

/// Says how a search goes: a line per candidate, or one line that changes where that can be seen.
class Progress {
public:
  Progress(std::string kernel, const SearchBudget& budget, std::uint64_t points)
      : kernel(std::move(kernel)),
        total(budget.candidates ? std::min<std::uint64_t>(budget.candidates, points) : points),
        until(budget.until), isTerminal(isatty(STDERR_FILENO) != 0), begin(Clock::now()) {}
  ~Progress() {
    if (isTerminal && shown) fmt::print(stderr, "\n");
  }

  void show(const std::string& point, const Result& result, bool remembered, const Tally& tally) {
    const std::string best =
        tally.bestResult ? fmt::format("best {:.3f} ms", tally.bestResult->milliseconds) : "none yet";
    if (isTerminal) {
      const std::size_t done = tally.candidates(), width = 30;
      // What the database knew took no time, and says nothing about what is left.
      const double seconds = secondsOf(Clock::now() - begin),
                   each = seconds / static_cast<double>(std::max<std::size_t>(done - tally.remembered, 1));
      double left = each * static_cast<double>(total - std::min<std::uint64_t>(done, total));
      if (until) left = std::min(left, std::max(secondsOf(*until - Clock::now()), 0.0));
      const double part =
          until ? seconds / std::max(seconds + left, 1e-9)
                : static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
      const auto filled = std::min(width, static_cast<std::size_t>(part * static_cast<double>(width)));
      fmt::print(stderr, "\r\033[K{} [{}{}] {} of at most {}, {}, {:.1f} s each, {:.0f} s left", kernel,
                 std::string(filled, '#'), std::string(width - filled, '.'), done, total, best, each, left);
      std::fflush(stderr);
      shown = true;
      return;
    }
    const std::string what =
        result.outcome == Outcome::Timed
            ? fmt::format("{:.3f} ms, spread {:.0f} %", result.milliseconds, 100 * result.spread)
        : result.detail.empty() ? outcomeText(result.outcome)
                                : fmt::format("{}: {}", outcomeText(result.outcome), result.detail);
    fmt::print(stderr, "tune: {} {}: {} ({}{})\n", kernel, point, what, remembered ? "known; " : "", best);
  }

private:
  const std::string kernel;
  const std::uint64_t total;
  const std::optional<Clock::time_point> until;
  const bool isTerminal;
  bool shown = false;
  const Clock::time_point begin;
};

class Command {
public:
  Command(const TuneOptions& options, std::vector<TranslatedFile> files, const fs::path& path)
      : options(options), budget(*budgetOf(options.budget)), files(std::move(files)),
        parts(options.build, this->files), database(path, Database::Access::Write) {
    const bool cuda = parts.timed.isForCuda();
    search.device = deviceName(cuda);
    if (search.device.empty()) throw ToolchainError("there is no GPU to tune for; --target cpu needs none");
    search.toolkit = toolkitName(cuda) + (options.build.translate.strictFloatingPoint ? ", --strict-fp" : "");
    search.sizes = problemSizes(withSizes(options.flags, options.sizes));
    for (std::size_t k = 0; k < options.runs.arguments.size(); ++k)
      search.sizes +=
          fmt::format("{}argument{}={}", search.sizes.empty() ? "" : " ", k + 1, options.runs.arguments[k]);
  }

  std::vector<TunedKernel> run() {
    std::vector<std::pair<std::size_t, const TranslatedKernel*>> kernels;
    for (std::size_t k = 0; k < files.size(); ++k)
      for (const TranslatedKernel& kernel : files[k].kernels)
        if (!kernel.prefix.empty() && !kernel.sizes.tunables.empty()) kernels.emplace_back(k, &kernel);
    std::vector<TunedKernel> results;
    const Clock::time_point begin = Clock::now();
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      SearchBudget own{budget.candidates, std::nullopt};
      if (budget.seconds > 0) {
        const std::chrono::duration<double> share(budget.seconds * static_cast<double>(k + 1) /
                                                  static_cast<double>(kernels.size()));
        own.until = begin + std::chrono::duration_cast<Clock::duration>(share);
      }
      results.push_back(searched(kernels[k].first, *kernels[k].second, own));
    }
    return results;
  }

  const Search& about() const { return search; }

private:
  TunedKernel searched(std::size_t file, const TranslatedKernel& kernel, const SearchBudget& own) {
    TunedKernel result{&kernel, Space(kernel.sizes, kernel.prefix), {}, ""};
    const Space& space = result.space;
    CandidateBench bench(parts, file, kernel, space, options.runs);
    search.kernel = kernel.identity;
    auto searcher = makeSearcher(options.searcher, space, options.seed);
    Progress progress(kernel.name, own, space.count());
    Tuning tuning{space, *searcher, bench, database, search, own, options.jobs, nullptr};
    tuning.progress = [&](const Point& point, const Result& one, bool remembered, const Tally& tally) {
      // Where it is so at the usual sizes, it is so at all.
      if (tally.candidates() == 1 && one.detail == CandidateBench::notEntered) result.skipped = one.detail;
      if (result.skipped.empty()) progress.show(space.text(point), one, remembered, tally);
      return result.skipped.empty();
    };
    result.tally = tune(tuning);
    return result;
  }

  const TuneOptions& options;
  const GivenBudget budget;
  const std::vector<TranslatedFile> files;
  CandidateParts parts;
  Database database;
  Search search;
};

void printTable(const std::vector<TunedKernel>& kernels, const Search& search, const fs::path& database,
                double seconds) {
  fmt::print("{:<20} {:>10} {:>10} {:>6} {:>6} {:>7} {:>6} {:>7}  {}\n", "kernel", "usual ms", "best ms",
             "ratio", "tried", "pruned", "wrong", "failed", "sizes");
  auto milliseconds = [](const std::optional<Result>& result) {
    return result && result->outcome == Outcome::Timed ? fmt::format("{:.3f}", result->milliseconds) : "-";
  };
  for (const TunedKernel& one : kernels) {
    if (!one.skipped.empty()) {
      fmt::print("{:<20} {}\n", one.kernel->name, one.skipped);
      continue;
    }
    const bool isUsual = one.winner() == one.space.usual();
    fmt::print("{:<20} {:>10} {:>10} {:>6.2f} {:>6} {:>7} {:>6} {:>7}  {}\n", one.kernel->name,
               milliseconds(one.tally.usual), milliseconds(one.tally.bestResult), one.ratio(),
               one.tally.candidates(), one.tally.pruned, one.count(Outcome::Wrong), one.failed(),
               !one.hasWinner() ? "none works"
               : isUsual        ? "the usual ones"
                                : one.space.text(one.winner()));
  }
  fmt::print("on {}, with {}; results are in '{}'; the search took {:.1f} s\n", search.device, search.toolkit,
             database.string(), seconds);
}

void printJson(const std::vector<TunedKernel>& kernels, const Search& search, double seconds) {
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
    };
    if (one.tally.usual && one.tally.usual->outcome == Outcome::Timed) add("usual", *one.tally.usual);
    if (one.tally.bestResult) add("best", *one.tally.bestResult);
    entry["ratio"] = one.ratio();
    if (one.hasWinner()) {
      const Point winner = one.winner();
      for (std::size_t k = 0; k < winner.size(); ++k)
        entry["sizes"]["WARPLOOM_" + one.space.sizes()[k].name] = winner[k];
    }
    all.push_back(entry);
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"device", search.device},
                                            {"toolkit", search.toolkit},
                                            {"sizes", search.sizes},
                                            {"seconds", seconds},
                                            {"kernels", all}}
                         .dump(2));
}

ExitStatus tuneProgram(TuneOptions& options) {
  setFlags(options.build, withSizes(options.flags, options.sizes));
  BuildOptions& build = options.build;
  if (build.sanitize) throw ToolchainError("--sanitize is for `verify`; a tuned kernel is one that is fast");
  for (const std::string& flag : build.translate.frontend.compilerFlags)
    if (isTunable(flag)) throw ToolchainError(fmt::format("{} sets a size that tuning is to find", flag));
  build.translate.mode = HostMode::Verify;
  build.translate.forTuning = true;
  build.translate.tunablesPerKernel = true;
  const std::optional<fs::path> path =
      options.database.empty() ? usualDatabase() : std::optional<fs::path>(options.database);
  if (!path) throw ToolchainError("there is no place for the tuning database; --db can name one");
  if (path->has_parent_path()) fs::create_directories(path->parent_path());
  auto files = translate(build.translate);
  if (!files) return ExitStatus::InputAtFault;
  if (std::all_of(files->begin(), files->end(),
                  [](const TranslatedFile& file) { return file.cuda.empty(); })) {
    fmt::print("tune: there is nothing to tune, since no region was mapped\n");
    return ExitStatus::Done;
  }
  const Clock::time_point begin = Clock::now();
  Command command(options, std::move(*files), *path);
  const std::vector<TunedKernel> kernels = command.run();
  const double seconds = secondsOf(Clock::now() - begin);
  if (options.json)
    printJson(kernels, command.about(), seconds);
  else
    printTable(kernels, command.about(), *path, seconds);
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
  command->add_option("--searcher", options->searcher, fmt::format("How: {}", fmt::join(words, ", ")))
      ->check(CLI::IsMember(names))
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "For what is chosen at random")->type_name("N");
  command->add_option("--jobs", options->jobs, "Candidates that are compiled at once")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--limit", options->runs.seconds,
                   "Seconds that compiling a candidate or running it may take")
      ->check(CLI::PositiveNumber)
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--db", options->database, "The database with the results")->type_name("FILE");
  command->add_option("--arg", options->runs.arguments, "An argument for the program")
      ->type_name("ARG")
      ->expected(1)
      ->take_all();
  command->add_flag("--json", options->json, "Print the results as JSON");
  command->footer(
      "What stands after `--` goes to the C compiler and the linker: warploom tune f.c --size N=1024 -- -lm");
  command->callback([options, &compilerFlags, &status] {
    options->flags = compilerFlags;
    status = tuneProgram(*options);
  });
}

} // namespace warploom
