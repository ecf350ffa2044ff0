// The command line of `warploom`. Each command lives in a file of its own and adds itself to the parser.
#include "driver/Commands.h"
#include "driver/SyncCommand.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <pthread.h>

namespace warploom {

namespace {

/// Does what the command line says; the exit status.
int command(int argc, char** argv) {
  CLI::App app("Warploom weaves ordinary C loops into CUDA.", "warploom");
  app.set_version_flag("--version", "warploom " WARPLOOM_VERSION);
  app.require_subcommand(1);

  // What stands after `--` belongs to Clang or to the program that is run, whatever it looks like.
  std::vector<std::string> own, compilerFlags;
  bool after = false;
  for (int k = 1; k < argc; ++k) {
    std::string argument = argv[k];
    if (after)
      compilerFlags.push_back(argument);
    else if (argument == "--")
      after = true;
    else
      own.push_back(argument);
  }

  std::optional<ExitStatus> status;
  addAnalyze(app, compilerFlags, status);
  addCompile(app, compilerFlags, status);
  addBuild(app, compilerFlags, status);
  addCc(app, status);
  addRun(app, compilerFlags, status);
  addVerify(app, compilerFlags, status);
  addStrategies(app, compilerFlags, status);
  addTune(app, compilerFlags, status);
  addProject(app, compilerFlags, status);
  addSync(app, status);
  addForkJoinTranslate(app, compilerFlags, status);
  addCases(app, compilerFlags, status);
  addModel(app, compilerFlags, status);
  try {
    std::reverse(own.begin(), own.end()); // CLI11 takes the arguments last first
    app.parse(own);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error);
    return static_cast<int>(code == 0 ? ExitStatus::Done : ExitStatus::Usage);
  } catch (const std::exception& error) {
    const Ending ending = endingFor(error);
    fmt::print(stderr, "warploom: {}\n", ending.message);
    return static_cast<int>(ending.status);
  }
  return static_cast<int>(status.value_or(ExitStatus::Usage));
}

} // namespace

} // namespace warploom

int main(int argc, char** argv) {
  // Clang and we walk expressions recursively, and generated programs have deep ones. Memory for a stack is
  // taken only as far as it is used.
  constexpr std::size_t stackSize = std::size_t{1} << 29;
  struct Run {
    int argc;
    char** argv;
    int status = 0;
  } run{argc, argv};
  auto body = [](void* argument) -> void* {
    Run& own = *static_cast<Run*>(argument);
    own.status = warploom::command(own.argc, own.argv);
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  bool started = pthread_attr_setstacksize(&attributes, stackSize) == 0 &&
                 pthread_create(&thread, &attributes, body, &run) == 0;
  pthread_attr_destroy(&attributes);
  if (started) {
    pthread_join(thread, nullptr);
  } else {
    fmt::print(stderr,
               "warploom: warning: no memory for a large stack; very deep expressions may end the program\n");
    body(&run);
  }
  return run.status;
}
