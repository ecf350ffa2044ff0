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

TEST(OpenMp, LoopsThatThreadsShareAreRegions) {
  for (const char* directive :
       {"parallel for private(v)", "for private(v) nowait",
        "parallel for firstprivate(v) num_threads(4) schedule(dynamic, 2)",
        "parallel for lastprivate(v) if(n > 9)", "parallel for simd lastprivate(v)", "simd lastprivate(v)",
        "target teams distribute parallel for map(tofrom: a)", "target parallel for lastprivate(v)"}) {
    std::vector<Region> regions = regionsUnder(directive);
    ASSERT_THAT(regions, SizeIs(1)) << directive;
    EXPECT_THAT(regions[0].loops, SizeIs(1)) << directive;
    EXPECT_THAT(regions[0].fixedText, IsEmpty()) << directive;
  }
}

/// True when `regions` are one loop that nothing is known of, which says so.
bool isUnread(const std::vector<Region>& regions) {
  return regions.size() == 1 && regions[0].statements.size() == 1 &&
         !regions[0].statements[0].hostOnly.empty();
}

TEST(OpenMp, OtherDirectivesKeepTheirLoops) {
  for (const char* directive :
       {"parallel for ordered lastprivate(v)", "parallel for lastprivate(v) num_threads(g())",
        "taskloop lastprivate(v)", "target teams distribute parallel for map(to: a)",
        "target teams distribute parallel for lastprivate(v) nowait"})
    EXPECT_TRUE(isUnread(regionsUnder(directive))) << directive;
}

TEST(OpenMp, WhatIsPrivateKeepsItsValue) {
  EXPECT_FALSE(arrayNamed(regionsUnder("parallel for private(v)")[0], "v").liveAfter);
  EXPECT_FALSE(arrayNamed(regionsUnder("parallel for firstprivate(v)")[0], "v").liveAfter);
  EXPECT_TRUE(arrayNamed(regionsUnder("parallel for lastprivate(v)")[0], "v").liveAfter);
}

TEST(OpenMp, ScalarsOfATargetAreCopies) {
  EXPECT_FALSE(arrayNamed(regionsUnder("target teams distribute parallel for")[0], "v").liveAfter);
  EXPECT_TRUE(
      arrayNamed(regionsUnder("target teams distribute parallel for map(tofrom: v)")[0], "v").liveAfter);
}

TEST(OpenMp, ALoopHasTheWordOfItsDirective) {
  Region region = regionsUnder("parallel for private(v)")[0];
  ASSERT_TRUE(region.loops[0].word.has_value());
  EXPECT_EQ(region.loops[0].word->text, "#pragma omp parallel for");
  EXPECT_EQ(region.loops[0].word->line, 3);
  EXPECT_FALSE(region.loops[0].word->ofLanes);
  EXPECT_EQ(arrayNamed(region, "v").declaredIn, 0); // no value when an iteration begins
  EXPECT_TRUE(regionsUnder("simd lastprivate(v)")[0].loops[0].word->ofLanes);
  EXPECT_FALSE(regionsUnder("simd lastprivate(v) safelen(4)")[0].loops[0].word.has_value());
}

TEST(OpenMp, TheWordIsAboutAsManyLoopsAsAreCollapsed) {
  Region region = readSource("double a[9][9][9];\nvoid f(int n) {\n#pragma omp parallel for collapse(2)\n"
                             "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\n"
                             "for (int k = 0; k < n; k++) a[i][j][k] = 0; }\n",
                             {"-fopenmp"})
                      .regions.at(0);
  EXPECT_TRUE(region.loops[0].word && region.loops[1].word);
  EXPECT_FALSE(region.loops[2].word.has_value());
}

TEST(OpenMp, NothingIsSaidOfWhatIsCombined) {
  Region region =
      readSource("double h[9]; int k[99];\nvoid f(int n) { double s = 0;\n"
                 "#pragma omp parallel for reduction(+:s)\nfor (int i = 0; i < n; i++) { s += i;\n"
                 "#pragma omp atomic\nh[k[i]] += 1; }\n h[0] = s; }\n",
                 {"-fopenmp"})
          .regions.at(0);
  ASSERT_TRUE(region.loops[0].word.has_value());
  std::set<std::string> names;
  for (int array : region.loops[0].word->combined)
    names.insert(region.arrays[array].name);
  EXPECT_EQ(names, (std::set<std::string>{"s", "h"}));
  EXPECT_THAT(region.remarks, IsEmpty());
}

TEST(OpenMp, NoLoopIsTakenWhereThreadsHaveVariablesOfTheirOwn) {
  EXPECT_TRUE(isUnread(readSource("double a[99], c;\n#pragma omp threadprivate(c)\nvoid f(int n) {\n"
                                  "#pragma omp parallel for\n  for (int i = 0; i < n; i++) a[i] = c; }\n",
                                  {"-fopenmp"})
                           .regions));
}

} // namespace
} // namespace warploom
