// The little index arithmetic of generated loop bounds and guards that C has no operator for.
#pragma once

#include <initializer_list>

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

/// Whether indices of 32 bits will do: no array has 2^30 elements or more, and sums of a few sizes stay far
/// below.
inline bool fitInt(std::initializer_list<long> sizes, std::initializer_list<long> elements) {
  for (long size : sizes)
    if (size > (1L << 26) || size < -(1L << 26)) return false;
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

} // namespace warploom
