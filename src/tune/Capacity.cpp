#include "tune/Capacity.h"

#include <map>
#include <regex>
#include <sstream>

namespace warploom {

namespace {

/// `text` where each `warploom::oddMultiple(a, b)`, as runtime/warploom_index.h has it, is written out.
std::string withoutCalls(std::string text) {
  static const std::string call = "warploom::oddMultiple(";
  for (std::size_t at; (at = text.rfind(call)) != std::string::npos;) {
    std::size_t comma = 0, end = at + call.size();
    for (int depth = 1; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 1 && text[end] == ',') comma = end;
      if (depth == 0) break;
    }
    if (comma == 0 || end == text.size()) return "";
    const std::size_t begin = at + call.size();
    const std::string a = "(" + text.substr(begin, comma - begin) + ")",
                      b = "(" + text.substr(comma + 1, end - comma - 1) + ")",
                      times = "((" + a + " + " + b + " - 1) / " + b + ")";
    text.replace(at, end + 1 - at, "((" + times + " + 1 - " + times + " % 2) * " + b + ")");
  }
  return text;
}

/// The bytes of a type of C; nothing for others.
std::optional<int> bytesOf(const std::string& type) {
  static const std::map<std::string, int> known = {{"char", 1},          {"signed char", 1},
                                                   {"unsigned char", 1}, {"bool", 1},
                                                   {"short", 2},         {"unsigned short", 2},
                                                   {"int", 4},           {"unsigned int", 4},
                                                   {"unsigned", 4},      {"float", 4},
                                                   {"long", 8},          {"unsigned long", 8},
                                                   {"long long", 8},     {"unsigned long long", 8},
                                                   {"double", 8}};
  const auto found = known.find(type);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::string sharedBytesOf(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find("struct " + name + "_shared {");
  if (begin == std::string::npos) return "";
  std::istringstream lines(text.substr(begin, text.find("};", begin) - begin));
  static const std::regex member(R"( *([A-Za-z_ ]+) \w+((\[[^\]]+\])+);)");
  std::string sum, line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::smatch parts;
    const bool isArray = std::regex_match(line, parts, member);
    const std::optional<int> bytes = isArray ? bytesOf(parts[1]) : std::nullopt;
    if (!bytes) return "";
    std::string product = std::to_string(*bytes);
    for (const char c : parts[2].str())
      product += c == '[' ? std::string(" * (") : std::string(1, c == ']' ? ')' : c);
    product = withoutCalls(product);
    if (product.empty()) return "";
    sum += (sum.empty() ? "" : " + ") + product;
  }
  return sum;
}

std::vector<SizeRule> capacityRules(const KernelNeeds& needs, const DeviceLimits& device) {
  std::vector<SizeRule> rules;
  const auto add = [&](const std::string& expression, int most, const std::string& what) {
    if (!expression.empty())
      rules.push_back(
          {expression, most, false,
           "a block has at most " + std::to_string(most) + " " + what + " on " + device.architecture});
  };
  add(needs.threads, device.maxBlockSize, "threads");
  add(needs.sharedBytes, sharedPerBlock(device), "bytes of shared memory");
  return rules;
}

std::optional<Resources> resourcesIn(const std::string& said, const std::string& name) {
  static const std::regex used("Used ([0-9]+) registers"), shared("([0-9]+) bytes smem"),
      spilled("([0-9]+) bytes spill stores");
  std::optional<Resources> result;
  bool isIts = false, isFound = false;
  std::string entry, line;
  long spills = 0;
  for (std::istringstream lines(said); std::getline(lines, line);) {
    if (const std::size_t at = line.find("Compiling entry function '"); at != std::string::npos) {
      entry = line.substr(at);
      spills = 0;
      // The name in it has its length before it and no more of a name behind it.
      const std::size_t place = entry.find(std::to_string(name.size()) + name);
      const std::size_t end = place + std::to_string(name.size()).size() + name.size();
      isIts = place != std::string::npos && !isFound;
      // Instances for 32-bit indices: `kernelIiE`.
      if (isIts) isFound = entry.compare(end, 3, "IiE") == 0;
    }
    std::smatch match;
    if (isIts && std::regex_search(line, match, spilled)) spills = std::stol(match[1]);
    if (!isIts || !std::regex_search(line, match, used)) continue;
    result = Resources{std::stoi(match[1]), 0, spills, 0};
    if (std::regex_search(line, match, shared)) result->sharedBytes = std::stol(match[1]);
    isIts = false;
  }
  return result;
}

bool findOccupancy(Resources& use, long threads, const DeviceLimits& device) {
  if (threads < 1 || threads > device.maxBlockSize) return false;
  const int held = activeBlocks(static_cast<int>(threads), {use.registers, use.sharedBytes}, device).all();
  use.occupancy = static_cast<double>(held * ((threads + 31) / 32)) / device.warpsPerSm;
  return held > 0;
}

} // namespace warploom
