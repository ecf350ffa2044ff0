#include "support/Numbers.h"

#include "support/IslC.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

TEST(Numbers, AreTheLargestOfEachKind) {
  Numbers numbers;
  numbers.add(isl::set(islContext(), "[n] -> { S[i, j] : 3i - 1000j < 7n and 0 <= i <= n + 65 }"));
  EXPECT_EQ(numbers.factor, 1000);
  EXPECT_EQ(numbers.constant, 65);
  EXPECT_EQ(numbers.divisor, 1);
}

TEST(Numbers, ThatDivideAreApart) {
  Numbers all, divisions;
  const isl::map relation(islContext(), "{ S[i] -> a[j] : j = i mod 4096 or j = 77i }");
  all.add(relation);
  EXPECT_EQ(all.factor, 77);
  EXPECT_EQ(all.divisor, 4096);
  divisions.addDivisions(isl::map(islContext(), "{ S[i] -> a[77i + 5] }"));
  EXPECT_EQ(divisions.factor, 1);
  EXPECT_EQ(divisions.constant, 0);
  divisions.addDivisions(relation);
  EXPECT_EQ(divisions.divisor, 4096);
}

TEST(Numbers, OfValuesOfLoops) {
  Numbers numbers;
  numbers.add(isl::union_pw_aff(islContext(), "[n] -> { S[i] -> [(1048576i + 3)]; T[i] -> [(2n - i)] }"));
  EXPECT_EQ(numbers.factor, 1048576);
  EXPECT_EQ(numbers.constant, 3);
  // Tiles, in numbers and from their beginnings, are no further from zero than what is tiled.
  Numbers tiles;
  tiles.add(isl::union_pw_aff(islContext(),
                              "{ S[i] -> [(floor(i / 256))]; T[i] -> [(256 * floor((3i + 7) / 256))] }"));
  EXPECT_EQ(tiles.factor, 3);
  EXPECT_EQ(tiles.divisor, 256);
}

TEST(Numbers, ThatFitIntoNoWordAreCutOff) {
  Numbers numbers;
  numbers.add(
      isl::set(islContext(), "{ S[i] : i < 99999999999999999999999 and -99999999999999999999999 i < 4 }"));
  EXPECT_EQ(numbers.constant, Numbers::most);
}

} // namespace
} // namespace warploom
