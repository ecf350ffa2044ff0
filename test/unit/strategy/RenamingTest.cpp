// Which loops are run with copies of what they overwrite, or peeled, from C text.
#include "mapping/Planning.h"

using testing::ElementsAre;
using testing::IsEmpty;

namespace warploom {
namespace {

/// The renamings that the plan of `source` begins with.
std::vector<std::string> renamingsOf(const char* source) {
  std::vector<std::string> lines;
  for (const std::string& line : Planned(source).plan.recipe)
    if (line.starts_with("rename(")) lines.push_back(line);
  return lines;
}

TEST(Renaming, OldValuesAreReadFromACopy) {
  EXPECT_THAT(renamingsOf(R"(void f(int n, double a[restrict n + 1], const double b[restrict n]) {
    for (int i = 0; i < n; i++) a[i] = a[i + 1] + b[i];
  })"),
              ElementsAre("rename(\"a\", \"i\")"));
  // A loop of the host with kernels in it becomes a product.
  EXPECT_THAT(renamingsOf(R"(void f(int n, int m, const double a[restrict m][m], double b[restrict m][n]) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        for (int k = i + 1; k < m; k++) b[i][j] += a[k][i] * b[k][j];
  })"),
              ElementsAre("rename(\"b\", \"i\")"));
}

TEST(Renaming, TheSignOfAnOffsetIsTested) {
  Planned of(R"(void f(int n, int k, double a[restrict 2 * n], const double b[restrict n]) {
    for (int i = 0; i < n; i++) a[i] = a[i + k] + b[i];
  })");
  ASSERT_EQ(of.plan.refused, "");
  auto runsFor = [&](const char* sizes) { return isl::set(islContext(), sizes).is_subset(of.plan.assumed); };
  EXPECT_TRUE(runsFor("[n, k] -> { : n >= 2 and 0 <= k <= n }"));
  // An iteration may need what the one before has made.
  EXPECT_TRUE(isl::set(islContext(), "[n, k] -> { : n >= 3 and k = -1 }").is_disjoint(of.plan.assumed));
  // Where nothing is overwritten that is read, nothing is copied.
  const Statement& copy = of.plan.renamed->region.statements.front();
  EXPECT_TRUE(copy.domain.intersect_params(isl::set(islContext(), "[n, k] -> { : k >= n }")).is_empty());
}

TEST(Renaming, AScalarThatIsHandedOnHasAnElementForEachIteration) {
  EXPECT_THAT(renamingsOf(R"(void f(int n, double a[restrict n], const double b[restrict n]) {
    double last = 0;
    for (int i = 0; i < n; i++) { a[i] = b[i] + last; last = b[i]; }
  })"),
              ElementsAre("rename(\"last\", \"i\")"));
}

TEST(Renaming, NothingIsCopiedWhereThatFreesNoLoop) {
  EXPECT_NE(Planned(R"(void f(int n, double a[restrict n + 1]) {
    for (int i = 1; i < n; i++) a[i] = a[i - 1] + a[i + 1];
  })")
                .plan.refused,
            "");
  // Two loops do without a copy.
  EXPECT_THAT(renamingsOf(R"(void f(int n, double a[restrict n], double b[restrict n + 1]) {
    for (int i = 0; i < n; i++) { a[i] = b[i + 1]; b[i] = 2; }
  })"),
              IsEmpty());
}

TEST(Peeling, TheFirstOrTheLastIterationIsApart) {
  EXPECT_THAT(Planned(R"(void f(int n, double a[restrict n], const double b[restrict n]) {
    for (int i = 0; i < n; i++) a[i] = a[0] + b[i];
  })")
                  .plan.recipe,
              testing::Contains("peel(\"i\", 1, \"i_first\")"));
  EXPECT_THAT(Planned(R"(void f(int n, double a[restrict n], const double b[restrict n]) {
    for (int i = 0; i < n; i++) a[i] = a[n - 1] + b[i];
  })")
                  .plan.recipe,
              testing::Contains("peel(\"i\", -1, \"i_last\")"));
}

} // namespace
} // namespace warploom
