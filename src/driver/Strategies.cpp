// `warploom strategies`: recipes for the nests of a file, made by rules and ranked by a model of their cost.
#include "driver/Commands.h"
#include "driver/OutputFiles.h"
#include "driver/Recipes.h"
#include "driver/Schedules.h"
#include "driver/Sizes.h"
#include "driver/Toolchain.h"
#include "driver/Translate.h"
#include "strategy/generator/RecipeText.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace warploom {

namespace {

using strategies::Candidate;
using strategies::Rule;
using strategies::Strategies;
using strategies::timeText;

struct StrategiesOptions {
  FrontendOptions frontend;
  std::vector<std::string> sizes;
  std::string device = "9.0";
  std::string out; ///< the folder for recipes; empty: none are written
  long assumed = 1024;
  std::size_t shown = 10;
  bool json = false, explain = false;
};

/// What was found for a region.
struct Found {
  const Region* region = nullptr;
  std::string file, section, refused;
  Strategies strategies;
  std::filesystem::path folder; ///< of its recipes; empty: none
};

constexpr Rule capacities[] = {Rule::Threads,   Rule::Shared, Rule::Constant,
                               Rule::Registers, Rule::Same,   Rule::Step};

std::string namesText(const std::vector<strategies::Partition>& all) {
  std::vector<std::string> names;
  for (const strategies::Partition& partition : all)
    names.push_back(partition.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string sizesText(const strategies::Partition& partition) {
  std::vector<std::string> sizes;
  for (const auto& [name, value] : partition.sizes)
    sizes.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(sizes, " "));
}

void report(const Found& found, const StrategiesOptions& options) {
  fmt::print("{}: {}\n", found.file, found.section);
  if (!found.refused.empty()) {
    fmt::print("  no strategies: {}\n", found.refused);
    return;
  }
  const Strategies& all = found.strategies;
  fmt::print("  {} orders of {} loops: {} dropped by dependence, {} by coalescing, {} left\n", all.orders.all,
             all.nest.loops.size(), all.orders.count(Rule::Dependence), all.orders.count(Rule::Coalescing),
             all.orders.left.size());
  for (const strategies::LoopOrder& order : all.orders.left)
    fmt::print("    {}\n", fmt::join(order.loops, ", "));
  if (!all.orders.before.empty()) fmt::print("    after {}\n", print(all.orders.before.front()));
  std::vector<std::string> dropped;
  for (Rule rule : capacities)
    dropped.push_back(fmt::format("{} {}", all.count(rule), nameOf(rule)));
  fmt::print("  {} partitions: {}\n", all.partitions.size(), namesText(all.partitions));
  fmt::print("  {} combinations, dropped: {}; {} strategies\n", all.combinations, fmt::join(dropped, ", "),
             all.candidates.size());
  for (std::size_t k = 0; k < all.candidates.size() && k < options.shown; ++k) {
    const Candidate& candidate = all.candidates[k];
    fmt::print("  {:4}  {:>8}  {:3.0f} % of warps  {}\n", k + 1, timeText(candidate.cost.seconds),
               100 * candidate.cost.occupancy, candidate.name);
  }
  if (!all.candidates.empty()) {
    fmt::print("  the first with {}: {} expected, of {} tuples of sizes\n", sizesText(all.tuned),
               timeText(all.tunedCost.seconds), all.tuples);
    if (options.explain)
      for (const std::string& line : explained(all, all.candidates.front()))
        fmt::print("    {}\n", line);
  }
  if (options.explain) {
    for (const auto* list : {&all.orders.dropped, &all.dropped})
      for (const strategies::Dropped& one : *list)
        fmt::print("    dropped, {}: {}: {}\n", nameOf(one.rule), one.what, one.why);
  }
  if (!found.folder.empty())
    fmt::print("  wrote {} recipes to '{}'\n", all.candidates.size() + 2, found.folder.string());
}

nlohmann::ordered_json costJson(const strategies::Cost& cost) {
  return {{"seconds", cost.seconds},     {"arithmetic", cost.arithmetic}, {"issue", cost.issue},
          {"access", cost.access},       {"cache", cost.cache},           {"memory", cost.memory},
          {"waiting", cost.waiting},     {"launch", cost.launch},         {"blocksHeld", cost.held.all()},
          {"occupancy", cost.occupancy}, {"waves", cost.efficiency}};
}

nlohmann::ordered_json json(const Found& found) {
  nlohmann::ordered_json result = {{"file", found.file}, {"region", found.section}};
  if (!found.refused.empty()) {
    result["refused"] = found.refused;
    return result;
  }
  const Strategies& all = found.strategies;
  result["orders"] = {{"all", all.orders.all},
                      {"dependence", all.orders.count(Rule::Dependence)},
                      {"coalescing", all.orders.count(Rule::Coalescing)},
                      {"left", all.orders.left.size()}};
  result["loops"] = nlohmann::ordered_json::array();
  for (const strategies::LoopOrder& order : all.orders.left)
    result["loops"].push_back({{"order", order.loops}, {"host", order.host}, {"parallel", order.parallel}});
  result["partitions"] = nlohmann::ordered_json::array();
  for (const strategies::Partition& partition : all.partitions) {
    nlohmann::ordered_json one = {{"name", partition.name}, {"sizes", partition.sizes}};
    if (partition.shape == strategies::Partition::Shape::Own) one["own"] = true;
    for (const strategies::Placement& placement : partition.placements) {
      nlohmann::ordered_json ways = nlohmann::ordered_json::array();
      for (strategies::Keep keep : placement.ways)
        ways.push_back(nameOf(keep));
      one["placements"].push_back({{"arrays", all.nest.arrays[placement.arrays].names}, {"ways", ways}});
    }
    result["partitions"].push_back(one);
  }
  result["combinations"] = all.combinations;
  for (Rule rule : capacities)
    result["dropped"][nameOf(rule)] = all.count(rule);
  result["strategies"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < all.candidates.size(); ++k) {
    const Candidate& candidate = all.candidates[k];
    nlohmann::ordered_json one = {{"name", candidate.name},
                                  {"threads", candidate.use.threads},
                                  {"sharedBytes", candidate.use.sharedBytes},
                                  {"registers", candidate.use.registers},
                                  {"sectors", candidate.use.sectors},
                                  {"cacheBytes", candidate.use.cacheBytes},
                                  {"memoryBytes", candidate.use.memoryBytes},
                                  {"cost", costJson(candidate.cost)}};
    result["strategies"].push_back(one);
  }
  if (!all.candidates.empty())
    result["tuned"] = {{"sizes", all.tuned.sizes}, {"tuples", all.tuples}, {"cost", costJson(all.tunedCost)}};
  if (!found.folder.empty()) result["folder"] = found.folder.string();
  return result;
}

/// The recipes of a region in a folder of its own: all of them, the best with tuned sizes, and the master.
std::vector<OutputFile> recipesOf(Found& found, const StrategiesOptions& options,
                                  const std::string& architecture) {
  const Strategies& all = found.strategies;
  if (all.candidates.empty()) return {};
  std::string name = found.section;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ':' || c == '#'; }, '_');
  found.folder = std::filesystem::path(options.out) / name;
  const strategies::RecipeFor where{found.section, std::filesystem::path(found.file).filename().string(),
                                    architecture};
  std::vector<OutputFile> files = {
      {found.folder / "master.lua", masterText(all, where)},
      {found.folder / "best.lua", recipeText(all, all.candidates.front(), all.tuned, all.tunedCost, where)}};
  for (std::size_t k = 0; k < all.candidates.size(); ++k) {
    const Candidate& candidate = all.candidates[k];
    files.push_back({found.folder / fmt::format("{:03}_{}.lua", k + 1, candidate.name),
                     recipeText(all, candidate, all.partitions[candidate.partition], candidate.cost, where)});
  }
  return files;
}

