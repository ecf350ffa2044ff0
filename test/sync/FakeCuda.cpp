// A CUDA runtime without a device, for tests of what programs ask of CUDA: memory is the host's, kernels do
// nothing, and every call writes a line about itself to $CUDA_LOG. The call number $CUDA_FAIL fails.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <map>

namespace {

long calls = 0, streams = 0;
cudaError_t last = cudaSuccess;

/// Host memory that cudaHostAlloc gave, and its size.
std::map<const char*, size_t>& pinned() {
  static auto* ranges = new std::map<const char*, size_t>; // the program's own destructors come late
  return *ranges;
}

bool isPinned(const void* address, size_t bytes) {
  const char* const first = static_cast<const char*>(address);
  auto range = pinned().upper_bound(first);
  if (range == pinned().begin()) return false;
  --range;
  return first + bytes <= range->first + range->second;
}

/// Notes a call; whether it succeeds.
cudaError_t called(const char* name, const char* more = "", const void* stream = nullptr) {
  static FILE* const log = std::fopen(std::getenv("CUDA_LOG"), "w");
  static const long failing = std::atol(std::getenv("CUDA_FAIL"));
  std::fprintf(log, "%s %s %ld\n", name, *more ? more : "-", long(reinterpret_cast<size_t>(stream)));
  std::fflush(log);
  last = ++calls == failing ? cudaErrorLaunchFailure : cudaSuccess;
  return last;
}

/// Notes in $CUDA_THREADS, where that is asked for, how many threads a launch has.
void noteThreads(dim3 grid, dim3 block) {
  static FILE* const log =
      std::getenv("CUDA_THREADS") ? std::fopen(std::getenv("CUDA_THREADS"), "w") : nullptr;
  if (log == nullptr) return;
  std::fprintf(log, "%ld\n", long(grid.x) * grid.y * grid.z * block.x * block.y * block.z);
  std::fflush(log);
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return *count = 1, called("cudaGetDeviceCount");
}
cudaError_t cudaGetDevice(int* device) {
  return *device = 0, called("cudaGetDevice");
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  return *value = 1, called("cudaDeviceGetAttribute");
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int) {
  return called("cudaDeviceGetDefaultMemPool");
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return called("cudaMemPoolSetAttribute");
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(++streams);
  return called("cudaStreamCreateWithFlags", "", *stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return called("cudaStreamSynchronize", "", stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned) {
  return called("cudaStreamWaitEvent", "", stream);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned) {
  return called("cudaEventCreateWithFlags");
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream) {
  return called("cudaEventRecord", "", stream);
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return called("cudaEventDestroy");
}
cudaError_t cudaEventCreate(cudaEvent_t*) {
  return called("cudaEventCreate");
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return called("cudaEventSynchronize");
}
// From each event to the next it takes a second.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return *milliseconds = 1000, called("cudaEventElapsedTime");
}

cudaError_t cudaSetDevice(int) {
  return called("cudaSetDevice");
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* all) {
  return *free = *all = size_t(1) << 33, called("cudaMemGetInfo");
}
// What the host has is the host's.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
  *attributes = {};
  return called("cudaPointerGetAttributes");
}
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned) {
  pinned()[static_cast<char*>(memory)] = bytes;
  return called("cudaHostRegister");
}
cudaError_t cudaHostUnregister(void* memory) {
  pinned().erase(static_cast<char*>(memory));
  return called("cudaHostUnregister");
}

cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  *memory = std::calloc(1, bytes);
  return called("cudaMallocAsync", "", stream);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  std::free(memory);
  return called("cudaFreeAsync", "", stream);
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = std::calloc(1, bytes);
  pinned()[static_cast<char*>(*memory)] = bytes;
  return called("cudaHostAlloc");
}
cudaError_t cudaFreeHost(void* memory) {
  pinned().erase(static_cast<char*>(memory));
  std::free(memory);
  return called("cudaFreeHost");
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  std::memcpy(to, from, bytes);
  const bool in = kind == cudaMemcpyHostToDevice;
  const bool locked = isPinned(in ? from : to, bytes);
  return called("cudaMemcpyAsync",
                in       ? locked ? "in,pinned" : "in,pageable"
                : locked ? "out,pinned"
                         : "out,pageable",
                stream);
}
cudaError_t cudaMemsetAsync(void* memory, int byte, size_t bytes, cudaStream_t stream) {
  std::memset(memory, byte, bytes);
  return called("cudaMemsetAsync", "", stream);
}

cudaError_t cudaLaunchKernel(const void*, dim3 grid, dim3 block, void**, size_t, cudaStream_t stream) {
  noteThreads(grid, block);
  return called("cudaLaunchKernel", "", stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t stream) {
  return called("cudaLaunchCooperativeKernel", "", stream);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  return called("cudaFuncGetAttributes");
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return called("cudaFuncSetAttribute");
}
// The launch of a program compiled by CUDA 13.
cudaError_t __cudaGetKernel(void**, const void*) {
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(void*, dim3 grid, dim3 block, void**, size_t, cudaStream_t stream) {
  noteThreads(grid, block);
  return called("cudaLaunchKernel", "", stream);
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last;
  last = cudaSuccess;
  return error;
}

} // extern "C"
