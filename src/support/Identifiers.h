// Names of generated text: which words are taken by the languages it is written in, and identifiers that are
// not.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warploom {

/// True for a word that C, C++ or CUDA, or a header that generated programs include, has a meaning for
/// everywhere: a keyword or a macro.
bool isReserved(std::string_view word);

/// True for a word of a family of macros that the system's headers have, different ones on every system:
/// INT_MAX, EIO, SIGINT, SYS_read, si_pid, __linux.
bool mayBeMacro(std::string_view word);

/// Whether `word` stands in `text`, and not just as a part of another word.
bool mentionsWord(std::string_view text, std::string_view word);

/// Makes identifiers, never one twice and never a reserved word.
class Identifiers {
public:
  /// `word` is taken.
  void take(const std::string& word) { taken.insert(word); }
  /// An identifier that nothing else has, like `wish`: what cannot stand in one becomes `_`, and a number
  /// tells it from others.
  std::string fresh(const std::string& wish);

private:
  std::set<std::string> taken;
};

} // namespace warploom
