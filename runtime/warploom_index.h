// The little index arithmetic of generated loop bounds and guards that C has no operator for.
#pragma once

namespace warploom {

__host__ __device__ constexpr long larger(long a, long b) {
  return a < b ? b : a;
}
__host__ __device__ constexpr long smaller(long a, long b) {
  return b < a ? b : a;
}
/// a / b rounded down; b > 0.
__host__ __device__ constexpr long floorDivide(long a, long b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
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
