// `warploom cases`: which form of a device nest is taken under which conditions on machine and block sizes.
#include "cases/CaseText.h"
#include "cases/Joint.h"
#include "cases/LeafText.h"
#include "cases/Races.h"
#include "driver/CaseProgram.h"
#include "driver/Commands.h"
#include "driver/Diagnostics.h"
#include "driver/ForkJoinRoad.h"
#include "driver/OutputFiles.h"
#include "driver/Schedules.h"
#include "driver/TiledC.h"
#include "driver/Toolchain.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

namespace warploom {

namespace fs = std::filesystem;

namespace {

struct CasesOptions {
  std::string file, device = "symbolic", output;
  std::vector<std::string> strategies = {"granularity", "caching"};
  std::string registersText;
  std::vector<unsigned> registers; ///< as given; empty: they are counted
  bool asksPtxas = false;
  std::vector<std::string> sizesText;
  std::vector<cases::Values> sizes;
  std::vector<std::string> measures;
  std::string map, tiled; ///< of C
  cases::Targets targets;
};

/// The limits that conditions speak of, and what they are called.
struct Machine {
  cases::Limits limits;
  std::string name;               ///< empty: any
  std::optional<DeviceLimits> sm; ///< where it has a name
};

Machine machineOf(const std::string& device) {
  Machine machine;
  if (device == "symbolic") return machine;
  const DeviceLimits limits = deviceNamed(device);
  machine.limits.registers = cases::Polynomial(limits.maxRegistersPerThread);
  machine.limits.words = cases::Polynomial(sharedPerBlock(limits) / 4);
  machine.limits.threads = cases::Polynomial(limits.maxBlockSize);
  machine.name = limits.name;
  machine.sm = limits;
  return machine;
}

/// The targets with what a multiprocessor of the device has.
cases::Targets onDevice(cases::Targets targets, const DeviceLimits& device) {
  targets.registers = cases::Polynomial(device.registersPerSm);
  targets.words = cases::Polynomial(device.sharedPerSm / 4);
  targets.threads = cases::Polynomial(device.threadsPerSm);
  targets.blocks = cases::Polynomial(device.blocksPerSm);
  return targets;
}

class CasesCommand {
public:
  CasesCommand(const CasesOptions& o, ForkJoinSource s, const std::vector<std::string>& flags)
      : options(o), source(std::move(s)), machine(machineOf(o.device)), program(source, o.sizes, flags) {}

  ExitStatus run() {
    for (const ForkJoinConstruct& construct : source.constructs)
      for (const DeviceNest& nest : construct.nests) {
        ++found;
        try {
          discuss(construct, nest);
        } catch (const cases::NestRefused& refused) {
          report(refused.at.end ? refused.at : nest.loop.at, refused.what());
        } catch (const cases::TreeTooLarge& large) {
          report(nest.loop.at, large.what());
        }
      }
    if (!found) report({}, "the program has no meta_schedule");
    if (!failed) discussTogether();
    if (!failed && !options.sizes.empty() && !options.output.empty()) {
      try {
        const fs::path base = fs::path(options.output) / (fs::path(options.file).stem().string() + "_cases");
        for (OutputFile& file : program.files(nests, base))
          files.push_back(std::move(file));
      } catch (const cases::NestRefused& refused) {
        report(refused.at, refused.what());
      }
    }
    if (failed) return ExitStatus::InputAtFault;
    if (options.output.empty()) {
      fmt::print("{}", printed);
      return ExitStatus::Done;
    }
    std::error_code error;
    fs::create_directories(options.output, error);
    if (error) throw OutputError(fmt::format("cannot make the folder '{}'", options.output));
    for (const OutputFile& file : files)
      checkOutput(file.path, {options.file});
    writeFiles(files);
    for (const OutputFile& file : files)
      fmt::print("wrote '{}'\n", file.path.string());
    return ExitStatus::Done;
  }

private:
  void report(const SourceRange& at, const std::string& message) {
    failed = true;
    reportAt(source, at, message);
  }

