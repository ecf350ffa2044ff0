// What a schedule looks like at any point of a recipe.
#include "transform/Trace.h"

#include "Trial.h"

namespace warploom {
namespace {

using testing::HasSubstr;

RegionBuilder recurrence() {
  RegionBuilder r("n", "n >= 2");
  r.array("a", 2);
  r.loop("i", "1 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("a[i][j] = a[i - 1][j]");
  return r;
}

// SHOWS: CH-11
TEST(Trace, CodeSpacesAndDependencesAfterEveryStep) {
  RegionBuilder r = recurrence();
  Trial trial(r);
  EXPECT_THAT(spacesText(trial.state), HasSubstr("S0[i, j] : 0 < i < n and 0 <= j < n"));
  EXPECT_THAT(orderText(trial.state), HasSubstr("`a`"));
  EXPECT_THAT(orderText(trial.state), HasSubstr("S0[i, j] -> S0[i' = 1 + i, j' = j]"));
  std::string before = codeText(trial.state.tree());
  EXPECT_LT(before.find("c0 = 1"), before.find("c1 = 0"));
  EXPECT_THAT(before, HasSubstr("S0(c0, c1);"));

  std::vector<Step> steps = {Permute{{"j", "i"}}, Tile{{"j"}, {32L}, {{"jj"}}}, Reverse{"i"}};
  std::string story = trace(trial.state, steps);
  EXPECT_THAT(story, HasSubstr("permute({\"j\", \"i\"})\n  for (int c0 = 0;"));
  EXPECT_THAT(story, HasSubstr("S0(c1, c0);"));
  EXPECT_THAT(story, HasSubstr("floord(n - 1, 32)"));
  EXPECT_THAT(story, HasSubstr("reverse(\"i\")\n  refused: "));
  // Only a copy took them.
  EXPECT_EQ(codeText(trial.state.tree()), before);
}

TEST(Trace, SymbolicTilesAreNamed) {
  RegionBuilder r = recurrence();
  Trial trial(r);
  trial.accepts(Tile{{"j"}, {"TJ"}, {{"jj"}}}, {{"n", 5}, {"TJ", 2}});
  EXPECT_THAT(codeText(trial.state.tree()), HasSubstr("// loop jj: tiles of TJ iterations from oj\n"));
}

} // namespace
} // namespace warploom
