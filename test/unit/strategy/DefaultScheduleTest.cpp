// The default schedule: what it chooses, and that it never waits for isl.
#include "strategy/DefaultSchedule.h"

#include "transform/Trial.h"

#include <chrono>
#include <fmt/format.h>

namespace warploom {
namespace {

using testing::HasSubstr;

/// Expects the state of `trial` to stand the final check and a replay.
void expectSound(Trial& trial, const Sizes& sizes) {
  EXPECT_FALSE(trial.state.finalCheck());
  EXPECT_THAT(outOfOrder(trial.state.constraints(), replay(trial.state.tree(), sizes), sizes),
              testing::IsEmpty());
}

TEST(DefaultSchedule, KeepsAnOrderThatIsParallelAlready) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.array("b", 2);
  r.array("c", 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.loop("k", "0 <= k < n");
  r.statement("c[i][j] += a[i][k] * b[k][j]");
  Trial trial(r);
  DefaultChoice choice = scheduleByDefault(trial.state);
  EXPECT_EQ(choice.kind, DefaultChoice::Kind::Original) << choice.reason;
  EXPECT_EQ(parallelism(trial.state), (Parallelism{1, 0, 2, -1}));
  expectSound(trial, {{"n", 3}});
}

TEST(DefaultSchedule, FusesWhatSharesData) {
  RegionBuilder r("n", "n >= 1");
  r.array("p", 1);
  r.array("q", 1);
  r.array("z", 1);
  r.loop("i", "0 <= i < n");
  r.statement("p[i] = q[i]");
  r.end();
  r.loop("i", "0 <= i < n");
  r.statement("z[i] = p[i]");
  Trial trial(r);
  DefaultChoice choice = scheduleByDefault(trial.state);
  EXPECT_EQ(choice.kind, DefaultChoice::Kind::Fused) << choice.reason;
  EXPECT_EQ(printed(trial.state.tree()), "i\n  S0\n  S1\n");
  EXPECT_THAT(print(trial.state.history().back()), "reschedule(\"fuse\")");
  expectSound(trial, {{"n", 4}});
}

TEST(DefaultSchedule, FindsTheParallelLoopOutside) {
  // Columns are independent, but the program runs the rows outside.
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2);
  r.loop("i", "1 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("a[i][j] = a[i-1][j]");
  Trial trial(r);
  DefaultChoice choice = scheduleByDefault(trial.state);
  EXPECT_NE(choice.kind, DefaultChoice::Kind::Original);
  EXPECT_EQ(printed(trial.state.tree()), "j\n  i\n    S0\n");
  expectSound(trial, {{"n", 4}});
}

TEST(DefaultSchedule, PrivatisesAndKeepsTheScope) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1);
  r.array("b", 1);
  r.array("t", 0);
  r.loop("i", "0 <= i < n");
  r.statement("t = a[i]");
  r.statement("b[i] = t");
  Trial trial(r);
  scheduleByDefault(trial.state);
  EXPECT_EQ(parallelism(trial.state).statements, 2);
  expectSound(trial, {{"n", 4}});
}

TEST(DefaultSchedule, EmptyRegionAndEmptyDomain) {
  RegionBuilder nothing("n");
  Trial trial(nothing);
  EXPECT_EQ(scheduleByDefault(trial.state).kind, DefaultChoice::Kind::Original);
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1);
  r.loop("i", "0 <= i < n and n < 0");
  r.statement("a[i] = a[i-1]");
  Trial empty(r);
  scheduleByDefault(empty.state);
  expectSound(empty, {{"n", 4}});
}

/// Heat conduction in a cube, two grids in turn, with constant sizes: isl's scheduler needs minutes for it.
RegionBuilder heat(int steps, int n) {
  RegionBuilder r;
  r.array("A", 3);
  r.array("B", 3);
  auto inside = [&](const char* index) { return fmt::format("1 <= {0} and {0} < {1}", index, n - 1); };
  auto step = [&](const std::string& to, const std::string& from) {
    for (const char* index : {"i", "j", "k"})
      r.loop(index, inside(index));
    r.statement(
        fmt::format("{0}[i][j][k] = {1}[i+1][j][k] + {1}[i-1][j][k] + {1}[i][j+1][k] + {1}[i][j-1][k] + "
                    "{1}[i][j][k+1] + {1}[i][j][k-1] + {1}[i][j][k]",
                    to, from));
    for (int k = 0; k < 3; ++k)
      r.end();
  };
  r.loop("t", fmt::format("1 <= t and t <= {}", steps));
  step("B", "A");
  step("A", "B");
  return r;
}

TEST(DefaultSchedule, DoesNotWaitForTheScheduler) {
  RegionBuilder r = heat(500, 120);
  Trial trial(r);
  auto start = std::chrono::steady_clock::now();
  DefaultChoice choice = scheduleByDefault(trial.state);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", std::to_string(took.count()));
  std::printf("heat-3d: %.2f s: %s\n", took.count(), choice.reason.c_str());
  // Far from the limit meant, but far from the minutes that isl takes, too, on a busy machine.
  EXPECT_LT(took.count(), 20);
  EXPECT_EQ(parallelism(trial.state).statements, 2);
  EXPECT_FALSE(trial.state.finalCheck());
}

} // namespace
} // namespace warploom
