// How emission says that a region has no text.
#pragma once

#include "support/Source.h"

#include <stdexcept>
#include <string>

namespace warploom {

/// The region cannot be emitted; what() is the reason for the user.
class EmissionRefused : public std::runtime_error {
public:
  EmissionRefused(const SourceRange& at, const std::string& reason) : std::runtime_error(reason), at(at) {}
  SourceRange at;
};

} // namespace warploom
