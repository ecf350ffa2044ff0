// The keywords of MetaFork and Cilk in a C text, found by Clang's raw lexer before the text is parsed. They
// are replaced by blanks or by `for`, so that the text keeps its length and every location stays what it was.
#pragma once

#include "frontend/ForkJoin.h"

#include <map>
#include <string>
#include <vector>

namespace warploom {

/// One keyword in the text.
struct ForkJoinKeyword {
  ForkJoinKind kind = ForkJoinKind::Join;
  bool assigned = false; ///< a fork after `=`
  std::string name;
  std::size_t begin = 0, end = 0; ///< with its clauses
  std::size_t next = 0;           ///< where the statement begins that it is about
  struct Name {
    std::string text;
    std::size_t begin = 0;
  };
  std::vector<Name> shared, cached;
  struct Reduction {
    std::string operation, identity, combine;
    std::vector<Name> names;
  };
  std::vector<Reduction> reductions;
  bool matched = false;
};

/// `#pragma meta grainsize = e`, or Cilk's.
struct GrainPragma {
  std::size_t begin = 0, end = 0; ///< the line, without its end
  std::size_t expression = 0, expressionEnd = 0;
  std::size_t next = 0; ///< the token after the line
};

/// `cilk_reducer(identity, combine)` in a declaration.
struct ReducerMark {
  std::size_t begin = 0, end = 0;
  std::string identity, combine;
};

struct ForkJoinTokens {
  ForkJoinLanguage language = ForkJoinLanguage::C;
  std::string text; ///< for Clang; as long as the user's
  std::vector<ForkJoinKeyword> keywords;
  std::vector<GrainPragma> grains;
  std::vector<ReducerMark> reducers;
  std::vector<LanguageText> includes;
  struct Directive {
    std::size_t begin, end;
    std::string name; ///< its first word
  };
  std::vector<Directive> directives; ///< of OpenMP's, all that the text has
  struct Problem {
    std::size_t begin, end;
    std::string message;
  };
  std::vector<Problem> problems;
};

/// Reads the tokens of `source`; `given` is the language the user names.
ForkJoinTokens readForkJoinTokens(const std::string& source, std::optional<ForkJoinLanguage> given);

} // namespace warploom
