// `warploom cases`: which form of a device nest is taken under which conditions on machine and block sizes.
#include "cases/CaseText.h"
#include "cases/LeafText.h"
#include "driver/Commands.h"
#include "driver/Diagnostics.h"
#include "driver/OutputFiles.h"
#include "driver/Toolchain.h"
#include "project/Resources.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

namespace warploom {

namespace fs = std::filesystem;

namespace {

struct CasesOptions {
  std::string file, device = "symbolic", output;
  std::vector<std::string> strategies = {"granularity", "caching"};
  std::vector<unsigned> registers;
};

/// The limits that conditions speak of, and what they are called.
struct Machine {
  cases::Limits limits;
  std::string name; ///< empty: any
};

/// The device of `nvidia-smi`. Throws ToolchainError.
std::string askedDevice() {
  auto program = findProgram({"nvidia-smi"});
  if (!program) throw ToolchainError("--device query needs nvidia-smi in PATH");
  ProcessEnd end =
      runProcess({*program, "--query-gpu=compute_cap", "--format=csv,noheader"}, Capture::Output);
  if (!end.ok()) throw ToolchainError("nvidia-smi finds no device");
  return end.output.substr(0, end.output.find_first_of(" \r\n"));
}

Machine machineOf(const std::string& device) {
  Machine machine;
  if (device == "symbolic") return machine;
  std::string name = device == "query" ? askedDevice() : device;
  std::string known;
  for (const DeviceLimits& one : deviceTable()) {
    known += " " + one.name;
    if (one.name != name && one.architecture != name) continue;
    // From compute capability 8 on, a block may not have the last KiB of a multiprocessor's memory.
    const bool keeps = std::stod(one.name) >= 8;
    machine.limits.registers = cases::Polynomial(one.maxRegistersPerThread);
    machine.limits.words = cases::Polynomial((one.sharedPerSm - (keeps ? 1024 : 0)) / 4);
    machine.limits.threads = cases::Polynomial(one.maxBlockSize);
    machine.name = one.name;
    return machine;
  }
  throw ToolchainError(fmt::format("no device '{}' is known; compute capabilities are:{}", name, known));
}

class CasesCommand {
public:
  CasesCommand(const CasesOptions& o, ForkJoinSource s)
      : options(o), source(std::move(s)), machine(machineOf(o.device)) {}

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
    if (!at.end) {
      fmt::print(stderr, "{}: error: {}\n", options.file, message);
      return;
    }
    DiagnosticWriter writer(options.file, source.source);
    writer.diagnostic(at, "error", message);
    fmt::print(stderr, "{}", writer.text);
  }

  cases::Title titleOf(const ForkJoinConstruct& construct, const DeviceNest& nest,
                       const cases::Nest& read) const {
    cases::Title title;
    title.place = fmt::format("{}:{}", fs::path(options.file).filename().string(), nest.loop.at.line);
    title.function = source.functions[construct.function].name;
    for (const std::string& name : read.dataParameters)
      title.parameters.emplace_back(name, "a size of the data");
    for (const std::string& name : read.programParameters)
      title.parameters.emplace_back(name, "of the program");
    if (machine.name.empty()) {
      title.parameters.emplace_back("R", "registers that a thread may have");
      title.parameters.emplace_back("Z", "words of 4 bytes of shared memory that a block may have");
      title.parameters.emplace_back("T", "threads that a block may have");
    } else {
      title.parameters.emplace_back("device", "compute capability " + machine.name);
    }
    title.registers = options.registers.empty()
                          ? "estimated: names in the text and what expressions need beside them"
                          : "as given";
    return title;
  }

  void discuss(const ForkJoinConstruct& construct, const DeviceNest& nest) {
    const cases::Nest read = cases::readNest(nest, construct.cached);
    auto registers = [&](const cases::NestForm& form) {
      return options.registers.empty() ? cases::estimatedRegisters(form)
                                       : options.registers[form.isOne ? 1 : 0];
    };
    const cases::CaseTree tree = cases::discussNest(read, machine.limits, options.strategies, registers);
    const cases::Title title = titleOf(construct, nest, read);
    const std::string text = cases::text(title, tree);
    printed += (printed.empty() ? "" : "\n") + text;
    if (options.output.empty()) return;
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
            cases::metaforkText(source, construct, read,
                                static_cast<const cases::NestCode&>(*tree.cases[k].code).form));
  }

  const CasesOptions& options;
  const ForkJoinSource source;
  const Machine machine;
  unsigned found = 0;
  bool failed = false;
  std::string printed;
  std::vector<OutputFile> files;
};

ExitStatus casesCommand(const CasesOptions& options, const std::vector<std::string>& flags) {
  std::ifstream in(options.file, std::ios::binary);
  if (!fs::is_regular_file(options.file) || !in) {
    fmt::print(stderr, "warploom: error: cannot read '{}'\n", options.file);
    return ExitStatus::InputAtFault;
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  ForkJoinSource source = readForkJoin(options.file, text, ForkJoinLanguage::MetaFork, flags);
  for (const ForkJoinProblem& problem : source.problems) {
    DiagnosticWriter writer(problem.file.empty() ? options.file : problem.file,
                            problem.file.empty() ? text : std::string());
    writer.diagnostic(problem.at, problem.error ? "error" : "warning", problem.message);
    fmt::print(stderr, "{}", writer.text);
    if (problem.error) source.compiled = false;
  }
  if (!source.compiled) return ExitStatus::InputAtFault;
  return CasesCommand(options, std::move(source)).run();
}

} // namespace

void addCases(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status) {
  auto options = std::make_shared<CasesOptions>();
  CLI::App* command =
      app.add_subcommand("cases", "Say which form of a device nest fits which machine and block sizes");
  command->add_option("file", options->file, "A MetaFork program with meta_schedule")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--strategies", options->strategies,
                   "What may be done where a nest needs too much, in this order: granularity, caching")
      ->delimiter(',')
      ->check(CLI::IsMember({"granularity", "caching"}))
      ->type_name("LIST");
  command
      ->add_option("--device", options->device,
                   "A compute capability (9.0, sm_90); query: this machine's; symbolic: any")
      ->type_name("NAME|query|symbolic");
  command
      ->add_option("--registers", options->registers,
                   "Registers of a thread: as the nest is, and with one element a thread")
      ->delimiter(',')
      ->expected(2)
      ->type_name("N,N");
  command
      ->add_option("-o,--output", options->output, "Write text, JSON, SMT-LIB, pictures and programs there")
      ->type_name("DIR");
  command->callback([options, &compilerFlags, &status] { status = casesCommand(*options, compilerFlags); });
}

} // namespace warploom
