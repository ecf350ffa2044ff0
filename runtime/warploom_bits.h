// The bits of a value as a value of another type: what a union of both, or memcpy, makes of it.
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

} // namespace warploom
