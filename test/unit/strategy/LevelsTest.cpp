// Which loops run by levels, from C text, and which must not.
#include "mapping/Planning.h"

#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace warploom {
namespace {

/// The arrays in which iterations of the loops of kernel `k` meet, after the loops.
std::vector<std::string> levelsOf(const Planned& of, std::size_t k = 0) {
  std::vector<std::string> names;
  if (of.plan.kernels.size() <= k || !of.kernel(k).levels) return names;
  names = of.mapped(k);
  for (int array : of.kernel(k).levels->arrays)
    names.push_back(of.nameOf(array));
  return names;
}

/// The same of a loop `for (int i = 0; i < n; i++)` with this body.
std::vector<std::string> levelsOf(const std::string& body) {
  return levelsOf(Planned(fmt::format(R"(double q[100], p[100], x[100];
    int a[100], b[100], c[100];
    void f(int n) {{
      for (int i = 0; i < n; i++) {{ {} }}
    }})",
                                      body)));
}

TEST(Levels, IterationsMeetInElementsThatDataChoose) {
  EXPECT_THAT(levelsOf("q[a[i]] = x[i];"), ElementsAre("i", "q"));
  EXPECT_THAT(levelsOf("q[a[i]] = q[b[i]] + q[c[i]];"), ElementsAre("i", "q"));
  EXPECT_THAT(levelsOf("q[a[b[i]]] = q[c[i] + 1] * 2;"), ElementsAre("i", "q"));
  EXPECT_THAT(levelsOf("q[i] = q[a[i]] + 1;"), ElementsAre("i", "q"));
  EXPECT_THAT(levelsOf("q[a[i]] = p[b[i]]; p[c[i]] = q[b[i]];"), ElementsAre("i", "p", "q"));
  EXPECT_THAT(levelsOf("int k = a[i]; if (b[i] > 2) k = c[i]; q[k] = q[b[i]];"), ElementsAre("i", "q"));
  EXPECT_THAT(levelsOf("if (b[i] > 2) q[a[b[i]]] = q[i];"), ElementsAre("i", "q"));
  EXPECT_THAT(levelsOf("if (q[b[i]] > q[a[i]]) q[a[i]] = q[b[i]];"), ElementsAre("i", "q"));
}

TEST(Levels, WhatTellsWhereIsKnownBeforeIterationsRun) {
  EXPECT_THAT(levelsOf("a[i] = b[i]; q[a[i]] = q[c[i]];"), IsEmpty());
  EXPECT_THAT(levelsOf("a[a[i]] = i;"), IsEmpty());
  EXPECT_THAT(levelsOf("q[(int)q[i]] = x[i];"), IsEmpty());
  EXPECT_THAT(levelsOf("int k = a[(int)q[i]]; q[k] = x[i];"), IsEmpty());
  // Whether there is such an element depends on what the loop computes.
  EXPECT_THAT(levelsOf("if (q[i] > 0) q[a[b[i]]] = 1;"), IsEmpty());
  EXPECT_THAT(levelsOf("q[i] = q[i] > 0 ? q[a[b[i]]] : 1;"), IsEmpty());
  EXPECT_THAT(levelsOf("if (q[i] > 0) q[a[i]] = 1;"), ElementsAre("i", "q"));
}

TEST(Levels, KernelsInLoopsOfTheHostAreSure) {
  const Planned rows(R"(double w[100][100]; int a[100];
    void f(int n) {
      for (int t = 1; t < n; t++)
        for (int u = 0; u < n; u++) w[t][u] = w[t - 1][a[u]] * 2;
    })");
  EXPECT_THAT(levelsOf(rows), IsEmpty());
  EXPECT_THAT(rows.mapped(0), ElementsAre("u"));
}

TEST(Levels, WhatElseIterationsHandOnIsNoMatterOfElements) {
  Planned carried(R"(double q[100]; int a[100];
    double f(int n) {
      double s = 1;
      for (int i = 0; i < n; i++) { s = s * s + q[a[i]]; q[a[i]] = s; }
      return s;
    })");
  EXPECT_THAT(levelsOf(carried), IsEmpty());
  // Affine elements are a matter of distances, not of data; sums through data one of atomic updates.
  EXPECT_THAT(levelsOf("q[i + 1] = q[i] * q[i] + x[a[i]];"), IsEmpty());
  EXPECT_THAT(levelsOf("q[a[i]] += x[i];"), IsEmpty());
  Planned strict(R"(double q[100], x[100]; int a[100];
    void f(int n) { for (int i = 0; i < n; i++) q[a[i]] += x[i]; })",
                 true);
  EXPECT_THAT(levelsOf(strict), ElementsAre("i", "q"));
}

TEST(Levels, LoopsThatChooseAreCountedTogetherOthersStayOutside) {
  Planned cube(R"(int A[5][5], B[50][50], C[50][50];
    void f(int n) {
      for (int i = 0; i < n; i++)
        for (int j = 49; j >= 0; j--) A[B[i][j]][C[i][j]] = A[C[i][j]][B[i][j]] / 2 + 1;
    })");
  EXPECT_THAT(levelsOf(cube), ElementsAre("i", "j", "A"));
  EXPECT_TRUE(cube.kernel().collapsed);
  Planned steps(R"(double q[100]; int a[100], b[100];
    void f(int n, int times) {
      for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++) q[a[i]] = q[b[i]] * 0.5 + 1;
    })");
  EXPECT_THAT(levelsOf(steps), ElementsAre("i", "q"));
  EXPECT_THAT(steps.hostLoops(), ElementsAre("t"));
  // Where iterations of `i` meet depends on `t`: levels would have to be found in each of its iterations.
  Planned moving(R"(double q[200]; int a[100], b[100];
    void f(int n, int times) {
      for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) q[a[i] + t] = q[b[i]] * 0.5 + 1;
        q[0] = t;
      }
    })");
  EXPECT_THAT(levelsOf(moving), ElementsAre("t", "q"));
}

TEST(Levels, ARecipeHasThemToo) {
  const char* const loop = R"(double q[100]; int a[100], b[100];
    void f(int n) { for (int i = 0; i < n; i++) q[a[i]] = q[b[i]]; })";
  EXPECT_THAT(Planned(loop).plan.recipe, ElementsAre("levels(\"i\")", "map_to_grid({\"i\"})"));
  EXPECT_THAT(levelsOf(Planned(loop, false, {LevelLoop{"i"}, MapToGrid{{"i"}}})), ElementsAre("i", "q"));
  EXPECT_NE(Planned(loop, false, {MapToGrid{{"i"}}}).plan.refused, "");
  EXPECT_NE(Planned(loop, false, {LevelLoop{"i"}, Reverse{"i"}, MapToGrid{{"i"}}}).plan.refused, "");
  EXPECT_NE(Planned(loop, false, {LevelLoop{"i"}, Strip{"i", 64L, "ii"}, MapToGrid{{"ii"}}}).plan.refused,
            "");
  EXPECT_NE(Planned(loop, false, {LevelLoop{"i"}, Split{"i", "5", "rest"}, MapToGrid{{"i"}}}).plan.refused,
            "");
  const char* const plain = R"(double q[100];
    void f(int n) { for (int i = 1; i < n; i++) q[i] = q[i - 1] * q[i - 1]; })";
  EXPECT_NE(Planned(plain, false, {LevelLoop{"i"}, MapToGrid{{"i"}}}).plan.refused, "");
}

} // namespace
} // namespace warploom
