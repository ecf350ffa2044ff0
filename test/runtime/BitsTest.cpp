// Bits of numbers, and characters: what kernels compute is what C has on this machine.
#include "warploom.h"

#include <cctype>
#include <gtest/gtest.h>

namespace {

TEST(Bits, AreTakenAndPutBackAsBitFieldsAre) {
  struct Parts {
    unsigned a : 4;
    int b : 13;
    unsigned c : 15;
  };
  for (const int value : {0, 1, -1, 4095, -4096, 12345, -54321}) {
    Parts parts;
    parts.a = static_cast<unsigned>(value) & 15;
    parts.b = static_cast<int>(static_cast<unsigned>(value) << 19) >> 19;
    parts.c = static_cast<unsigned>(value) & 32767;
    const auto number = warploom::sameBits<unsigned, Parts>(parts);
    EXPECT_EQ(warploom::bitsOf<int>(number, 0, 4), parts.a);
    EXPECT_EQ(warploom::signedBitsOf<int>(number, 4, 13), parts.b);
    EXPECT_EQ(warploom::bitsOf<int>(number, 17, 15), parts.c);
    unsigned other = warploom::withBits(0xffffffffu, 0, 4, value);
    other = warploom::withBits(other, 4, 13, value);
    other = warploom::withBits(other, 17, 15, value);
    EXPECT_EQ(other, number);
  }
  const unsigned long long wide = 0x123456789abcdef0ULL;
  EXPECT_EQ(warploom::bitsOf<unsigned long long>(wide, 0, 64), wide);
  EXPECT_EQ(warploom::signedBitsOf<long long>(wide, 4, 40), 0x0000006789abcdefLL);
  EXPECT_EQ(warploom::withBits(wide, 60, 4, -1), 0xf23456789abcdef0ULL);
  EXPECT_EQ((warploom::sameBits<unsigned, float>(1.0f)), 0x3f800000u);
}

#ifdef __GLIBC__
TEST(Characters, AreWhatTheLibrarySaysInTheLocaleC) {
  ASSERT_TRUE(warploom::hasPlainCharacters());
  for (int c = -1; c < 256; ++c) {
    EXPECT_EQ(warploom::isAlpha(c), (isalpha)(c)) << c;
    EXPECT_EQ(warploom::isPunct(c), (ispunct)(c)) << c;
    EXPECT_EQ(warploom::isSpace(c), (isspace)(c)) << c;
    EXPECT_EQ(warploom::isXdigit(c), (isxdigit)(c)) << c;
    EXPECT_EQ(warploom::toUpper(c), (toupper)(c)) << c;
    EXPECT_EQ(warploom::toLower(c), (tolower)(c)) << c;
  }
}
#endif

} // namespace
