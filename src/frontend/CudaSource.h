// How Clang reads the host code of CUDA files.
#pragma once

#include <string>
#include <vector>

namespace warploom {

bool isCudaSource(const std::string& file);

/// The name under which Clang finds `cudaPrelude`.
inline constexpr const char* cudaPreludeName = "/warploom/cuda_prelude.h";

/// What CUDA's own headers say to nvcc alone: which functions run on the device, the variables and functions
/// of device code, so that user's kernels can be read past, and what a launch `<<< >>>` calls.
extern const char* const cudaPrelude;

/// The flags with which Clang reads a CUDA file for the host; `headers` is the folder of CUDA's headers.
std::vector<std::string> cudaFlags(const std::string& headers);

} // namespace warploom