ExitStatus run(const StrategiesOptions& options) {
  const DeviceLimits device = deviceNamed(options.device);
  if (device.rates.multiprocessors == 0)
    throw ToolchainError(fmt::format("how fast a device {} is, is not known", device.name));
  const std::vector<FileRegions> files = readFiles(options.frontend);
  bool compiled = true, any = false;
  nlohmann::ordered_json regions = nlohmann::ordered_json::array();
  std::vector<RecipeTarget> targets;
  for (const FileRegions& file : files) {
    compiled = compiled && file.compiled;
    for (const Region& region : file.regions)
      targets.push_back({file.file, &region, {}});
  }
  if (!compiled) return ExitStatus::InputAtFault;
  std::vector<OutputFile> outputs;
  std::vector<Found> all;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Region& region = *targets[k].region;
    if (region.loops.empty()) continue;
    all.push_back({&region, targets[k].file, sectionName(targets, k), "", {}, {}});
    Found& found = all.back();
    OpenedRegion opened;
    auto made = strategiesOf(region, opened, {device, options.assumed});
    if (std::string* refused = std::get_if<std::string>(&made))
      found.refused = std::move(*refused);
    else
      found.strategies = std::move(std::get<Strategies>(made));
    if (found.refused.empty() && found.strategies.candidates.empty())
      found.refused = found.strategies.dropped.empty() ? "no loop of it is parallel"
                                                       : found.strategies.dropped.front().why;
    if (!options.out.empty() && found.refused.empty())
      for (OutputFile& file : recipesOf(found, options, device.architecture))
        outputs.push_back(std::move(file));
    any = any || found.refused.empty();
  }
  if (all.empty() && !options.json)
    fmt::print(stderr, "warploom: error: there is no loop to look at{}\n",
               options.frontend.function.empty() ? "" : " in a function `" + options.frontend.function + "`");
  for (const Found& found : all)
    if (!found.folder.empty()) std::filesystem::create_directories(found.folder);
  writeFiles(outputs);
  for (const Found& found : all)
    if (options.json)
      regions.push_back(json(found));
    else
      report(found, options);
  if (options.json)
    std::cout << nlohmann::ordered_json{{"device", device.architecture}, {"regions", regions}}.dump(2)
              << '\n';
  return any ? ExitStatus::Done : ExitStatus::InputAtFault;
}

} // namespace

