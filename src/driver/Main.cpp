// The command line of `warploom`. Each command lives in a file of its own and adds itself to the parser.
#include "driver/Commands.h"
#include "driver/OutputFiles.h"
#include "driver/SyncCommand.h"
#include "driver/Toolchain.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <optional>

int main(int argc, char** argv) {
  using namespace warploom;
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
  addRun(app, compilerFlags, status);
  addVerify(app, compilerFlags, status);
  addSync(app, status);
  try {
    std::reverse(own.begin(), own.end()); // CLI11 takes the arguments last first
    app.parse(own);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error);
    return static_cast<int>(code == 0 ? ExitStatus::Done : ExitStatus::Usage);
  } catch (const ToolchainError& error) {
    fmt::print(stderr, "warploom: error: {}\n", error.what());
    return static_cast<int>(ExitStatus::InputAtFault);
  } catch (const OutputError& error) {
    fmt::print(stderr, "warploom: error: {}\n", error.what());
    return static_cast<int>(ExitStatus::InputAtFault);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warploom: {}\n", error.what());
    return static_cast<int>(ExitStatus::InputAtFault);
  }
  return static_cast<int>(status.value_or(ExitStatus::Usage));
}