  cases::Title titleOf(const CaseNest& of) const {
    cases::Title title;
    title.place = fmt::format("{}:{}", fs::path(options.file).filename().string(), of.from->loop.at.line);
    title.function = source.functions[of.schedule->function].name;
    for (const std::string& name : of.read.dataParameters)
      title.parameters.emplace_back(name, "a size of the data");
    for (const std::string& name : of.read.programParameters)
      title.parameters.emplace_back(name, "a parameter of the program");
    if (machine.name.empty()) {
      title.parameters.emplace_back(of.limits[0], "registers that a thread may have");
      title.parameters.emplace_back(of.limits[1], "words of 4 bytes of shared memory that a block may have");
      title.parameters.emplace_back(of.limits[2], "threads that a block may have");
      if (options.targets.occupancy) {
        title.parameters.emplace_back("R_sm", "registers of a multiprocessor");
        title.parameters.emplace_back("Z_sm", "words of 4 bytes of its shared memory");
        title.parameters.emplace_back("T_sm", "threads it can hold");
        title.parameters.emplace_back("B_sm", "blocks it can hold");
      }
    } else {
      title.parameters.emplace_back("device", "compute capability " + machine.name);
    }
    title.registers = options.asksPtxas ? "counted by ptxas, for sm_80 and the first of the sizes"
                      : options.registers.empty()
                          ? "estimated: names in the text and what expressions need beside them"
                          : "as given";
    return title;
  }

  /// What conditions call a limit: `wish`, unless a nest of the schedule has that name.
  static std::string limitName(const ForkJoinConstruct& schedule, const std::string& wish) {
    std::set<std::string> taken;
    for (const DeviceNest& nest : schedule.nests) {
      taken.insert(nest.scalars.begin(), nest.scalars.end());
      taken.insert(nest.outer.begin(), nest.outer.end());
      taken.merge(cases::readNest(nest, {}).names);
    }
    std::string name = wish;
    while (taken.count(name))
      name += "_max";
    return name;
  }

  /// The cases of nests that are in one schedule, together.
  void discussTogether() {
    for (const ForkJoinConstruct& construct : source.constructs) {
      if (construct.nests.size() < 2) continue;
      std::vector<const cases::CaseTree*> trees;
      std::vector<std::string> places;
      for (const CaseNest& nest : nests)
        if (nest.schedule == &construct) {
          trees.push_back(&nest.tree);
          places.push_back(fmt::format("{}", nest.from->loop.at.line));
        }
      try {
        const cases::Joint all = cases::joint(trees);
        const std::string text =
            cases::text(fmt::format("{}:{}: {}", fs::path(options.file).filename().string(),
                                    construct.keyword.line, source.functions[construct.function].name),
                        places, all);
        printed += "\n" + text;
        const fs::path base =
            fs::path(options.output) /
            fmt::format("{}_{}_together", source.functions[construct.function].name, construct.keyword.line);
        files.push_back({base.string() + ".txt", text});
        files.push_back({base.string() + ".json", cases::json(places, all).dump(2) + "\n"});
      } catch (const cases::TreeTooLarge& large) {
        report(construct.keyword, large.what());
      }
    }
  }

  /// What is known of two threads that meet, as a line of the text; found ones are said, too.
  std::string racesOf(const CaseNest& one) const {
    std::optional<cases::Detiled> loops;
    try {
      loops = cases::detiled(source, *one.from, one.read);
    } catch (const cases::NestRefused&) {
    }
    const cases::Meeting met = cases::meeting(one.read, loops ? &*loops : nullptr);
    if (met.answer == cases::Meeting::Answer::Never)
      return "no two threads use an element that one of them writes, whatever the sizes are";
    if (met.answer == cases::Meeting::Answer::Unknown)
      return fmt::format("whether two threads use an element of '{}' that one of them writes is not known",
                         met.array);
    std::vector<std::string> values;
    for (const auto& [name, value] : met.values)
      values.push_back(fmt::format("{} = {}", name, value.get_str()));
    const std::string text =
        fmt::format("two threads {} an element of '{}' that one of them writes, in lines {} and {}: {}",
                    met.answer == cases::Meeting::Answer::Found ? "use" : "may use", met.array,
                    met.first.line, met.second.line, fmt::join(values, ", "));
    DiagnosticWriter writer(source.file, source.source);
    writer.diagnostic(met.first, "warning", text);
    fmt::print(stderr, "{}", writer.text);
    return text;
  }

