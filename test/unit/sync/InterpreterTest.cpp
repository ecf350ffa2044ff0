// The meaning of a system, checked on the smallest systems that show each rule.
#include "sync/run/Interpreter.h"

#include "Systems.h"

#include <gtest/gtest.h>

namespace warploom::sync {
namespace {

/// Runs `system` on one integer (or boolean) input vector per step; the outputs of every step, joined by
/// spaces.
std::vector<std::string> trace(const System& system, const std::vector<std::vector<std::int64_t>>& inputs,
                               RunChecks checks = {}) {
  Interpreter interpreter(system, checks);
  std::vector<std::string> result;
  for (const std::vector<std::int64_t>& step : inputs) {
    std::vector<Value> values;
    for (std::int64_t value : step)
      values.push_back({value, 0});
    interpreter.step(values);
    std::string line;
    for (const Value& value : interpreter.outputs())
      line += fmt::format("{}{}", line.empty() ? "" : " ", value.integer);
    result.push_back(line);
  }
  return result;
}

using Lines = std::vector<std::string>;

/// The error of a run; kind and message, or "" when it ended well.
std::string runError(const System& system, const std::vector<std::vector<std::int64_t>>& inputs,
                     RunChecks checks = {}) {
  try {
    trace(system, inputs, checks);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

// SHOWS: GA-05
TEST(Interpreter, MemorizedKeepsAndEventForgets) {
  const System system = readAif(R"(system S:
interface:
  p: input bool
  e: output event int{9}
  m: output memorized int{9}
  d: output event int{9}
init:
  data flow:
    p => e = 1
    p => m = 1
main:
  data flow:
    p => e = 2
    p => m = 2
    p => d = 3
absence reactions:
  d = 7
)");
  EXPECT_EQ(trace(system, {{1}, {0}, {1}, {0}}), (Lines{"1 1 7", "0 1 7", "2 2 3", "0 2 7"}));
}

// SHOWS: GA-06 GA-07
TEST(Interpreter, ImmediateIsSeenNowAndDelayedNext) {
  const System system = readAif(R"(system S:
interface:
  p: input bool
  now: output event bool
  nxt: output event bool
  seenNow: output event bool
  seenNext: output event bool
main:
  data flow:
    nxt => seenNext = true
    now => seenNow = true
    p => now = true
    p => next(nxt) = true
)");
  EXPECT_EQ(trace(system, {{1}, {1}, {0}, {0}}), (Lines{"0 0 0 0", "1 0 1 0", "0 1 0 1", "0 0 0 0"}));
}

TEST(Interpreter, KnownFalseOperandsSettleAGuard) {
  // Each action reads the other's target, but never both in one step.
  const System system = readAif(R"(system S:
interface:
  s: input bool
  x: output event bool
  y: output event bool
init:
main:
  data flow:
    s & !y => x = true
    !s & !x => y = true
)");
  EXPECT_EQ(trace(system, {{0}, {1}, {0}}), (Lines{"0 0", "1 0", "0 1"}));
}

// SHOWS: GA-09
TEST(Interpreter, ConflictNamesBothActions) {
  const System system = readAif(R"(system S:
interface:
  p: input bool
  q: input bool
  o: output memorized int{9}
init:
main:
  data flow:
    p => o = 1
    q => o = 2
    p & q => o = 1
)");
  EXPECT_EQ(trace(system, {{1, 1}, {1, 0}, {0, 1}}), (Lines{"0", "1", "2"}));
  EXPECT_EQ(runError(system, {{1, 1}, {1, 1}}),
            "step 2: write conflict on `o`: `p => o = 1` (line 9) and `q => o = 2` (line 10)");
  const System delayed = readAif(R"(system S:
interface:
  p: input bool
  o: output memorized int{9}
main:
  data flow:
    p => next(o) = 1
    true => next(o) = 2
    !p => o = 3
)");
  EXPECT_EQ(
      runError(delayed, {{0}, {1}}),
      "step 2: write conflict on `next(o)`: `p => next(o) = 1` (line 7) and `true => next(o) = 2` (line 8)");
  EXPECT_EQ(runError(delayed, {{0}, {0}, {0}}),
            "step 3: write conflict on `o`: `true => next(o) = 2` (line 8) and `!p => o = 3` (line 9)");
}

TEST(Interpreter, CausalityErrorNamesTheCycle) {
  const System system = readAif(R"(system S:
interface:
  p: input bool
  x: output event bool
  y: output event bool
  z: output event bool
init:
main:
  data flow:
    x => z = true
    p & !y => x = true
    x => y = true
)");
  EXPECT_EQ(runError(system, {{1}, {0}}), "");
  EXPECT_EQ(runError(system, {{0}, {1}}),
            "step 2: causality error: these actions wait for each other:\n  `p & !y => x = true` (line 11)\n"
            "  `x => y = true` (line 12)");
}

// SHOWS: GA-04
TEST(Interpreter, RangesAreExact) {
  const System system = readAif(R"(system S:
interface:
  a: input int{100}
  i: output memorized int{8}
  n: output memorized nat{8}
init:
main:
  data flow:
    a < 50 => i = a
    a >= 50 => n = a - 50
)");
  const RunChecks ranges{true, false};
  EXPECT_EQ(runError(system, {{0}, {7}, {-8}, {57}, {50}}, ranges), "");
  EXPECT_EQ(runError(system, {{0}, {8}}, ranges),
            "step 2: 8 is outside the range -8..7 of `i`: `a < 50 => i = a` (line 9)");
  EXPECT_NE(runError(system, {{0}, {-9}}, ranges), "");
  EXPECT_NE(runError(system, {{0}, {58}}, ranges), "");
  EXPECT_EQ(runError(system, {{0}, {58}}), "");
  EXPECT_EQ(runError(system, {{100}}), "step 1: 100 is outside the range -100..99 of `a`");
}

TEST(Interpreter, AssertionsReportNameAndStep) {
  const System system = matrixProduct(2);
  const std::vector<std::int64_t> small(8, 1), large(8, 5);
  EXPECT_EQ(runError(system, {large, small}, {false, true}), "");
  EXPECT_EQ(runError(system, {small, small, large}), "");
  EXPECT_EQ(runError(system, {small, small, large}, {false, true}).substr(0, 38),
            "step 3: assertion __rte0 violated: a[0");
}

TEST(Interpreter, DynamicSubscriptsAndDivisionAreChecked) {
  const System system = readAif(R"(system S:
interface:
  k: input nat{4}
  d: input int{9}
  t: output memorized int{9}[3]
  q: output memorized int{90}
  r: output event bool
init:
main:
  data flow:
    k < 3 => next(t[k]) = t[(k + 1) % 3] + 1
    d != 5 => q = 60 / d
    d != 0 & 8/d == 4 => r = true
    k == 3 & t[k] == 0 => r = true
)");
  EXPECT_EQ(trace(system, {{0, 1}, {0, 1}, {1, 2}, {2, 4}, {3, 5}}),
            (Lines{"0 0 0 0 0", "0 0 0 60 0", "1 0 0 30 1", "1 1 0 15 0", "1 1 2 15 1"}));
  EXPECT_EQ(runError(system, {{0, 1}, {0, 0}}), "step 2: division by zero: `d != 5 => q = 60/d` (line 12)");
  const System outside =
      readAif("system S:\ninterface:\n  k: input nat{4}\n  t: output memorized int{9}[3]\n"
              "main:\n  data flow:\n    k != 0 => t[k] = 1\n    k == 0 => t[0] = t[k + 3]\n");
  EXPECT_EQ(runError(outside, {{0}, {2}}), "");
  EXPECT_EQ(runError(outside, {{0}, {3}}),
            "step 2: a subscript is outside `t`: `k != 0 => t[k] = 1` (line 7)");
  EXPECT_EQ(runError(outside, {{0}, {0}}),
            "step 2: a subscript is outside its array: `k == 0 => t[0] = t[k + 3]` (line 8)");
}

TEST(Interpreter, MatrixProductAndMyModule) {
  EXPECT_EQ(trace(matrixProduct(2), {{1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 1, 0, 5, 6, 7, 8}}),
            (Lines{"19 22 43 50", "7 8 5 6"}));
  // c is 5 whenever it is written, because a is set in the same step.
  EXPECT_EQ(trace(myModule(true), {{1}, {0}, {0}, {1}}),
            (Lines{"1 0 5 2 0 0", "1 0 5 2 5 0", "1 0 5 4 5 0", "1 1 5 4 5 0"}));
}

TEST(Interpreter, ALongChainInTheWrongOrderIsQuick) {
  std::string text = "system S:\ninterface:\n  i: input int{9}\n  x: output memorized "
                     "int{99999}[20000]\ninit:\nmain:\n data flow:\n";
  for (int k = 19999; k > 0; --k)
    text += fmt::format("true => x[{}] = x[{}] + 1\n", k, k - 1);
  text += "true => x[0] = i\n";
  const System system = readAif(text);
  Interpreter interpreter(system);
  interpreter.step({{3, 0}});
  interpreter.step({{3, 0}});
  EXPECT_EQ(interpreter.outputs().back().integer, 20002);
}

} // namespace
} // namespace warploom::sync
