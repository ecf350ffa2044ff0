// Messages about the user's text, in the manner of Clang's.
#pragma once

#include "support/Source.h"

#include <string>

namespace warploom {

/// Collects diagnostics about one file in `text`. Both strings must outlive it.
class DiagnosticWriter {
public:
  DiagnosticWriter(const std::string& file, const std::string& source) : file(file), source(source) {}

  /// `file:line:column: severity: message`, and below it the source line with a caret.
  void diagnostic(const SourceRange& at, const char* severity, const std::string& message);

  std::string text;

private:
  void snippet(const SourceRange& at);

  const std::string& file;
  const std::string& source;
};

} // namespace warploom
