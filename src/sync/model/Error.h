// How the synchronous wing tells the user what is wrong with a system: one located error, or one named report
// of a run.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>

namespace warploom::sync {

/// A position in one of the texts a system is made of. Lines and columns count from 1; line 0 means "no
/// position" (made by a pass).
struct Place {
  unsigned line = 0, column = 0;
  unsigned file = 0; ///< index into Sources::files
};

/// The texts a system is made of: the one that was asked for, and those it includes.
struct Sources {
  struct File {
    std::string name, text;
  };
  std::deque<File> files; ///< a reader may hold on to a text while others are added
};

/// The input is at fault. what() is the message alone.
class Error : public std::runtime_error {
public:
  Error(Place where, const std::string& message) : std::runtime_error(message), place(where) {}
  const Place place;
};

/// `file:line:column: error: message`, followed by that line and a caret when the error has a position.
std::string located(const Error& error, const Sources& sources);

} // namespace warploom::sync
