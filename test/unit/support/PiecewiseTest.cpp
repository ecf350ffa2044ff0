// Piecewise values as one expression, where they are one.
#include "support/Piecewise.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

TEST(Piecewise, TheSmallerAndTheLargerOfTwo) {
  const auto neither =
      extremeOf(isl::pw_aff(islContext(), "[n, m] -> { [(n)] : n <= m; [(m + 2)] : n > m }"));
  EXPECT_FALSE(neither);
  for (bool isLeast : {true, false}) {
    const auto found =
        extremeOf(isl::pw_aff(islContext(), isLeast ? "[n, m] -> { [(n)] : n <= m; [(m)] : n > m }"
                                                    : "[n, m] -> { [(n)] : n > m; [(m)] : n <= m }"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->isLeast, isLeast);
  }
}

// n / 2 and (n + 1) / 2 are whole where their pieces are, and no more: neither is the other's bound in whole
// numbers.
TEST(Piecewise, HalvesAreNoExtremes) {
  const isl::pw_aff half(islContext(),
                         "[n] -> { [n/2] : n mod 2 = 0; [(n - 1)/2] : n mod 2 = 1 and n <= 20 }");
  EXPECT_FALSE(extremeOf(half));
  EXPECT_FALSE(meaningOf(half));
}

} // namespace
} // namespace warploom
