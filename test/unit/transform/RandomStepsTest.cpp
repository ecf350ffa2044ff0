// Random regions under random steps: whatever is accepted must run every instance once and in an order that
// keeps all constraints, as a replay for small sizes judges it.
#include "Trial.h"

#include <fmt/format.h>
#include <isl/aff.h>
#include <random>

namespace warploom {
namespace {

/// Makes regions and steps from a seed.
class Dice {
public:
  explicit Dice(unsigned seed) : engine(seed) {}

  long number(long least, long greatest) {
    return least + static_cast<long>(engine() % static_cast<unsigned long>(greatest - least + 1));
  }
  template <typename T> const T& one(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(number(0, static_cast<long>(of.size()) - 1))];
  }

  /// One or two nests of one to three loops, some imperfect, some triangular, some descending, with
  /// subscripts that make dependences of small distances.
  RegionBuilder region() {
    RegionBuilder r("n", "n >= 0");
    r.array("a", 2);
    r.array("b", 1);
    r.array("s", 0);
    for (long nest = number(1, 2); nest > 0; --nest) {
      long depth = number(1, 3);
      std::vector<std::string> indices;
      for (long level = 0; level < depth; ++level) {
        std::string index(1, static_cast<char>('i' + level));
        bool triangular = level > 0 && number(0, 3) == 0;
        r.loop(index,
               triangular ? fmt::format("0 <= {} <= {}", index, indices.back())
                          : fmt::format("0 <= {} < n", index),
               number(0, 4) == 0 ? -1 : 1);
        indices.push_back(index);
        if (number(0, 3) == 0) r.statement(statement(indices));
      }
      for (long count = number(1, 2); count > 0; --count)
        r.statement(statement(indices));
      for (long level = 0; level < depth; ++level)
        r.end();
    }
    return r;
  }

  Step step(const ScheduleState& state, int number_) {
    std::vector<std::string> loops = loopNames(state.tree());
    auto loop = [&] { return one(loops); };
    std::string fresh = fmt::format("x{}", number_);
    std::vector<Size> sizes{1L, 2L, 3L, "T", "U"};
    switch (number(0, 13)) {
    case 13:
      return Shells{{loop(), loop()}, fresh};
    case 0:
      return Strip{loop(), one(sizes), fresh};
    case 1:
    case 2: {
      std::string first = loop(), second = loop();
      return Tile{{first, second}, {one(sizes), one(sizes)}, {{fresh}, {fresh + "b"}}};
    }
    case 3:
    case 4:
      return Permute{{loop(), loop()}};
    case 5:
      return Fuse{loop(), loop()};
    case 6:
      return Distribute{loop()};
    case 7:
      return Skew{loop(), loop(), number(-1, 1)};
    case 8:
      return Shift{{one(state.region().statements).name}, loop(), std::to_string(number(-2, 2))};
    case 9:
      if (number(0, 1) == 0)
        return Nonsingular{{loop(), loop()},
                           {{number(-1, 2), number(-1, 1)}, {number(-1, 1), number(-1, 2)}}};
      return Reverse{loop()};
    case 10:
      return Split{loop(), one<std::string>({"1", "2", "n - 1", "n/2"}), fresh};
    case 11:
      return Peel{loop(), one<long>({-1, 1, 2}), fresh};
    default: {
      std::vector<std::string> arrays{"a", "b", "s"};
      std::string source =
          state.sourceName(static_cast<int>(number(0, static_cast<long>(state.region().loops.size()) - 1)));
      if (number(0, 2) == 0) return Reduce{one(arrays), source};
      if (number(0, 1) == 0) return Expand{one(arrays), source};
      return Privatise{one(arrays), source};
    }
    }
  }

private:
  std::string subscript(const std::vector<std::string>& indices) {
    long offset = number(-1, 1);
    std::string index = one(indices);
    return offset == 0 ? index : fmt::format("{}{:+}", index, offset);
  }
  std::string element(const std::vector<std::string>& indices) {
    switch (number(0, 4)) {
    case 0:
      return "s";
    case 1:
      return fmt::format("b[{}]", subscript(indices));
    default:
      return fmt::format("a[{}][{}]", subscript(indices), subscript(indices));
    }
  }
  std::string statement(const std::vector<std::string>& indices) {
    const char* op = number(0, 3) == 0 ? "+=" : "=";
    return fmt::format("{} {} {} * 2", element(indices), op, element(indices));
  }

  std::mt19937 engine;
};

struct Tally {
  int accepted = 0, refused = 0;
};

/// Throws a region and some steps; every accepted one must replay right.
void throwOnce(unsigned seed, Tally& tally) {
  Dice dice(seed);
  RegionBuilder r = dice.region();
  Trial trial(r);
  ScheduleState original = trial.state;
  std::string recipe;
  for (int k = 0; k < 6; ++k) {
    Step step = dice.step(trial.state, k);
    if (trial.state.take(step)) {
      ++tally.refused;
      continue;
    }
    ++tally.accepted;
    recipe += print(step) + "\n";
  }
  if (auto failed = trial.state.finalCheck())
    ADD_FAILURE() << "seed " << seed << "\n" << recipe << failed->reason;
  for (long n : {1, 3}) {
    Sizes sizes{{"n", n}, {"T", 2}, {"U", 3}};
    std::vector<std::string> order;
    ASSERT_NO_THROW(order = replay(trial.state.tree(), sizes)) << "seed " << seed << "\n" << recipe;
    EXPECT_THAT(order, testing::UnorderedElementsAreArray(replay(original.tree(), sizes))) << "seed " << seed;
    EXPECT_THAT(outOfOrder(trial.state.constraints(), order, sizes), testing::IsEmpty())
        << "seed " << seed << "\n"
        << recipe << printed(trial.state.tree());
  }
}

// SHOWS: CH-17
TEST(RandomSteps, AcceptedSchedulesRunRight) {
  Tally tally;
  for (unsigned seed = 1; seed <= 40 && !HasFailure(); ++seed)
    throwOnce(seed, tally);
  // Dice that only ever get refusals, or never any, would show nothing.
  EXPECT_GT(tally.accepted, 30);
  EXPECT_GT(tally.refused, 30);
}

// The judge itself: a schedule that the checks would never let through is found out by both ways of looking.
TEST(RandomSteps, TheJudgesSeeAWrongSchedule) {
  RegionBuilder r("n", "n >= 0");
  r.array("a", 1);
  r.loop("i", "1 <= i < n");
  r.statement("a[i] = a[i-1]");
  Trial trial(r);
  LoopTree wrong = trial.state.tree();
  wrong.value = isl::manage(isl_union_pw_aff_neg(wrong.value.copy()));
  Sizes sizes{{"n", 3}};
  EXPECT_THAT(outOfOrder(trial.state.constraints(), replay(wrong, sizes), sizes),
              testing::Contains("S0[1] -> S0[2]"));
  EXPECT_FALSE(legal(scheduleOf(wrong), {}, domains(trial.region), trial.state.constraints()));
  EXPECT_TRUE(legal(trial.state.schedule(), {}, domains(trial.region), trial.state.constraints()));
  // Nor may an instance be lost.
  auto less = restricted(trial.state.tree(), isl::union_set(islContext(), "{ S0[i] : i != 2 }"));
  EXPECT_FALSE(legal(scheduleOf(*less), {}, domains(trial.region), trial.state.constraints()));
}

} // namespace
} // namespace warploom
