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
    if (!kernel.prefix.empty()) own[kernel.prefix] = namesOf(openSizes("", kernel.names, {}));
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
                      openSizes(kernel.prefix, kernel.names, {kernel.threads}),
                      {kernel.threads, kernel.prefix.empty() ? "" : sharedBytesOf(region.text, name)}});
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

std::optional<Entry> TunedSizes::find(const TunableKernel& kernel) {
  if (!database) return std::nullopt;
  const Space space(kernel.sizes, kernel.prefix);
  const std::string usual = space.text(space.usual());
  try {
    std::vector<Entry> entries = database->entries(kernel.identity.shape, options.device);
    std::erase_if(entries, [&](const Entry& entry) { return !space.parse(entry.point); });
    const Search wanted{kernel.identity, options.device, options.sizes, options.toolkit};
    std::optional<Entry> choice = chosen(entries, wanted, usual);
    return choice && choice->point != usual ? choice : std::nullopt;
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
      if (find(kernel)) return true;
  return false;
}

std::map<std::string, int> TunedSizes::of(const GeneratedRegion& region) {
  std::map<std::string, int> result;
  for (const TunableKernel& kernel : kernelsOf(region)) {
    if (kernel.prefix.empty()) continue; // the file's, which others have too
    const std::optional<Entry> choice = find(kernel);
    if (!choice) continue;
    const Space space(kernel.sizes, kernel.prefix);
    const Point point = *space.parse(choice->point);
    for (std::size_t k = 0; k < point.size(); ++k)
      result[space.sizes()[k].name] = point[k];
    const Search& at = choice->search;
    said[kernel.name] = choice->point;
    if (!at.sizes.empty())
      said[kernel.name] += fmt::format(" (found at {})", at.sizes);
    else if (at.kernel.extents != kernel.identity.extents)
      said[kernel.name] += fmt::format(" (found with {} in its text)", at.kernel.extents);
  }
  return result;
}

std::string TunedSizes::remark() const {
  std::vector<std::string> parts;
  for (const auto& [kernel, sizes] : said)
    parts.push_back(fmt::format("{} {}", kernel, sizes));
  return fmt::format("tuned sizes for {}: {}", options.device, fmt::join(parts, "; "));
}

} // namespace warploom
