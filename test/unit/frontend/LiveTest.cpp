// Which values may be used after a region: what else the function does with a variable tells.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

/// True when `name` may be used after the only region of a function with the body given.
bool isLive(const std::string& name, const std::string& body) {
  return arrayNamed(regionOf("void* memset(void*, int, unsigned long); void g(int*); int x;\n"
                             "__attribute__((returns_twice)) int comesBack(void*);\n"
                             "struct S { int v[9], n; };\n"
                             "int f(int n, int k, int* p) {\n" +
                             body + "\nreturn k;\n}\n"),
                    name)
      .liveAfter;
}

TEST(Live, AnArrayThatIsOnlySubscriptedIsDeadAfterItsLastUse) {
  const std::string loop = "for (int i = 0; i < 9; i++) x += a[i] = i;";
  EXPECT_FALSE(isLive("a", "int a[9]; " + loop));
  EXPECT_FALSE(isLive("a", "int a[9]; memset(a, 0, sizeof a); a[1] = *(a + 2); __typeof__(a) b; " + loop));
  EXPECT_TRUE(isLive("a", "int a[9]; " + loop + " return a[k];"));
}

TEST(Live, APointerIntoAnArrayMayBeUsedLater) {
  const std::string loop = "for (int i = 0; i < 9; i++) x += a[i] = i;";
  EXPECT_TRUE(isLive("a", "int a[9]; p = a; " + loop));
  EXPECT_TRUE(isLive("a", "int a[9]; p = k ? a + 3 : p; " + loop));
  EXPECT_TRUE(isLive("a", "int a[9]; g(a); " + loop));
  EXPECT_TRUE(isLive("a", "int a[9]; struct { int* q; } s = {a}; " + loop));
  EXPECT_TRUE(isLive("a", "int a[9]; p = memset(a, 0, 4); " + loop));
}

TEST(Live, WhatIsDeclaredInALoopEndsWithIt) {
  EXPECT_FALSE(isLive("t", "while (k--) for (int i = 0; i < n; i++) { int t = p[i]; p[i] = t + *&t; }"));
}

TEST(Live, ControlThatComesBackUsesWhatStandsBefore) {
  const std::string loop = "for (int i = 0; i < n; i++) s += p[i]; ";
  EXPECT_FALSE(isLive("s", "int s = 0; x = s; " + loop));
  EXPECT_FALSE(isLive("s", "int s = 0; before: x = s; if (x < k) goto before; " + loop));
  EXPECT_TRUE(isLive("s", "int s = 0; before: x = s; " + loop + "if (x < k) goto before;"));
  EXPECT_TRUE(isLive("s", "int s = 0; void* to = &&before; before: x = s; " + loop + "goto *to;"));
  EXPECT_TRUE(isLive("s", "int s = 0; comesBack(p); x = s; " + loop));
}

} // namespace
} // namespace warploom
