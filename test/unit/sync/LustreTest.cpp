// Lustre: each operator by its trace, clocks, and what is refused.
#include "sync/lustre/Lustre.h"

#include "Traces.h"
#include "sync/group/StepPlan.h"
#include "sync/passes/Passes.h"
#include "sync/reader/Aif.h"

#include <gmock/gmock.h>

namespace warploom::sync {
namespace {

using testing::HasSubstr;
using Lines = std::vector<std::string>;

/// The outputs of a program with inputs `p, q: bool`; each character of the input is a step: `.` none, p, q,
/// or b for both.
Lines traceOfText(const std::string& text, const std::string& input) {
  const System system = readLustre(text);
  Inputs inputs;
  for (char c : input)
    inputs.push_back({{c == 'p' || c == 'b', 0}, {c == 'q' || c == 'b', 0}});
  const Lines result = traceOf(system, inputs);
  EXPECT_EQ(traceOf(normalised(system), inputs), result);
  planStep(normalised(system));
  EXPECT_EQ(traceOf(readAif(writeAif(system)), inputs), result);
  return result;
}
/// The same for a node with an output `n: int` and these equations.
std::string numbers(const std::string& equations, const std::string& input, const std::string& locals = "") {
  std::string result;
  for (const std::string& line :
       traceOfText("node m(p, q: bool) returns (n: int);\n" + (locals.empty() ? "" : "var " + locals + ";") +
                       "\nlet " + equations + " tel",
                   input))
    result += line + " ";
  return result;
}

TEST(Lustre, ArrowPreAndFby) {
  EXPECT_EQ(numbers("n = 1 -> 2;", "..."), "1 2 2 ");
  EXPECT_EQ(numbers("n = 5 -> pre n + 1;", "..."), "5 6 7 ");
  EXPECT_EQ(numbers("n = 5 fby n + 1;", "..."), "5 6 7 ");
  EXPECT_EQ(numbers("n = 1 -> 2 -> 3;", "..."), "1 3 3 ");      // `->` groups from the right
  EXPECT_EQ(numbers("n = 1 fby 2 fby 3;", "...."), "1 2 3 3 "); // and so does `fby`
  EXPECT_EQ(numbers("n = 1 -> pre (2 -> pre (3 -> 4));", "...."), "1 2 3 4 ");
  EXPECT_EQ(numbers("n = (if p then 1 else 2) fby (if p then 3 else 4);", "p.p."), "1 3 4 3 ");
  EXPECT_EQ(numbers("n = if p then 1 else 2 -> 3;", "p.p."), "1 3 1 3 "); // `else` reaches as far as it can
  EXPECT_EQ(numbers("n = pre 7;", "..."), "0 7 7 "); // nothing in particular is the default
}

TEST(Lustre, OperatorsBindAsInTheReferenceManual) {
  const auto holds = [](const std::string& condition) {
    return numbers("n = if " + condition + " then 1 else 0;", "b");
  };
  EXPECT_EQ(holds("not p or q"), "1 ");
  EXPECT_EQ(holds("not p = not q"), "1 ");
  EXPECT_EQ(holds("false and false or true"), "1 ");
  EXPECT_EQ(holds("true or true and false"), "1 ");
  EXPECT_EQ(holds("false => false => false"), "1 ");
  EXPECT_EQ(holds("1 + 2 * 3 = 7 and 7 mod 4 = 3 and -7 div 2 = -3 and 7 / 2 = 3"), "1 ");
  EXPECT_EQ(holds("10 - 3 - 2 = 5"), "1 ");
  EXPECT_EQ(holds("true xor true xor true"), "1 ");
  EXPECT_EQ(holds("1 <> 2 and 1 < 2 and 2 >= 2 and 2 <= 2 and not (2 > 2)"), "1 ");
  EXPECT_EQ(holds("p => not q"), "0 ");
  EXPECT_EQ(holds("real 3 / 2.0 = 1.5"), "1 ");
}

TEST(Lustre, Clocks) {
  EXPECT_EQ(numbers("n = current (x);\nx = 1 -> pre x + 1;", ".p.pp.", "x: int when p"), "0 1 1 2 3 3 ");
  EXPECT_EQ(numbers("n = current (x);\nx = 1 -> pre x + 1;", ".p.pp.", "x: int when not p"), "1 1 2 2 2 3 ");
  EXPECT_EQ(numbers("n = current (k when p); k = 1 fby k + 1;", ".p.pp.", "k: int"), "0 2 2 4 5 5 ");
  EXPECT_EQ(numbers("n = current (k when not p); k = 1 fby k + 1;", ".p.pp.", "k: int"), "1 1 3 3 3 6 ");
  // An instance on a slower clock steps only then; constants are on every clock.
  const std::string count = "node count(by: int) returns (n: int); let n = by -> pre n + by; tel\n";
  EXPECT_EQ(traceOfText(count + "node m(p, q: bool) returns (n: int); let n = current (count(2 when p)); tel",
                        ".pp.p"),
            (Lines{"0", "2", "4", "4", "6"}));
  // Inputs and outputs of a node on clocks that are inputs and outputs of it.
  EXPECT_EQ(traceOfText("node hold(c: bool; x: int when c) returns (d: bool; y: int when d);\n"
                        "let d = not c; y = current (x) when d; tel\n"
                        "node m(p, q: bool) returns (n: int; e: bool); var z: int when e; k: int;\n"
                        "let k = 1 fby k + 1; (e, z) = hold(p, k when p); n = current z; tel",
                        ".p.pp."),
            (Lines{"0 1", "0 0", "2 1", "2 0", "2 0", "5 1"}));
}

TEST(Lustre, NodesAndLists) {
  const std::string two = "node two(a, b: int) returns (s, d: int); let s = a + b; d = a - b; tel\n";
  const auto run = [&](const std::string& rest) {
    return traceOfText(two + "node m(p, q: bool) returns (x, y: int); let " + rest + " tel", "p.");
  };
  EXPECT_EQ(run("(x, y) = two(5, 3);"), (Lines{"8 2", "8 2"}));
  EXPECT_EQ(run("x, y = two(two(5, 3));"), (Lines{"10 6", "10 6"}));
  EXPECT_EQ(run("(x, y) = if p then two(1, 2) else (7, 9);"), (Lines{"3 -1", "7 9"}));
  EXPECT_EQ(run("(x, y) = (1, 2) -> pre (x, y);"), (Lines{"1 2", "1 2"}));
  EXPECT_EQ(run("(x, y) = (0, 1) fby two(y, x);"), (Lines{"0 1", "1 1"}));
  // The marked node is compiled, the others are there to be called; constants, and `tel` as it may end.
  EXPECT_EQ(traceOfText("const n = 2 * 3; b : bool = true; const h = -n;\n"
                        "node m(p, q: bool) returns (x: int) let --%MAIN;\n x = other(n); tel.\n"
                        "function other(i: int) returns (o: int); let o = if b then i + h + 1 else 0; tel;\n"
                        "(* the end\n*) -- of it",
                        "."),
            (Lines{"1"}));
}

TEST(Lustre, AssertionsAreChecked) {
  const System system = readLustre("node inner(p: bool) returns (n: int); let n = 1 -> pre n + 1;\n"
                                   "--%PROPERTY n < 3;\ntel\n"
                                   "node m(p, q: bool) returns (n: int); let n = current (inner(q when p));\n"
                                   "assert p or q;\ntel");
  const auto report = [&](const std::string& input) {
    Interpreter interpreter(system, {true, true});
    try {
      for (char c : input)
        interpreter.step({{c == 'p' || c == 'b', 0}, {c == 'q' || c == 'b', 0}});
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(report("pqqqqb"), "");
  EXPECT_EQ(report("pqb."), "step 4: assumption assert1 violated: p | q");
  EXPECT_THAT(report("pqbqp"), HasSubstr("step 5: assertion inner1.property1 violated"));
}

std::string errorOf(const std::string& text) {
  try {
    planStep(normalised(readLustre(text)));
  } catch (const Error& error) {
    return fmt::format("{}:{}: {}", error.place.line, error.place.column, error.what());
  }
  return "none";
}
/// Of a node with these equations, which begin in line 2.
std::string errorIn(const std::string& equations, const std::string& locals = "") {
  return errorOf("node m(p: bool; i: int; r: real) returns (n: int);" +
                 (locals.empty() ? "" : " var " + locals + ";") + " let\n" + equations + " tel");
}

TEST(Lustre, WrongTypesHaveAPlace) {
  EXPECT_EQ(errorIn("n = p;"), "2:5: `n` is int, and this is bool");
  EXPECT_EQ(errorIn("n = i + r;"), "2:9: the first operand is int, and this is real");
  EXPECT_EQ(errorIn("n = if i then 1 else 2;"), "2:8: the condition is int, not bool");
  EXPECT_EQ(errorIn("n = if p then 1 else p;"), "2:22: the first case is int, and this is bool");
  EXPECT_EQ(errorIn("n = 1 -> true;"), "2:10: the first value is int, and this is bool");
  EXPECT_EQ(errorIn("n = i + (1, 2);"), "2:9: expected one value, found a list of 2");
  EXPECT_EQ(errorIn("n = (1, 2);"), "2:1: 1 variable and 2 values");
  EXPECT_EQ(errorIn("n = real(r);"), "2:10: the operand of `real` is int, and this is real");
  EXPECT_EQ(errorIn("n = 1; assert i;"), "2:15: an assertion must be a bool");
  EXPECT_THAT(errorIn("n = -p;"), HasSubstr("2:6: "));
  EXPECT_EQ(errorIn("n = 3000000000;"), "2:5: 3000000000 does not fit into an int of 32 bits");
  EXPECT_EQ(errorIn("n = -2147483648;"), "none");
  EXPECT_EQ(errorIn("n = 2147483648;"),
            "2:5: 2147483648 is outside the range -2147483648..2147483647 of `n`");
  EXPECT_EQ(errorIn("n = 99999999999999999999999;"),
            "2:5: 99999999999999999999999 does not fit into an int of 32 bits");
  EXPECT_EQ(errorOf("node m(a: int^4) returns (b: int); let b = 1; tel"),
            "1:14: there are no arrays in this subset of Lustre");
  EXPECT_EQ(errorOf("node m(a: color) returns (b: int); let b = 1; tel"),
            "1:11: unknown type `color`; known are bool, int and real");
  EXPECT_EQ(errorOf("const c = pre 1; node m() returns (b: int); let b = 1; tel"),
            "1:11: `c` must be given a constant");
  EXPECT_EQ(errorOf("const c: int = 2.5; node m() returns (b: int); let b = 1; tel"),
            "1:16: `c` is int, and this is real");
}

TEST(Lustre, WrongClocksHaveAPlace) {
  const std::string x = "x: int when p";
  EXPECT_EQ(errorIn("n = x; x = i when p;", x), "2:5: `n` is on the base clock, and this is on clock `p`");
  EXPECT_EQ(errorIn("n = 1; x = i;", x), "2:12: `x` is on clock `p`, and this is on the base clock");
  EXPECT_EQ(errorIn("n = 1; x = i when p + i;", x),
            "2:23: operands on different clocks: clock `p` and the base clock");
  EXPECT_EQ(errorIn("n = 1; x = (i when p) + (i when not p);", x),
            "2:28: operands on different clocks: clock `p` and clock `not p`");
  EXPECT_EQ(errorIn("n = current i;"), "2:5: `current` of a value that is always there");
  EXPECT_EQ(errorIn("n = current (i when i);"), "2:21: clock `i` must be a bool");
  EXPECT_EQ(errorIn("n = current (i when z);"), "2:21: `z` is not declared");
  EXPECT_EQ(errorIn("n = current (i when (p and p));"),
            "2:24: expected `)` after the name of a clock, found `and`");
  EXPECT_EQ(errorIn("n = 1; x = (i when p) when p;", x),
            "2:23: this is on clock `p`, and `p` is on the base clock");
  EXPECT_EQ(errorIn("n = 1; a = p; b = p;", "a: bool when b; b: bool when a"),
            "1:85: the clock of `a` depends on itself");
  const std::string f = "node f(c: bool; y: int when c) returns (o: int); let o = current y; tel\n";
  const auto call = [&](const std::string& arguments) {
    return errorOf(f + "node m(p, q: bool; i: int) returns (n: int); let\nn = f(" + arguments + "); tel");
  };
  EXPECT_EQ(call("p, i when p"), "none");
  EXPECT_EQ(call("p, i"), "3:10: input `y` of f is on clock `c`, and this is on the base clock");
  EXPECT_EQ(call("p, i when q"), "3:12: input `y` of f is on clock `c`, and this is on clock `q`");
  EXPECT_EQ(call("true, i when p"), "1:29: clock `c` must be a variable, and is given a constant");
}

TEST(Lustre, WrongNamesAndTextsHaveAPlace) {
  EXPECT_EQ(errorOf(""), "1:1: there is no node here");
  EXPECT_EQ(errorOf("module"), "1:1: expected `node` or `const`, found `module`");
  EXPECT_EQ(errorIn("n = 1; n = 2;"), "2:8: `n` is defined twice");
  EXPECT_EQ(errorIn("i = 1;"), "2:1: input `i` cannot be defined");
  EXPECT_EQ(errorIn("z = 1;"), "2:1: `z` is not declared");
  EXPECT_EQ(errorIn("n = z;"), "2:5: `z` is not declared");
  EXPECT_EQ(errorIn(""), "1:43: `n` is never defined");
  EXPECT_EQ(errorIn("n = 1;", "n: int"), "1:56: `n` is already declared");
  EXPECT_EQ(errorIn("n = 1"), "2:7: expected `;` after an equation, found `tel`");
  EXPECT_EQ(errorIn("n = 1 +;"), "2:8: expected an expression, found `;`");
  EXPECT_EQ(errorIn("n = 1 < 2 < 3;"), "2:11: expected `;` after an equation, found `<`");
  EXPECT_EQ(errorIn("node = 1;"), "2:1: expected the name of a variable, or `tel`, found `node`");
  EXPECT_EQ(errorIn("n = f(1);"), "2:5: there is no node `f`");
  EXPECT_EQ(errorIn("n = m(p, i, r);"), "2:5: recursive instantiation: m -> m");
  EXPECT_EQ(errorIn("n = m(p);"), "2:5: recursive instantiation: m -> m");
  EXPECT_EQ(errorIn("n = 1; tel node m() returns (x: int); let x = 1;"), "2:17: there is another node `m`");
  EXPECT_EQ(errorOf("const n = 1; const n = 2; node m() returns (x: int); let x = 1; tel"),
            "1:20: there is another constant `n`");
  EXPECT_EQ(errorOf("const n = 1; node m() returns (n: int); let n = 1; tel"), "1:32: `n` is a constant");
  const std::string a = "node a(x: int) returns (y: int); let y = b(x); tel\n";
  EXPECT_EQ(errorOf(a + "node b(x: int) returns (y: int); let y = a(x); tel"),
            "1:42: recursive instantiation: b -> a -> b");
  EXPECT_EQ(
      errorOf(
          "node f(x: int) returns (y: int); let y = x; tel\nnode g() returns (y: int); let y = f(1, 2); tel"),
      "2:36: `f` has 1 input and is given 2");
  // Nodes that nobody calls are looked at too.
  EXPECT_EQ(
      errorOf("node f(x: int) returns (y: bool); let y = x; tel\nnode g() returns (y: int); let y = 1; tel"),
      "1:43: `y` is bool, and this is int");
}

TEST(Lustre, CyclesAreFound) {
  EXPECT_THAT(errorIn("n = n + 1;"),
              HasSubstr("2:1: these actions depend on each other's values in one step"));
  EXPECT_THAT(errorIn("n = k; k = n + 1;", "k: int"), HasSubstr("depend on each other's values"));
  EXPECT_EQ(errorIn("n = k; k = 0 -> pre n + 1;", "k: int"), "none");
  const std::string f = "node f(x: int) returns (y: int); let y = x + 1; tel\n";
  EXPECT_THAT(errorOf(f + "node m() returns (n: int); let n = f(n); tel"),
              HasSubstr("depend on each other's values"));
  EXPECT_EQ(errorOf(f + "node m() returns (n: int); let n = f(0 -> pre n); tel"), "none");
}

TEST(Lustre, HugeTextsAreRefusedOrRead) {
  const auto times = [](int n, const std::string& text) {
    std::string result;
    for (int i = 0; i < n; ++i)
      result += text;
    return result;
  };
  EXPECT_THAT(errorIn("n = " + times(100000, "(")), HasSubstr("nested too deeply"));
  EXPECT_THAT(errorIn("n = " + times(100000, "pre ") + "1;"), HasSubstr("nested too deeply"));
  EXPECT_THAT(errorIn("n = " + times(100000, "- ") + "1;"), HasSubstr("nested too deeply"));
  EXPECT_THAT(errorIn("n = " + times(100000, "1 -> ") + "1;"), HasSubstr("nested too deeply"));
  EXPECT_THAT(errorIn("n = 1" + times(100000, " - i") + ";"), HasSubstr("nested too deeply"));
  EXPECT_EQ(errorIn("n = 1" + times(100000, " + i") + ";"), "none");
  // A short text of very many instances, and a deep one.
  std::string doubling = "node n0(x: int) returns (y: int); let y = x -> pre x; tel\n", deep = doubling;
  for (int i = 1; i < 40; ++i)
    doubling +=
        fmt::format("node n{}(x: int) returns (y: int); let y = n{}(x) + n{}(x + 1); tel\n", i, i - 1, i - 1);
  EXPECT_THAT(errorOf(doubling), HasSubstr("all instances together have more than"));
  for (int i = 1; i < 1000; ++i)
    deep += fmt::format("node n{}(x: int) returns (y: int); let y = n{}(x); tel\n", i, i - 1);
  EXPECT_THAT(errorOf(deep), HasSubstr("nodes nested too deeply"));
}

} // namespace
} // namespace warploom::sync
