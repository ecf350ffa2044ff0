#include "model/CharacterFunctions.h"

#include <map>

namespace warploom {

std::string_view characterFunction(std::string_view name) {
  static const std::map<std::string_view, std::string_view> all = {
      {"isalnum", "isAlnum"}, {"isalpha", "isAlpha"}, {"isblank", "isBlank"}, {"iscntrl", "isCntrl"},
      {"isdigit", "isDigit"}, {"isgraph", "isGraph"}, {"islower", "isLower"}, {"isprint", "isPrint"},
      {"ispunct", "isPunct"}, {"isspace", "isSpace"}, {"isupper", "isUpper"}, {"isxdigit", "isXdigit"},
      {"tolower", "toLower"}, {"toupper", "toUpper"}};
  const auto found = all.find(name);
  return found == all.end() ? std::string_view() : found->second;
}

} // namespace warploom
