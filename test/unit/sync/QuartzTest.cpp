// Quartz: each statement by its trace, and the literature's modules against their guarded actions.
#include "sync/quartz/Quartz.h"

#include "Folder.h"
#include "Systems.h"
#include "Traces.h"
#include "sync/group/StepPlan.h"
#include "sync/passes/Passes.h"
#include "sync/reader/Aif.h"

#include <fstream>
#include <gmock/gmock.h>

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

/// The outputs of a whole text without inputs.
Lines runOf(const std::string& text, int steps) {
  const System system = readQuartz(text);
  const Inputs inputs(steps, std::vector<Value>(inputCells(system).size()));
  const Lines result = traceOf(system, inputs);
  EXPECT_EQ(traceOf(normalised(system), inputs), result);
  planStep(normalised(system));
  return result;
}

TEST(Quartz, WordsOfItsUsers) {
  // Several names after one type, `event` alone, emissions in parentheses, labels before `await` and `halt`.
  const System abro = readQuartz("module ABRO(event ?a, ?b, ?r, !o) {\n"
                                 "  loop abort { { wa: await(a); } || { wb: await(b); } emit(o); wr: halt; } "
                                 "when (r);\n} satisfies { s: A G (o -> a | b); } drivenby { pause; }");
  const System plain = readQuartz("module ABRO(bool ?a, bool ?b, bool ?r, event bool !o) {\n"
                                  "  loop abort { await(a); || await(b); emit o; loop pause; } when (r);\n}");
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Inputs inputs = randomInputs(plain, 60, seed);
    EXPECT_EQ(traceOf(abro, inputs), traceOf(plain, inputs));
  }
  EXPECT_NE(abro.find("wa"), -1);
  EXPECT_EQ(emissions("emit(next(x)); w: await(p); if (w) emit(x);", "..p.."), ".xx..");
  EXPECT_EQ(emissions("loop { emit x; pause; emit x; } each (p);", "..p..p"), "xxxx.x");
  EXPECT_EQ(emissions("weak abort sustain(x); when (p);", "...p.."), "xxxx..");
  EXPECT_EQ(
      trace("loop { case (p & q) do n = 3; (p) do n = 1; (q) do n = 2; default n = 0; pause; }", ".pqb"),
      (Lines{"0 0", "0 1", "0 2", "0 3"}));
  EXPECT_EQ(trace("event a, b; nat{9} i, j; emit a; if (a & !b) { i = 4; j = i + 1; } n = i * j;", "."),
            (Lines{"0 20"}));
  EXPECT_EQ(emissions("for (i = 1..3) { w: pause; if (i == 2) emit x; } /* three\nrounds */", "....."),
            "..x..");
  EXPECT_EQ(emissions("for (i = 1..3) do || { for (j = 1 .. i) pause; if (i != 2) emit x; }", "....."),
            ".x.x.");
}

TEST(Quartz, ArraysInFrontAndExpressions) {
  EXPECT_EQ(
      runOf("module M([2]nat{100} !a, bv{8} !v, int{100} !k) { [2][3]nat{9} t; t[1][2] = 7;\n"
            "a[0] = t[1][2]; a[1] = max(a[0], 9) - min(a[0], 3)\n - 1; v = 0xa5 xor (0b1 @ 0b0000011);\n"
            "k = int(v{5:5} @ 0b01) + nat(v{3:0}) + int(v{1}) + abs(-3); }",
            1),
      (Lines{"7 5 38 " + std::to_string(-3 + 6 + 1 + 3)}));
  EXPECT_EQ(runOf("module M(real !r, int{9} !k) { r = real(3) / 2; k = r > 1.4 ? 3 : -3; }", 1),
            (Lines{"1.5 3"}));
}

TEST(Quartz, Macros) {
  const std::string head = "macro N = 3;\nmacro last = N - 1;\nmacro f(x, y) = x * N + y;\n"
                           "macro both = f(last, i);\nmacro even(i) = i % 2 == 0;\n";
  EXPECT_EQ(runOf(head + "module M([N]nat{50} !a) { nat{9} i; i = 5; a[last] = f(f(i, 1), i) + 1;\n"
                         "a[N - 2] = both; a[0] = even(3) ? 1 : even(2) ? 2 : 3; }",
                  1),
            (Lines{"2 11 54"}));
}

