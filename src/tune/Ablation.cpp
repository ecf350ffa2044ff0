#include "tune/Ablation.h"

#include <array>
#include <regex>
#include <sstream>

namespace warploom {

namespace {

/// How a line of a recipe is when something is left out: `line` replaced by `by`, which is empty where the
/// whole line is.
struct Omission {
  const char* what;
  std::regex line;
  const char* by;
};

const std::array<Omission, 7>& omissions() {
  // Tensor cores need both memories.
  static const std::array<Omission, 7> all = {
      Omission{"shared memory", std::regex("copy_to_shared\\(.*|map_to_tensor\\(.*"), ""},
      Omission{"pipelines",
               std::regex("(copy_to_shared\\(\"[^\"]*\", \"[^\"]*\", -?[0-9]+), [2-9](, .*)?\\)"),
               "$1, 1$2)"},
      Omission{"registers", std::regex("copy_to_registers\\(.*|map_to_tensor\\(.*"), ""},
      Omission{"tensor cores", std::regex("map_to_tensor\\(.*"), ""},
      Omission{"constant memory", std::regex("copy_to_constant\\(.*"), ""},
      Omission{"read-only path", std::regex("copy_to_texture\\(.*"), ""},
      Omission{"unrolling", std::regex("unroll\\(.*"), ""}};
  return all;
}

} // namespace

std::vector<std::pair<std::string, std::string>> ablations(const std::string& recipe,
                                                           const std::string& region) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const Omission& omission : omissions()) {
    std::string text;
    bool isInside = false, changed = false;
    std::istringstream in(recipe);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("region(", 0) == 0) isInside = line.rfind("region(\"" + region + "\"", 0) == 0;
      if (isInside && std::regex_match(line, omission.line)) {
        line = std::regex_replace(line, omission.line, omission.by);
        changed = true;
      }
      text += line + "\n";
    }
    if (changed) result.emplace_back(omission.what, text);
  }
  return result;
}

} // namespace warploom
