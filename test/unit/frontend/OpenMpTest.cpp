// Loops under directives of OpenMP: which are read, and what becomes of variables that are private to them.
#include "frontend/Reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::vector<Region> regionsUnder(const std::string& directive, const std::string& after = "") {
  return readSource(
             fmt::format("double a[99]; int t, g(void);\nvoid f(int n) {{ int i, v = 3;\n#pragma omp {}\n"
                         "  for (i = 0; i < n; i++) {{ v = i; a[i] = v; }}\n  t = v;{} }}\n",
                         directive, after),
             {"-fopenmp"})
      .regions;
}

TEST(OpenMp, LoopsThatForkTheirThreadsAreRegions) {
  for (const char* directive :
       {"parallel for private(v)", "parallel for firstprivate(v) num_threads(4) schedule(dynamic, 2)",
        "parallel for lastprivate(v) if(n > 9)", "parallel for simd lastprivate(v)", "simd lastprivate(v)"}) {
    std::vector<Region> regions = regionsUnder(directive);
    ASSERT_THAT(regions, SizeIs(1)) << directive;
    EXPECT_THAT(regions[0].loops, SizeIs(1)) << directive;
    EXPECT_THAT(regions[0].fixedText, IsEmpty()) << directive;
  }
}

TEST(OpenMp, OtherDirectivesKeepTheirLoops) {
  for (const char* directive : {"for private(v)", "parallel for ordered lastprivate(v)",
                                "parallel for lastprivate(v) num_threads(g())", "taskloop lastprivate(v)",
                                "target teams distribute parallel for lastprivate(v)"})
    EXPECT_THAT(regionsUnder(directive), IsEmpty()) << directive;
}

TEST(OpenMp, WhatIsPrivateKeepsItsValue) {
  EXPECT_FALSE(arrayNamed(regionsUnder("parallel for private(v)")[0], "v").liveAfter);
  EXPECT_FALSE(arrayNamed(regionsUnder("parallel for firstprivate(v)")[0], "v").liveAfter);
  EXPECT_TRUE(arrayNamed(regionsUnder("parallel for lastprivate(v)")[0], "v").liveAfter);
}

TEST(OpenMp, NoLoopIsTakenWhereThreadsHaveVariablesOfTheirOwn) {
  EXPECT_THAT(readSource("double a[99], c;\n#pragma omp threadprivate(c)\nvoid f(int n) {\n"
                         "#pragma omp parallel for\n  for (int i = 0; i < n; i++) a[i] = c; }\n",
                         {"-fopenmp"})
                  .regions,
              IsEmpty());
}

} // namespace
} // namespace warploom
