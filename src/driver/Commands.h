// The commands of `warploom`.
#pragma once

#include "driver/ExitStatus.h"

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// Adds `analyze` to `app`. When it is the command given, parsing runs it and sets `status`. `compilerFlags`
/// is what stood after `--`, and must outlive the parse.
void addAnalyze(CLI::App& app, const std::vector<std::string>& compilerFlags,
                std::optional<ExitStatus>& status);

/// The same for `compile`, `build` and `verify`.
void addCompile(CLI::App& app, const std::vector<std::string>& compilerFlags,
                std::optional<ExitStatus>& status);
void addBuild(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status);
void addVerify(CLI::App& app, const std::vector<std::string>& compilerFlags,
               std::optional<ExitStatus>& status);

/// The same for `strategies`.
void addStrategies(CLI::App& app, const std::vector<std::string>& compilerFlags,
                   std::optional<ExitStatus>& status);

/// The same for `tune`.
void addTune(CLI::App& app, const std::vector<std::string>& compilerFlags, std::optional<ExitStatus>& status);

/// The same for `project`.
void addProject(CLI::App& app, const std::vector<std::string>& compilerFlags,
                std::optional<ExitStatus>& status);

/// The same for `cc`, all of whose arguments are the C compiler's; `status` may become any status of that.
void addCc(CLI::App& app, std::optional<ExitStatus>& status);

/// The same for `run`, whose `arguments`, after `--`, are the program's. `status` may become any status of
/// the program.
void addRun(CLI::App& app, const std::vector<std::string>& arguments, std::optional<ExitStatus>& status);

/// The same for `cases` and `model`.
void addCases(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status);
void addModel(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status);

/// The same for `translate`, between the fork-join languages. `compilerFlags` are Clang's.
void addForkJoinTranslate(CLI::App& app, const std::vector<std::string>& compilerFlags,
                          std::optional<ExitStatus>& status);

} // namespace warploom
