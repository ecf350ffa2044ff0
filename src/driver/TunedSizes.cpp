#include "driver/TunedSizes.h"

#include "driver/Toolchain.h"
#include "driver/Translate.h"
#include "tune/Fingerprint.h"
#include "tune/Machine.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom {

namespace fs = std::filesystem;

std::vector<TunableKernel> kernelsOf(const GeneratedRegion& region) {
  std::vector<TunableKernel> result;
  if (!region.refused.empty()) return result;
  std::map<std::string, std::set<std::string>> own;
  for (const KernelSizes& kernel : region.kernels)
    if (!kernel.prefix.empty()) own[kernel.prefix] = namesOf(openSizes("", kernel.names, {}, region.sizes));
  const std::vector<KernelIdentity> prints = identities(region.text, region.kernels.size(), own);
  for (std::size_t k = 0; k < prints.size(); ++k) {
    const KernelSizes& kernel = region.kernels[k];
    const std::string name =
        kernel.prefix.empty() ? region.region->name() : kernel.prefix.substr(0, kernel.prefix.size() - 1);
    result.push_back({region.region->name(),
                      name,
                      prints[k],
                      kernel.prefix,
                      0,
                      openSizes(kernel.prefix, kernel.names, {kernel.threads}, region.sizes),
                      {kernel.threads, kernel.prefix.empty() ? "" : sharedBytesOf(region.text, name)},
                      region.problem});
  }
  return result;
}

std::optional<fs::path> usualDatabase() {
  if (const char* named = std::getenv("WARPLOOM_TUNING"))
    return *named ? std::optional<fs::path>(named) : std::nullopt;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache) return fs::path(cache) / "warploom" / "tuning.db";
  if (home && *home) return fs::path(home) / ".cache" / "warploom" / "tuning.db";
  return std::nullopt;
}

std::string deviceName(bool cuda) {
  return cuda ? gpuName() : cpuExecutionName();
}

std::string toolkitName(bool cuda) {
  if (!cuda) return compilerVersion(cxxCompiler(false));
  const auto nvcc = findNvcc();
  return nvcc ? nvccVersion(*nvcc) : "";
}

