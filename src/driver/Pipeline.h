// The road of a file's regions from what was read to CUDA: analyse, decide, map, emit.
#pragma once

#include "emit/Emit.h"
#include "strategy/Decide.h"

#include <functional>
#include <optional>
#include <vector>

namespace warploom {

struct PipelineOptions {
  PlanOptions plan;
  EmitOptions emit;
  /// Per region what its recipe says; nothing: it is mapped as `plan` says. Empty when there are none.
  std::vector<std::optional<std::vector<Step>>> recipes = {};
  /// Changes what `plan` says for one region; empty: nothing does.
  std::function<void(const Region&, PlanOptions&)> adjust = {};
};

/// Kernels and launchers for `regions`, in their order: of two that nest the outer one comes first. A region
/// that cannot be mapped is refused with a reason. The result refers to `regions`.
GeneratedProgram generate(const std::vector<Region>& regions, const PipelineOptions& options);

} // namespace warploom
