// Intervals of subscripts against trying all of them.
#include "warploom_interval.h"

#include <gtest/gtest.h>
#include <limits>

using warploom::forEach;
using warploom::Interval;

namespace {

TEST(Interval, EndIsWhatAnArrayNeeds) {
  EXPECT_EQ(Interval(0, 4).end(), 5);
  EXPECT_EQ(Interval(3).end(), 4);
  EXPECT_EQ(Interval(0, -1).end(), 0); // a loop that does not run
  EXPECT_EQ(Interval(-1, 4).end(), -1);
}

TEST(Interval, ArithmeticIsThatOfAllNumbers) {
  for (long a = -3; a <= 3; ++a)
    for (long b = a - 1; b <= 3; ++b)
      for (long c = -3; c <= 3; ++c)
        for (long d = c - 1; d <= 3; ++d) {
          Interval sum, difference, product;
          for (long i = a; i <= b; ++i)
            for (long j = c; j <= d; ++j) {
              sum = sum.with(i + j);
              difference = difference.with(i - j);
              product = product.with(i * j);
            }
          for (const auto& [found, expected] : {std::pair(Interval(a, b) + Interval(c, d), sum),
                                                std::pair(Interval(a, b) - Interval(c, d), difference),
                                                std::pair(Interval(a, b) * Interval(c, d), product)}) {
            EXPECT_EQ(found.isEmpty(), expected.isEmpty());
            if (expected.isEmpty()) continue;
            EXPECT_EQ(found.front(), expected.front());
            EXPECT_EQ(found.back(), expected.back());
          }
        }
}

TEST(Interval, WhatIsTooLargeIsNotKnown) {
  const long most = std::numeric_limits<long>::max();
  EXPECT_EQ((Interval(0, most) + 1).end(), -1);
  EXPECT_EQ((Interval(most) * 2).end(), -1);
  EXPECT_EQ(((Interval(most) * 2) * 0).end(), -1);
  EXPECT_EQ(Interval(0, 3).with(Interval(most) * 2).end(), -1);
}

TEST(Interval, WhatChoosesIsGoneThrough) {
  const int rows[] = {4, 0, 7, 2};
  EXPECT_EQ(forEach(Interval(0, 3), [&](long i) { return rows[i] * 10 + Interval(0, 9); }).end(), 80);
  EXPECT_EQ(forEach(Interval(0, -1), [&](long i) { return rows[i]; }).end(), 0);
  EXPECT_EQ(forEach(Interval(0, 1), [&](long i) { return i - 1; }).end(), -1);
}

} // namespace
