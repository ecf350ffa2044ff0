// Scalars that iterations work on in the elements that they end in; and what is refused.
#include "Trial.h"

namespace warploom {
namespace {

/// for i, j: w = a[i][j]; for k < j: `update`; `end`.
RegionBuilder substitution(const char* update = "w -= a[i][k] * b[k][j]",
                           const char* end = "a[i][j] = w / b[j][j]") {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 2).liveAfter = true;
  r.array("b", 2);
  r.array("w", 0);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("w = a[i][j]");
  r.loop("k", "0 <= k < j");
  r.statement(update);
  r.end();
  r.statement(end);
  return r;
}

TEST(PlaceStep, AScalarIsTheElementThatItEndsIn) {
  RegionBuilder r = substitution();
  Trial trial(r);
  ASSERT_FALSE(trial.state.take(PlaceScalar{"w", "j"}));
  EXPECT_FALSE(trial.state.finalCheck());
  const Region& region = trial.state.region();
  ASSERT_EQ(region.statements.size(), 2u); // a[i][j] = a[i][j] does nothing
  EXPECT_EQ(region.statements[0].text, "a[i][j] -= a[i][k] * b[k][j]");
  EXPECT_EQ(region.statements[1].text, "a[i][j] = a[i][j] / b[j][j]");
  EXPECT_EQ(print(trial.state.history().front()), "in_place(\"w\", \"j\")");
  // What it ends with may do nothing, too.
  RegionBuilder plain = substitution("w -= a[i][k] * b[k][j]", "a[i][j] = w");
  Trial sum(plain);
  ASSERT_FALSE(sum.state.take(PlaceScalar{"w", "j"}));
  EXPECT_EQ(sum.state.region().statements.size(), 1u);
}

TEST(PlaceStep, IsRefusedWhereTheElementIsUsedInBetween) {
  RegionBuilder r = substitution("w -= a[i][k + 1] * b[k][j]");
  Trial trial(r);
  trial.refuses(PlaceScalar{"w", "j"}, {"may use the element"});
  // Of that row, but never that element.
  RegionBuilder before = substitution("w -= a[i][k] * a[k][i]");
  Trial apart(before);
  EXPECT_FALSE(apart.state.take(PlaceScalar{"w", "j"}));
  RegionBuilder last = substitution("w -= b[k][j]", "a[i][j] = w / a[i][j]");
  Trial end(last);
  end.refuses(PlaceScalar{"w", "j"}, {"may use the element"});
}

TEST(PlaceStep, IsRefusedForWhatIsNoSuchScalar) {
  RegionBuilder r = substitution();
  Trial trial(r);
  trial.refuses(PlaceScalar{"a", "j"}, {"`a` is no scalar"});
  trial.refuses(PlaceScalar{"z", "j"}, {"there is no array `z`"});
  trial.refuses(PlaceScalar{"w", "k"}, {"not private to an iteration of `k`"});
  RegionBuilder kept = substitution("w -= b[k][j]", "w = w / b[j][j]");
  Trial nowhere(kept);
  nowhere.refuses(PlaceScalar{"w", "j"}, {"into an element at the end"});
  RegionBuilder again = substitution();
  Trial late(again);
  ASSERT_FALSE(late.state.take(Strip{"i", 4L, "ii"}));
  late.refuses(PlaceScalar{"w", "j"}, {"before all other steps"});
}

} // namespace
} // namespace warploom
