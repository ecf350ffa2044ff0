#include "sync/model/Error.h"

#include <fmt/format.h>

namespace warploom::sync {

std::string located(const Error& error, const Sources& sources) {
  const auto& [file, text] = sources.files.at(error.place.file);
  if (error.place.line == 0) return fmt::format("{}: error: {}\n", file, error.what());
  std::string result =
      fmt::format("{}:{}:{}: error: {}\n", file, error.place.line, error.place.column, error.what());
  std::size_t begin = 0;
  for (unsigned line = 1; line < error.place.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return result;
    ++begin;
  }
  std::string line = text.substr(begin, text.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  // The caret line repeats tabs, so that both lines are shifted alike.
  std::string caret;
  for (unsigned column = 1; column < error.place.column && column <= line.size(); ++column)
    caret += line[column - 1] == '\t' ? '\t' : ' ';
  return result + fmt::format("  {}\n  {}^\n", line, caret);
}

} // namespace warploom::sync
