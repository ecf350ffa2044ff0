// How the synchronous wing tells the user what is wrong with a system: one located error, or one named report
// of a run.
#pragma once

#include <stdexcept>
#include <string>

namespace warploom::sync {

/// A position in an AIF or Quartz text. Lines and columns count from 1; line 0 means "no position" (made by a
/// pass).
struct Place {
  unsigned line = 0, column = 0;
};

/// The input is at fault. what() is the message alone; the caller adds the file name.
class Error : public std::runtime_error {
public:
  Error(Place where, const std::string& message) : std::runtime_error(message), place(where) {}
  const Place place;
};

/// `file:line:column: error: message`, followed by the line of `text` and a caret when the error has a
/// position in it.
std::string located(const Error& error, const std::string& file, const std::string& text);

} // namespace warploom::sync
