// Renaming: copies of what a loop overwrites, elements for scalars that iterations hand on; and what is
// refused.
#include "Trial.h"

namespace warploom {
namespace {

RegionBuilder ahead() {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1);
  r.array("b", 1);
  r.loop("i", "0 <= i < n");
  r.statement("a[i] = a[i + 1] + b[i]");
  return r;
}

TEST(RenameStep, ACopyOfWhatIsOverwrittenMakesTheLoopParallel) {
  RegionBuilder r = ahead();
  Trial trial(r);
  EXPECT_FALSE(trial.state.isParallel("i").value());
  ASSERT_FALSE(trial.state.take(RenameArray{"a", "i"}));
  EXPECT_TRUE(trial.state.isParallel("i").value());
  EXPECT_FALSE(trial.state.finalCheck());
  ASSERT_EQ(trial.state.region().arrays.size(), 3u);
  EXPECT_EQ(trial.state.region().arrays.back().name, "a_old");
  EXPECT_EQ(trial.state.region().statements.size(), 2u);
  EXPECT_EQ(print(trial.state.history().front()), "rename(\"a\", \"i\")");
}

// The statement that copies is between others: the next step has to find its own all the same.
TEST(RenameStep, OneArrayAfterTheOther) {
  RegionBuilder r("n", "n >= 1");
  for (const char* name : {"a", "b", "c"})
    r.array(name, 1).liveAfter = true;
  r.loop("i", "0 <= i < n");
  r.statement("a[i] = a[i + 1] + c[i]");
  r.statement("b[i] = b[i + 1] + a[i]");
  r.statement("c[i] = c[i + 1] + b[i + 1]");
  Trial trial(r);
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_FALSE(trial.state.isParallel("i").value());
    ASSERT_FALSE(trial.state.take(RenameArray{name, "i"}));
  }
  EXPECT_TRUE(trial.state.isParallel("i").value());
  EXPECT_FALSE(trial.state.finalCheck());
}

TEST(RenameStep, IsRefusedForTrueDependencesAndAfterOtherSteps) {
  RegionBuilder r("n", "n >= 1");
  r.array("a", 1);
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = a[i - 1] * 2");
  Trial trial(r);
  trial.refuses(RenameArray{"a", "i"}, {"no read of `a`"});
  trial.refuses(RenameArray{"z", "i"}, {"there is no array `z`"});
  trial.refuses(RenameArray{"a", "j"}, {"there is no loop `j`"});
  RegionBuilder other = ahead();
  Trial late(other);
  ASSERT_FALSE(late.state.take(Strip{"i", 4L, "ii"}));
  late.refuses(RenameArray{"a", "i"}, {"before all other steps"});
}

} // namespace
} // namespace warploom
