// How the library fails inside: an exception that the API turns into a status and a report.
#pragma once

#include "warploom_la.h"

#include <stdexcept>
#include <string>

namespace warploom::la {

/// An operation cannot be done; what() is the cause in words, for the user.
class Error : public std::runtime_error {
public:
  Error(RTstatus s, const std::string& cause) : std::runtime_error(cause), status(s) {}

  const RTstatus status;
};

/// Throws Error(RT_INVALID_VALUE, cause) unless `holds`.
inline void require(bool holds, const char* cause) {
  if (!holds) throw Error(RT_INVALID_VALUE, cause);
}

} // namespace warploom::la
