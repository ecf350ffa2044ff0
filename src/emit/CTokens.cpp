#include "emit/CTokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace warploom {

namespace {

bool isWordCharacter(char c) {
  unsigned char byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || c == '$' || byte >= 0x80;
}

class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  std::vector<CToken> scan() {
    if (text.starts_with("\xEF\xBB\xBF")) at = 3;
    while (at < text.size())
      step();
    return std::move(tokens);
  }

private:
  char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  /// The length of a backslash with its end of line at `at`; 0 when there is none.
  std::size_t splice() const {
    if (peek() != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  void step() {
    if (std::size_t length = splice()) {
      at += length;
    } else if (peek() == '\n') {
      ++at;
      lineIsEmpty = true;
    } else if (std::isspace(static_cast<unsigned char>(peek()))) {
      ++at;
    } else if (!skipComment()) {
      token();
      lineIsEmpty = false;
    }
  }

  bool skipComment() {
    if (peek() != '/') return false;
    if (peek(1) == '*') {
      std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
      return true;
    }
    if (peek(1) != '/') return false;
    while (at < text.size() && peek() != '\n')
      at += std::max<std::size_t>(splice(), 1);
    return true;
  }

  void token() {
    std::size_t begin = at;
    CToken::Kind kind = CToken::Kind::Sign;
    if (peek() == '#' && lineIsEmpty) {
      kind = CToken::Kind::Directive;
      skipDirective();
    } else if (isWordCharacter(peek()) ||
               (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      kind = CToken::Kind::Word;
      skipWord();
    } else if (peek() == '"' || peek() == '\'') {
      kind = CToken::Kind::Literal;
      bool raw = peek() == '"' && begin > 0 && text[begin - 1] == 'R' && skipRawString();
      if (!raw) skipLiteral();
    } else {
      ++at;
    }
    tokens.push_back({kind, begin, at});
  }

  void skipDirective() {
    std::size_t end = at;
    while (at < text.size() && peek() != '\n') {
      if (std::size_t length = splice()) {
        at += length;
      } else if (!skipComment()) {
        if (peek() == '"' || peek() == '\'')
          skipLiteral();
        else
          ++at;
      }
      if (!std::isspace(static_cast<unsigned char>(text[at - 1]))) end = at;
    }
    at = end;
  }

  void skipWord() {
    bool number = std::isdigit(static_cast<unsigned char>(peek())) || peek() == '.';
    while (isWordCharacter(peek()) || (number && peek() == '.') ||
           (number && peek() == '\'' && isWordCharacter(peek(1))))
      ++at;
  }

  /// A string or character ends at its quote, or unfinished at the end of the line.
  void skipLiteral() {
    char quote = text[at++];
    while (at < text.size() && peek() != quote && peek() != '\n') {
      std::size_t length = splice();
      at += length ? length : peek() == '\\' && peek(1) != '\n' ? 2 : 1;
    }
    at = std::min(at, text.size());
    if (peek() == quote) ++at;
  }

  bool skipRawString() {
    std::size_t open = text.find('(', at);
    if (open == std::string_view::npos || open - at > 17) return false;
    std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
    std::size_t end = text.find(close, open);
    if (end == std::string_view::npos) return false;
    at = end + close.size();
    return true;
  }

  std::string_view text;
  std::size_t at = 0;
  bool lineIsEmpty = true;
  std::vector<CToken> tokens;
};

} // namespace

std::vector<CToken> cTokens(std::string_view text) {
  return Scanner(text).scan();
}

} // namespace warploom
