// This machine: its devices and toolkits, and what they are called in results.
#pragma once

#include "device/Device.h"

#include <optional>
#include <string>

namespace warploom {

/// True when this machine has an NVIDIA device that programs may open.
bool hasGpu();
/// The name of the first of them, as its driver says; empty when there is none.
std::string gpuName();
/// What it holds; nothing when that is not known.
std::optional<DeviceLimits> gpuLimits();
/// The card of that name, with its rates; nothing for cards of which the table has none.
std::optional<DeviceLimits> cardCalled(const std::string& name);
/// What the CPU execution holds, which is what the GPUs of today do.
std::optional<DeviceLimits> cpuExecutionLimits();
/// What the CPU execution on this machine is called, with its number of threads.
std::string cpuExecutionName();
/// The version of nvcc, or of another compiler, as it says; empty when it does not.
std::string nvccVersion(const std::string& nvcc);
std::string compilerVersion(const std::string& compiler);

} // namespace warploom
