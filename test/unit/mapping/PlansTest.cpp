// Regions as a whole, from C text: loops of the host, reductions, copies of arrays, and what has no plan.
#include "Planning.h"

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace warploom {
namespace {

TEST(HostLoops, TimeStaysOnTheHost) {
  Planned of(R"(void f(int t, int n, double a[restrict n][n], double b[restrict n][n]) {
    for (int s = 0; s < t; s++) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = b[i][j];
    }
  })");
  ASSERT_EQ(of.plan.refused, "");
  ASSERT_EQ(of.plan.kernels.size(), 2u);
  for (std::size_t k : {0u, 1u}) {
    EXPECT_EQ(shapeOf(of.kernel(k)), Shape::Flat);
    EXPECT_THAT(of.hostLoops(k), ElementsAre("s"));
    EXPECT_EQ(of.mapped(k).size(), 2u);
  }
  ASSERT_EQ(of.plan.host.size(), 1u);
  ASSERT_EQ(of.plan.host.front().children.size(), 2u);
  // Kernels run in the order of the loops that they were.
  for (std::size_t k : {0u, 1u}) {
    int kernel = of.plan.host.front().children[k].kernel;
    EXPECT_THAT(of.plan.kernels.at(static_cast<std::size_t>(kernel)).statements,
                ElementsAre(static_cast<int>(k)));
  }
}

// What is written first is the first element of a line of memory: 32 floats, 16 doubles.
TEST(EarlyStart, IsWhereLinesOfMemoryBegin) {
  auto early = [](const std::string& real, const std::string& loop, const std::string& target) {
    Planned of("void f(int n, int k, const " + real + " a[restrict n][n], " + real +
               " b[restrict n][n]) { for (int i = 0; i < n; i++) for (int j = " + loop + "; j++) " + target +
               " = 2 * a[i][j]; }");
    EXPECT_EQ(of.plan.refused, "");
    const auto& [name, by] = of.kernel().early;
    return name.empty() ? 0 : by;
  };
  EXPECT_EQ(early("double", "0; j < n", "b[i][j]"), 0);
  EXPECT_EQ(early("double", "1; j < n", "b[i][j]"), 1);
  EXPECT_EQ(early("double", "20; j < n", "b[i][j]"), 4);
  EXPECT_EQ(early("double", "1; j < n", "b[i][j - 1]"), 0);
  EXPECT_EQ(early("double", "0; j < n - 2", "b[i][j + 2]"), 2);
  EXPECT_EQ(early("double", "16; j < n", "b[i][j - 17]"), 15);
  EXPECT_EQ(early("float", "20; j < n", "b[i][j]"), 20);
  // Nobody knows where memory begins for these, or it would make no difference.
  EXPECT_EQ(early("double", "k; j < n", "b[i][j]"), 0);
  EXPECT_EQ(early("double", "1; j < n", "b[j][i]"), 0);
  EXPECT_EQ(early("double", "1; j < 200", "b[i][j]"), 0);
  EXPECT_EQ(early("double", "1; j < 400", "b[i][j]"), 1);
}

// In Gauss and Seidel's sweep no loop is parallel, but all points of a front are.
TEST(HostLoops, SeidelIsAWavefront) {
  Planned of(R"(void f(int t, int n, double a[restrict n][n]) {
    for (int s = 0; s < t; s++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] +
                     a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9;
  })");
  ASSERT_EQ(of.plan.refused, "");
  ASSERT_EQ(of.plan.kernels.size(), 1u);
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Flat);
  EXPECT_EQ(of.hostLoops().size(), 1u);
  EXPECT_EQ(of.mapped().size(), 2u);
  EXPECT_THAT(of.plan.recipe, Contains("reschedule(\"fuse\")"));
}

// All shortest paths: only row and column k keep the others in order, so loops are cut there.
TEST(HostLoops, FloydAndWarshallsPathsAreCutAtThePivot) {
  Planned of(R"(void f(int n, int p[restrict n][n]) {
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
  })");
  ASSERT_EQ(of.plan.refused, "");
  for (std::size_t k = 0; k < of.plan.kernels.size(); ++k)
    EXPECT_THAT(of.hostLoops(k), ElementsAre("k"));
  EXPECT_THAT(of.plan.recipe, Contains(HasSubstr("split(")));
}

