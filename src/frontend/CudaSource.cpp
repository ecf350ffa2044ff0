#include "frontend/CudaSource.h"

namespace warploom {

bool isCudaSource(const std::string& file) {
  return file.ends_with(".cu");
}

const char* const cudaPrelude = R"(
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#pragma clang force_cuda_host_device end
#undef __global__
#define __global__ __attribute__((global))
#undef __device__
#define __device__ __attribute__((device))
#undef __host__
#define __host__ __attribute__((host))
#undef __shared__
#define __shared__ __attribute__((shared))
#undef __constant__
#define __constant__ __attribute__((constant))
#undef __launch_bounds__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = 0);
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned mask = ~0u);
__device__ int __syncthreads_or(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_count(int);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ unsigned __ballot_sync(unsigned, int);
__device__ unsigned __activemask();
__device__ int __any_sync(unsigned, int);
__device__ int __all_sync(unsigned, int);
__device__ int __popc(unsigned);
__device__ int __clz(int);
__device__ int __ffs(int);
template <class T> __device__ T __ldg(const T*);
template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32);
template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T, class U> __device__ T atomicAdd(T*, U);
template <class T, class U> __device__ T atomicSub(T*, U);
template <class T, class U> __device__ T atomicExch(T*, U);
template <class T, class U> __device__ T atomicMin(T*, U);
template <class T, class U> __device__ T atomicMax(T*, U);
template <class T, class U> __device__ T atomicAnd(T*, U);
template <class T, class U> __device__ T atomicOr(T*, U);
template <class T, class U> __device__ T atomicXor(T*, U);
template <class T, class U, class V> __device__ T atomicCAS(T*, U, V);
)";

std::vector<std::string> cudaFlags(const std::string& headers) {
  // Clang's own wrappers know older versions of CUDA only.
  std::vector<std::string> flags = {"--cuda-host-only", "-nocudainc", "-nocudalib",
                                    "-Wno-unknown-cuda-version"};
  if (!headers.empty()) flags.insert(flags.end(), {"-isystem", headers});
  flags.insert(flags.end(), {"-include", "cuda_runtime.h", "-include", cudaPreludeName});
  return flags;
}

} // namespace warploom
