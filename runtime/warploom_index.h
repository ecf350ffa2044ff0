// The little index arithmetic of generated loop bounds and guards that C has no operator for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <math.h>

namespace warploom {

template <typename A, typename B> __host__ __device__ constexpr auto larger(A a, B b) {
  return a < b ? b : a;
}
template <typename A, typename B> __host__ __device__ constexpr auto smaller(A a, B b) {
  return b < a ? b : a;
}
/// a / b rounded down; b > 0.
template <typename A, typename B> __host__ __device__ constexpr auto floorDivide(A a, B b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// This thread's number in the grid, whatever dimensions grid and block have, and how many there are.
template <typename Index> __device__ Index threadNumber() {
  const Index block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * Index(blockIdx.z));
  return block * Index(blockDim.x * blockDim.y * blockDim.z) + threadIdx.x +
         blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
template <typename Index> __device__ Index threadCount() {
  return gridDim.x * gridDim.y * Index(gridDim.z) * Index(blockDim.x * blockDim.y * blockDim.z);
}

/// The smallest number from `a` on that has no factor in common with b > 0: the width of a tile in shared
/// memory whose columns are on different banks.
__host__ __device__ constexpr int coprime(int a, int b) {
  int x = a, y = b;
  while (y != 0) {
    int rest = x % y;
    x = y;
    y = rest;
  }
  return x == 1 ? a : coprime(a + 1, b);
}
/// The smallest multiple of b > 0 from `a` on.
__host__ __device__ constexpr int multiple(int a, int b) {
  return (a + b - 1) / b * b;
}

/// The smallest odd multiple of b > 0 from `a` on: the width of a tile in shared memory whose rows are read b
/// elements at a time, by neighbouring threads from different banks.
__host__ __device__ constexpr int oddMultiple(int a, int b) {
  return ((a + b - 1) / b | 1) * b;
}

/// As many elements as one access moves when N neighbours are wanted: up to 16 bytes, a power of two.
template <typename T, int N> struct alignas(N * sizeof(T)) Neighbours {
  static_assert(N * sizeof(T) <= 16, "an access has at most 16 bytes");
  T elements[N];
};
template <typename T, int N> __host__ __device__ constexpr int together() {
#ifdef __CUDACC__
  for (int count = 16; count > 1; count /= 2)
    if (count * sizeof(T) <= 16 && N % count == 0 && (sizeof(T) & (sizeof(T) - 1)) == 0) return count;
#endif
  return 1;
}
template <typename T, int N> __device__ bool isAligned(const T* place) {
  return reinterpret_cast<std::uintptr_t>(place) % (N * sizeof(T)) == 0;
}

/// Copies N neighbouring elements from memory, several at once where they lie so that this is possible.
template <int N, typename T> __device__ void loadVector(T (&to)[N], const T* from) {
  constexpr int count = together<T, N>();
  if (isAligned<T, count>(from)) {
#pragma unroll
    for (int k = 0; k < N; k += count) {
      const Neighbours<T, count> some = *reinterpret_cast<const Neighbours<T, count>*>(from + k);
#pragma unroll
      for (int e = 0; e < count; ++e)
        to[k + e] = some.elements[e];
    }
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k)
      to[k] = from[k];
  }
}
/// The same to memory.
template <int N, typename T> __device__ void storeVector(T* to, const T (&from)[N]) {
  constexpr int count = together<T, N>();
  if (isAligned<T, count>(to)) {
#pragma unroll
    for (int k = 0; k < N; k += count) {
      Neighbours<T, count> some;
#pragma unroll
      for (int e = 0; e < count; ++e)
        some.elements[e] = from[k + e];
      *reinterpret_cast<Neighbours<T, count>*>(to + k) = some;
    }
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k)
      to[k] = from[k];
  }
}

/// Whether indices of 32 bits will do: no array has 2^30 elements or more, and `factor` times a size stays
/// below that.
inline bool fitInt(std::initializer_list<long> sizes, std::initializer_list<long> elements,
                   long factor = 16) {
  for (long size : sizes)
    if (size > (1L << 30) / factor || size < -(1L << 30) / factor) return false;
  for (long count : elements)
    if (count >= 1L << 30) return false;
  return true;
}

/// How many blocks of `threads` cover the indices [first, end), up to what a grid may have along any axis:
/// kernels stride over the rest.
inline unsigned blocks(long first, long end, long threads) {
  long needed = end > first ? (end - first + threads - 1) / threads : 0;
  return static_cast<unsigned>(smaller(needed, 65535));
}

/// How many blocks along an axis share the indices [first, end) when every thread combines several into one
/// value: enough for `each` indices per thread, but no more than `most`.
inline unsigned slices(long first, long end, long threads, long each, long most) {
  long needed = end > first ? (end - first + threads * each - 1) / (threads * each) : 0;
  return static_cast<unsigned>(smaller(needed, most));
}

/// What <math.h> gives for isinf: -1 for the negative infinity, 1 for the other, 0 for numbers.
template <typename T> __host__ __device__ inline int isinf_sign(T value) {
  return isinf(value) ? (signbit(value) ? -1 : 1) : 0;
}

} // namespace warploom
