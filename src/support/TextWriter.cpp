#include "support/TextWriter.h"

#include <algorithm>
#include <cctype>

namespace warploom {

namespace {

/// True when an operator or comma ends at `at` after which a line may well be broken: not a comparison.
bool endsPart(const std::string& text, std::size_t at) {
  if (text[at] == '=') return at > 0 && std::string_view("<>!=").find(text[at - 1]) == std::string_view::npos;
  return std::string_view("&|+-,?:").find(text[at]) != std::string_view::npos;
}

/// Where to break `text` between `begin` and `limit`: the last blank after an operator or comma outside
/// brackets, else the last blank at all, else npos.
std::size_t breakBefore(const std::string& text, std::size_t begin, std::size_t limit) {
  std::size_t best = std::string::npos, any = std::string::npos;
  int brackets = 0;
  for (std::size_t at = begin; at < limit && at < text.size(); ++at) {
    brackets += (text[at] == '[') - (text[at] == ']');
    if (text[at] != ' ' || at == begin) continue;
    any = at;
    if (brackets == 0 && endsPart(text, at - 1)) best = at;
  }
  return best != std::string::npos ? best : any;
}

/// True when the character can be part of an identifier.
bool isWord(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

} // namespace

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end]))) return true;
  }
  return false;
}

void TextWriter::line(const std::string& text) {
  constexpr std::size_t width = 110;
  std::size_t at = 0, indentation = std::size_t(depth) * 2;
  // Lines of another writer bring their own indentation.
  const std::size_t own = std::min(text.find_first_not_of(' '), text.size());
  // A string literal may hold blanks that matter, and a directive or comment must stay on its line.
  const bool breakable =
      wraps && text.find('"') == std::string::npos && text.find("//") == std::string::npos && text[0] != '#';
  while (breakable && text.size() - at + indentation > width) {
    const std::size_t end = breakBefore(text, at + (at == 0 ? own : 0), at + width - indentation);
    if (end == std::string::npos) break;
    out.append(indentation, ' ');
    out.append(text, at, end - at);
    out += '\n';
    at = end + 1;
    indentation = std::size_t(depth) * 2 + own + 4;
  }
  if (at < text.size()) out.append(indentation, ' ');
  out.append(text, at, std::string::npos);
  out += '\n';
}

void TextWriter::comment(const std::string& text, std::size_t width) {
  const std::size_t room = width - std::size_t(depth) * 2 - 3;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.size();
    if (end - at > room) {
      end = text.rfind(' ', at + room);
      if (end == std::string::npos || end <= at) end = text.find(' ', at);
      if (end == std::string::npos) end = text.size();
    }
    line("// " + text.substr(at, end - at));
    at = end == text.size() ? end : end + 1;
  }
}

void TextWriter::lines(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    line(text.substr(at, end - at));
    at = end + 1;
  }
}

} // namespace warploom
