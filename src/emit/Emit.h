// The door of emission: regions in, the text of a CUDA program out.
#pragma once

#include "emit/Program.h"
#include "mapping/Plan.h"

#include <optional>
#include <vector>

namespace warploom {

struct EmitOptions {
  MappingOptions mapping;
  std::string source; ///< the name of the user's file, for the head comment
  /// An identifier that tells the launchers of this file from those of the program's other files.
  std::string unit;
  /// Per region what its recipe says; nothing: it is mapped as `mapping` says. Empty when there are none.
  std::vector<std::optional<std::vector<Step>>> recipes = {};
  bool notesRounding = false; ///< GeneratedRegion::notesRounding of each region
  std::string header;         ///< a header with the launchers' prototypes that the text includes; empty: none
};

/// Kernels and launchers for `regions`, in their order: of two that nest the outer one comes first. A region
/// that cannot be mapped is refused with a reason. The result refers to `regions`.
GeneratedProgram emitProgram(const std::vector<Region>& regions, const EmitOptions& options);

} // namespace warploom
