// Quartz: each statement by its trace, and the literature's modules against their guarded actions.
#include "sync/quartz/Quartz.h"

#include "Systems.h"
#include "Traces.h"
#include "sync/group/StepPlan.h"
#include "sync/passes/Passes.h"

#include <gtest/gtest.h>

namespace warploom::sync {
namespace {

using Lines = std::vector<std::string>;

/// The outputs of a module with inputs `bool ?p, bool ?q` and outputs `event bool !x, int{100} !n` whose body
/// is `body`. Each character of the input is a step: `.` none, p, q, or b for both.
Lines trace(const std::string& body, const std::string& input) {
  const System system = readQuartz("module M(bool ?p, bool ?q, event bool !x, int{100} !n) {" + body + "}");
  Inputs inputs;
  for (char c : input)
    inputs.push_back({{c == 'p' || c == 'b', 0}, {c == 'q' || c == 'b', 0}});
  const Lines result = traceOf(system, inputs);
  // What is compiled from it behaves alike.
  EXPECT_EQ(traceOf(normalised(system), inputs), result);
  planStep(normalised(system));
  return result;
}

/// The steps in which x is emitted, as a string of `x` and `.`.
std::string emissions(const std::string& body, const std::string& input) {
  std::string result;
  for (const std::string& step : trace(body, input))
    result += step.rfind("error", 0) == 0 ? 'E' : step[0] == '1' ? 'x' : '.';
  return result;
}

TEST(Quartz, SequencesPausesAndLoops) {
  EXPECT_EQ(emissions("emit x; pause; pause; emit x;", "....."), "x.x..");
  EXPECT_EQ(emissions("loop { emit x; pause; pause; }", "....."), "x.x.x");
  EXPECT_EQ(emissions("do { pause; emit x; } while (!p);", "...p.."), ".xxx..");
  EXPECT_EQ(emissions("while (p) { emit x; pause; }", "pp.pp"), "xx...");
  EXPECT_EQ(emissions("pause; if (p) emit x; else { pause; emit x; }", "....."), "..x..");
  EXPECT_EQ(emissions("emit next(x);", "..."), ".x.");
  EXPECT_EQ(trace("for (i = 1 to 3) { next(n) = n + i; pause; }", "....."),
            (Lines{"0 0", "0 1", "0 3", "0 6", "0 6"}));
}

TEST(Quartz, AwaitAndEvery) {
  EXPECT_EQ(emissions("await(p); emit x;", "p..p."), "...x.");
  EXPECT_EQ(emissions("immediate await(p); emit x;", "p..p."), "x....");
  EXPECT_EQ(emissions("immediate await(p); emit x;", "..pp."), "..x..");
  EXPECT_EQ(emissions("every(p) { emit x; pause; emit x; }", "p.p..pp."), "..xx.xxx");
}

TEST(Quartz, ParallelEndsWithTheLast) {
  EXPECT_EQ(emissions("{ pause; } || { pause; pause; } emit x;", "...."), "..x.");
  EXPECT_EQ(emissions("{ await(p); } || { await(q); } emit x;", "..p.q."), "....x.");
  EXPECT_EQ(emissions("{ await(p); } || { await(q); } emit x;", "..b..."), "..x...");
  EXPECT_EQ(emissions("nothing; || { pause; } emit x;", "..."), ".x.");
}

TEST(Quartz, StrongWeakAndImmediateAbort) {
  const std::string body = "abort loop { pause; emit x; } when (p);";
  EXPECT_EQ(emissions(body, "p..p.."), ".xx...");
  EXPECT_EQ(emissions("weak " + body, "p..p.."), ".xxx..");
  EXPECT_EQ(emissions("immediate abort { emit x; loop { pause; emit x; } } when (p);", "p...."), ".....");
  EXPECT_EQ(emissions("weak immediate abort { emit x; loop { pause; emit x; } } when (p);", "p...."),
            "x....");
  EXPECT_EQ(emissions("weak immediate abort { emit x; loop { pause; emit x; } } when (p);", "..p.."),
            "xxx..");
  // What follows is started in the step of the abortion.
  EXPECT_EQ(emissions("abort { loop pause; } when (p); emit x;", "..p.."), "..x..");
  // The outer abortion wins, and the inner one lets the rest go on.
  EXPECT_EQ(emissions("abort { abort { loop pause; } when (p); emit x; loop pause; } when (q);", ".b..."),
            ".....");
  EXPECT_EQ(emissions("abort { abort { loop pause; } when (p); emit x; loop pause; } when (q);", ".p..."),
            ".x...");
}

TEST(Quartz, StrongWeakAndImmediateSuspension) {
  EXPECT_EQ(emissions("suspend loop { pause; emit x; } when (p);", "p.pp.."), ".x..xx");
  EXPECT_EQ(emissions("weak suspend { pause; emit x; pause; } when (p); ", ".pp..."), ".xxx..");
  EXPECT_EQ(emissions("immediate suspend { emit x; pause; emit x; } when (p);", "pp.p.."), "..x.x.");
  EXPECT_EQ(emissions("weak immediate suspend { emit x; pause; } when (p);", "pp..."), "xxx..");
  // A suspended statement is not aborted from inside, but from outside.
  EXPECT_EQ(emissions("suspend { abort { loop pause; } when (q); emit x; } when (p);", ".b.q."), "...x.");
  EXPECT_EQ(emissions("abort { suspend { loop pause; } when (p); } when (q); emit x;", ".b..."), ".x...");
}

/// One body under every preemption: `x` where it emits, and the step in which what follows starts. Derived by
/// hand from the meaning of the words: strong ones take the actions of the step away, weak ones do not,
/// immediate ones look at the condition in the first step too.
TEST(Quartz, EveryPreemptionByTable) {
  struct Row {
    const char* words;
    const char* emitted[3]; ///< p in step 1, 2 and 3
    int follows[3];
  };
  const Row table[] = {{"abort", {"xxx..", "x....", "xx..."}, {3, 2, 3}},
                       {"weak abort", {"xxx..", "xx...", "xxx.."}, {3, 2, 3}},
                       {"immediate abort", {".....", "x....", "xx..."}, {1, 2, 3}},
                       {"weak immediate abort", {"x....", "xx...", "xxx.."}, {1, 2, 3}},
                       {"suspend", {"xxx..", "x.xx.", "xx.x."}, {3, 4, 4}},
                       {"weak suspend", {"xxx..", "xxxx.", "xxxx."}, {3, 4, 4}},
                       {"immediate suspend", {".xxx.", "x.xx.", "xx.x."}, {4, 4, 4}},
                       {"weak immediate suspend", {"xxxx.", "xxxx.", "xxxx."}, {4, 4, 4}}};
  for (const Row& row : table)
    for (int at = 0; at < 3; ++at) {
      std::string input = ".....";
      input[std::size_t(at)] = 'p';
      const std::string body =
          std::string(row.words) + " { emit x; pause; emit x; pause; emit x; } when (p); n = 9;";
      EXPECT_EQ(emissions(body, input), row.emitted[at]) << body << " " << input;
      const Lines lines = trace(body, input);
      const auto found =
          std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line[2] == '9'; });
      EXPECT_EQ(found - lines.begin() + 1, row.follows[at]) << body << " " << input;
    }
}

