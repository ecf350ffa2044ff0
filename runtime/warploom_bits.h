// Numbers by their bits: the bits of one as a number of another type, as a union of both or memcpy makes it,
// and some of them, as bit-fields and the members of unions are.
#pragma once

#include <cstring>

namespace warploom {

/// The value of type To that has the bits of `value`.
template <typename To, typename From> __host__ __device__ inline To sameBits(From value) {
  static_assert(sizeof(To) == sizeof(From), "a bit for each");
  To result;
  memcpy(&result, &value, sizeof result);
  return result;
}

/// `count` ones, at the end.
__host__ __device__ constexpr unsigned long long ones(int count) {
  return count >= 64 ? ~0ULL : (1ULL << count) - 1;
}

/// The number that `count` bits of `number` are, from number `first` on.
template <typename T, typename Number>
__host__ __device__ constexpr T bitsOf(Number number, int first, int count) {
  return static_cast<T>(number >> first & static_cast<Number>(ones(count)));
}

/// The same where the last of them is the sign.
template <typename T, typename Number>
__host__ __device__ constexpr T signedBitsOf(Number number, int first, int count) {
  return static_cast<T>(
      static_cast<long long>(static_cast<unsigned long long>(number) << (64 - first - count)) >>
      (64 - count));
}

/// `number` with the last bits of `value` as these.
template <typename Number, typename Value>
__host__ __device__ constexpr Number withBits(Number number, int first, int count, Value value) {
  return static_cast<Number>((number & ~(ones(count) << first)) |
                             (static_cast<unsigned long long>(value) & ones(count)) << first);
}

} // namespace warploom
