#include "driver/Directives.h"

#include <fmt/format.h>
#include <set>
#include <sstream>

namespace warploom {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// True for a line that may stand between a directive and its loop: another pragma, or nothing.
bool mayStandBetween(const std::string& line) {
  const std::string text = trimmed(line);
  return text.empty() || (text[0] == '#' && trimmed(text.substr(1)).starts_with("pragma"));
}

class Reader {
public:
  Reader(const FileRegions& file, const ConfigOf& configOf) : file(file), configOf(configOf) {
    std::istringstream text(file.source);
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
  }

  std::optional<std::map<std::size_t, RegionSettings>> read() {
    std::map<std::size_t, RegionSettings> all;
    std::set<std::size_t> used;
    for (const Region& region : file.regions) {
      FunctionConfig own = configOf ? configOf(region.function) : FunctionConfig{unsaid(), false};
      bool isSaid = configOf != nullptr;
      for (const Directive& directive : above(region)) {
        used.insert(directive.begin);
        own = {readDirective(own.config, directive.words, static_cast<int>(directive.line), messages), true};
        isSaid = true;
      }
      if (isSaid) all[region.range.begin] = settings(own);
    }
    for (const Directive& directive : file.directives)
      if (!used.count(directive.begin))
        messages.push_back({ConfigMessage::Warning, static_cast<int>(directive.line),
                            "this directive stands above no loop that could be translated"});
    bool failed = false;
    for (const ConfigMessage& message : messages) {
      const bool isError = message.severity == ConfigMessage::Error;
      failed = failed || isError;
      fmt::print(stderr, "{}:{}: {}: {}\n", file.file, message.line, isError ? "error" : "warning",
                 message.text);
    }
    if (failed) return std::nullopt;
    return all;
  }

private:
  /// A configuration that says nothing: all loops, all memories, sizes as usual.
  static ProjectConfig unsaid() {
    ProjectConfig config;
    config.prefetching = config.blockSkew = true;
    return config;
  }

  /// The directives right above `region`, among other pragmas.
  std::vector<Directive> above(const Region& region) const {
    const std::size_t last = lineAt(region.range.begin);
    std::size_t first = last;
    while (first > 1 && first - 2 < lines.size() && mayStandBetween(lines[first - 2]))
      --first;
    std::vector<Directive> found;
    for (const Directive& directive : file.directives)
      if (const std::size_t line = lineAt(directive.begin); line >= first && line < last)
        found.push_back(directive);
    return found;
  }

  /// The line of the text in which byte `offset` is, from 1.
  std::size_t lineAt(std::size_t offset) const {
    return 1 + static_cast<std::size_t>(std::count(
                   file.source.begin(), file.source.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  }

  RegionSettings settings(const FunctionConfig& own) {
    RegionSettings result;
    result.outermostOnly = !own.config.loopCollapsing;
    result.noShared = !own.config.prefetching;
    if (!own.isOwn) return result;
    constexpr int most = 1024;
    const ProjectSizes sizes = firstSizes(own.config, messages);
    for (const auto& [name, value] :
         tunablesFor(sizes, own.config.maxBlockSize ? own.config.maxBlockSize : most))
      result.sizes[name] = value;
    return result;
  }

  const FileRegions& file;
  const ConfigOf& configOf;
  std::vector<std::string> lines;
  std::vector<ConfigMessage> messages;
};

} // namespace

std::optional<std::map<std::size_t, RegionSettings>> settingsOf(const FileRegions& file,
                                                                const ConfigOf& configOf) {
  return Reader(file, configOf).read();
}

} // namespace warploom