TEST(Quartz, AbroIsItsGuardedActions) {
  const System source =
      readQuartz("module ABRO(bool ?a, bool ?b, bool ?r, event bool !o) {\n"
                 "  loop abort { await(a); || await(b); emit o; loop pause; } when (r);\n}\n");
  const System actions = readAif(R"(system ABRO:
interface:
  a: input bool
  b: input bool
  r: input bool
  o: output event bool
locals:
  wa: label bool
  wb: label bool
init:
  control flow:
    true => next(wa) = true
    true => next(wb) = true
main:
  control flow:
    r => next(wa) = true
    r => next(wb) = true
    wa & !a & !r => next(wa) = true
    wb & !b & !r => next(wb) = true
  data flow:
    (wa & a | wb & b) & (a | !wa) & (b | !wb) & !r => o = true
)");
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Inputs inputs = randomInputs(source, 60, seed);
    EXPECT_EQ(traceOf(source, inputs), traceOf(actions, inputs));
  }
}

// SHOWS: GA-20
TEST(Quartz, MyModuleGivesTheEighteenActions) {
  const System source = readQuartz(
      R"(module MyModule(bool ?trigger, bool !a, bool !b, int{32} !c, int{32} !d, int{32} !e, int{32} !f) {
  loop {
    if (a) c = 5; else c = 3;
    if (trigger) d = 2; else d = 4;
    a = true;
    pause;
    e = c;
    b = a & trigger;
    pause;
  }
}
)");
  EXPECT_EQ(normalised(source).main.dataFlow.size(), 18u);
  const Inputs inputs = randomInputs(source, 40, 3);
  EXPECT_EQ(traceOf(source, inputs), traceOf(myModule(true), inputs));
}