void addStrategies(CLI::App& app, const std::vector<std::string>& compilerFlags,
                   std::optional<ExitStatus>& status) {
  auto options = std::make_shared<StrategiesOptions>();
  CLI::App* command =
      app.add_subcommand("strategies", "Recipes for the nests of a file, ranked by what they should take");
  command->add_option("file", options->frontend.files, "C source files")->required()->type_name("FILE");
  command->add_option("--function", options->frontend.function, "Only this function")->type_name("NAME");
  command->add_option("-p", options->frontend.buildPath, "Folder of compile_commands.json")->type_name("DIR");
  command->add_option("--out", options->out, "A folder for the recipes, one in it for each region")
      ->type_name("DIR");
  command->add_option("--device", options->device, "A compute capability (9.0, sm_90); query: this machine's")
      ->type_name("DEVICE");
  command->add_option("--assume", options->assumed, "How many iterations a loop has that only runs will tell")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command->add_option("--top", options->shown, "How many are listed")->type_name("N");
  command->add_flag("--explain", options->explain, "Say why, of the best and of all that was dropped");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  addSizes(*command, options->sizes);
  addExtents(*command, options->frontend.extents);
  addEffort(*command);
  command->footer("What stands after `--` is given to Clang: warploom strategies f.c --out d -- -DN=100");
  command->callback([options, &compilerFlags, &status] {
    options->frontend.compilerFlags = withSizes(compilerFlags, options->sizes);
    options->frontend.cudaHeaders = cudaHeaders();
    options->frontend.nested = true;
    status = run(*options);
  });
}

} // namespace warploom
