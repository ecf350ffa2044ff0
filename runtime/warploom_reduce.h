// Reductions inside a warp and a block, and the atomic update that ends them. Used by generated kernels, in
// CUDA and on the CPU alike. The order of the operations depends only on the shape of the block.
#pragma once

#include <climits>
#include <cstring>
#include <limits>
#include <type_traits>

namespace warploom {

/// The ends of T's values: infinite where there is an infinity, and the largest that is not. Constants, since
/// device code may not call numeric_limits.
template <typename T> struct Bounds {
  using Limits = std::numeric_limits<T>;
  static constexpr T largest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  static constexpr T smallest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  static constexpr T finite = Limits::max();
  static constexpr T tiny = Limits::min();        ///< the smallest above 0 with all its digits
  static constexpr T epsilon = Limits::epsilon(); ///< from 1 to the next
};

/// What T is combined in: an order that C did not choose may pass through values that T does not hold, and
/// whole numbers must then wrap around.
template <typename T>
using Wrapping = std::conditional_t<!std::is_integral_v<T>, T,
                                    std::conditional_t<(sizeof(T) > 4), unsigned long long, unsigned>>;

// The operations that C programs reduce with. `identity<T>()` changes nothing: op(identity, x) == x.

struct Sum {
  template <typename T> __device__ T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
  template <typename T> __host__ __device__ static constexpr T identity() { return T(0); }
};

struct Product {
  template <typename T> __device__ T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
  template <typename T> __host__ __device__ static constexpr T identity() { return T(1); }
};

/// The smaller, as `a < b ? a : b` has it in a C loop; the identity is the largest value, infinity where
/// there is one.
struct Minimum {
  template <typename T> __device__ T operator()(T a, T b) const { return b < a ? b : a; }
  template <typename T> __host__ __device__ static constexpr T identity() { return Bounds<T>::largest; }
};

struct Maximum {
  template <typename T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
  template <typename T> __host__ __device__ static constexpr T identity() { return Bounds<T>::smallest; }
};

struct BitAnd {
  template <typename T> __device__ T operator()(T a, T b) const { return static_cast<T>(a & b); }
  template <typename T> __host__ __device__ static constexpr T identity() { return static_cast<T>(-1); }
};

struct BitOr {
  template <typename T> __device__ T operator()(T a, T b) const { return static_cast<T>(a | b); }
  template <typename T> __host__ __device__ static constexpr T identity() { return T(0); }
};

struct BitXor {
  template <typename T> __device__ T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
  template <typename T> __host__ __device__ static constexpr T identity() { return T(0); }
};

struct LogicalAnd {
  template <typename T> __device__ T operator()(T a, T b) const { return static_cast<T>(a && b); }
  template <typename T> __host__ __device__ static constexpr T identity() { return T(1); }
};

struct LogicalOr {
  template <typename T> __device__ T operator()(T a, T b) const { return static_cast<T>(a || b); }
  template <typename T> __host__ __device__ static constexpr T identity() { return T(0); }
};

/// The values of the first `lanes` lanes of a warp combined, in lane 0; other lanes get parts of it. All
/// these lanes call it together.
template <typename Op, typename T> __device__ T warpReduce(T value, Op op, int lanes = 32) {
  int rank = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  int lane = rank % 32;
  unsigned mask = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1u;
  // Types narrower than a register travel as int.
  using Word = std::conditional_t<(sizeof(T) < 4), int, T>;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = static_cast<T>(__shfl_down_sync(mask, static_cast<Word>(value), static_cast<unsigned>(offset)));
    if (lane + offset < lanes) value = op(value, other);
  }
  return value;
}

/// The values of all 32 lanes of a warp combined, in every lane. All lanes call it together.
template <typename Op, typename T> __device__ T warpReduceAll(T value, Op op) {
  using Word = std::conditional_t<(sizeof(T) < 4), int, T>;
  return static_cast<T>(__shfl_sync(0xffffffffu, static_cast<Word>(warpReduce(value, op)), 0));
}

