#include "driver/ForkJoin.h"

#include "driver/Commands.h"
#include "driver/Diagnostics.h"
#include "driver/OutputFiles.h"
#include "driver/Toolchain.h"
#include "driver/Translate.h"
#include "metafork/Translate.h"
#include "support/Identifiers.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <set>

namespace warploom {

namespace fs = std::filesystem;

namespace {

/// The file's text; nothing, and a message, when it cannot be read.
std::optional<std::string> textOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!fs::is_regular_file(file) || !in) {
    fmt::print(stderr, "warploom: error: cannot read '{}'\n", file);
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The translation of `file`; nothing, with its problems on standard error, when there is none.
std::optional<std::string> translated(const std::string& file, std::optional<ForkJoinLanguage> from,
                                      metafork::Target to, const std::vector<std::string>& flags) {
  auto source = textOf(file);
  if (!source) return std::nullopt;
  if (from == ForkJoinLanguage::Cilk && to == metafork::Target::Tasks)
    source = metafork::withoutHeaders(readForkJoin(file, *source, from, flags));
  metafork::Translation result = metafork::translate(file, *source, from, to, flags);
  const std::string shown = result.intermediate ? file + " (as MetaFork)" : file;
  for (const ForkJoinProblem& problem : result.problems) {
    const std::string& name = problem.file.empty() ? shown : problem.file;
    const std::string none;
    DiagnosticWriter writer(name, problem.file.empty() ? result.problemText : none);
    writer.diagnostic(problem.at, problem.error ? "error" : "warning", problem.message);
    fmt::print(stderr, "{}", writer.text);
  }
  if (!result.done) return std::nullopt;
  return result.text;
}

struct TranslateCommand {
  std::string file, to, from, output;
};

ExitStatus translateCommand(const TranslateCommand& options, const std::vector<std::string>& flags) {
  static const std::map<std::string, metafork::Target> targets = {{"metafork", metafork::Target::MetaFork},
                                                                  {"openmp", metafork::Target::OpenMP},
                                                                  {"cilk", metafork::Target::Cilk},
                                                                  {"c", metafork::Target::C}};
  static const std::map<std::string, ForkJoinLanguage> languages = {{"metafork", ForkJoinLanguage::MetaFork},
                                                                    {"openmp", ForkJoinLanguage::OpenMP},
                                                                    {"cilk", ForkJoinLanguage::Cilk},
                                                                    {"c", ForkJoinLanguage::C}};
  std::optional<ForkJoinLanguage> from;
  if (!options.from.empty()) from = languages.at(options.from);
  if (!from && isForkJoin(options.file)) from = ForkJoinLanguage::MetaFork;
  auto text = translated(options.file, from, targets.at(options.to), flags);
  if (!text) return ExitStatus::InputAtFault;
  if (options.output.empty()) {
    std::fwrite(text->data(), 1, text->size(), stdout);
  } else {
    checkOutput(options.output, {options.file});
    writeFiles({{options.output, *text}});
  }
  return ExitStatus::Done;
}

/// Shows each race of ThreadSanitizer's reports once, by the places of both accesses; their number.
std::size_t reportRaces(const std::string& report) {
  static const std::regex access(R"(^  (?:Previous |)(?:atomic |)([Ww]rite|[Rr]ead) of size (\d+) at)");
  static const std::regex place(R"(^    #\d+ \S+ (.+:\d+)(?::\d+)? \()");
  std::set<std::string> seen;
  std::vector<std::string> accesses;
  bool expects = false;
  auto flush = [&] {
    if (accesses.size() >= 2 && seen.insert(accesses[0] + accesses[1]).second)
      fmt::print(stderr, "warploom: race: {}, and {}\n", accesses[0], accesses[1]);
    else if (accesses.size() == 1 && seen.insert(accesses[0]).second)
      fmt::print(stderr, "warploom: race: {}, and an access that is no longer known\n", accesses[0]);
    accesses.clear();
  };
  std::size_t begin = 0;
  std::string kind;
  while (begin < report.size()) {
    std::size_t end = std::min(report.find('\n', begin), report.size());
    std::string line = report.substr(begin, end - begin);
    begin = end + 1;
    std::smatch match;
    if (line.starts_with("WARNING: ThreadSanitizer: data race")) flush();
    if (std::regex_search(line, match, access)) {
      kind = std::string(match[1]) == "Write" || std::string(match[1]) == "write" ? "a write" : "a read";
      kind += " of " + std::string(match[2]) + " bytes";
      expects = true;
    } else if (expects && std::regex_search(line, match, place)) {
      accesses.push_back(kind + " at " + std::string(match[1]));
      expects = false;
    }
  }
  flush();
  return seen.size();
}

} // namespace

bool isForkJoin(const std::string& file) {
  return fs::path(file).extension() == ".mf";
}

bool hasSchedule(const std::string& file) {
  auto text = textOf(file);
  return text && mentionsWord(*text, "meta_schedule");
}

int runForkJoin(const ForkJoinRun& options) {
  if (options.serial && options.sanitize) {
    fmt::print(
        stderr,
        "warploom: error: --serial and --sanitize exclude each other: a serial program has no races\n");
    return int(ExitStatus::Usage);
  }
  SplitFlags flags = splitFlags(options.flags);
  const ForkJoinLanguage from =
      isForkJoin(options.file) ? ForkJoinLanguage::MetaFork : ForkJoinLanguage::Cilk;
  auto text = translated(options.file, from, options.serial ? metafork::Target::C : metafork::Target::Tasks,
                         flags.compile);
  if (!text) return int(ExitStatus::InputAtFault);
  TemporaryFolder folder;
  const fs::path source = folder.path / "program.c", program = folder.path / "program",
                 report = folder.path / "races";
  writeFiles({{source, *text}});
  std::string compiler = cCompiler();
  if (options.sanitize) {
    auto clang = findProgram({"clang-19", "clang"});
    if (!clang) throw ToolchainError("--sanitize needs clang in PATH");
    compiler = *clang;
  }
  const fs::path beside = fs::absolute(options.file).parent_path();
  std::vector<std::string> command = {compiler,       options.sanitize ? "-O0" : "-O2", "-g", "-w", "-iquote",
                                      beside.string()};
  if (options.sanitize) command.push_back("-fsanitize=thread");
  command.insert(command.end(), flags.compile.begin(), flags.compile.end());
  command.insert(command.end(), {source.string(), "-o", program.string()});
  if (!options.serial) {
    const std::string name = options.sanitize ? "libwarploom_fork_race.a" : "libwarploom_fork.a";
    auto archive = ownArchive(name);
    if (!archive) throw ToolchainError("'" + name + "' is not where Warploom's libraries are");
    command.push_back(archive->string());
    if (!options.sanitize) command.push_back("-ltbb");
    command.insert(command.end(), {"-lstdc++", "-lpthread"});
  }
  command.insert(command.end(), flags.link.begin(), flags.link.end());
  command.push_back("-lm");
  ProcessEnd built = runProcess(command, Capture::Output);
  if (!built.ok())
    throw ToolchainError(
        fmt::format("the C compiler does not compile the translated program:\n{}", built.output));
  std::vector<std::string> run = {program.string()};
  run.insert(run.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::pair<std::string, std::string>> environment;
  if (options.sanitize) {
    std::string settings = "exitcode=0:report_thread_leaks=0:history_size=4:log_path=" + report.string();
    if (auto symbolizer = findProgram({"llvm-symbolizer-19", "llvm-symbolizer"})) {
      // What it says of the stack, which is in no file, is not for the user.
      const fs::path quiet = folder.path / "llvm-symbolizer";
      writeFiles({{quiet, fmt::format("#!/bin/sh\nexec '{}' \"$@\" 2>/dev/null\n", *symbolizer)}});
      fs::permissions(quiet, fs::perms::owner_all);
      settings += ":external_symbolizer_path=" + quiet.string();
    }
    environment.emplace_back("TSAN_OPTIONS", settings);
  }
  ProcessEnd end = runProcess(run, Capture::Nothing, environment);
  std::size_t races = 0;
  if (options.sanitize)
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path))
      if (entry.path().filename().string().starts_with("races."))
        if (auto found = textOf(entry.path().string())) races += reportRaces(*found);
  if (races) {
    fmt::print(stderr, "warploom: {} {}\n", races, races == 1 ? "race was found" : "races were found");
    return int(ExitStatus::InputAtFault);
  }
  return end.signal ? 128 + end.signal : end.status;
}

void addForkJoinTranslate(CLI::App& app, const std::vector<std::string>& compilerFlags,
                          std::optional<ExitStatus>& status) {
  auto options = std::make_shared<TranslateCommand>();
  CLI::App* command =
      app.add_subcommand("translate", "Translate between MetaFork, OpenMP, Cilk and serial C");
  command->add_option("file", options->file, "The program")->required()->type_name("FILE");
  command->add_option("--to", options->to, "metafork, openmp, cilk or c (serial)")
      ->required()
      ->check(CLI::IsMember({"metafork", "openmp", "cilk", "c"}))
      ->type_name("LANGUAGE");
  command->add_option("--from", options->from, "Its language, where its constructs do not tell")
      ->check(CLI::IsMember({"metafork", "openmp", "cilk", "c"}))
      ->type_name("LANGUAGE");
  command->add_option("-o,--output", options->output, "Where to write it; else to standard output")
      ->type_name("FILE");
  command->footer("What stands after `--` is for Clang: warploom translate f.c --to openmp -- -Iinclude");
  command->callback(
      [options, &compilerFlags, &status] { status = translateCommand(*options, compilerFlags); });
}

} // namespace warploom
