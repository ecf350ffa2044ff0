// `warploom compile`: the CUDA text of a C file, and the file itself with guarded calls.
#include "driver/Build.h"
#include "driver/BuildFile.h"
#include "driver/Commands.h"
#include "driver/OutputFiles.h"
#include "driver/Toolchain.h"
#include "driver/Translate.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace warploom {

namespace {

struct CompileOptions {
  TranslateOptions translate;
  std::string output;
  std::string target;    ///< "cuda", "cpu": say how to go on; empty: do not
  bool header = false;   ///< write the launchers' prototypes to OUT.h
  std::string buildFile; ///< a Makefile to write; empty: none
  std::vector<std::string> linkFlags;
  TunedRequest tuned;
};

/// The commands that make a program of the two files. The text is the same for both targets.
std::string howToGoOn(const CompileOptions& options, const std::string& cuda, const std::string& host,
                      bool asksHeap) {
  std::string runtime = runtimeFolder().string();
  // The file is compiled as its original was, wherever it lies now.
  std::filesystem::path input = std::filesystem::absolute(options.translate.frontend.files.front());
  std::string c = fmt::format("cc -iquote {} {} -c {} -o host.o", input.parent_path().string(),
                              fmt::join(options.translate.frontend.compilerFlags, " "), host);
  bool strict = options.translate.strictFloatingPoint, forCuda = options.target == "cuda";
  std::string heap, watched;
  if (asksHeap) {
    heap = fmt::format("  cc -O2 -fno-builtin -c {}/warploom_heap.c -o heap.o\n", runtime);
    watched = fmt::format(" heap.o {}{}", forCuda ? "-Xlinker " : "-Wl,", heapSymbols);
  }
  if (forCuda)
    return fmt::format("  {}{}\n{}  nvcc -std=c++17{} -I {} {} host.o{} -o program -lm\n", c,
                       strict ? " -ffp-contract=off" : "", heap, strict ? " --fmad=false" : "", runtime, cuda,
                       watched);
  return fmt::format(
      "  {0}{1}\n{4}  g++ @{2}/flags/cpu{1} -I {2} -x c++ -c {3} -o kernels.o\n"
      "  g++ -std=c++17 -O2 -I {2} host.o kernels.o{5} {2}/cpu/*.cpp -lboost_context -pthread -lm -o "
      "program\n",
      c, strict ? " -ffp-contract=off" : "", runtime, cuda, heap, watched);
}

ExitStatus compile(CompileOptions& options) {
  const std::vector<std::string>& inputs = options.translate.frontend.files;
  std::filesystem::path cuda = options.output, host = options.output, header = options.output;
  header.replace_extension(".h");
  if (options.header) options.translate.header = header.filename().string();
  host.replace_extension(".host" + hostExtension(inputs.front()));
  checkOutput(cuda, inputs);
  checkOutput(host, inputs);
  for (const std::filesystem::path& other : {cuda, host, options.header ? header : cuda})
    if (!options.translate.emitRecipe.empty() &&
        std::filesystem::weakly_canonical(options.translate.emitRecipe) ==
            std::filesystem::weakly_canonical(other))
      throw OutputError(
          fmt::format("cannot write '{}': it is to be both the recipe and a text", other.string()));
  if (!options.buildFile.empty()) checkOutput(options.buildFile, inputs);
  if (options.header) checkOutput(header, inputs);
  options.translate.tuned = tunedOptions(
      options.tuned, [&] { return options.target != "cpu"; }, options.translate.frontend.compilerFlags);
  auto files = translate(options.translate);
  if (!files) return ExitStatus::InputAtFault;
  TranslatedFile& file = files->front();
  if (file.cuda.empty())
    file.cuda = fmt::format("// Made by Warploom from {}: no region of it could be mapped.\n", file.file);
  std::vector<OutputFile> outputs = {{cuda, file.cuda}, {host, file.host}};
  if (options.header) outputs.push_back({header, file.header});
  if (!options.buildFile.empty())
    outputs.push_back({options.buildFile, buildFile(file, options.buildFile, cuda, host, options.linkFlags,
                                                    options.translate.strictFloatingPoint)});
  writeFiles(outputs);
  std::vector<std::string> names;
  for (const OutputFile& output : outputs)
    names.push_back("'" + output.path.string() + "'");
  std::string last = names.back();
  names.pop_back();
  fmt::print("{}; wrote {} and {}\n", summary(file), fmt::join(names, ", "), last);
  if (!options.target.empty())
    fmt::print("{}", howToGoOn(options, cuda.string(), host.string(), file.asksHeap));
  return ExitStatus::Done;
}

} // namespace

void addCompile(CLI::App& app, const std::vector<std::string>& compilerFlags,
                std::optional<ExitStatus>& status) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* command =
      app.add_subcommand("compile", "Write the CUDA text of a C file, and the file with guarded calls");
  addFiles(*command, options->translate);
  addTranslateOptions(*command, options->translate);
  command->get_option("file")->expected(1);
  command->add_option("-o", options->output, "The CUDA text; the C text goes to OUT.host.c")
      ->required()
      ->type_name("OUT.cu");
  command->add_option("--target", options->target, "Say how to make a program of them: cuda or cpu")
      ->check(CLI::IsMember({"cuda", "cpu"}))
      ->type_name("TARGET");
  addTunedOptions(*command, options->tuned);
  command->add_flag("--header", options->header, "Write the launchers' prototypes to OUT.h");
  command->add_option("--build-file", options->buildFile, "A Makefile that builds the program")
      ->type_name("Makefile");
  command->footer(
      "What stands after `--` is given to Clang: warploom compile f.c -o f.cu -- -DN=100 -Iinclude");
  command->callback([options, &compilerFlags, &status] {
    SplitFlags flags = splitFlags(compilerFlags);
    options->translate.frontend.compilerFlags = flags.compile;
    options->linkFlags = flags.link;
    status = compile(*options);
  });
}

} // namespace warploom
