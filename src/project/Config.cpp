#include "project/Config.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom {

namespace {

/// The most threads a block may have on every device of today.
constexpr int deviceBlockSize = 1024;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool isIdentifier(std::string_view text) {
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), isWord);
}

/// `text` as it can be printed.
std::string shown(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 40))
    result += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return result;
}

class Reader {
public:
  Reader(std::string_view t, std::vector<ConfigMessage>& m) : text(t), messages(m) {}

  ProjectSettings read() {
    ProjectSettings all;
    for (line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view words = trimmed(text.substr(0, end));
      if (words.starts_with('['))
        beginSection(words, all);
      else
        readLine(words);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    endSection(all);
    return all;
  }

  /// `base` with the keys of one line of a source.
  ProjectConfig readOn(const ProjectConfig& base, int at) {
    line = at;
    section = "a directive";
    config = base;
    while (!(text = trimmed(text)).empty()) {
      const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
      readLine(text.substr(0, end));
      text.remove_prefix(end);
    }
    reconcile();
    return config;
  }

private:
  void say(ConfigMessage::Severity severity, int at, std::string message) {
    messages.push_back({severity, at, std::move(message)});
  }
  void error(std::string message) { say(ConfigMessage::Error, line, std::move(message)); }

  /// Keys that are given from here on are those of one function's kernels.
  void beginSection(std::string_view words, ProjectSettings& all) {
    const std::string_view name = trimmed(words.substr(1, words.size() - (words.ends_with(']') ? 2 : 1)));
    if (!words.ends_with(']') || !isIdentifier(name))
      return error(fmt::format("'{}' is no [function]", shown(words)));
    endSection(all);
    section = name;
    if (auto [place, isNew] = all.lines.emplace(section, line); !isNew)
      error(fmt::format("[{}] is there twice, first in line {}", section, place->second));
    config = all.common;
  }

  /// Keeps what was read since the last section began.
  void endSection(ProjectSettings& all) {
    reconcile();
    (section.empty() ? all.common : all.sections[section]) = config;
    here.clear();
  }

  void readLine(std::string_view words) {
    if (words.empty() || words[0] == '#') return;
    const std::size_t equals = words.find('=');
    if (equals == std::string_view::npos) return error(fmt::format("'{}' is no KEY=value", shown(words)));
    const std::string key(trimmed(words.substr(0, equals)));
    const std::string_view value = trimmed(words.substr(equals + 1));
    if (auto [place, isNew] = here.emplace(key, line); !isNew)
      return error(fmt::format("{} is given twice, first in line {}", shown(key), place->second));
    if (!section.empty() && key == "KERNEL_NAMES")
      return error("KERNEL_NAMES is for all kernels, not for those of one function");
    if (readKey(key, value)) {
      config.given[key] = line;
    } else {
      error(fmt::format("there is no key '{}'; the keys are {}", shown(key), fmt::join(keys(), ", ")));
    }
  }

  static const std::vector<std::string>& keys() {
    static const std::vector<std::string> all = {
        "LOOP_COLLAPSING", "BLOCK_SKEW",     "PREFETCHING",   "PREFETCHED_ARRAYS", "NON_PREFETCHED_ARRAYS",
        "DATA_TYPE",       "KERNEL_NAMES",   "2DMATRIX",      "ROW_DIM",           "MAX_BLOCKSIZE",
        "MAX_MERGE_LEVEL", "MAX_SKEW_LEVEL", "MIN_BLOCKSIZE", "MIN_MERGE_LEVEL",   "MIN_SKEW_LEVEL"};
    return all;
  }

  /// Takes the value of a key; false where there is no such key.
  bool readKey(const std::string& key, std::string_view value) {
    ProjectConfig& c = config;
    const std::map<std::string, bool*> switches = {{"LOOP_COLLAPSING", &c.loopCollapsing},
                                                   {"BLOCK_SKEW", &c.blockSkew},
                                                   {"PREFETCHING", &c.prefetching},
                                                   {"2DMATRIX", &c.matrix2d}};
    const std::map<std::string, std::vector<std::string>*> lists = {
        {"PREFETCHED_ARRAYS", &c.prefetchedArrays},
        {"NON_PREFETCHED_ARRAYS", &c.nonPrefetchedArrays},
        {"KERNEL_NAMES", &c.kernelNames}};
    const std::map<std::string, std::pair<int*, int>> numbers = {
        {"MAX_BLOCKSIZE", {&c.maxBlockSize, 0}},    {"MAX_MERGE_LEVEL", {&c.maxMergeLevel, 0}},
        {"MAX_SKEW_LEVEL", {&c.maxSkewLevel, 0}},   {"MIN_BLOCKSIZE", {&c.minBlockSize, 1}},
        {"MIN_MERGE_LEVEL", {&c.minMergeLevel, 1}}, {"MIN_SKEW_LEVEL", {&c.minSkewLevel, 1}}};
    if (auto found = switches.find(key); found != switches.end()) {
      if (value != "0" && value != "1")
        error(fmt::format("{} is 0 or 1, not '{}'", key, shown(value)));
      else
        *found->second = value == "1";
    } else if (auto list = lists.find(key); list != lists.end()) {
      *list->second = names(key, value);
    } else if (auto number = numbers.find(key); number != numbers.end()) {
      readNumber(key, value, *number->second.first, number->second.second);
    } else if (key == "DATA_TYPE") {
      if (value != "float" && value != "double" && value != "int")
        error(fmt::format("DATA_TYPE is float, double or int, not '{}'", shown(value)));
      else
        c.dataType = value;
    } else if (key == "ROW_DIM") {
      if (!isIdentifier(value))
        error(fmt::format("ROW_DIM is the name of a size, not '{}'", shown(value)));
      else
        c.rowDimension = value;
    } else {
      return false;
    }
    return true;
  }

  std::vector<std::string> names(const std::string& key, std::string_view value) {
    std::vector<std::string> result;
    while (!value.empty()) {
      const std::size_t comma = std::min(value.find(','), value.size());
      const std::string_view name = trimmed(value.substr(0, comma));
      if (!isIdentifier(name))
        error(fmt::format("{} is names with commas between them, and '{}' is no name", key, shown(name)));
      else
        result.emplace_back(name);
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return result;
  }

  void readNumber(const std::string& key, std::string_view value, int& to, int least) {
    int number = 0;
    auto [stopped, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (fault != std::errc() || stopped != value.data() + value.size() || number < least)
      error(fmt::format("{} is a whole number of at least {}, not '{}'", key, least, shown(value)));
    else
      to = number;
  }

  /// Repairs or refuses what contradicts itself.
  void reconcile() {
    ProjectConfig& c = config;
    auto repaired = [&](const char* key, std::string message) {
      // What holds for all was told already.
      if (section.empty() || here.count(key)) say(ConfigMessage::Warning, c.lineOf(key), std::move(message));
    };
    if (c.matrix2d && !c.loopCollapsing) {
      repaired("2DMATRIX", "2DMATRIX=1 needs LOOP_COLLAPSING=1; it is taken as 0");
      c.matrix2d = false;
    }
    if (c.blockSkew && c.has("2DMATRIX") && !c.matrix2d) {
      repaired("BLOCK_SKEW", "BLOCK_SKEW=1 needs a 2-D result, 2DMATRIX=1; it is taken as 0");
      c.blockSkew = false;
    }
    if (!c.blockSkew && c.minSkewLevel > 1) {
      repaired("MIN_SKEW_LEVEL", "MIN_SKEW_LEVEL says nothing without BLOCK_SKEW=1; it is taken as 1");
      c.minSkewLevel = 1;
    }
    if (!c.prefetching)
      for (const char* key : {"PREFETCHED_ARRAYS", "NON_PREFETCHED_ARRAYS"}) {
        auto& list = key[0] == 'P' ? c.prefetchedArrays : c.nonPrefetchedArrays;
        if (!list.empty()) repaired(key, fmt::format("{} says nothing without PREFETCHING=1", key));
        list.clear();
      }
    for (const std::string& name : c.prefetchedArrays)
      if (std::count(c.nonPrefetchedArrays.begin(), c.nonPrefetchedArrays.end(), name))
        say(ConfigMessage::Error, c.lineOf("NON_PREFETCHED_ARRAYS"),
            fmt::format("'{}' is in PREFETCHED_ARRAYS too", name));
    auto refused = [&](const char* key, std::string message) {
      say(ConfigMessage::Error, c.lineOf(key), std::move(message));
    };
    if (c.maxBlockSize > deviceBlockSize)
      refused("MAX_BLOCKSIZE", fmt::format("a block has at most {} threads", deviceBlockSize));
    const int block = c.maxBlockSize ? c.maxBlockSize : deviceBlockSize;
    auto bounds = [&](const char* least, int min, const char* most, int max, int top) {
      if (max > top) refused(most, fmt::format("{} is more than the {} threads of a block", most, top));
      if (min > (max ? max : top)) refused(least, fmt::format("{} is more than {}", least, most));
    };
    bounds("MIN_BLOCKSIZE", c.minBlockSize, "MAX_BLOCKSIZE", c.maxBlockSize, deviceBlockSize);
    bounds("MIN_MERGE_LEVEL", c.minMergeLevel, "MAX_MERGE_LEVEL", c.maxMergeLevel, block);
    bounds("MIN_SKEW_LEVEL", c.minSkewLevel, "MAX_SKEW_LEVEL", c.maxSkewLevel, block);
  }

  std::string_view text;
  std::vector<ConfigMessage>& messages;
  int line = 0;
  std::string section;             ///< empty: for all kernels
  std::map<std::string, int> here; ///< the keys that it has, and their lines
  ProjectConfig config;
};

/// The power of two in [least, most] that is nearest to `wish`; 0 where there is none.
int powerWithin(int least, int most, int wish) {
  int power = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(least, 1))));
  if (power > most) return 0;
  while (power < wish && power * 2 <= most)
    power *= 2;
  return power;
}

} // namespace