TEST(HostLoops, OneLaunchRunsALoopWhoseKernelsAgreeOnABlock) {
  auto planOf = [](const std::string& body) {
    return std::make_unique<Planned>(
        "double a[99][99], b[99][99], x[99], y[99], s; void f(int t, int n) { for (int k = 0; k < t; k++) {" +
        body + "} }");
  };
  const std::string
      line =
          "for (int i = 1; i < n; i++) x[i] = y[i - 1]; for (int i = 0; i < n; i++) y[i] = x[i] + a[i][0];",
      plane = "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) a[i][j] = b[i][j - 1] + x[i];"
              "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i][j];",
      sum = "for (int i = 0; i < n; i++) s += y[i];";
  auto same = planOf(line);
  ASSERT_EQ(same->plan.host.size(), 1u);
  EXPECT_TRUE(same->plan.host.front().oneLaunch);
  EXPECT_FALSE(same->kernel(0).anyGrid);
  // A line of threads is found in any grid, unless threads of a block wait for each other.
  auto mixed = planOf(line + plane);
  ASSERT_EQ(mixed->plan.host.size(), 1u);
  EXPECT_TRUE(mixed->plan.host.front().oneLaunch);
  for (const KernelPlan& kernel : mixed->plan.kernels)
    EXPECT_EQ(kernel.anyGrid, kernel.mapped.size() == 1);
  auto waiting = planOf(line + plane + sum);
  for (const HostNode& node : waiting->plan.host)
    EXPECT_FALSE(node.oneLaunch);
}

std::vector<bool> beside(const std::vector<HostNode>& nodes) {
  std::vector<bool> flags;
  for (const HostNode& node : nodes)
    flags.push_back(node.beside);
  return flags;
}

TEST(Launches, KernelsThatNothingOrdersRunBesideEachOther) {
  const std::string head = "double a[99], b[99], c[99], d[99]; void f(int n, int m, int l, double t) {";
  auto inOrder = [&](const std::string& body) { return beside(Planned(head + body + "}").plan.host); };
  const std::string a = "for (int i = 0; i < n; i++) a[i] = a[i] + 1;",
                    b = "for (int i = 0; i < m; i++) b[i] = b[i] + 1;",
                    c = "for (int i = 0; i < l; i++) c[i] = a[3] + 1;",
                    d = "for (int i = 1; i < n; i++) d[i] = 1;";
  EXPECT_THAT(inOrder(a + b), ElementsAre(false, true));
  EXPECT_THAT(inOrder(a + b + d), ElementsAre(false, true, true));
  // c reads a, which is in the group; d then may run beside c.
  EXPECT_THAT(inOrder(a + b + c + d), ElementsAre(false, true, false, true));
  // One and the same array, in parts: reading is no obstacle, writing is.
  EXPECT_THAT(inOrder("for (int i = 0; i < n; i++) a[i] = d[i];" +
                      ("for (int i = 0; i < m; i++) b[i] = d[i + 1];" + d)),
              ElementsAre(false, true, false));
}

TEST(Launches, IndependentLoopsOverOneSpaceAreOneKernel) {
  auto kernels = [](const std::string& body) {
    Planned of("double a[99][99], b[99][99], c[99][99], x[99], y[99]; void f(int n, int m) {" + body + "}");
    EXPECT_EQ(of.plan.refused, "");
    return of.plan.kernels.size();
  };
  const std::string line = "for (int i = 0; i < n; i++) ", plane = line + "for (int j = 0; j < m; j++) ";
  EXPECT_EQ(kernels(line + "x[i] = i;" + line + "y[i] = 2 * i;"), 1u);
  EXPECT_EQ(kernels(plane + "a[i][j] = i;" + plane + "b[i][j] = j;"), 1u);
  EXPECT_EQ(kernels(plane + "a[i][j] = i;" + plane + "b[i][j] = j;" + plane + "c[i][j] = i + j;"), 1u);
  // Other spaces, other depths, and threads that would read columns.
  EXPECT_EQ(kernels(line + "x[i] = i;" + "for (int i = 0; i < m; i++) y[i] = 2 * i;"), 2u);
  EXPECT_EQ(kernels(line + "x[i] = i;" + plane + "b[i][j] = j;"), 2u);
  EXPECT_EQ(kernels(plane + "a[i][j] = i;" + plane + "b[j][i] = j;"), 2u);
  // Dependent ones, when they would no longer be parallel.
  EXPECT_EQ(kernels(line + "x[i] = i;" + line + "y[i] = x[m];"), 2u);
}

TEST(HostLoops, ARecurrenceHasNoPlan) {
  Planned of(R"(void f(int n, double a[restrict n]) {
    for (int i = 1; i < n; i++) a[i] = 0.5 * a[i - 1] + 1;
  })");
  EXPECT_EQ(of.plan.refused, "no loop of it can run in parallel");
  EXPECT_THAT(of.plan.kernels, IsEmpty());
}

const char* const sum = R"(double f(int n, const double* restrict a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
  })";

TEST(Reductions, EveryThreadHasItsPartOfAScalar) {
  Planned of(sum);
  ASSERT_EQ(of.plan.refused, "");
  const KernelPlan& kernel = of.plan.kernels.back();
  EXPECT_EQ(shapeOf(kernel), Shape::Flat);
  EXPECT_EQ(of.placement("s", of.plan.kernels.size() - 1), Placement::Partial);
  ASSERT_EQ(kernel.reductions.size(), 1u);
  EXPECT_EQ(kernel.reductions.front().op, "+");
  EXPECT_THAT(kernel.atomicStatements, IsEmpty());
}

