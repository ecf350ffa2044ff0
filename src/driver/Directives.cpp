#include "driver/Directives.h"

#include <fmt/format.h>
#include <set>
#include <sstream>

namespace warploom {

namespace {

/// A directive of a source: the words after `#pragma warploom`.
struct Directive {
  int line = 0;
  std::string words;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// What stands after the word `word` at the beginning of `text`; nothing where another one does.
std::optional<std::string> after(const std::string& text, const std::string& word) {
  if (!text.starts_with(word)) return std::nullopt;
  const std::string rest = text.substr(word.size());
  if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t' && word != "#") return std::nullopt;
  return trimmed(rest);
}

/// The words of `#pragma warploom`; nothing for other lines. `isPragma`: it is any pragma.
std::optional<std::string> directiveOf(const std::string& line, bool& isPragma) {
  const auto directive = after(trimmed(line), "#");
  const auto pragma = directive ? after(*directive, "pragma") : std::nullopt;
  isPragma = pragma.has_value();
  return pragma ? after(*pragma, "warploom") : std::nullopt;
}

class Reader {
public:
  Reader(const FileRegions& file, const ConfigOf& configOf) : file(file), configOf(configOf) {
    std::istringstream text(file.source);
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
  }

  std::optional<std::map<unsigned, RegionSettings>> read() {
    std::map<unsigned, RegionSettings> all;
    std::set<int> used;
    for (const Region& region : file.regions) {
      FunctionConfig own = configOf ? configOf(region.function) : FunctionConfig{unsaid(), false};
      bool isSaid = configOf != nullptr;
      for (const Directive& directive : above(region)) {
        used.insert(directive.line);
        own = {readDirective(own.config, directive.words, directive.line, messages), true};
        isSaid = true;
      }
      if (isSaid) all[region.range.line] = settings(own);
    }
    for (std::size_t k = 0; k < lines.size(); ++k) {
      bool isPragma = false;
      if (directiveOf(lines[k], isPragma) && !used.count(static_cast<int>(k + 1)))
        messages.push_back({ConfigMessage::Warning, static_cast<int>(k + 1),
                            "this directive stands above no loop that could be translated"});
    }
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
    std::vector<Directive> found;
    for (std::size_t line = region.range.line - 1; line-- > 0 && line < lines.size();) {
      bool isPragma = false;
      const auto words = directiveOf(lines[line], isPragma);
      if (!isPragma && !trimmed(lines[line]).empty()) break;
      if (words) found.insert(found.begin(), {static_cast<int>(line + 1), *words});
    }
    return found;
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

std::optional<std::map<unsigned, RegionSettings>> settingsOf(const FileRegions& file,
                                                             const ConfigOf& configOf) {
  return Reader(file, configOf).read();
}

} // namespace warploom
