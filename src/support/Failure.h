// The one way to fail inside: a violated invariant is a bug of Warploom's, and says so. What the *user* did
// wrong is never a Failure; it is a diagnostic.
#pragma once

#include <stdexcept>
#include <string>

namespace warploom {

/// A broken invariant, with the region it was found in.
class Failure : public std::logic_error {
public:
  Failure(const std::string& region, const std::string& what)
      : std::logic_error("internal error in " + region + ": " + what) {}
};

/// True when `reason` is that of a bug of ours: of a Failure, or of what else was caught and named so.
inline bool isInternal(const std::string& reason) {
  return reason.starts_with("internal error");
}

} // namespace warploom