TEST(Quartz, EveryStartOfABlockHasItsOwnLocals) {
  // What was remembered ends with the block.
  EXPECT_EQ(emissions("loop { bool y; if (p) y = true; pause; if (y) emit x; pause; }", "p....."), ".x....");
  // The old incarnation is assigned in the step in which the new one is read.
  EXPECT_EQ(emissions("loop { bool y; if (y) emit x; pause; y = true; }", "....."), ".....");
  EXPECT_EQ(emissions("loop { event bool y; pause; emit y; if (y) emit x; }", "....."), ".xxxx");
  // The inner and the outer loop start the block in one step, while it ends.
  EXPECT_EQ(emissions("loop weak abort loop { bool y; if (y) emit x; pause; y = true; } when (p);", ".p.pp."),
            "......");
  // A delayed value arrives where the incarnation goes on, and is lost with it.
  EXPECT_EQ(emissions("loop { bool y; next(y) = true; pause; if (y) emit x; }", "...."), ".xxx");
  EXPECT_EQ(emissions("loop { bool y; pause; if (y) emit x; next(y) = true; pause; if (y) emit x; next(y) = "
                      "true; }",
                      "......."),
            "..x.x.x");
  // Remembered over pauses, and assigned again.
  EXPECT_EQ(trace("loop { int{99} y; y = 5; pause; n = y; pause; y = 7; pause; n = y; }", "......."),
            (Lines{"0 0", "0 5", "0 5", "0 7", "0 5", "0 5", "0 7"}));
  EXPECT_EQ(emissions("loop { bool[2] y; y[1] = p; pause; if (y[1]) emit x; }", "p.pp."), ".x.xx");
  // Suspension keeps an incarnation, abortion ends it.
  EXPECT_EQ(emissions("loop { bool y; y = p; suspend pause; when (q); if (y) emit x; pause; }", "pqq...."),
            "...x...");
  EXPECT_EQ(emissions("loop { abort { bool y; y = p; loop { pause; if (y) emit x; } } when (q); }", "p..q.."),
            ".xx...");
  // One name in two blocks, and in the rounds of a `for`.
  EXPECT_EQ(emissions("loop { { bool y; y = p; pause; if (y) emit x; } { bool y; pause; if (y) emit x; } }",
                      "p...."),
            ".x...");
  EXPECT_EQ(emissions("for (i = 1 to 2) { bool y; if (y) emit x; pause; y = true; }", "...."), "....");
}

std::string errorOf(const std::string& text) {
  try {
    readQuartz(text);
  } catch (const Error& error) {
    return fmt::format("{}:{}: {}", error.place.line, error.place.column, error.what());
  }
  return "";
}

TEST(Quartz, WhatCannotBeCompiledIsRefused) {
  EXPECT_EQ(errorOf("module M(bool ?p, event bool !x) {\n  loop emit x;\n}"),
            "2:3: the body of this loop may take no time, so that a step might never end");
  EXPECT_EQ(errorOf("module M(bool ?p, event bool !x) {\n  do { if (p) pause; } while (p);\n}"),
            "2:3: the body of this loop may take no time, so that a step might never end");
  EXPECT_EQ(errorOf("module M(bool ?p) {\n  loop { bool y; y = p; pause; }\n  y = p;\n}"),
            "3:3: `y` is not declared");
  EXPECT_EQ(errorOf("module M(bool ?p) {\n  loop { bool p; pause; }\n}"), "2:15: `p` is already declared");
  EXPECT_EQ(errorOf("module M(bool ?p) { bool y; y = p; pause; }"), "");
  EXPECT_EQ(errorOf("module M(bool ?p) {\n  p = true;\n}"), "2:3: input `p` cannot be assigned");
  EXPECT_EQ(errorOf("module M(bool ?p) {\n  pause\n}"), "3:1: expected `;` after a statement, found `}`");
  EXPECT_EQ(errorOf("module M(int ?p) { }"),
            "1:10: `int` without a bound is an infinite type, which cannot be synthesised; write int{N}");
  EXPECT_EQ(errorOf("module M(bool ?p) { weak pause; }"),
            "1:26: expected `abort`, `suspend`, `await` or `every`");
  EXPECT_NE(errorOf("module M(bool ?p) " + std::string(10000, '{')), "");
  const std::string tooLong = "`for` is unrolled, and all rounds together are more than 65536";
  EXPECT_EQ(errorOf("module M(bool ?p) {\n  for (i = 0 to 1000000000) pause;\n}"), "2:3: " + tooLong);
  EXPECT_EQ(errorOf("module M(bool ?p) {\n  for (i = 0 to 999) for (j = 0 to 999) pause;\n}"),
            "2:22: " + tooLong);
}

} // namespace
} // namespace warploom::sync