ProjectSettings readSettings(std::string_view text, std::vector<ConfigMessage>& messages) {
  return Reader(text, messages).read();
}

ProjectConfig readConfig(std::string_view text, std::vector<ConfigMessage>& messages) {
  return readSettings(text, messages).common;
}

ProjectConfig readDirective(const ProjectConfig& base, std::string_view words, int line,
                            std::vector<ConfigMessage>& messages) {
  return Reader(words, messages).readOn(base, line);
}

ProjectSizes firstSizes(const ProjectConfig& config, std::vector<ConfigMessage>& messages) {
  auto within = [&](const char* what, int least, int most, int wish) {
    const int power = powerWithin(least, most, wish);
    if (power == 0)
      messages.push_back(
          {ConfigMessage::Error, config.lineOf(std::string("MIN_") + what),
           fmt::format("there is no power of two from MIN_{0} to MAX_{0}, {1} to {2}", what, least, most)});
    return std::max(power, 1);
  };
  const int block = config.maxBlockSize ? config.maxBlockSize : deviceBlockSize;
  ProjectSizes sizes;
  sizes.block = within("BLOCKSIZE", config.minBlockSize, block, 256);
  sizes.merge = within("MERGE_LEVEL", config.minMergeLevel,
                       config.maxMergeLevel ? config.maxMergeLevel : block, config.prefetching ? 4 : 1);
  sizes.skew = config.blockSkew ? within("SKEW_LEVEL", config.minSkewLevel,
                                         config.maxSkewLevel ? config.maxSkewLevel : block, 2)
                                : 1;
  return sizes;
}

std::vector<std::pair<std::string, int>> tunablesFor(const ProjectSizes& sizes, int maxThreads) {
  const int x = std::min(32, sizes.block), y = std::max(1, std::min(32, sizes.block / x));
  int tileX = std::max(32, sizes.skew), tileY = std::max(32, sizes.merge);
  while ((tileX / sizes.skew) * (tileY / sizes.merge) > maxThreads && tileY > sizes.merge)
    tileY /= 2;
  while ((tileX / sizes.skew) * (tileY / sizes.merge) > maxThreads && tileX > sizes.skew)
    tileX /= 2;
  return {{"BLOCK", sizes.block},
          {"BLOCK_X", x},
          {"BLOCK_Y", y},
          {"ROWS", std::max(1, sizes.block / 32)},
          {"GROUP", std::min(4, sizes.block)},
          {"SWEEP_Y", std::max(32, y)},
          {"TILE_X", tileX},
          {"TILE_Y", tileY},
          {"ITEMS_X", sizes.skew},
          {"ITEMS_Y", sizes.merge},
          {"VECTOR", sizes.skew}};
}

} // namespace warploom
