#include "sync/Lexer.h"

#include <cctype>
#include <fmt/format.h>

namespace warploom::sync {

std::string Token::described() const {
  if (kind == Kind::End) return "the end of the text";
  if (kind != Kind::Malformed) return fmt::format("`{}`", text);
  const unsigned char c = static_cast<unsigned char>(text[0]);
  return std::isprint(c) ? fmt::format("the malformed token `{}`", text)
                         : fmt::format("the byte 0x{:02x}", unsigned(c));
}

std::string trimmed(std::string_view text) {
  const char* blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

Lexer::Lexer(std::string_view of, Place from) : text(of), origin(from) {
  current.place = origin;
  current.firstOnLine = true;
  current = lexFrom(0, current);
  current.firstOnLine = true;
}

Place Lexer::placeOf(std::size_t offset, const Token& before) const {
  Place place = before.place;
  for (std::size_t i = before.begin; i < offset; ++i)
    if (text[i] == '\n')
      place = {place.line + 1, 1};
    else
      ++place.column;
  return place;
}

namespace {
bool isNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'' || c == '@' || c == '.';
}
bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
} // namespace

Token Lexer::lexFrom(std::size_t offset, const Token& before) const {
  std::size_t at = offset;
  bool newLine = false;
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      newLine |= text[at] == '\n';
      ++at;
    } else if (text.substr(at, 2) == "//") {
      while (at < text.size() && text[at] != '\n')
        ++at;
    } else {
      break;
    }
  }
  Token token;
  token.begin = at;
  token.place = placeOf(at, before);
  token.firstOnLine = newLine;
  std::size_t end = at;
  if (at == text.size()) {
    token.kind = Token::Kind::End;
  } else if (isNameStart(text[at])) {
    token.kind = Token::Kind::Name;
    while (end < text.size() && isNamePart(text[end]))
      ++end;
  } else if (text.substr(at, 2) == "0b") {
    token.kind = Token::Kind::Bits;
    end += 2;
    while (end < text.size() && (text[end] == '0' || text[end] == '1'))
      ++end;
    if (end == at + 2 || end - at > 66) token.kind = Token::Kind::Malformed; // 1 to 64 digits
  } else if (isDigit(text[at])) {
    token.kind = Token::Kind::Integer;
    while (end < text.size() && isDigit(text[end]))
      ++end;
    if (end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1])) {
      token.kind = Token::Kind::Real;
      ++end;
      while (end < text.size() && isDigit(text[end]))
        ++end;
    }
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
      std::size_t digits = end + 1;
      if (digits < text.size() && (text[digits] == '-' || text[digits] == '+')) ++digits;
      if (digits < text.size() && isDigit(text[digits])) {
        token.kind = Token::Kind::Real;
        end = digits;
        while (end < text.size() && isDigit(text[end]))
          ++end;
      }
    }
    if (end < text.size() && isNameStart(text[end])) {
      token.kind = Token::Kind::Malformed;
      while (end < text.size() && isNamePart(text[end]))
        ++end;
    }
  } else {
    token.kind = Token::Kind::Symbol;
    const std::string_view two = text.substr(at, 2);
    for (std::string_view symbol : {"=>", "==", "!=", "<=", ">=", "||"})
      if (two == symbol) end = at + 2;
    if (end == at) {
      if (std::string_view("()[]{}:=!<>&|+-*/%,;?").find(text[at]) == std::string_view::npos)
        token.kind = Token::Kind::Malformed;
      end = at + 1;
    }
  }
  token.end = end;
  token.text = text.substr(at, end - at);
  return token;
}

Token Lexer::next() {
  Token result = current;
  consumed = current.end;
  if (current.kind != Token::Kind::End) current = lexFrom(current.end, current);
  return result;
}

bool Lexer::accept(std::string_view symbolOrName) {
  if (!current.is(symbolOrName)) return false;
  next();
  return true;
}

Token Lexer::expect(std::string_view symbolOrName, const char* where) {
  if (!current.is(symbolOrName))
    throw Error(current.place,
                fmt::format("expected `{}` {}, found {}", symbolOrName, where, current.described()));
  return next();
}

Token Lexer::expectName(const char* what) {
  if (current.kind != Token::Kind::Name)
    throw Error(current.place, fmt::format("expected {}, found {}", what, current.described()));
  return next();
}

void Lexer::moveTo(std::size_t offset) {
  // Only ever forwards, past text that need not be made of tokens: count its lines from the last known place.
  Token anchor = current;
  if (offset < anchor.begin) {
    anchor.begin = 0;
    anchor.place = origin;
  }
  Token start;
  start.begin = offset;
  start.place = placeOf(offset, anchor);
  consumed = offset;
  current = lexFrom(offset, start);
}

} // namespace warploom::sync
