// What happens when isl gives up in the middle of a kernel's text: nothing is written, and nothing ends the
// tool.
#include "emit/Launcher.h"
#include "frontend/Reading.h"
#include "strategy/Decide.h"

namespace warploom {
namespace {

class GivingUp : public testing::TestWithParam<const char*> {};

TEST_P(GivingUp, IsAnAnswerWhereverItHappens) {
  Region region = regionOf(GetParam());
  Facts facts = analyse(region);
  RegionPlan plan = planRegion(region, facts, {});
  ASSERT_EQ(plan.refused, "");
  int gaveUp = 0;
  bool done = false;
  for (unsigned long operations = 50; !done; operations += operations / 25) {
    TextWriter out;
    GeneratedRegion generated;
    Definitions definitions;
    auto written = limited(
        [&] {
          writeRegion(region, facts, plan, "launcher", definitions, out, generated);
          return true;
        },
        operations);
    done = written.has_value();
    gaveUp += !done;
  }
  EXPECT_GT(gaveUp, 5);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, GivingUp,
    testing::Values("double A[99][99], B[99];\n"
                    "void f(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++)"
                    " B[i] += A[i][j]; }",
                    "double A[99][99];\n"
                    "void f(int n) { for (int i = 1; i < n; i++) for (int j = 1; j < n; j += 2)"
                    " A[i][j] = A[i - 1][j] + A[i][j - 1]; }",
                    "double A[99][99], B[99][99], C[99][99];\n"
                    "void f(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
                    " for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j]; }"));

} // namespace
} // namespace warploom
