// The marks users put around the code to look at: `#pragma scop` ... `#pragma endscop`, or CRINK's comment
// lines
// `// PARALLELIZE IN CUDA START` ... `// PARALLELIZE IN CUDA END`.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Preprocessor.h>
#include <vector>

namespace warploom {

class Markers {
public:
  /// One mark in the main file.
  struct Mark {
    clang::SourceLocation location;
    unsigned offset = 0;
    bool begins = false;
  };

  /// Collects the marks that `preprocessor` meets. Must outlive it.
  void watch(clang::Preprocessor& preprocessor);

  /// Reports a begin without an end, an end without a begin, and nesting, as errors.
  void checkPairs(clang::DiagnosticsEngine& diagnostics) const;

  /// The marked byte ranges inside [begin, end) of the main file.
  std::vector<std::pair<unsigned, unsigned>> pairsIn(unsigned begin, unsigned end) const;

private:
  class Pragma;
  class Comment;
  void add(clang::SourceLocation location, const clang::SourceManager& sources, bool begins);
  std::vector<Mark> marks; ///< in textual order
  std::shared_ptr<clang::CommentHandler> comments;
};

} // namespace warploom