TEST(Quartz, AssertAndAssumeAreChecks) {
  const System system = readQuartz("module M(int{10} ?i, int{20} !o) { assume(i >= 0); pause; loop {\n"
                                   "  o = 2 * i; small: assert(o < 10); pause; } }");
  const auto ends = [&](std::vector<int> given) {
    Inputs inputs;
    for (int value : given)
      inputs.push_back({{value, 0}});
    std::string message = "none";
    Interpreter interpreter(system, {true, true});
    try {
      for (const std::vector<Value>& step : inputs)
        interpreter.step(step);
    } catch (const RunError& error) {
      message = error.what();
    }
    EXPECT_EQ(traceOf(normalised(system, {true, true}), inputs, {true, true}),
              traceOf(system, inputs, {true, true}));
    return message;
  };
  EXPECT_EQ(ends({9, 4, -3}), "none");
  EXPECT_EQ(ends({-1}), "step 1: assumption assume1 violated: i >= 0");
  EXPECT_EQ(ends({0, 4, 5, 0}), "step 3: assertion small violated: o < 10");
  EXPECT_TRUE(system.init.assertions.at(0).assumed);
  EXPECT_EQ(writeAif(readAif(writeAif(system))), writeAif(system));
  EXPECT_EQ(writeAif(readAifXml(writeAifXml(system))), writeAif(system));
}

const std::string pulse = "module Pulse(const n, event ?go, event !o) {\n"
                          "  loop { await(go); for (i = 1..n) { w: pause; } emit(o); }\n}\n";

TEST(Quartz, ModulesAreInstantiated) {
  // o one step after every go, z two steps after o.
  const System system = readQuartz(pulse + "module M(event ?p, !y, !z) {\n"
                                           "  one: Pulse(1, p, y); || Pulse(2, y, z);\n}");
  Inputs inputs;
  for (char c : std::string("pp..p.p.."))
    inputs.push_back({{c == 'p', 0}});
  const Lines expected{"0 0", "0 0", "1 0", "0 0", "0 1", "1 0", "0 0", "1 1", "0 0"};
  EXPECT_EQ(traceOf(system, inputs), expected);
  EXPECT_EQ(traceOf(normalised(system), inputs), expected);
  // In a sequence, and ended from outside; locals of an instance in a loop are new ones.
  EXPECT_EQ(runOf("module Two(nat{50} &n) { nat{9} k; next(k) = k + 1; pause; n = 10 * k; }\n"
                  "module M(nat{50} !n) { loop { Two(n); pause; } }",
                  5),
            (Lines{"0", "10", "10", "10", "10"}));
}

TEST(Quartz, ModulesOfOtherFiles) {
  Folder folder;
  folder.write("pulse.qrz", "import clock;\nmacro two = 2;\n" + pulse);
  folder.write("clock.qrz", "import pulse;\nmodule Wrong(event !o) {\n  emit(p);\n}\n");
  const auto read = [&](const std::string& body) {
    Sources sources;
    sources.files.push_back(
        {(folder.path / "main.qrz").string(), "import pulse;\nmodule M(event ?p, !o) { " + body + " }"});
    try {
      readQuartz(sources);
      return std::string("none");
    } catch (const Error& error) {
      return located(error, sources).substr(folder.path.string().size() + 1);
    }
  };
  EXPECT_EQ(read("Pulse(two, p, o);"), "none");
  EXPECT_THAT(read("Wrong(o);"), testing::StartsWith("clock.qrz:3:8: error: `p` is not declared"));
  EXPECT_THAT(read("Other(o);"), testing::StartsWith("main.qrz:2:26: error: there is no module `Other`"));
}