std::string problemSizes(const std::vector<std::string>& flags) {
  std::map<std::string, std::string> sizes;
  for (const std::string& flag : flags) {
    const std::size_t sign = flag.find('=');
    if (!flag.starts_with("-D") || isTunable(flag) || sign == std::string::npos || sign + 1 == flag.size())
      continue;
    const std::string value = flag.substr(sign + 1);
    if (value.find_first_not_of("0123456789") == std::string::npos) sizes[flag.substr(2, sign - 2)] = value;
  }
  std::vector<std::string> words;
  for (const auto& [name, value] : sizes)
    words.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

void addTunedOptions(CLI::App& command, TunedRequest& request) {
  command.add_option("--db", request.database, "The database with tuned sizes: docs/tuning.md")
      ->type_name("FILE");
  command.add_flag("--no-db", request.none, "Sizes are the usual ones, whatever was tuned");
  command
      .add_option("--tuned-for", request.device, "The device whose tuned sizes are used, as `tune` calls it")
      ->type_name("DEVICE");
}

TunedOptions tunedOptions(const TunedRequest& request, const std::function<bool()>& isForCuda,
                          const std::vector<std::string>& flags) {
  TunedOptions result;
  const std::optional<fs::path> path =
      request.database.empty() ? usualDatabase() : std::optional<fs::path>(request.database);
  std::error_code none;
  if (request.none || !path) return result;
  if (!fs::exists(*path, none)) {
    if (!request.database.empty())
      throw ToolchainError(fmt::format("there is no tuning database '{}'", request.database));
    return result;
  }
  const bool cuda = isForCuda();
  result.database = *path;
  result.device = request.device.empty() ? deviceName(cuda) : request.device;
  result.toolkit = toolkitName(cuda);
  result.sizes = problemSizes(flags);
  return result;
}

TunedSizes::TunedSizes(const TunedOptions& o, const std::vector<std::string>& flags) : options(o) {
  std::error_code none;
  if (options.device.empty() || std::any_of(flags.begin(), flags.end(), isTunable) ||
      !fs::exists(options.database, none))
    return;
  try {
    database.emplace(options.database, Database::Access::Read);
  } catch (const DatabaseError& error) {
    fmt::print(stderr, "warploom: warning: {}; sizes are the usual ones\n", error.what());
  }
}

std::optional<TunedSizes::Choice> TunedSizes::find(const TunableKernel& kernel,
                                                   const GeneratedRegion& region) {
  if (!database) return std::nullopt;
  const Space space(kernel.sizes, kernel.prefix);
  const std::string usual = space.text(space.usual());
  try {
    std::vector<Entry> entries = database->entries(kernel.identity.shape, options.device);
    std::erase_if(entries, [&](const Entry& entry) { return !space.parse(entry.point); });
    const Search wanted{kernel.identity, options.device, options.sizes, options.toolkit};
    Choice choice;
    choice.problems = measuredProblems(entries, wanted, region.problem);
    if (choice.problems.all.size() > 1) {
      choice.points = fewestPoints(choice.problems.all, usual);
      return choice.points.size() > 1 || choice.points.front().point != usual ? std::optional(choice)
                                                                              : std::nullopt;
    }
    choice.one = chosen(entries, wanted, usual);
    return choice.one && choice.one->point != usual ? std::optional(choice) : std::nullopt;
  } catch (const DatabaseError& error) {
    fmt::print(stderr, "warploom: warning: {}; sizes are the usual ones\n", error.what());
    database.reset();
    return std::nullopt;
  }
}

bool TunedSizes::knowsBetter(const GeneratedProgram& program) {
  if (!database) return false;
  for (const GeneratedRegion& region : program.regions)
    for (const TunableKernel& kernel : kernelsOf(region))
      if (find(kernel, region)) return true;
  return false;
}

const std::map<std::string, int>& TunedSizes::of(const GeneratedRegion& region) {
  const auto [result, isNew] = known.try_emplace(region.launcher);
  if (!isNew) return result->second;
  for (const TunableKernel& kernel : kernelsOf(region)) {
    if (kernel.prefix.empty()) continue; // the file's, which others have too
    if (const std::optional<Choice> choice = find(kernel, region)) note(kernel, *choice, result->second);
  }
  return result->second;
}

void TunedSizes::note(const TunableKernel& kernel, const Choice& choice, std::map<std::string, int>& sizes) {
  const Space space(kernel.sizes, kernel.prefix);
  auto sizesAt = [&](const std::string& text, const std::string& prefix) {
    const Point point = *space.parse(text);
    std::map<std::string, int> result;
    for (std::size_t k = 0; k < point.size(); ++k)
      result[space.sizes()[k].name.substr(kernel.prefix.size() - prefix.size())] = point[k];
    return result;
  };
  std::string& text = said[kernel.name];
  if (choice.one) {
    sizes.merge(sizesAt(choice.one->point, kernel.prefix));
    const Search& at = choice.one->search;
    text = choice.one->point;
    if (!at.sizes.empty())
      text += fmt::format(" (found at {})", at.sizes);
    else if (at.kernel.extents != kernel.identity.extents)
      text += fmt::format(" (found with {} in its text)", at.kernel.extents);
    return;
  }
  SizeVariants variants{choice.problems.names, {}};
  std::vector<std::string> parts;
  for (const ServingPoint& one : choice.points) {
    std::vector<std::string> problems;
    variants.variants.push_back({sizesAt(one.point, ""), {}});
    for (const std::size_t p : one.problems) {
      variants.variants.back().at.push_back(choice.problems.all[p].sizes);
      problems.push_back(problemText(choice.problems.names, choice.problems.all[p].sizes));
    }
    parts.push_back(fmt::format("{} (found at {})", one.point, fmt::join(problems, ", ")));
  }
  text = fmt::format("{}", fmt::join(parts, " or "));
  if (choice.points.size() > 1)
    several[kernel.name] = std::move(variants);
  else
    sizes.merge(sizesAt(choice.points.front().point, kernel.prefix));
}

std::string TunedSizes::remark() const {
  std::vector<std::string> parts;
  for (const auto& [kernel, sizes] : said)
    parts.push_back(fmt::format("{} {}", kernel, sizes));
  return fmt::format("tuned sizes for {}: {}", options.device, fmt::join(parts, "; "));
}

} // namespace warploom
