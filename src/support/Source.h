// Positions in the user's source text, as plain values: no stage below the front end needs Clang to report
// one.
#pragma once

#include <cstddef>

namespace warploom {

/// The half-open piece of text [begin, end) of a region's file. Lines and columns count from 1; line 0 means
/// "no position". Inside a macro expansion it is the place where the macro is used.
struct SourceRange {
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;
  std::size_t begin = 0, end = 0; ///< byte offsets into the file

  bool valid() const { return line != 0; }
};

} // namespace warploom
