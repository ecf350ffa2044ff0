// Arrays whose cells data selects: loads and stores in one array, and the same traces as by cases.
#include "Systems.h"
#include "Traces.h"
#include "sync/emit/Emit.h"
#include "sync/passes/Passes.h"

#include <gmock/gmock.h>
#include <limits>

namespace warploom::sync {
namespace {

using testing::HasSubstr;

/// Swaps two cells of a memory, or sets one, and shows one.
System swapping(int cells) {
  return readAif(fmt::format(
      "system Swap:\ninterface:\n  i: input nat{{{0}}}\n  j: input nat{{{0}}}\n  v: input int{{100}}\n"
      "  set: input bool\n  seen: output memorized int{{100}}\nlocals:\n  m: local memorized "
      "int{{100}}[{0}]\n"
      "init:\n  data flow:\n    true => m[1] = 7\nmain:\n  data flow:\n    set => next(m[i]) = v\n"
      "    !set => next(m[i]) = m[j]\n    !set & i != j => next(m[j]) = m[i]\n    true => seen = m[j]\n",
      cells));
}

TEST(Memory, TracesAreThoseOfCases) {
  const System system = swapping(20);
  const Inputs inputs = randomInputs(system, 200, 3);
  const std::vector<std::string> expected = traceOf(system, inputs);
  EXPECT_EQ(traceOf(normalised(system), inputs), expected);
  EXPECT_EQ(traceOf(normalised(system, {}, std::numeric_limits<std::int64_t>::max()), inputs), expected);
}

TEST(Memory, AMillionWordsAreOneArray) {
  const Folding folding = fold(planStep(normalised(swapping(1 << 20))));
  EXPECT_LT(folding.plan->system.actions.size(), 20u);
  const std::string text = emitC(folding);
  EXPECT_THAT(text, HasSubstr("int m[1048576];"));
  EXPECT_THAT(text, HasSubstr("s->seen = s->m[in->words[1]];"));
  EXPECT_LT(text.size(), 4000u);
}

TEST(Memory, StoresWaitForAllReaders) {
  // The values that are swapped are computed before either is stored.
  const StepPlan plan = planStep(normalised(swapping(64)));
  ASSERT_EQ(plan.stores.groups.size(), 1u);
  EXPECT_EQ(plan.stores.groups[0].units.size(), 3u);
  for (const CellAction& action : plan.system.actions)
    if (action.kind == CellAction::Kind::Store)
      for (int cell : action.reads)
        EXPECT_FALSE(plan.system.variableOf(cell).isMemory);
}

TEST(Memory, SmallArraysBecomeCases) {
  for (const Variable& variable : normalised(swapping(16)).variables)
    EXPECT_FALSE(variable.isMemory);
}

TEST(Memory, OutsideIsZeroInAGuardAndNoStore) {
  const System system =
      readAif("system S:\ninterface:\n  i: input int{100}\n  o: output memorized bool\nlocals:\n"
              "  m: local memorized nat{9}[50]\nmain:\n  data flow:\n    m[i] == 0 => next(o) = !o\n");
  const System normal = normalised(system);
  EXPECT_THAT(emitC(fold(planStep(normal))), HasSubstr("in->i < 0 || in->i >= 50 ? 0 : s->m[in->i]"));
  const Inputs inputs = randomInputs(system, 50, 1);
  EXPECT_EQ(traceOf(normal, inputs), traceOf(system, inputs));
}

} // namespace
} // namespace warploom::sync