  void discuss(const ForkJoinConstruct& construct, const DeviceNest& nest) {
    CaseNest one{&construct, &nest, cases::readNest(nest, construct.cached), {}, "", {}};
    one.name = fmt::format("{}_{}", source.functions[construct.function].name, nest.loop.at.line);
    cases::Limits limits = machine.limits;
    for (auto [wish, limit] : {std::pair("R", &limits.registers), std::pair("Z", &limits.words),
                               std::pair("T", &limits.threads)}) {
      one.limits.push_back(limitName(construct, wish));
      if (limit->asSymbol()) *limit = cases::Polynomial::symbol(one.limits.back());
    }
    std::map<std::string, unsigned> counted;
    auto registers = [&](const cases::NestForm& form) {
      if (!options.registers.empty()) return options.registers[form.isOne ? 1 : 0];
      if (!options.asksPtxas) return cases::estimatedRegisters(form);
      auto known = counted.find(form.text());
      if (known == counted.end()) known = counted.emplace(form.text(), program.registers(one, form)).first;
      return known->second;
    };
    cases::NestCounters counters{registers, {}, options.targets, &nest};
    if (machine.sm) counters.targets = onDevice(options.targets, *machine.sm);
    counters.names = [&](const cases::NestForm& form, int level) {
      return cases::namedNest(source, construct, one.read, form, level);
    };
    one.tree = cases::discussNest(one.read, limits, options.strategies, counters);
    const cases::CaseTree& tree = one.tree;
    cases::Title title = titleOf(one);
    title.races = racesOf(one);
    const std::string text = cases::text(title, tree);
    printed += (printed.empty() ? "" : "\n") + text;
    if (options.output.empty()) {
      nests.push_back(std::move(one));
      return;
    }
    const fs::path base = fs::path(options.output) / fmt::format("{}_{}", title.function, nest.loop.at.line);
    auto add = [&](const std::string& ending, const std::string& contents) {
      files.push_back({base.string() + ending, contents});
    };
    add(".txt", text);
    add(".json", cases::json(title, tree).dump(2) + "\n");
    add(".smt2", cases::smt(title, tree));
    add(".svg", cases::svg(tree));
    add(".html", cases::html(title, tree));
    if (construct.nests.size() == 1)
      for (std::size_t k = 0; k < tree.cases.size(); ++k)
        add(fmt::format("_case{}.mf", k + 1),
            cases::leafText(source, construct, one.read,
                            static_cast<const cases::NestCode&>(*tree.cases[k].code).form));
    nests.push_back(std::move(one));
  }