/// The values of `Lanes` neighbouring lanes of a warp combined, in each of them: 0 to Lanes - 1, and so on.
/// All of a group call it together; other groups may be elsewhere.
template <int Lanes, typename Op, typename T> __device__ T groupReduceAll(T value, Op op) {
  static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0,
                "groups are 1, 2, 4, 8, 16 or 32 lanes");
  int rank = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  unsigned mask = (Lanes == 32 ? 0xffffffffu : (1u << Lanes % 32) - 1u) << (rank % 32 / Lanes * Lanes);
  using Word = std::conditional_t<(sizeof(T) < 4), int, T>;
  for (int offset = Lanes / 2; offset > 0; offset /= 2)
    value = op(value, static_cast<T>(__shfl_xor_sync(mask, static_cast<Word>(value), offset, Lanes)));
  return value;
}

/// The values of all threads of the block combined, in thread 0; other threads get parts of it. Every thread
/// of the block calls it; it may be called again at once.
template <typename Op, typename T> __device__ T blockReduce(T value, Op op) {
  __shared__ T partial[32];
  int rank = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  int warp = rank / 32, warps = (threads + 31) / 32;

  int left = threads - warp * 32;
  value = warpReduce(value, op, left < 32 ? left : 32);
  if (warps == 1) return value;

  if (rank % 32 == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0 && rank < warps) value = warpReduce(partial[rank], op, warps);
  __syncthreads(); // `partial` is free again
  return value;
}

/// Puts `value` where `compare` is, as one step; what was there before.
template <typename Word> __device__ Word compareAndSwap(Word* address, Word compare, Word value) {
  return atomicCAS(address, compare, value);
}

#ifdef __CUDACC__
/// CUDA exchanges no single bytes: the four around this one are, the others staying what they are.
__device__ inline unsigned char compareAndSwap(unsigned char* address, unsigned char compare,
                                               unsigned char value) {
  const auto number = reinterpret_cast<unsigned long long>(address);
  auto* four = reinterpret_cast<unsigned*>(number & ~3ull);
  const unsigned shift = static_cast<unsigned>(number & 3u) * 8u, others = ~(0xffu << shift);
  auto byteOf = [&](unsigned word) { return static_cast<unsigned char>(word >> shift); };
  unsigned seen = atomicCAS(four, 0u, 0u);
  while (byteOf(seen) == compare) {
    const unsigned expected = seen;
    seen = atomicCAS(four, expected, (expected & others) | static_cast<unsigned>(value) << shift);
    if (seen == expected) break;
  }
  return byteOf(seen);
}
#endif

/// Replaces `*target` by `op(*target, value)` as one step; for the operations and types that CUDA's atomic
/// functions do not cover. T has at most 8 bytes.
template <typename Op, typename T>
__device__ void atomicUpdate(T* target, std::common_type_t<T> value, Op op) {
  static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0, "atomic updates are of words");
  using Narrow = std::conditional_t<sizeof(T) == 1, unsigned char, unsigned short>;
  using Wide = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  using Word = std::conditional_t<(sizeof(T) < 4), Narrow, Wide>;
  Word* word = reinterpret_cast<Word*>(target);
  // A compare-and-swap with any guess reads the word atomically.
  Word seen = compareAndSwap(word, Word(0), Word(0)), expected;
  do {
    expected = seen;
    T old;
    memcpy(&old, &expected, sizeof(T));
    T combined = op(old, value);
    Word next;
    memcpy(&next, &combined, sizeof(T));
    seen = compareAndSwap(word, expected, next);
  } while (seen != expected);
}

/// The same for all operations and types, by CUDA's own functions where there are such.
template <typename Op, typename T> __device__ void atomicCombine(T* target, T value, Op op) {
  constexpr bool native = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, float> ||
                          std::is_same_v<T, double>;
  if constexpr (std::is_same_v<Op, Sum> && native)
    atomicAdd(target, value);
  else
    atomicUpdate(target, value, op);
}

} // namespace warploom
