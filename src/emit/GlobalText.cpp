#include "emit/GlobalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

std::string_view textOf(const FileRegions& file, const CToken& token) {
  return std::string_view(file.source).substr(token.begin, token.end - token.begin);
}

/// Why a macro called `name` from byte `from` on would change anything but the uses of the array; empty when
/// it would not.
std::string whyNoMacro(const FileRegions& file, const std::vector<CToken>& tokens, const GlobalArray& array,
                       std::size_t from) {
  for (const CToken& token : tokens) {
    const std::string_view text = textOf(file, token);
    if (token.kind == CToken::Kind::Word && token.begin >= from && text == array.name &&
        !array.mentions.count(token.begin))
      return "something else has its name";
    if (token.kind != CToken::Kind::Directive) continue;
    const std::vector<CToken> words = cTokens(text.substr(1));
    auto word = [&](std::size_t k) {
      return k < words.size() ? text.substr(1 + words[k].begin, words[k].end - words[k].begin) : "";
    };
    if (token.begin >= from && word(0) == "include") return "a file is included behind it";
    const bool defines = word(0) == "define" && word(1) != array.name;
    for (std::size_t k = 1; k < words.size() && !defines; ++k)
      if (word(k) == array.name) return "a preprocessor line names it";
  }
  return "";
}

std::string textFor(const GlobalArray& array, const std::string& newline) {
  const std::string& name = array.name;
  std::string text = newline;
  if (array.isDefined && !array.isStatic)
    text += fmt::format("extern const char warploom_resident_{}[] __attribute__((weak));{}", name, newline);
  text += fmt::format("{1} __typeof__({0})* __restrict warploom_place_{0} = &{0};{2}", name,
                      array.isStatic ? "static" : "__attribute__((weak))", newline);
  if (array.isDefined)
    text += fmt::format("static struct {{ void *place, *array; unsigned long bytes; const char* allowed; }} "
                        "warploom_global_{0} __attribute__((used, section(\"warploom_globals\"))) = "
                        "{{(void*)&warploom_place_{0}, &{0}, sizeof {0}, {1}}};{2}",
                        name, array.isStatic ? "\"\"" : "warploom_resident_" + name, newline);
  return text + fmt::format("#define {0} (*warploom_place_{0}){1}", name, newline);
}

} // namespace

std::vector<GlobalText> globalTexts(const FileRegions& file, const std::vector<CToken>& tokens,
                                    std::size_t head, bool hasLaunchers) {
  const std::string newline = file.source.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  std::vector<GlobalText> result;
  for (const GlobalArray& array : file.globals) {
    if (array.isStatic && !hasLaunchers) continue;
    GlobalText global;
    global.array = &array;
    global.refused = array.refused;
    global.offset = head;
    if (array.declared > 0) {
      auto end = std::find_if(tokens.begin(), tokens.end(), [&](const CToken& token) {
        return token.begin >= array.declared && token.kind == CToken::Kind::Sign &&
               file.source[token.begin] == ';';
      });
      if (end == tokens.end()) continue;
      global.offset = end->end;
    }
    if (global.refused.empty() && array.used < global.offset)
      global.refused = "it is used before its last declaration";
    if (global.refused.empty()) global.refused = whyNoMacro(file, tokens, array, global.offset);
    if (global.refused.empty()) global.text = textFor(array, newline);
    result.push_back(std::move(global));
  }
  return result;
}

} // namespace warploom