  const CasesOptions& options;
  const ForkJoinSource source;
  const Machine machine;
  const CaseProgram program;
  std::vector<CaseNest> nests;
  unsigned found = 0;
  bool failed = false;
  std::string printed;
  std::vector<OutputFile> files;
};

/// What the texts of options say. Throws CLI::ValidationError.
void readTexts(CasesOptions& options) {
  if (options.registersText == "ptxas") {
    options.asksPtxas = true;
  } else if (!options.registersText.empty()) {
    static const std::regex two(R"((\d{1,4}),(\d{1,4}))");
    std::smatch match;
    if (!std::regex_match(options.registersText, match, two))
      throw CLI::ValidationError("--registers", "two numbers, or ptxas");
    options.registers = {static_cast<unsigned>(std::stoul(match[1])),
                         static_cast<unsigned>(std::stoul(match[2]))};
  }
  for (const std::string& text : options.sizesText)
    options.sizes.push_back(sizesOf(text));
  for (const std::string& text : options.measures) {
    static const std::regex target(R"((occupancy|coalescing|intensity)(?:=(\d{1,6}))?)");
    std::smatch match;
    if (!std::regex_match(text, match, target))
      throw CLI::ValidationError(
          "--measures", "measures are occupancy, coalescing and intensity, with a number or without");
    const cases::Polynomial at = match[2].matched ? cases::Polynomial(std::stol(match[2]))
                                                  : cases::Polynomial::symbol(match[1].str() + "_wanted");
    (match[1] == "occupancy"    ? options.targets.occupancy
     : match[1] == "coalescing" ? options.targets.coalescing
                                : options.targets.intensity) = at;
    if (!options.sizes.empty() && (!match[2].matched || options.device == "symbolic"))
      throw CLI::ValidationError("--measures",
                                 "a program that chooses needs numbers: of measures, and --device");
  }
  if (options.asksPtxas && options.sizes.empty())
    throw CLI::ValidationError("--registers", "ptxas counts for sizes, which --sizes says");
}

ExitStatus casesCommand(CasesOptions& options, const std::vector<std::string>& flags) {
  readTexts(options);
  std::optional<ForkJoinSource> source;
  if (fs::path(options.file).extension() == ".c" && !forkJoinLanguageOf(options.file)) {
    const auto text =
        fs::is_regular_file(options.file) ? tiledText(options.file, options.map, flags) : std::nullopt;
    if (!text) return ExitStatus::InputAtFault;
    if (!options.tiled.empty()) {
      checkOutput(options.tiled, {options.file});
      writeFiles({{options.tiled, *text}});
      return ExitStatus::Done;
    }
    source = readSchedules(options.file, *text, flags);
  } else {
    if (!options.map.empty() || !options.tiled.empty())
      throw CLI::ValidationError("--map, --tiled", "only nests of C are tiled");
    source = readSchedules(options.file, flags);
  }
  if (!source) return ExitStatus::InputAtFault;
  return CasesCommand(options, std::move(*source), flags).run();
}

} // namespace

void addCases(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status) {
  auto options = std::make_shared<CasesOptions>();
  CLI::App* command =
      app.add_subcommand("cases", "Say which form of a device nest fits which machine and block sizes");
  command
      ->add_option("file", options->file,
                   "A MetaFork program with meta_schedule, or C, whose parallel nests are cut into tiles")
      ->required()
      ->type_name("FILE");
  command
      ->add_option(
          "--strategies", options->strategies,
          "What may be done where a nest needs too much, in this order: granularity, caching; local: "
          "sums in registers; tiles: half of them; unroll: less; bounds: of registers; where a "
          "measure is wanted: staging; names: common subexpressions get names")
      ->delimiter(',')
      ->check(
          CLI::IsMember({"granularity", "caching", "names", "staging", "local", "tiles", "unroll", "bounds"}))
      ->type_name("LIST");
  command
      ->add_option("--device", options->device,
                   "A compute capability (9.0, sm_90); query: this machine's; symbolic: any")
      ->type_name("NAME|query|symbolic");
  command
      ->add_option(
          "--registers", options->registersText,
          "Registers of a thread: as the nest is, and with one element a thread; or ptxas, which counts "
          "them for the sizes of --sizes")
      ->type_name("N,N|ptxas");
  command
      ->add_option(
          "--sizes", options->sizesText,
          "Also write a program with kernels of all cases for these sizes of blocks, which chooses when it "
          "runs; may be given several times")
      ->type_name("B=32,s=2");
  command
      ->add_option(
          "--map", options->map,
          "C: the coordinates of its nests; those along which nothing depends on anything are cut into tiles")
      ->type_name("p=i+j,t=n-j");
  command
      ->add_option("--tiled", options->tiled,
                   "C: write the program with its nests in tiles, and nothing else")
      ->type_name("FILE.mf");
  command
      ->add_option(
          "--measures", options->measures,
          "What should be reached where something is left that helps: occupancy=50 and coalescing=100 in "
          "percents, intensity=4 in operations for each word that is moved; without a number, a symbol")
      ->delimiter(',')
      ->type_name("LIST");
  command
      ->add_option("-o,--output", options->output, "Write text, JSON, SMT-LIB, pictures and programs there")
      ->type_name("DIR");
  command->callback([options, &compilerFlags, &status] { status = casesCommand(*options, compilerFlags); });
}

} // namespace warploom
