// The functions of <ctype.h> as the locale "C" has them, for kernels, and whether those of the program tell
// the same: in its locale, for the thread that asks.
#pragma once

#include <cstdint>
#include <cstring>
#include <ctype.h>

namespace warploom {

// What they give is what glibc's tables have: the bit of the class, where a character is in it.
__host__ __device__ inline int isUpper(int c) {
  return c >= 'A' && c <= 'Z' ? 1 << 8 : 0;
}
__host__ __device__ inline int isLower(int c) {
  return c >= 'a' && c <= 'z' ? 1 << 9 : 0;
}
__host__ __device__ inline int isAlpha(int c) {
  return isUpper(c) || isLower(c) ? 1 << 10 : 0;
}
__host__ __device__ inline int isDigit(int c) {
  return c >= '0' && c <= '9' ? 1 << 11 : 0;
}
__host__ __device__ inline int isXdigit(int c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? 1 << 12 : 0;
}
__host__ __device__ inline int isSpace(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r') ? 1 << 13 : 0;
}
__host__ __device__ inline int isPrint(int c) {
  return c >= ' ' && c <= '~' ? 1 << 14 : 0;
}
__host__ __device__ inline int isGraph(int c) {
  return c > ' ' && c <= '~' ? 1 << 15 : 0;
}
__host__ __device__ inline int isBlank(int c) {
  return c == ' ' || c == '\t' ? 1 << 0 : 0;
}
__host__ __device__ inline int isCntrl(int c) {
  return (c >= 0 && c < ' ') || c == 127 ? 1 << 1 : 0;
}
__host__ __device__ inline int isAlnum(int c) {
  return isAlpha(c) || isDigit(c) ? 1 << 3 : 0;
}
__host__ __device__ inline int isPunct(int c) {
  return isGraph(c) && !isAlnum(c) ? 1 << 2 : 0;
}
// The tables begin at -128, with what stands at 128, but for EOF.
__host__ __device__ inline int unsignedOf(int c) {
  return c >= -128 && c < -1 ? c + 256 : c;
}
__host__ __device__ inline int toUpper(int c) {
  return isLower(c) ? c - 'a' + 'A' : unsignedOf(c);
}
__host__ __device__ inline int toLower(int c) {
  return isUpper(c) ? c - 'A' + 'a' : unsignedOf(c);
}

/// True when the program's own functions tell the same of all characters.
inline bool hasPlainCharacters() {
#ifdef __GLIBC__
  struct Tables {
    std::uint16_t classes[384];
    std::int32_t upper[384], lower[384];
    Tables() {
      for (int k = 0; k < 384; ++k) {
        const int c = k - 128;
        classes[k] = static_cast<std::uint16_t>(isUpper(c) | isLower(c) | isAlpha(c) | isDigit(c) |
                                                isXdigit(c) | isSpace(c) | isPrint(c) | isGraph(c) |
                                                isBlank(c) | isCntrl(c) | isAlnum(c) | isPunct(c));
        upper[k] = toUpper(c);
        lower[k] = toLower(c);
      }
    }
  };
  static const Tables plain;
  return std::memcmp(*__ctype_b_loc() - 128, plain.classes, sizeof plain.classes) == 0 &&
         std::memcmp(*__ctype_toupper_loc() - 128, plain.upper, sizeof plain.upper) == 0 &&
         std::memcmp(*__ctype_tolower_loc() - 128, plain.lower, sizeof plain.lower) == 0;
#else
  return false;
#endif
}

} // namespace warploom
