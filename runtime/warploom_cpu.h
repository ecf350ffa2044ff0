// CUDA's kernel language for a host compiler: the same kernel text compiles as C++17 and runs on the host's
// cores. Blocks run in parallel, each on one OS thread; the threads of a block are fibres of that OS thread,
// switched only where they wait for each other. What CUDA does not accept is not accepted here either
// (atomics on other types, for example), so that text which runs here compiles under nvcc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <math.h>
#include <tuple>
#include <type_traits>
#include <utility>

// ---- Declarations
// -------------------------------------------------------------------------------------------------

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

// A block never leaves its OS thread, so what is local to the OS thread is shared by exactly the threads of
// the block.
#ifndef WARPLOOM_SANITIZE
#define __shared__ thread_local
#define WARPLOOM_UNINSTRUMENTED
#else
// For code that is no part of a kernel.
#ifdef __clang__
#define WARPLOOM_UNINSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define WARPLOOM_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#endif
// A red zone before every array catches what runs over its end through a pointer; subscripts are checked by
// the compiler's own bounds instrumentation.
#define WARPLOOM_JOIN2(a, b) a##b
#define WARPLOOM_JOIN(a, b) WARPLOOM_JOIN2(a, b)
#define __shared__                                                                                           \
  __attribute__((used)) thread_local char WARPLOOM_JOIN(warploomRedZone, __COUNTER__)[256];                  \
  __attribute__((used)) thread_local
#endif

struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// The built-in variables of the thread that is running on this OS thread.
inline thread_local uint3 threadIdx;
inline thread_local uint3 blockIdx;
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;
inline constexpr int warpSize = 32;

#define WARPLOOM_VECTOR2(T, name)                                                                            \
  struct alignas(2 * sizeof(T)) name {                                                                       \
    T x, y;                                                                                                  \
  };                                                                                                         \
  inline name make_##name(T x, T y) {                                                                        \
    return {x, y};                                                                                           \
  }
#define WARPLOOM_VECTOR4(T, name)                                                                            \
  struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) name {                                             \
    T x, y, z, w;                                                                                            \
  };                                                                                                         \
  inline name make_##name(T x, T y, T z, T w) {                                                              \
    return {x, y, z, w};                                                                                     \
  }
WARPLOOM_VECTOR2(int, int2)
WARPLOOM_VECTOR2(unsigned, uint2)
WARPLOOM_VECTOR2(float, float2)
WARPLOOM_VECTOR2(double, double2)
WARPLOOM_VECTOR4(int, int4)
WARPLOOM_VECTOR4(unsigned, uint4)
WARPLOOM_VECTOR4(float, float4)
#undef WARPLOOM_VECTOR2
#undef WARPLOOM_VECTOR4

// ---- Barriers, fences, warps
// --------------------------------------------------------------------------------------

namespace warploom::cpu {

/// Waits for the other threads of the block. `file` and `line` tell barriers apart even where the compiler
/// made two of them one. The result is how many threads brought a `predicate` that is not 0.
struct Votes {
  int yes, all;
};
Votes blockBarrier(int predicate, const char* file, int line);

} // namespace warploom::cpu

__forceinline__ void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  warploom::cpu::blockBarrier(0, file, line);
}

__forceinline__ int __syncthreads_count(int predicate, const char* file = __builtin_FILE(),
                                        int line = __builtin_LINE()) {
  return warploom::cpu::blockBarrier(predicate, file, line).yes;
}

__forceinline__ int __syncthreads_and(int predicate, const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
  warploom::cpu::Votes votes = warploom::cpu::blockBarrier(predicate, file, line);
  return votes.yes == votes.all;
}

__forceinline__ int __syncthreads_or(int predicate, const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) {
  return warploom::cpu::blockBarrier(predicate, file, line).yes != 0;
}

// These are functions of the executor, not inline: the sanitizer names the place by the address they return
// to.
void __syncwarp(unsigned mask = 0xffffffffu);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
unsigned __ballot_sync(unsigned mask, int predicate);
unsigned __activemask();

namespace warploom::cpu {

/// The value that lane `source` of this warp brings to the same exchange; all lanes of `mask` take part. When
/// `source` is not one of them CUDA leaves the result undefined; here all its bits are set, a NaN that shows.
std::uint64_t warpExchange(unsigned mask, std::uint64_t value, int source);

/// This thread's number in its block, x fastest.
inline int threadRank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

inline int laneNumber() {
  return threadRank() % warpSize;
}

template <typename T> T exchange(unsigned mask, T value, int source) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "a shuffle moves int, long, long long, their unsigned forms, float or double");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = warpExchange(mask, bits, source);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

} // namespace warploom::cpu

template <typename T> T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
  int segment = warploom::cpu::laneNumber() & ~(width - 1);
  return warploom::cpu::exchange(mask, value, segment + (source & (width - 1)));
}

template <typename T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  int lane = warploom::cpu::laneNumber(), segment = lane & ~(width - 1);
  int source = lane - static_cast<int>(delta);
  return warploom::cpu::exchange(mask, value, source < segment ? lane : source);
}

template <typename T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  int lane = warploom::cpu::laneNumber(), end = (lane & ~(width - 1)) + width;
  int source = lane + static_cast<int>(delta);
  return warploom::cpu::exchange(mask, value, source >= end ? lane : source);
}

template <typename T> T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = warpSize) {
  int lane = warploom::cpu::laneNumber(), end = (lane & ~(width - 1)) + width;
  int source = lane ^ laneMask;
  return warploom::cpu::exchange(mask, value, source >= end ? lane : source);
}

inline int __any_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}

// ---- Small functions
// ----------------------------------------------------------------------------------------------

template <typename T> T __ldg(const T* address) {
  return *address;
}
inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
inline int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
inline double rsqrt(double x) {
  return 1.0 / sqrt(x);
}

#define WARPLOOM_MIN_MAX(T)                                                                                  \
  inline constexpr T min(T a, T b) {                                                                         \
    return b < a ? b : a;                                                                                    \
  }                                                                                                          \
  inline constexpr T max(T a, T b) {                                                                         \
    return a < b ? b : a;                                                                                    \
  }
WARPLOOM_MIN_MAX(int)
WARPLOOM_MIN_MAX(unsigned)
WARPLOOM_MIN_MAX(long)
WARPLOOM_MIN_MAX(unsigned long)
WARPLOOM_MIN_MAX(long long)
WARPLOOM_MIN_MAX(unsigned long long)
#undef WARPLOOM_MIN_MAX
inline float min(float a, float b) {
  return fminf(a, b);
}
inline float max(float a, float b) {
  return fmaxf(a, b);
}
inline double min(double a, double b) {
  return fmin(a, b);
}
inline double max(double a, double b) {
  return fmax(a, b);
}

#include "warploom_cpu_atomics.h"
#include "warploom_cpu_device.h"
