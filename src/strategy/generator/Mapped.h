// What the model of strategies says of a nest that steps have mapped, whoever decided on them: their sizes,
// which stay names, are what they are where nothing is said.
#pragma once

#include "strategy/generator/Cost.h"

#include <optional>
#include <string>

namespace warploom::strategies {

/// How `steps`, which map `nest` and nothing else, share out its loops and where they keep its arrays.
struct NestPartition {
  Partition partition;
  Choice choice;
};
/// Nothing where a thread does not take a point, or a few, of loops on the grid each: then the model has no
/// word for it.
std::optional<NestPartition> mappedBy(const std::vector<Step>& steps, const Nest& nest);

/// What the kernel of the nest that begins with `outermost` in `before` costs, which is mapped in `after`;
/// nothing where there are more loops in it than a perfect nest has, or mappedBy has nothing.
std::optional<Cost> costOfMapped(const ScheduleState& before, const std::string& outermost,
                                 const ScheduleState& after, const DeviceLimits& device);

} // namespace warploom::strategies
