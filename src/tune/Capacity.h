// What a kernel needs of a device: what its text tells before it is compiled, and what the compiler says.
#pragma once

#include "device/Device.h"
#include "tune/Result.h"
#include "tune/Space.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The bytes of shared memory of a block of the kernel called `name` as an expression of its sizes, by what
/// `text` declares; empty where it declares nothing, or something whose size is not known here.
std::string sharedBytesOf(const std::string& text, const std::string& name);

/// What must hold of a kernel's sizes for `device` to have room for one block.
std::vector<SizeRule> capacityRules(const KernelNeeds& needs, const DeviceLimits& device);

/// What `said`, the output of ptxas -v, tells of the kernel called `name`, of its form for 32-bit indices
/// where there are several; nothing when it does not tell.
std::optional<Resources> resourcesIn(const std::string& said, const std::string& name);

/// Sets the occupancy of `device` by blocks of so many threads with `use`: the part of the warps that a
/// multiprocessor can have. False when it holds no block.
bool findOccupancy(Resources& use, long threads, const DeviceLimits& device);

} // namespace warploom
