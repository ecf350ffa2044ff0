// `warploom analyze`: what of a file can run in parallel, and precisely why not.
#include "analysis/Facts.h"
#include "driver/AnalyzeJson.h"
#include "driver/AnalyzeReport.h"
#include "driver/Commands.h"
#include "driver/Toolchain.h"
#include "driver/Translate.h"
#include "frontend/Frontend.h"
#include "support/Budget.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace warploom {

namespace {

struct AnalyzeOptions {
  FrontendOptions frontend;
  bool json = false;
  std::optional<DependenceTest> test; ///< whose answers to print, too
};

ExitStatus analyze(const AnalyzeOptions& options) {
  for (const std::string& file : options.frontend.files)
    if (!std::ifstream(file)) {
      fmt::print(stderr, "warploom: error: no such file: '{}'\n", file);
      return ExitStatus::InputAtFault;
    }
  bool compiled = true;
  nlohmann::ordered_json regions = nlohmann::ordered_json::array();
  for (const FileRegions& file : readFiles(options.frontend)) {
    compiled &= file.compiled;
    bool loops = std::any_of(file.regions.begin(), file.regions.end(),
                             [](const Region& r) { return !r.loops.empty(); });
    if (file.compiled && !loops && !options.json) fmt::print(stderr, "{}: remark: no loop here\n", file.file);
    Budget whole(Budget::For::File, file.seconds);
    for (const Region& region : file.regions) {
      Facts facts = [&] {
        Budget budget(Budget::For::Region, region.readingSeconds);
        return analyse(region);
      }();
      if (options.json) {
        regions.push_back(regionJson(region, facts));
        if (options.test) regions.back()["pairs"] = pairsJson(region, *options.test);
      } else {
        std::cout << regionReport(region, facts, file.source);
        if (options.test) std::cout << testReport(region, *options.test, file.source);
      }
    }
  }
  if (options.json) std::cout << nlohmann::ordered_json{{"regions", regions}}.dump(2) << '\n';
  return compiled ? ExitStatus::Done : ExitStatus::InputAtFault;
}

} // namespace

void addAnalyze(CLI::App& app, const std::vector<std::string>& compilerFlags,
                std::optional<ExitStatus>& status) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command =
      app.add_subcommand("analyze", "Say of every loop whether it can run in parallel, and why not");
  command->add_option("file", options->frontend.files, "C source files")->required()->type_name("FILE");
  command->add_option("--function", options->frontend.function, "Only this function")->type_name("NAME");
  addEffort(*command);
  command->add_flag("--json", options->json, "Print JSON instead of text");
  const std::map<std::string, DependenceTest> tests = {
      {"gcd", DependenceTest::Gcd}, {"banerjee", DependenceTest::Banerjee}, {"exact", DependenceTest::Exact}};
  command
      ->add_option("--dep-test", options->test,
                   "Print, too, what a dependence test says of each pair of references; verdicts are exact")
      ->transform(CLI::CheckedTransformer(tests).description(""))
      ->type_name("gcd|banerjee|exact");
  command->add_option("-p", options->frontend.buildPath, "Folder of compile_commands.json")->type_name("DIR");
  command->footer("What stands after `--` is given to Clang: warploom analyze f.c -- -DN=100 -Iinclude");
  command->callback([options, &compilerFlags, &status] {
    options->frontend.compilerFlags = compilerFlags;
    options->frontend.everyLoop = true;
    options->frontend.cudaHeaders = cudaHeaders();
    status = analyze(*options);
  });
}

} // namespace warploom
