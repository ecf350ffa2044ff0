#include "driver/Diagnostics.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

void DiagnosticWriter::diagnostic(const SourceRange& at, const char* severity, const std::string& message) {
  if (!at.valid()) {
    text += fmt::format("{}: {}: {}\n", file, severity, message);
    return;
  }
  text += fmt::format("{}:{}:{}: {}: {}\n", file, at.line, at.column, severity, message);
  snippet(at);
}

/// The source line of `at` and a caret under its column, followed by `~` up to its end on that line.
void DiagnosticWriter::snippet(const SourceRange& at) {
  std::size_t from = std::min(at.begin, source.size());
  std::size_t start = from == 0 ? std::string::npos : source.rfind('\n', from - 1);
  start = start == std::string::npos ? 0 : start + 1;
  std::size_t stop = std::min(source.find('\n', start), source.size());
  std::string line = source.substr(start, stop - start);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.empty()) return;
  std::string marks;
  for (std::size_t k = 0; k < from - start && k < line.size(); ++k)
    marks += line[k] == '\t' ? '\t' : ' ';
  marks += '^';
  std::size_t end = std::min({at.end, stop, start + line.size()});
  if (end > from + 1) marks += std::string(end - from - 1, '~');
  text += fmt::format("{:5} | {}\n      | {}\n", at.line, line, marks);
}

} // namespace warploom