TEST(Reductions, NoneOfFloatingPointWhenStrict) {
  EXPECT_EQ(Planned(sum, true).plan.refused, "no loop of it can run in parallel");
  // Whole numbers may be added in any order.
  Planned whole(R"(long f(int n, const int* restrict a) {
    long s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
  })",
                true);
  ASSERT_EQ(whole.plan.refused, "");
  EXPECT_EQ(whole.placement("s", whole.plan.kernels.size() - 1), Placement::Partial);
}

TEST(Reductions, TwoLoopsAndAnExtentNobodyKnows) {
  Planned of(R"(extern double a[][64];
  double f(int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 64; j++) s += a[i][j];
    return s;
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.mapped(of.plan.kernels.size() - 1), ElementsAre("i", "j"));
}

TEST(Reductions, AHistogramIsAtomic) {
  Planned of(R"(void f(int n, int h[restrict 256], const unsigned char* restrict a) {
    for (int i = 0; i < n; i++) h[a[i]] += 1;
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(shapeOf(of.kernel()), Shape::Flat);
  EXPECT_THAT(of.kernel().atomicStatements, ElementsAre(0));
  EXPECT_EQ(of.placement("h"), Placement::Device);
  Planned strict(R"(void f(int n, double h[restrict 256], const unsigned char* restrict a) {
    for (int i = 0; i < n; i++) h[a[i]] += 1;
  })",
                 true);
  // In any order they would round differently: iterations that meet run in theirs.
  EXPECT_THAT(strict.kernel().atomicStatements, IsEmpty());
  EXPECT_TRUE(strict.kernel().levels);
}

// A row of sums for every (r, q), as in doitgen: with one row for all of them only q would be left.
TEST(Expansions, ARowPerIteration) {
  Planned of(R"(void f(int nr, int nq, int np, double A[restrict nr][nq][np], double C[restrict np][np],
      double sum[restrict np]) {
    for (int r = 0; r < nr; r++)
      for (int q = 0; q < nq; q++) {
        for (int p = 0; p < np; p++) {
          sum[p] = 0;
          for (int s = 0; s < np; s++) sum[p] += A[r][q][s] * C[s][p];
        }
        for (int p = 0; p < np; p++) A[r][q][p] = sum[p];
      }
  })");
  ASSERT_EQ(of.plan.refused, "");
  ASSERT_EQ(of.plan.expansions.size(), 1u);
  EXPECT_EQ(of.nameOf(of.plan.expansions.front().array), "sum");
  EXPECT_EQ(of.plan.expansions.front().loops.size(), 2u);
  EXPECT_EQ(of.plan.expansionOf(static_cast<int>(of.index("sum"))), &of.plan.expansions.front());
  EXPECT_EQ(of.plan.expansionOf(static_cast<int>(of.index("A"))), nullptr);
  for (std::size_t k = 0; k < of.plan.kernels.size(); ++k)
    EXPECT_THAT(of.hostLoops(k), IsEmpty());
  EXPECT_THAT(of.plan.recipe, Contains("expand(\"sum\", \"r\")"));
}

TEST(Expansions, NotOfASmallArrayThatAThreadCanHave) {
  Planned of(R"(void f(int n, double a[restrict n][4]) {
    for (int i = 0; i < n; i++) {
      double t[4];
      for (int j = 0; j < 4; j++) t[j] = a[i][3 - j];
      for (int j = 0; j < 4; j++) a[i][j] = t[j];
    }
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_THAT(of.plan.expansions, IsEmpty());
  EXPECT_EQ(of.placement("t"), Placement::Private);
}

TEST(Placements, ScalarsAreArgumentsOrPrivate) {
  Planned of(
      R"(void f(int n, double alpha, double a[restrict n], double b[restrict 100], int at[restrict n]) {
    for (int i = 0; i < n; i++) {
      int p = at[i];
      a[i] = b[p] * alpha;
    }
  })");
  ASSERT_EQ(of.plan.refused, "");
  EXPECT_EQ(of.placement("alpha"), Placement::Value);
  EXPECT_EQ(of.placement("p"), Placement::Private);
  EXPECT_EQ(of.placement("a"), Placement::Device);
}

TEST(Refusals, SayWhereAndWhy) {
  Planned of(R"(#include <stdio.h>
  void f(int n, const int* restrict a) {
    for (int i = 0; i < n; i++) printf("%d", a[i]);
  })");
  EXPECT_THAT(of.plan.refused, HasSubstr("printf"));
  EXPECT_EQ(of.plan.refusedAt.line, 3u);
}

} // namespace
} // namespace warploom