TEST(Quartz, ArraysOfInstances) {
  const System system =
      readQuartz(pulse + "module M(event ?p, event [40]bool !o) {\n"
                         "  head: Pulse(0 + 1, p, o[0]); || c[i: 39]: Pulse(1, o[i], o[i + 1]);\n}");
  Inputs inputs(80, {{false, 0}});
  inputs[1] = {{true, 0}};
  for (const System& each : {system, normalised(system)}) {
    const Lines lines = traceOf(each, inputs);
    ASSERT_EQ(lines.size(), 80u);
    for (std::size_t step = 0; step < lines.size(); ++step)
      for (std::size_t cell = 0; cell < 40; ++cell)
        EXPECT_EQ(lines[step][2 * cell] == '1', step == cell + 2) << step << " " << cell;
  }
  // Labels and locals that are declared twice are two arrays.
  EXPECT_EQ(runOf("module Wait(nat{99} !n) { nat{9} s; for (i = 1..2) { nat{9} k; w: pause; next(k) = k + i; "
                  "v: pause; s = k + 10 * i; n = s; } }\n"
                  "module M([3]nat{99} !n) { w[j: 3]: Wait(n[j]); }",
                  6),
            (Lines{"0 0 0", "0 0 0", "11 11 11", "11 11 11", "22 22 22", "22 22 22"}));
  // Each instance has incarnations of its own.
  EXPECT_EQ(
      runOf("module Up(const by, nat{99} !n) { loop { nat{99} k; next(k) = k + by; pause; n = k; next(k) "
            "= 50; pause; next(n) = k; pause; } }\n"
            "module M([3]nat{99} !n) { w[j: 3]: Up(j + 1, n[j]); }",
            5),
      (Lines{"0 0 0", "1 2 3", "1 2 3", "50 50 50", "1 2 3"}));
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

TEST(Quartz, MalformedTextsHaveAPlace) {
  EXPECT_EQ(errorOf(""), "1:1: there is no module here");
  EXPECT_EQ(errorOf("module M(event ?a, b) { }"),
            "1:20: unknown type `b`; known are bool, int, nat, bv and real");
  EXPECT_EQ(errorOf("module M(event ?a, bool b) { }"),
            "1:25: a parameter is marked by ? (input), ! (output) or & (both)");
  EXPECT_EQ(errorOf("module M(?a) { }"), "1:10: expected a type, found `?`");
  EXPECT_EQ(errorOf("module M(event ?a, !a) { }"), "1:21: `a` is already declared");
  EXPECT_EQ(errorOf("module M(event ?a) { a: pause; }"), "1:22: `a` is already declared");
  EXPECT_EQ(errorOf("module M(event ?a) { w: pause; w: pause; }"), "1:32: `w` is already declared");
  EXPECT_EQ(
      errorOf("module M(event !a) { w: emit a; }"),
      "1:25: expected `pause`, `halt`, `await`, `assert`, `assume` or a module after a label, found `emit`");
  EXPECT_EQ(errorOf("module M(event !a) { w[i: 3]: pause; }"),
            "1:31: only a module has an array of instances");
  EXPECT_EQ(errorOf("module M(event !a) { choose emit a; else nothing; }"),
            "1:22: `choose` has no single trace, and cannot be compiled");
  EXPECT_EQ(errorOf("module M(nat{8} !a) { emit(a); }"),
            "1:23: this value cannot be assigned to `a`, a nat{8}");
  EXPECT_EQ(errorOf("module M(nat{8} ?a) { assert(a); }"), "1:30: a condition must be a boolean");
  EXPECT_EQ(errorOf("module M(nat{8} ?a) { b: M(a); }"), "1:26: recursive instantiation: M -> M");
  EXPECT_EQ(errorOf("module A() { B(); }\nmodule B() { A(); }"),
            "1:14: recursive instantiation: B -> A -> B");
  EXPECT_EQ(errorOf("module A() { B(); }"), "1:14: there is no module `B`");
  EXPECT_EQ(errorOf("module A() { }\nmodule A() { }"), "2:8: there is another module `A`");
  EXPECT_EQ(errorOf("module A() { } module B() { A(3); }"), "1:29: A has 0 parameters and is given 1");
  EXPECT_EQ(errorOf("module A(event ?a, !b) { } module B(event ?a) { A(a); }"),
            "1:49: A has 2 parameters and is given 1");
  EXPECT_EQ(errorOf("module A(event !b) { } module B(event ?a) { A(a); }"),
            "1:47: output `b` cannot be the input `a`");
  EXPECT_EQ(errorOf("module A(event !b) { } module B(bool !a) { A(a); }"),
            "1:46: output `b` is an event and `a` is memorized");
  EXPECT_EQ(errorOf("module A(const n) { } module B(nat{3} ?a) { A(a); }"),
            "1:47: `n` is a constant and needs a constant integer");
  EXPECT_EQ(errorOf("module A(const n) { }"),
            "1:16: constant `n` has no value: nothing instantiates this module");
  EXPECT_EQ(errorOf("module A() { x: pause; } module B() { x[i: 0]: A(); }"),
            "1:44: an array has between 1 and 10000000 instances");
  EXPECT_EQ(errorOf("import nowhere;\nmodule A() { }"), "1:8: cannot read `nowhere.qrz`");
  EXPECT_EQ(errorOf("macro N = 3;\nmacro N = 4;\nmodule A() { }"), "2:7: `N` is already declared");
  EXPECT_EQ(errorOf("macro N = 3;\nmodule A(event ?N) { }"), "2:17: `N` is already declared");
  EXPECT_EQ(errorOf("macro f(x) = x + g(x); macro g(x) = f(x);\nmodule A(nat{9} !n) { n = f(1); }"),
            "1:37: macro `f` is used in itself");
  EXPECT_EQ(errorOf("macro f(x) = x;\nmodule A(nat{9} !n) { n = f(1, 2); }"),
            "2:27: macro `f` has 1 parameter and is given 2");
  EXPECT_EQ(errorOf("macro f(x) = x"), "1:15: expected `;` after a macro, found the end of the text");
  EXPECT_EQ(errorOf("module A(nat{9} !n) { n = 0x1ffffffffffffffff; }"),
            "1:27: expected an expression, found the malformed token `0x1ffffffffffffffff`");
  EXPECT_EQ(errorOf("module A(real ?r, nat{9} !n) { n = nat(r); }"), "1:40: a real cannot be made a nat");
  std::string doubling = "macro m0 = 1;", wide = "macro s(x, y) = x; macro w0 = 1;";
  for (int i = 1; i < 40; ++i) {
    doubling += fmt::format("macro m{} = m{} + m{};", i, i - 1, i - 1);
    wide += fmt::format("macro w{} = s(w{}, w{});", i, i - 1, i - 1);
  }
  EXPECT_THAT(errorOf(doubling + "\nmodule A(nat{9} !n) { n = m39; }"),
              testing::HasSubstr("macros in one expression"));
  EXPECT_THAT(errorOf(wide + "\nmodule A(nat{9} !n) { n = w39; }"),
              testing::HasSubstr("macros in one expression"));
  EXPECT_THAT(errorOf("module A() { " + std::string(5000, 'x') + ": pause; case" + std::string(3000, '(')),
              testing::HasSubstr("nested too deeply"));
  std::string tree = "module A0(nat{9} ?n) { pause; }\n";
  for (int i = 1; i < 40; ++i)
    tree += fmt::format("module A{}(nat{{9}} ?n) {{ A{}(n); || A{}(n); }}\n", i, i - 1, i - 1);
  EXPECT_THAT(errorOf(tree), testing::HasSubstr("all instances together have more than"));
  std::string ways;
  for (int i = 0; i < 1100; ++i)
    ways += "if (p) pause;\n";
  EXPECT_EQ(errorOf("module A(event ?p) {\n" + ways + "}"),
            "1:20: expression nested too deeply: too many ways lead through this body");
  std::string chain;
  for (int i = 0; i < 3000; ++i)
    chain += fmt::format("module A{}() {{ A{}(); }}\n", i, i + 1);
  EXPECT_THAT(errorOf(chain + "module A3000() { }\nmodule M() { A0(); }"),
              testing::HasSubstr("nested too deeply"));
}

} // namespace
} // namespace warploom::sync
