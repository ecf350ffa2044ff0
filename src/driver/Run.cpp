// `warploom run`: build a C program and run it, or run a synchronous system or a fork-join program.
#include "driver/Build.h"
#include "driver/Commands.h"
#include "driver/ForkJoin.h"
#include "driver/ForkJoinRoad.h"
#include "driver/Sizes.h"
#include "sync/command/Command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

namespace warploom {

namespace {

struct RunOptions {
  BuildOptions build;
  std::vector<std::string> sizes, flags, arguments;
  sync::RunOptions system; ///< when the file is a synchronous system
  bool serial = false;     ///< a fork-join program is run without its keywords
};

/// Whether `file` is a synchronous system rather than C.
bool isSystem(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".aif" || extension == ".xml" || extension == ".qrz" || extension == ".lus";
}

/// Whether the fork-join program goes down the road to kernels: it has some that it asks for, or there is a
/// GPU.
bool usesDevice(const RunOptions& options) {
  if (options.serial || options.build.sanitize) return false;
  return options.build.target != Target::Auto || isForCuda(options.build) ||
         hasSchedule(options.build.translate.frontend.files.front());
}

/// Ends with the program's own status, or as a shell would after a signal.
ExitStatus run(RunOptions& options) {
  const std::vector<std::string>& files = options.build.translate.frontend.files;
  if (files.size() == 1 && isSystem(files.front())) {
    options.system.file = files.front();
    return ExitStatus(int(sync::run(options.system, std::cin, std::cout, std::cerr)));
  }
  const bool isCilk = files.size() == 1 && (options.serial || options.build.sanitize) &&
                      forkJoinLanguageOf(files.front()) == ForkJoinLanguage::Cilk;
  if (files.size() == 1 && (isForkJoin(files.front()) || isCilk) && !usesDevice(options))
    return ExitStatus(runForkJoin({files.front(), options.serial, options.build.sanitize,
                                   withSizes(options.flags, options.sizes), options.arguments}));
  setFlags(options.build, withSizes(options.flags, options.sizes));
  if (files.size() == 1 && isForkJoin(files.front()))
    options.build.translate.quiet = !options.build.translate.explain;
  TemporaryFolder folder;
  std::filesystem::path program = folder.path / "program";
  if (!buildProgram(options.build, program)) return ExitStatus::InputAtFault;
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  ProcessEnd end = runProcess(command, Capture::Nothing);
  return static_cast<ExitStatus>(end.signal ? 128 + end.signal : end.status);
}

} // namespace

void addRun(CLI::App& app, const std::vector<std::string>& arguments, std::optional<ExitStatus>& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Build a C program and run it, or run a synchronous system "
                                                "(AIF, Quartz or Lustre) or a MetaFork program");
  addFiles(*command, options->build.translate);
  addBuildOptions(*command, options->build);
  addSizes(*command, options->sizes);
  command->add_option("--flag", options->flags, "A flag for the C compiler or the linker: --flag=-Iinclude")
      ->type_name("FLAG")
      ->expected(1)
      ->take_all();
  const char* systems =
      "Synchronous systems (.aif, .xml, .qrz, .lus): JSON objects in, JSON objects out, one per step";
  command->add_option("--steps", options->system.steps, "Stop after so many steps")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->group(systems);
  command->add_flag("--csv", options->system.csv, "CSV in and out, one column per cell")->group(systems);
  command->add_flag("--check", options->system.check, "Check ranges and assertions in every step")
      ->group(systems);
  command
      ->add_flag("--profile", options->system.profile,
                 "Afterwards, count warps, branches and divergence of the run on a GPU")
      ->group(systems);
  CLI::Option* vcd = command
                         ->add_option("--vcd", options->system.vcd,
                                      "Write the interface's values in every step as a value change dump")
                         ->type_name("FILE")
                         ->group(systems);
  command->add_flag("--vcd-locals", options->system.vcdLocals, "... and those of the local variables")
      ->needs(vcd)
      ->group(systems);
  command->add_flag("--serial", options->serial, "Without the keywords: the serial C program")
      ->group("MetaFork and Cilk programs");
  command->footer("What stands after `--` is given to the program: warploom run f.c -- 1000");
  command->callback([options, &arguments, &status] {
    options->arguments = arguments;
    status = run(*options);
  });
}

} // namespace warploom
