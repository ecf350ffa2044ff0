// Tokens of AIF, Quartz and Lustre texts, made on demand so that free text (time stamps, specifications) can
// be skipped unread.
#pragma once

#include "sync/model/Error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace warploom::sync {

struct Token {
  enum class Kind { Name, Integer, Real, Bits, Symbol, Malformed, End };
  /// Malformed: no token of ours; an error only where a token is needed, since free text may hold anything.
  Kind kind = Kind::End;
  std::string_view text; ///< as written
  Place place;
  std::size_t begin = 0, end = 0;
  bool firstOnLine = false;

  bool is(std::string_view symbolOrName) const {
    return (kind == Kind::Symbol || kind == Kind::Name) && text == symbolOrName;
  }
  /// For messages: "`x`", or "the end of the text".
  std::string described() const;
};

/// Which language the tokens are of: what a comment is, and whether `@` may be part of a name.
enum class Syntax { Aif, Quartz, Lustre };

/// A cursor over a text that outlives it. `//` (in Lustre `--`) starts a comment that ends with its line;
/// Quartz and Lustre have comments of several lines too.
class Lexer {
public:
  /// `origin` is the place of the text's first character, for a text that is a piece of a larger one.
  explicit Lexer(std::string_view text, Place origin = {1, 1}, Syntax syntax = Syntax::Aif);

  const Token& peek() const { return current; }
  Token next(); ///< returns the current token and moves past it
  bool accept(std::string_view symbolOrName);
  Token expect(std::string_view symbolOrName, const char* where);
  Token expectName(const char* what);
  /// The token after the current one.
  Token after(const Token& token) const {
    const unsigned width = unsigned(token.end - token.begin); // a token has no line break
    return lexFrom(token.end, {token.place.line, token.place.column + width, token.place.file});
  }

  Syntax language() const { return syntax; }
  std::string_view source() const { return text; }
  std::size_t previousEnd() const { return consumed; } ///< where the token before the current one ends
  /// Moves to the first token at or after byte `offset`.
  void moveTo(std::size_t offset);
  /// The same where the place of that byte is known.
  void moveTo(std::size_t offset, Place place) {
    consumed = offset;
    current = lexFrom(offset, place);
  }

private:
  /// The first token at or after `offset`, which is at `place`.
  Token lexFrom(std::size_t offset, Place place) const;
  /// The place of `end`, given that of `begin`.
  Place placeAfter(Place place, std::size_t begin, std::size_t end) const;

  std::string_view text;
  Place origin;
  Syntax syntax;
  Token current;
  std::size_t consumed = 0;
};

std::string trimmed(std::string_view text);

} // namespace warploom::sync
