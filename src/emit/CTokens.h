// The tokens of C text, as far as one must know them to write something around a piece of it: no keywords, no
// macros, only where words, signs, literals and preprocessor lines are.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warploom {

/// A piece [begin, end) of the text. Comments and white space are between tokens.
struct CToken {
  enum class Kind {
    Word,     ///< an identifier, a keyword or a number
    Sign,     ///< one character of an operator or of punctuation
    Literal,  ///< a string or a character
    Directive ///< a preprocessor line from its `#` to the last character before the end of line
  };
  Kind kind = Kind::Sign;
  std::size_t begin = 0, end = 0;
};

/// The tokens of `text`, in order. Never fails: what is no C still gives some tokens.
std::vector<CToken> cTokens(std::string_view text);

} // namespace warploom
