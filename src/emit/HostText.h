// The user's text with calls of the launchers in it. It stays C, and outside the regions every byte stays as
// it was; `#line` directives keep the user's line numbers in messages and debuggers.
#pragma once

#include "emit/CTokens.h"
#include "emit/GlobalText.h"
#include "emit/Program.h"
#include "frontend/Frontend.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

enum class HostMode {
  Guarded, ///< `if (!launcher(...)) { the original loops }`
  Verify   ///< both run on the same data and are compared (runtime/warploom_verify.h)
};

/// Where a region's text is, and what it can bear around it.
/// Invariant: `refused` is empty exactly when the text can be wrapped; the rest means something only then.
struct RegionText {
  std::string refused;
  std::size_t begin = 0; ///< of its first token, or of the first `#pragma` line that speaks of its first loop
  std::size_t end = 0;   ///< after its last statement, semicolon included
  bool ownLine = false;  ///< a `#pragma` begins at `begin`: what comes before it needs lines of its own
  bool inList =
      false; ///< several statements may stand in its place; else it is the one body of an `if`, a loop
};

/// The text of one file, ready to have its regions looked up.
class SourceText {
public:
  explicit SourceText(const FileRegions& file);

  /// Where `region`, of this file, is.
  RegionText locate(const Region& region) const;
  /// Where that loop of this file is.
  RegionText locate(const Repetition& loop) const;
  /// The end of the last preprocessor line, outside conditionals, that comes before everything else.
  std::size_t endOfHead() const;
  /// What is to be done about the file's global arrays.
  std::vector<GlobalText> globals(bool hasLaunchers) const;

private:
  RegionText locate(const SourceRange& range) const;
  std::string_view textOf(const CToken& token) const;
  bool isSign(const CToken& token, char sign) const;
  /// What a `#pragma` says; nothing for other tokens.
  std::optional<std::string_view> pragma(const CToken& token) const;

  const FileRegions& file;
  const std::string& source;
  std::vector<CToken> tokens;
};

/// The text of `file` in which each region of `program` that has a launcher calls it, and global arrays may
/// move. Byte for byte the text itself when there are neither. Throws Failure when such a region's text
/// cannot be wrapped: ask SourceText first. `header` is included for the prototypes, which are in the text
/// itself where it is empty.
std::string hostText(const FileRegions& file, const GeneratedProgram& program, HostMode mode,
                     const std::string& header = "");

/// The text of a header called `header` with the prototypes of the launchers, for C and C++; `source` is the
/// user's file.
std::string headerText(const std::string& source, const GeneratedProgram& program, const std::string& header);

} // namespace warploom
