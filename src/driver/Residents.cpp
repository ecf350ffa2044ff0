#include "driver/Residents.h"

#include "driver/Toolchain.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace warploom {

namespace {

namespace fs = std::filesystem;

constexpr const char* allowedPrefix = "warploom_resident_";

/// The names of the symbols of an object; none when it is no object.
std::set<std::string> symbolsOf(const std::string& file) {
  std::set<std::string> symbols;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return symbols;
  const ProcessEnd end = runProcess({"nm", "-P", file}, Capture::Output);
  if (!end.ok()) return symbols;
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);)
    symbols.insert(line.substr(0, line.find(' ')));
  return symbols;
}

/// True when names of the program are known to libraries, which then may ask for any of them.
bool isOpen(const std::string& word) {
  return word == "-shared" || word == "-rdynamic" || word == "-r" ||
         word.find("export-dynamic") != std::string::npos || word == "-Wl,-E" || word.starts_with("-flto") ||
         word.find("dynamic-list") != std::string::npos;
}

} // namespace

std::vector<std::string> filesWith(const std::string& symbol, const std::string& text) {
  static const std::regex known("(.*ld(\\.[a-z]+)?: )?(.+): (definition of|reference to) (\\S+)");
  std::vector<std::string> files;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.ends_with(" " + symbol)) continue;
    std::smatch found;
    if (!std::regex_match(line, found, known) || found[5] != symbol) return {};
    files.push_back(found[3]);
  }
  return files;
}

std::vector<std::string> residentFlags(const std::vector<std::string>& link,
                                       const std::vector<std::string>& inputs, const std::string& prefix) {
  auto add = [&](std::vector<std::string>& to, const std::string& word) {
    if (prefix.ends_with(",")) return to.push_back(prefix + word);
    to.insert(to.end(), {prefix, word});
  };
  std::vector<std::string> flags;
  if (!findProgram({"nm"}) || std::any_of(link.begin(), link.end(), isOpen)) return flags;
  std::set<std::string> arrays;
  for (const std::string& input : inputs) {
    if (!input.ends_with(".o")) continue;
    for (const std::string& symbol : symbolsOf(input))
      if (symbol.starts_with(allowedPrefix)) arrays.insert(symbol.substr(std::string(allowedPrefix).size()));
  }
  if (arrays.empty()) return flags;
  TemporaryFolder folder;
  std::vector<std::string> trial = link;
  for (const std::string& array : arrays)
    add(trial, "--trace-symbol=" + array);
  trial.insert(trial.end(), {"-o", (folder.path / "trial").string()});
  const ProcessEnd end = runProcess(trial, Capture::Output);
  if (!end.ok()) return flags;
  for (const std::string& array : arrays) {
    const std::vector<std::string> files = filesWith(array, end.output);
    if (!files.empty() && std::all_of(files.begin(), files.end(), [&](const std::string& file) {
          return symbolsOf(file).count(globalPrefix + array) > 0;
        }))
      add(flags, "--defsym=" + std::string(allowedPrefix) + array + "=1");
  }
  return flags;
}

} // namespace warploom
