// Which loops run as scans, from C text.
#include "mapping/Planning.h"

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace warploom {
namespace {

/// The loops of kernel `k` that run as scans.
std::vector<std::string> scansOf(const Planned& of, std::size_t k = 0) {
  std::vector<std::string> names;
  for (const auto& [name, scan] : of.kernel(k).scans)
    names.push_back(name);
  return names;
}

const char* const prefix = R"(double f(int n, const double a[restrict n], double b[restrict n]) {
    double s = 0;
    for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; }
    return s;
  })";

TEST(Scans, ALoopOnTheGridIsAllThatItsKernelDoes) {
  Planned of(prefix);
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.plan.recipe, ElementsAre("scan(\"i\")", "map_to_grid({\"i\"})"));
  EXPECT_THAT(scansOf(of), ElementsAre("i"));
  EXPECT_EQ(of.placement("s"), Placement::Private);
  ASSERT_EQ(of.plan.kernels.size(), 1u);
}

TEST(Scans, SumsThatNobodyLooksAtOnTheWayAreReductions) {
  Planned of(R"(double f(int n, const double a[restrict n]) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
  })");
  EXPECT_THAT(of.kernel().scans, IsEmpty());
}

TEST(Scans, StrictFloatingPointLeavesWholeNumbersAndLastValues) {
  EXPECT_NE(Planned(prefix, true).plan.refused, "");
  EXPECT_EQ(Planned(R"(int f(int n, const int a[restrict n], int b[restrict n]) {
    int s = 0;
    for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; }
    return s;
  })",
                    true)
                .plan.refused,
            "");
  EXPECT_EQ(Planned(R"(double f(int n, const double a[restrict n], double b[restrict n]) {
    double s = 0;
    for (int i = 0; i < n; i++) { if (a[i] > 0) s = a[i]; b[i] = s; }
    return s;
  })",
                    true)
                .plan.refused,
            "");
}

TEST(Scans, RowsAreRunByTheLanesOfAWarp) {
  Planned of(R"(void f(int n, int m, double a[restrict n][m], const double b[restrict n][m]) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++) a[i][j] = a[i][j - 1] * 0.5 + b[i][j];
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.plan.recipe, ElementsAre("carry(\"a\", \"j\")", Not(IsEmpty()), "scan(\"j\")",
                                          "map_to_grid({\"i\"})", "map_to_lanes({\"j\"})"));
  EXPECT_THAT(scansOf(of), ElementsAre("j"));
}

TEST(Scans, LoopsOfANestAreCountedTogether) {
  Planned of(R"(int f(int n, int m, const double a[restrict n][m]) {
    double best = 0;
    int row = 0, column = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if (a[i][j] > best) { best = a[i][j]; row = i; column = j; }
    return row * m + column;
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.plan.recipe, ElementsAre("privatise(\"if#0\", \"j\")", "scan(\"i\")", "scan(\"j\")",
                                          "collapse_to_grid({\"i\", \"j\"})"));
  ASSERT_EQ(of.plan.kernels.size(), 1u);
}

TEST(Scans, OtherPartsOfTheLoopAreKernelsOfTheirOwn) {
  Planned of(R"(double f(int n, const double a[restrict n], double b[restrict n], double c[restrict n]) {
    double s = 0;
    for (int i = 0; i < n; i++) {
      s += a[i];
      b[i] = s;
      if (a[i] > 1) c[i] = a[i];
    }
    return s;
  })",
             false, {Distribute{"i", {"S2"}}, ScanLoop{"i"}, MapToGrid{{"i"}}, MapToGrid{{"i_2"}}});
  ASSERT_EQ(of.plan.refused, "");
  ASSERT_EQ(of.plan.kernels.size(), 2u);
  EXPECT_THAT(scansOf(of), ElementsAre("i"));
  EXPECT_THAT(of.kernel(1).scans, IsEmpty());
}

TEST(Scans, ColumnsStayWithTheirThreads) {
  Planned of(R"(void f(int n, int m, double a[restrict n][m], const double b[restrict n][m]) {
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++) a[i][j] = a[i - 1][j] * 0.5 + b[i][j];
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.kernel().scans, IsEmpty());
}

TEST(Scans, APartOfALoopOrAnotherOrderIsRefused) {
  EXPECT_THAT(scansOf(Planned(prefix, false, {ScanLoop{"i"}})), ElementsAre("i"));
  EXPECT_NE(Planned(prefix, false, {ScanLoop{"i"}, Reverse{"i"}, MapToGrid{{"i"}}}).plan.refused, "");
  EXPECT_NE(Planned(prefix, false, {ScanLoop{"i"}, Split{"i", "5", "rest"}, MapToGrid{{"i"}}}).plan.refused,
            "");
  EXPECT_NE(Planned(prefix, false, {ScanLoop{"i"}, Strip{"i", 64L, "ii"}, MapToGrid{{"ii"}}}).plan.refused,
            "");
  EXPECT_NE(Planned(prefix, false, {ScanLoop{"i"}, Distribute{"i"}, MapToGrid{{"i"}}}).plan.refused, "");
  EXPECT_EQ(Planned(prefix, false, {ScanLoop{"i"}, MapToGrid{{"i"}}}).plan.refused, "");
}

} // namespace
} // namespace warploom
