// A region with its facts and a schedule, for tests of steps.
#pragma once

#include "RegionBuilder.h"
#include "Replay.h"
#include "transform/Schedule.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {

/// A schedule under test. Regions and facts stay where they are, since the state refers to them.
struct Trial {
  explicit Trial(RegionBuilder& builder, bool strictFp = false)
      : region(builder.region()), facts(analyse(region)), state(region, facts, strictFp) {}
  Trial(const Trial&) = delete;

  /// Expects `step` to be accepted, and the whole schedule to stand the final check and replay at `sizes`.
  void accepts(const Step& step, const Sizes& sizes) {
    std::optional<Refusal> refused = state.take(step);
    ASSERT_FALSE(refused) << print(step) << ": " << refused->reason;
    EXPECT_FALSE(state.finalCheck());
    std::vector<std::string> order;
    ASSERT_NO_THROW(order = replay(state.tree(), sizes)) << printed(state.tree());
    ScheduleState original(region, facts);
    EXPECT_THAT(order, testing::UnorderedElementsAreArray(replay(original.tree(), sizes)));
    EXPECT_THAT(outOfOrder(state.constraints(), order, sizes), testing::IsEmpty()) << print(step);
  }

  /// Expects `step` to be refused for a reason with all of `parts` in it, and the state to stay as it was.
  void refuses(const Step& step, const std::vector<std::string>& parts) {
    std::string before = printed(state.tree());
    std::string schedule = printed(state.schedule());
    std::size_t relaxed = state.relaxations().size(), steps = state.history().size();
    std::optional<Refusal> refused = state.take(step);
    ASSERT_TRUE(refused) << print(step) << "\n" << printed(state.tree());
    for (const std::string& part : parts)
      EXPECT_THAT(refused->reason, testing::HasSubstr(part)) << print(step);
    EXPECT_EQ(printed(state.tree()), before);
    EXPECT_EQ(printed(state.schedule()), schedule);
    EXPECT_EQ(state.relaxations().size(), relaxed);
    EXPECT_EQ(state.history().size(), steps);
  }

  const Region region;
  const Facts facts;
  ScheduleState state;
};

} // namespace warploom
