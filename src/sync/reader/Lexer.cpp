#include "sync/reader/Lexer.h"

#include <algorithm>
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

Lexer::Lexer(std::string_view of, Place from, Syntax in) : text(of), origin(from), syntax(in) {
  current = lexFrom(0, origin);
  current.firstOnLine = true;
}

namespace {
bool isBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isHexDigit(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/// Symbols of more than one character, the longest first.
constexpr std::string_view longSymbols[] = {
    "<->", "--%", "=>", "==", "!=", "<=", ">=", "||", "<<", ">>", "->", "..", "<>"};

std::size_t symbolLength(std::string_view text) {
  for (std::string_view symbol : longSymbols)
    if (text.starts_with(symbol)) return symbol.size();
  return 1;
}
bool isNamePart(char c, Syntax syntax) {
  if (isNameStart(c) || isDigit(c)) return true;
  return syntax != Syntax::Lustre && (c == '\'' || c == '.' || (c == '@' && syntax == Syntax::Aif));
}
/// A comment of Lustre that says something about the program.
bool isPragma(std::string_view text) {
  return text.starts_with("--%PROPERTY") || text.starts_with("--%MAIN");
}
} // namespace

Place Lexer::placeAfter(Place place, std::size_t begin, std::size_t end) const {
  for (std::size_t at = begin; at < end; ++at)
    place = text[at] == '\n' ? Place{place.line + 1, 1, place.file}
                             : Place{place.line, place.column + 1, place.file};
  return place;
}

Token Lexer::lexFrom(std::size_t offset, Place place) const {
  std::size_t at = offset;
  const std::string_view comment = syntax == Syntax::Lustre ? "--" : "//";
  const auto [opening, closing] = syntax == Syntax::Lustre ? std::pair("(*", "*)") : std::pair("/*", "*/");
  while (at < text.size()) {
    if (isBlank(text[at])) {
      ++at;
    } else if (syntax == Syntax::Lustre && isPragma(text.substr(at))) {
      break;
    } else if (text.substr(at).starts_with(comment)) {
      at = std::min(text.find('\n', at), text.size());
    } else if (syntax != Syntax::Aif && text.substr(at).starts_with(opening)) {
      const std::size_t end = text.find(closing, at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  Token token;
  token.begin = at;
  token.place = placeAfter(place, offset, at);
  token.firstOnLine = token.place.line != place.line;
  std::size_t end = at;
  if (at == text.size()) {
    token.kind = Token::Kind::End;
  } else if (isNameStart(text[at])) {
    token.kind = Token::Kind::Name;
    while (end < text.size() && isNamePart(text[end], syntax) && !text.substr(end).starts_with(".."))
      ++end;
  } else if (text[at] == '0' && text.substr(at, 2) == "0b") {
    token.kind = Token::Kind::Bits;
    end += 2;
    while (end < text.size() && (text[end] == '0' || text[end] == '1'))
      ++end;
    if (end == at + 2 || end - at > 66) token.kind = Token::Kind::Malformed; // 1 to 64 digits
  } else if (text[at] == '0' && text.substr(at, 2) == "0x") {
    token.kind = Token::Kind::Bits;
    end += 2;
    while (end < text.size() && isHexDigit(text[end]))
      ++end;
    if (end == at + 2 || end - at > 18) token.kind = Token::Kind::Malformed; // 1 to 16 digits
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
      while (end < text.size() && isNamePart(text[end], syntax))
        ++end;
    }
  } else {
    const bool known = std::string_view("()[]{}:=!<>&|+-*/%,;?@.^").find(text[at]) != std::string_view::npos;
    token.kind = known ? Token::Kind::Symbol : Token::Kind::Malformed;
    end = at + symbolLength(text.substr(at));
  }
  token.end = end;
  token.text = text.substr(at, end - at);
  return token;
}

Token Lexer::next() {
  Token result = current;
  consumed = current.end;
  if (current.kind != Token::Kind::End) current = after(current);
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
  // Usually forwards, past text that need not be made of tokens.
  const bool forwards = offset >= current.begin;
  const Place place = placeAfter(forwards ? current.place : origin, forwards ? current.begin : 0, offset);
  consumed = offset;
  current = lexFrom(offset, place);
}

} // namespace warploom::sync
